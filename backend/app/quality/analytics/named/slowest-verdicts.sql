/*
title_ko: 가장 오래 걸린 평가
title_en: "The slowest verdicts"
description: >-
  Where the time went, the slowest first.
listing: true
columns:
  - [evaluation_id, uuid, null, "The verdict; GET /qa-evaluations/{id} shows it."]
  - [answered_at, timestamp, null, "When the answer was finished."]
  - [judge_model, text, null, "Judge that was asked."]
  - [verdict_ms, number, ms, "From asking for a verdict to having it."]
  - [queue_ms, number, ms, "Of it waiting for a worker."]
  - [judge_ms, number, ms, "Of it the judge of the verdict."]
  - [attempts, integer, attempts, "How often a worker took it."]
  - [degraded, boolean, null, "Whether rules stood in."]
  - [question, text, null, "What was asked."]
*/
SELECT v.evaluation_id, v.answered_at, v.judge_model, round(v.verdict_ms::numeric, 1)::float8
    AS verdict_ms, round(v.queue_ms::numeric, 1)::float8 AS queue_ms,
    round(v.judge_ms::numeric, 1)::float8 AS judge_ms, v.attempts, v.degraded, v.question
FROM (
    SELECT s.evaluation_id
    FROM {slowest} s
    ORDER BY s.verdict_ms DESC, s.evaluation_id
    {limit}
) s
JOIN analytics.verdicts v ON v.evaluation_id = s.evaluation_id
ORDER BY v.verdict_ms DESC, v.evaluation_id
