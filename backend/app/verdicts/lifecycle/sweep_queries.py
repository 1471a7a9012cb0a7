"""The SQL of the dispatcher's ticks: rows of dead workers, paused judges, what is due. As in
lifecycle_queries, every statement is one transaction and takes its time from the database clock."""

from app.verdicts.lifecycle.queries import EVENTS_CHANNEL, NOT_PAUSED, RULES_FALLBACK

# What died together shares the suspicion: each row's share is one divided by how many its worker
# held. A row that died twice and is worth a whole suspect goes to the queue of a process of its
# own; after four deaths, two of them worth a whole suspect, it is given up. Rows that always die in
# company are isolated in the end all the same, so the number of deaths has a bound.
_ALONE = 0.999
_ISOLATED = f"(w.crashes >= 2 AND w.suspicion >= {_ALONE} OR w.crashes >= 6)"
_QUARANTINED = f"(w.crashes >= 4 AND w.suspicion >= 2 * {_ALONE})"
# The leases of one worker end one after the other: what it held is counted when the first one ends.
# Nobody knows who held rows without a worker, so each of them is alone. A row that was alone
# explains the deaths before: whoever else died in them is acquitted.
REAP = f"""
WITH expired AS (
    SELECT e.id, e.workspace_id, e.crashes + 1 AS crashes, COALESCE(e.worker_id, e.id) AS worker_id
    FROM qa_evaluations e
    WHERE e.status = 'running' AND e.run_at <= now()
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
        status = CASE WHEN {_QUARANTINED} THEN 'failed' ELSE 'retrying' END,
        queue = CASE WHEN {_ISOLATED} THEN 'isolated' ELSE e.queue END,
        reason = 'lease_expired',
        error = CASE WHEN {_QUARANTINED} THEN
            'Quarantined: the worker died or hung ' || w.crashes || ' times while judging this'
            ' answer.' END,
        run_at = now(),
        enqueued_at = NULL,
        finished_at = CASE WHEN {_QUARANTINED} THEN now() END
    FROM weighed w WHERE e.id = w.id
    RETURNING e.id, e.workspace_id, e.status
), events AS (
    INSERT INTO verdict_events (workspace_id, evaluation_id, status)
    SELECT workspace_id, id, status FROM reaped
), notified AS (SELECT pg_notify('{EVENTS_CHANNEL}', '') FROM reaped LIMIT 1)
SELECT (SELECT count(*) FROM reaped), (SELECT count(*) FROM notified)
"""

# One waiting row of each paused judge whose time to be tried has come; it stays come while none
# waits, because rows that another judge may take do not wait for long. A judge that is failing is
# half-open: its next probe waits for the end of the one before, longer each time. Rows that have
# failed before come last, after them suspects: one of them may be what the judge stumbled over.
# Rows that wait for money could not be claimed. MATERIALIZED, because a plan that looks for the
# first row again for each row of the table finds another one every time.
PROBE = """
WITH due AS MATERIALIZED (
    SELECT judge_model FROM judge_pauses p
    WHERE probe_at <= now() AND (kind = 'configuration' OR NOT EXISTS (
        SELECT FROM qa_evaluations e WHERE e.id = p.probe_id AND (
            (e.status = 'running' AND e.attempt = p.probe_attempt)
            OR (e.status IN ('queued', 'retrying') AND e.reason = 'probe'))))
    ORDER BY judge_model FOR UPDATE SKIP LOCKED
), first AS MATERIALIZED (
    SELECT due.judge_model, waiting.id, waiting.attempt + 1 AS attempt FROM due, LATERAL (
        SELECT id, attempt FROM qa_evaluations w
        WHERE w.judge_model = due.judge_model AND w.status IN ('queued', 'retrying')
          AND COALESCE(w.reason, '') NOT IN (
               'budget_spent', 'budget_held', 'budget_unpriced')
        ORDER BY w.queue = 'isolated', w.tries, w.run_at LIMIT 1 FOR UPDATE SKIP LOCKED
    ) waiting
), sent AS (
    UPDATE judge_pauses p SET
        probe_at = now() + make_interval(
            secs => least(COALESCE(2 * p.probe_seconds, %(pause)s), %(pause)s)),
        probe_seconds = CASE p.kind WHEN 'failing' THEN least(2 * p.probe_seconds, %(pause)s) END,
        probe_id = first.id,
        probe_attempt = first.attempt
    FROM first WHERE p.judge_model = first.judge_model
)
UPDATE qa_evaluations e SET reason = 'probe', run_at = now(), enqueued_at = NULL
FROM first WHERE e.id = first.id
"""

