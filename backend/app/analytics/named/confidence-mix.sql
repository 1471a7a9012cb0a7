/*
title_ko: 날짜별 신뢰도 분포
title_en: "Confidence by day"
description: >-
  How many answers of each day have high, medium and low confidence.
columns:
  - [day, date, day, "Day of the answer, in the time zone asked for."]
  - [high, integer, answers, "Correctness from 0.8 and utility from 0.7."]
  - [medium, integer, answers, "Correctness from 0.5."]
  - [low, integer, answers, "Correctness below 0.5."]
  - coverage
*/
SELECT {day} AS day,
    count(*) FILTER (WHERE v.confidence = 'high' AND NOT v.degraded) AS high,
    count(*) FILTER (WHERE v.confidence = 'medium' AND NOT v.degraded) AS medium,
    count(*) FILTER (WHERE v.confidence = 'low' AND NOT v.degraded) AS low,
    {coverage}
FROM analytics.verdicts v
WHERE v.is_current
    AND {filters}
GROUP BY 1
ORDER BY 1
