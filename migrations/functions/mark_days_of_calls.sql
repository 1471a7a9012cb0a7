-- As mark_days_of_findings, when calls change: only those of which something that is counted has.
-- Retention empties the replies of a month ago all day long, and nothing counts those.
CREATE OR REPLACE FUNCTION mark_days_of_calls() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    first timestamptz;
BEGIN
    SELECT min(e.answered_at) INTO first
    FROM changed c
    CROSS JOIN LATERAL (SELECT answered_at FROM qa_evaluations WHERE id = c.evaluation_id LIMIT 1) e;
    IF first IS NULL OR first > clock_timestamp() - interval '1 hour' THEN
        RETURN NULL;
    END IF;
    INSERT INTO qa_changed_days (workspace_id, day)
    SELECT c.workspace_id, c.day
    FROM (
        SELECT DISTINCT e.workspace_id, (e.answered_at AT TIME ZONE 'UTC')::date AS day
        FROM (
            SELECT id, evaluation_id, provider, model, error, discarded, batched,
                prompt_tokens, completion_tokens, cached_tokens, cost_usd FROM changed
            EXCEPT
            SELECT id, evaluation_id, provider, model, error, discarded, batched,
                prompt_tokens, completion_tokens, cached_tokens, cost_usd FROM became
        ) r
        CROSS JOIN LATERAL (
            SELECT workspace_id, answered_at FROM qa_evaluations WHERE id = r.evaluation_id LIMIT 1
        ) e
    ) c
    WHERE current_setting('transaction_isolation') <> 'read committed'
        OR EXISTS (SELECT FROM qa_rolled_days d
            WHERE d.workspace_id = c.workspace_id AND d.day = c.day);
    RETURN NULL;
END $$
