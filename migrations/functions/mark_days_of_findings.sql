-- As mark_days_of_verdicts, for rows that belong to a judgement. Those of one that is gone were
-- marked with it. Each is looked up by itself (LIMIT): a plan that reads all judgements would be kept.
CREATE OR REPLACE FUNCTION mark_days_of_findings() RETURNS trigger LANGUAGE plpgsql AS $$
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
        FROM (SELECT DISTINCT evaluation_id FROM changed) r
        CROSS JOIN LATERAL (
            SELECT workspace_id, answered_at FROM qa_evaluations WHERE id = r.evaluation_id LIMIT 1
        ) e
    ) c
    WHERE current_setting('transaction_isolation') <> 'read committed'
        OR EXISTS (SELECT FROM qa_rolled_days d
            WHERE d.workspace_id = c.workspace_id AND d.day = c.day);
    RETURN NULL;
END $$
