/*
title_ko: 모델을 대신한 규칙 평가
title_en: "Where rules stood in for a judge"
description: >-
  Degraded verdicts by judge and cause.
columns:
  - [judge_model, text, null, "Judge that was asked."]
  - [error, text, null, "Why it could not."]
  - [verdicts, integer, verdicts, "How many."]
  - [first_at, timestamp, null, "Answer of the first of them."]
  - [last_at, timestamp, null, "Answer of the last of them."]
*/
SELECT v.judge_model, v.error, count(*) AS verdicts, min(v.answered_at) AS first_at,
    max(v.answered_at) AS last_at
FROM analytics.verdicts v
WHERE v.degraded
    AND {filters}
GROUP BY 1, 2
ORDER BY verdicts DESC, 1, 2
