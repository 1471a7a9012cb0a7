-- As mark_days_of_verdicts, for the notes that an answer was given. All judgements of an answer are
-- counted on its day.
CREATE OR REPLACE FUNCTION mark_days_of_notes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    first timestamptz;
BEGIN
    SELECT min(e.answered_at) INTO first
    FROM changed c
    CROSS JOIN LATERAL (SELECT answered_at FROM qa_evaluations WHERE answer_id = c.answer_id LIMIT 1) e;
    IF first IS NULL OR first > clock_timestamp() - interval '1 hour' THEN
        RETURN NULL;
    END IF;
    INSERT INTO qa_changed_days (workspace_id, day)
    SELECT c.workspace_id, c.day
    FROM (
        SELECT DISTINCT e.workspace_id, (e.answered_at AT TIME ZONE 'UTC')::date AS day
        FROM (SELECT DISTINCT answer_id FROM changed) r
        CROSS JOIN LATERAL (
            SELECT workspace_id, answered_at FROM qa_evaluations WHERE answer_id = r.answer_id LIMIT 1
        ) e
    ) c
    WHERE current_setting('transaction_isolation') <> 'read committed'
        OR EXISTS (SELECT FROM qa_rolled_days d
            WHERE d.workspace_id = c.workspace_id AND d.day = c.day);
    RETURN NULL;
END $$
