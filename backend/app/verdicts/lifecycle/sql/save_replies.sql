-- Stores replies of judges before anything is made of them. The day's spending is counted with the
-- replies that made it, where a workspace has a budget. Locked in one order, as claims do.
--
-- rows: JSON, one object for each call.
WITH stored AS (
    INSERT INTO judge_calls (id, workspace_id, evaluation_id, attempt, request_hash, provider,
        model, content, body, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens,
        cost_usd, latency_ms, error, batched, purpose, re_ask, elapsed_ms)
    SELECT * FROM jsonb_to_recordset({rows}) AS r(
        id uuid, workspace_id uuid, evaluation_id uuid, attempt int, request_hash text,
        provider text, model text, content text, body text, prompt_tokens int,
        completion_tokens int, cached_tokens int, cache_write_tokens int, cost_usd numeric,
        latency_ms float8, error text, batched bool, purpose text, re_ask bool,
        elapsed_ms float8)
    ON CONFLICT (id) DO NOTHING
    RETURNING workspace_id, cost_usd
), spent AS (
    SELECT workspace_id, sum(cost_usd) AS cost_usd FROM stored
    WHERE cost_usd > 0 GROUP BY workspace_id
), counted AS MATERIALIZED (
    SELECT s.workspace_id, s.day_start, spent.cost_usd
    FROM judge_spending s JOIN spent ON spent.workspace_id = s.workspace_id
    WHERE s.day_start <= now() AND now() < s.day_end
    ORDER BY s.workspace_id, s.day_start FOR UPDATE OF s
)
UPDATE judge_spending s SET cost_usd = LEAST(s.cost_usd + counted.cost_usd, 999999)
FROM counted WHERE s.workspace_id = counted.workspace_id AND s.day_start = counted.day_start
