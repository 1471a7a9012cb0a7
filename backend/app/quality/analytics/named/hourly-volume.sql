/*
title_ko: 시간대별 답변 수
title_en: "Answers by hour"
description: >-
  How many answers each hour had and what became of their verdicts.
columns:
  - [hour, timestamp, null, "Its beginning."]
  - coverage
*/
SELECT date_trunc('hour', f.at, %(tz)s) AS hour,
    {coverage}
FROM {verdicts} f
WHERE f.is_current
GROUP BY 1
ORDER BY {by_time}
