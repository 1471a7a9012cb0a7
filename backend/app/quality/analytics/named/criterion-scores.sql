/*
title_ko: 날짜별 자체 기준 점수
title_en: "Own criteria by day"
description: >-
  Average scores of the workspace's own criteria by version. Verdicts without a score of the
  criterion count in no average.
columns:
  - [day, date, day, "Day of the answer, in the time zone asked for."]
  - [criterion, text, null, "Name of the criterion."]
  - [version, integer, null, "Version of the criterion."]
  - [score, number, 0..1, "Mean score."]
  - [answers, integer, answers, "Judged answers that the criterion is for."]
  - [scored, integer, answers, "Of them with a score."]
*/
SELECT {day} AS day, s.criterion, s.version, round(avg(s.value)::numeric, 4)::float8 AS score,
    count(*) AS answers, count(s.value) AS scored
FROM analytics.verdicts v
JOIN analytics.criterion_scores s ON s.evaluation_id = v.evaluation_id
WHERE v.is_current
    AND {filters}
GROUP BY 1, 2, 3
ORDER BY {by_time}, 2, 3