_NOW = """run_at <= now()
      AND (enqueued_at IS NULL OR enqueued_at < now() - make_interval(secs => %(republish)s))"""
_WAITING = "e.status IN ('queued', 'retrying') AND e.queue = %(queue)s"
_OF_GROUP = f"{_WAITING} AND e.judge_model = g.judge_model AND e.workspace_id = g.workspace_id"
_LAST_WORKSPACE = "'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid"
# By judge and workspace in turn, the oldest of each first, and no more of one of them than `window`
# are published and not claimed: what a slow judge has waiting is neither published again and
# again nor ahead of others. Rows of paused judges, however many, are not looked at; of those only
# the probes and those for the rules are due. Where many groups have rows due, each gets its part,
# or `least` if that is more. What is found is locked by its id: without the words of the index of
# what waits, no plan goes through that again.
TAKE_DUE = f"""
WITH RECURSIVE groups AS (
    (SELECT judge_model, workspace_id FROM qa_evaluations e
     WHERE {_WAITING} ORDER BY judge_model, workspace_id LIMIT 1)
    UNION ALL
    SELECT next.* FROM groups g CROSS JOIN LATERAL (
        SELECT judge_model, workspace_id FROM qa_evaluations e
        WHERE {_WAITING} AND (e.judge_model, e.workspace_id) > (g.judge_model,
            CASE WHEN EXISTS (SELECT FROM judge_pauses p WHERE p.judge_model = g.judge_model)
            THEN {_LAST_WORKSPACE} ELSE g.workspace_id END)
        ORDER BY judge_model, workspace_id LIMIT 1
    ) next
), with_room AS MATERIALIZED (
    SELECT g.*, %(window)s - published.count AS room
    FROM groups g CROSS JOIN LATERAL (
        SELECT count(*) FROM (
            SELECT FROM qa_evaluations e
            WHERE {_OF_GROUP} AND e.enqueued_at >= now() - make_interval(secs => %(republish)s)
            LIMIT %(window)s
        ) latest
    ) published CROSS JOIN LATERAL (
        SELECT FROM qa_evaluations e WHERE {_OF_GROUP} AND e.{_NOW} ORDER BY run_at LIMIT 1
    ) oldest
    WHERE published.count < %(window)s
      AND NOT EXISTS (SELECT FROM judge_pauses p WHERE p.judge_model = g.judge_model)
), part AS MATERIALIZED (
    SELECT greatest(%(limit)s / greatest(count(*), 1), %(least)s) AS size FROM with_room
), found AS (
    SELECT due.* FROM part, with_room g CROSS JOIN LATERAL (
        SELECT id, run_at, row_number() OVER (ORDER BY run_at) AS turn FROM (
            SELECT id, run_at FROM qa_evaluations e WHERE {_OF_GROUP} AND e.{_NOW}
            ORDER BY run_at LIMIT least(g.room, %(limit)s, part.size)
        ) oldest
    ) due
    UNION ALL
    SELECT id, run_at, 0 FROM qa_evaluations e
    WHERE {_WAITING} AND e.{_NOW} AND reason IN ('probe', '{RULES_FALLBACK}')
), due AS (
    SELECT id FROM qa_evaluations
    WHERE id IN (SELECT id FROM found ORDER BY turn, run_at LIMIT %(limit)s)
      AND finished_at IS NULL AND {_NOW}
    FOR UPDATE SKIP LOCKED
)
UPDATE qa_evaluations e SET enqueued_at = now()
FROM due WHERE e.id = due.id
RETURNING e.id
"""

# Few, and the most suspicious first: whoever is guilty acquits the others.
TAKE_SUSPECTS = f"""
WITH due AS (
    SELECT e.id FROM qa_evaluations e
    WHERE {_WAITING} AND e.{_NOW} AND {NOT_PAUSED}
    ORDER BY (
        SELECT sum(s.share) FROM crash_suspects s WHERE s.evaluation_id = e.id
    ) DESC NULLS LAST, run_at
    LIMIT %(limit)s FOR UPDATE OF e SKIP LOCKED
)
UPDATE qa_evaluations e SET enqueued_at = now()
FROM due WHERE e.id = due.id
RETURNING e.id
"""

UNPUBLISH = """
UPDATE qa_evaluations SET enqueued_at = NULL
WHERE id = ANY(%(ids)s) AND status IN ('queued', 'retrying')
"""

PROBE_SOON = "UPDATE judge_pauses SET probe_at = now()"
