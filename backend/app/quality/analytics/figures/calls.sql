-- Each call for a judgement, counted by the day of its answer; lines of batches a second time, as
-- such. A judgement that was cancelled may have had some.
SELECT v.answered_at AS at, v.judge_model, 1 AS calls,
    (c.outcome NOT IN ('ok', 'malformed'))::int AS errors,
    (c.outcome = 'malformed')::int AS malformed,
    c.prompt_tokens::bigint AS prompt_tokens, c.completion_tokens::bigint AS completion_tokens,
    c.cached_tokens::bigint AS cached_tokens, c.cost_usd,
    (c.cost_usd IS NULL)::int AS unpriced, 0 AS batched, NULL::numeric AS batched_cost_usd
FROM analytics.verdicts v
JOIN analytics.calls c ON c.evaluation_id = v.evaluation_id
WHERE (v.status <> 'skipped' OR v.reason = 'cancelled')
    AND {filters}
UNION ALL
SELECT v.answered_at, v.judge_model, 0, 0, 0, NULL, NULL, NULL, NULL, 0, 1, c.cost_usd
FROM analytics.verdicts v
JOIN analytics.batched_calls c ON c.evaluation_id = v.evaluation_id
WHERE (v.status <> 'skipped' OR v.reason = 'cancelled')
    AND {filters}
