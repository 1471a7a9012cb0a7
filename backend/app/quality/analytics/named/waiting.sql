/*
title_ko: 기다리는 평가
title_en: "Verdicts still to come"
description: >-
  Unfinished judgements by judge, state and reason.
columns:
  - [judge_model, text, null, "Judge that is asked."]
  - [status, text, null, "queued, running or retrying."]
  - [reason, text, null, "Why it waits; null: its turn has not come."]
  - [waiting, integer, judgements, "How many."]
  - [since, timestamp, null, "When the first of them was asked for."]
*/
SELECT v.judge_model, v.status, v.reason, count(*) AS waiting, min(v.requested_at) AS since
FROM analytics.verdicts v
WHERE v.status IN ({unfinished})
    AND {filters}
GROUP BY 1, 2, 3
ORDER BY since, 1, 2, 3
