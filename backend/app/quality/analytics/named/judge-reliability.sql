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
WITH judges AS (
    SELECT f.judge_model, sum(f.answers) AS asked,
        sum(f.undegraded) AS succeeded, sum(f.degraded) AS degraded,
        sum(f.failed) AS failed, sum(f.pending) AS pending, sum(f.attempts) AS attempts,
        sum(f.tries) AS failed_tries, sum(f.crashes) AS crashes
    FROM {verdicts} f
    WHERE NOT f.is_skipped
    GROUP BY 1
), calls AS (
    SELECT f.judge_model, sum(f.calls) AS calls, sum(f.errors) AS errors,
        sum(f.malformed) AS malformed
    FROM {calls} f
    GROUP BY 1
)
SELECT j.*, COALESCE(c.calls, 0) AS calls, COALESCE(c.errors, 0) AS call_errors,
    COALESCE(c.malformed, 0) AS parse_failures,
    round(c.malformed::numeric / c.calls, 4)::float8 AS parse_failure_share
FROM judges j
LEFT JOIN calls c USING (judge_model)
ORDER BY asked DESC, judge_model
