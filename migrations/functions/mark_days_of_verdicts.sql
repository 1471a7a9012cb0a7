-- Days whose judgements have changed (`changed`: the rows as they came or as they were) have no valid
-- rollup any more, from this transaction on. Answers of the last hour are of days that are not rolled
-- up yet (see rollup_queries.py), and most changes are of these. Other days that are not rolled up
-- need no mark; a transaction that does not look at the newest rolled days cannot know.
CREATE OR REPLACE FUNCTION mark_days_of_verdicts() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    first timestamptz;
BEGIN
    SELECT min(answered_at) INTO first FROM changed;
    IF first IS NULL OR first > clock_timestamp() - interval '1 hour' THEN
        RETURN NULL;
    END IF;
    INSERT INTO qa_changed_days (workspace_id, day)
    SELECT c.workspace_id, c.day
    FROM (SELECT DISTINCT workspace_id, (answered_at AT TIME ZONE 'UTC')::date AS day FROM changed) c
    WHERE current_setting('transaction_isolation') <> 'read committed'
        OR EXISTS (SELECT FROM qa_rolled_days d
            WHERE d.workspace_id = c.workspace_id AND d.day = c.day);
    RETURN NULL;
END $$
