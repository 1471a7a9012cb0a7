/*
title_ko: 실패한 평가
title_en: "Why judging failed"
description: >-
  Answers whose judging was given up, by judge and cause.
columns:
  - [judge_model, text, null, "Judge that was asked."]
  - [error, text, null, "Why."]
  - [failed, integer, answers, "How many."]
  - [first_at, timestamp, null, "The first of them."]
  - [last_at, timestamp, null, "The last of them."]
*/
SELECT v.judge_model, v.error, count(*) AS failed, min(v.answered_at) AS first_at,
    max(v.answered_at) AS last_at
FROM analytics.verdicts v
WHERE v.status = 'failed'
    AND {filters}
GROUP BY 1, 2
ORDER BY failed DESC, 1, 2
