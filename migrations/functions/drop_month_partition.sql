-- Drops the partition of a UTC month that is over, with its rows; false if there is none. Runs as
-- the tables' owner, which the dispatcher need not be. A reader or writer of the table waits for it
-- as long as lock_timeout at most; whoever gets that error tries again.
CREATE OR REPLACE FUNCTION drop_month_partition(parent regclass, month date) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '250ms' AS $$
DECLARE
    first timestamp := date_trunc('month', month::timestamp);
    part regclass;
BEGIN
    PERFORM pg_advisory_xact_lock(parent::oid::int, 0);
    part := to_regclass(format('partitions.%I',
        (SELECT relname FROM pg_class WHERE oid = parent) || to_char(first, '_YYYY_MM')));
    IF NOT EXISTS (SELECT FROM pg_inherits WHERE inhparent = parent AND inhrelid = part) THEN
        RETURN false;
    END IF;
    IF (first + interval '1 month') AT TIME ZONE 'UTC' > now() THEN
        RAISE 'The month of % is not over', part;
    END IF;
    -- No trigger fires. The rows may be of that month or of an earlier one, whose rollups count them
    -- as long as there are judgements of the day. Before the drop, whose lock readers wait for; days
    -- that are added meanwhile get a fence after this transaction.
    PERFORM pg_current_xact_id();
    IF parent IN ('judge_calls'::regclass, 'qa_evaluation_issues'::regclass, 'qa_answer_sources'::regclass)
    THEN
        INSERT INTO qa_changed_days (workspace_id, day)
        SELECT d.workspace_id, d.day FROM qa_rolled_days d
        WHERE d.day < (first + interval '1 month')::date AND EXISTS (
            SELECT FROM qa_evaluations e WHERE e.workspace_id = d.workspace_id
                AND e.answered_at >= d.day::timestamp AT TIME ZONE 'UTC'
                AND e.answered_at < (d.day + 1)::timestamp AT TIME ZONE 'UTC');
    END IF;
    EXECUTE format('DROP TABLE %s', part);
    RETURN true;
END $$
