-- Withdraws the second evaluations of a cancelled job that wait, at most `limit`. What is at the
-- judge ends by itself; it is paid for. Returns how many.
WITH waiting AS (
    SELECT e.id FROM qa_evaluations e
    WHERE e.workspace_id = :workspace_id AND e.job_id = :job_id
      AND e.status IN ({waiting}) AND e.finished_at IS NULL
      AND EXISTS (SELECT FROM jobs j WHERE j.id = :job_id AND j.status = 'cancelled')
    LIMIT :limit FOR UPDATE OF e
), withdrawn AS (
    UPDATE qa_evaluations e SET status = 'skipped', reason = 'cancelled', enqueued_at = NULL,
        finished_at = now()
    FROM waiting WHERE e.id = waiting.id
    RETURNING e.id, e.workspace_id
), events AS (
    INSERT INTO verdict_events (workspace_id, evaluation_id, status, reason)
    SELECT workspace_id, id, 'skipped', 'cancelled' FROM withdrawn
), notified AS (SELECT pg_notify('{events_channel}', '') FROM withdrawn LIMIT 1)
SELECT count(*), (SELECT count(*) FROM notified) FROM withdrawn
