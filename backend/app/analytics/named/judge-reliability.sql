/*
title_ko: 평가 모델의 안정성
title_en: "How often judges fail"
description: >-
  Attempts, errors and replies that could not be used, by the judge that was asked.
columns:
  - [judge_model, text, null, "Judge that was asked."]
  - [asked, integer, judgements, "Judgements asked for."]
  - [succeeded, integer, judgements, "Of them with a verdict of this judge."]
  - [degraded, integer, judgements, "Of them with a verdict of rules instead."]
  - [failed, integer, judgements, "Of them given up."]
  - [pending, integer, judgements, "Of them still to come."]
  - [attempts, integer, attempts, "How often workers took one of them."]
  - [failed_tries, integer, attempts, "Attempts that a failure of the judge used up."]
  - [crashes, integer, attempts, "Attempts whose worker died or hung."]
  - [calls, integer, calls, "Calls to the judge."]
  - [call_errors, integer, calls, "Of them without a reply: refused, timed out, cut off."]
  - [parse_failures, integer, calls, "Of them with a reply that could not be used."]
  - [parse_failure_share, number, 0..1, "parse_failures by calls."]
*/
WITH asked AS NOT MATERIALIZED (
    SELECT v.evaluation_id, v.judge_model, v.status, v.degraded, v.attempts, v.tries, v.crashes
    FROM analytics.verdicts v
    WHERE v.status <> 'skipped'
    AND {filters}
), judges AS (
    SELECT judge_model, count(*) AS asked,
        count(*) FILTER (WHERE status = 'succeeded' AND NOT degraded) AS succeeded,
        count(*) FILTER (WHERE degraded) AS degraded,
        count(*) FILTER (WHERE status = 'failed') AS failed,
        count(*) FILTER (WHERE status IN ({unfinished})) AS pending,
        sum(attempts) AS attempts, sum(tries) AS failed_tries, sum(crashes) AS crashes
    FROM asked
    GROUP BY 1
), calls AS (
    SELECT a.judge_model, count(*) AS calls,
        count(*) FILTER (WHERE c.outcome NOT IN ('ok', 'malformed')) AS errors,
        count(*) FILTER (WHERE c.outcome = 'malformed') AS malformed
    FROM asked a
    JOIN analytics.calls c ON c.evaluation_id = a.evaluation_id
    GROUP BY 1
)
SELECT j.*, COALESCE(c.calls, 0) AS calls, COALESCE(c.errors, 0) AS call_errors,
    COALESCE(c.malformed, 0) AS parse_failures,
    round(c.malformed::numeric / c.calls, 4)::float8 AS parse_failure_share
FROM judges j
LEFT JOIN calls c USING (judge_model)
ORDER BY asked DESC, judge_model
