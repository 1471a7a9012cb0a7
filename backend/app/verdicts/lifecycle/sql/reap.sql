-- Takes rows back that are lost, at most `limit`: whose lease has ended, or whose worker (`ended`) is
-- known to have. Weighs which of them killed its worker. lease: seconds. Returns how many.
--
-- What died together shares the suspicion: each row's share is one divided by how many its worker
-- held. A row that died twice and is worth a whole suspect goes to the queue of a process of its
-- own; after four deaths, two of them worth a whole suspect, it is given up. Rows that always die
-- in company are isolated in the end all the same, so the number of deaths has a bound.
--
-- The leases of one worker end one after the other: what it held is counted when the first one
-- ends. A row without a worker counts as alone. A row that was alone explains the deaths before:
-- the others that died in them are acquitted.
WITH expired AS (
    SELECT e.id, e.workspace_id, e.crashes + 1 AS crashes, COALESCE(e.worker_id, e.id) AS worker_id
    FROM qa_evaluations e
    WHERE e.status = 'running' AND {lost}
    ORDER BY e.run_at LIMIT %(limit)s FOR UPDATE OF e SKIP LOCKED
), deaths AS MATERIALIZED (
    SELECT worker_id, COALESCE(
        (SELECT max(s.share) FROM crash_suspects s WHERE s.worker_id = dead.worker_id
           AND s.died_at > now() - make_interval(secs => %(lease)s)),
        (SELECT 1.0 / greatest(1, count(*)) FROM qa_evaluations r
         WHERE r.status = 'running' AND r.worker_id = dead.worker_id)) AS share
    FROM (SELECT DISTINCT worker_id FROM expired) dead
), weighed AS MATERIALIZED (
    SELECT e.id, e.crashes, d.share = 1 AS alone,
        d.share + COALESCE(
            (SELECT sum(s.share) FROM crash_suspects s WHERE s.evaluation_id = e.id), 0
        ) AS suspicion
    FROM expired e JOIN deaths d ON d.worker_id = e.worker_id
), sentenced AS (
    -- Sums of shares: 0.999 is a whole suspect.
    SELECT id, crashes, crashes >= 2 AND suspicion >= 0.999 OR crashes >= 6 AS isolated,
        crashes >= 4 AND suspicion >= 2 * 0.999 AS quarantined
    FROM weighed
), suspects AS (
    INSERT INTO crash_suspects AS s (worker_id, evaluation_id, workspace_id, share)
    SELECT e.worker_id, e.id, e.workspace_id, d.share
    FROM expired e JOIN deaths d ON d.worker_id = e.worker_id
    ON CONFLICT (worker_id, evaluation_id) DO UPDATE
        SET share = s.share + excluded.share, died_at = excluded.died_at
), acquitted AS (
    UPDATE qa_evaluations e SET
        crashes = 0,
        queue = CASE WHEN e.is_current AND e.job_id IS NULL THEN 'live' ELSE 'bulk' END,
        enqueued_at = NULL
    WHERE e.id IN (
        SELECT r.id FROM qa_evaluations r WHERE r.id IN (
            SELECT other.evaluation_id FROM weighed w
            JOIN crash_suspects mine ON mine.evaluation_id = w.id
            JOIN crash_suspects other ON other.worker_id = mine.worker_id
            WHERE w.alone AND other.evaluation_id NOT IN (SELECT id FROM expired))
          AND r.finished_at IS NULL AND r.crashes > 0
        FOR UPDATE SKIP LOCKED)
    RETURNING e.id
), forgotten AS (
    DELETE FROM crash_suspects s
    WHERE s.evaluation_id IN (SELECT id FROM acquitted)
       OR (s.died_at < now() - interval '1 day' AND EXISTS (SELECT FROM expired))
), reaped AS (
    UPDATE qa_evaluations e SET
        crashes = w.crashes,
        status = CASE WHEN w.quarantined THEN 'failed' ELSE 'retrying' END,
        queue = CASE WHEN w.isolated THEN 'isolated' ELSE e.queue END,
        reason = 'lease_expired',
        error = CASE WHEN w.quarantined THEN
            'Quarantined: the worker died or hung ' || w.crashes || ' times while judging this'
            ' answer.' END,
        run_at = now(),
        enqueued_at = NULL,
        finished_at = CASE WHEN w.quarantined THEN now() END
    FROM sentenced w WHERE e.id = w.id
    RETURNING e.id, e.workspace_id, e.status, e.attempt, e.reason
), events AS (
    INSERT INTO verdict_events (workspace_id, evaluation_id, status, attempt, reason)
    SELECT workspace_id, id, status, attempt, reason FROM reaped
), notified AS (SELECT pg_notify('{events_channel}', '') FROM reaped LIMIT 1)
SELECT (SELECT count(*) FROM reaped), (SELECT count(*) FROM notified)
