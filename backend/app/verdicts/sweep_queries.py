"""The SQL of the dispatcher's ticks: rows of dead workers, paused judges, what is due. As in
lifecycle_queries, every statement is one transaction and takes its time from the database clock."""

from app.verdicts.lifecycle_queries import EVENTS_CHANNEL

# At 2 crashes a row goes to the queue of a process of its own, at 4 it is given up.
REAP = f"""
WITH expired AS (
    SELECT e.id FROM qa_evaluations e
    WHERE e.status = 'running' AND e.run_at <= now()
    ORDER BY e.run_at LIMIT %(limit)s FOR UPDATE OF e SKIP LOCKED
), reaped AS (
    UPDATE qa_evaluations e SET
        crashes = e.crashes + 1,
        status = CASE WHEN e.crashes + 1 >= 4 THEN 'failed' ELSE 'retrying' END,
        queue = CASE WHEN e.crashes + 1 >= 2 THEN 'isolated' ELSE e.queue END,
        reason = 'lease_expired',
        error = CASE WHEN e.crashes + 1 >= 4
            THEN 'Quarantined: the worker died or hung 4 times while judging this answer.' END,
        run_at = now(),
        enqueued_at = NULL,
        finished_at = CASE WHEN e.crashes + 1 >= 4 THEN now() END
    FROM expired WHERE e.id = expired.id
    RETURNING e.id, e.workspace_id, e.status
), told AS (
    INSERT INTO verdict_events (workspace_id, evaluation_id, status)
    SELECT workspace_id, id, status FROM reaped
), woken AS (SELECT pg_notify('{EVENTS_CHANNEL}', '') FROM reaped LIMIT 1)
SELECT (SELECT count(*) FROM reaped), (SELECT count(*) FROM woken)
"""

# One waiting row of each paused judge whose time to be tried has come; it stays come while none
# waits, because rows that another judge may take do not wait for long. Rows that have failed
# before come last: one of them may be what the judge stumbled over. Rows that wait for money could
# not be claimed. MATERIALIZED, because a plan that looks for the first row again for each row of
# the table finds another one every time.
_PROBES = """w.judge_model = {judge_model} AND w.status IN ('queued', 'retrying')
          AND COALESCE(w.reason, '') NOT IN ('budget_spent', 'budget_held')"""
PROBE = f"""
WITH due AS (
    UPDATE judge_pauses p SET probe_at = now() + make_interval(secs => %(pause)s)
    WHERE probe_at <= now() AND EXISTS (
        SELECT FROM qa_evaluations w
        WHERE {_PROBES.format(judge_model="p.judge_model")})
    RETURNING judge_model
), first AS MATERIALIZED (
    SELECT waiting.id FROM due, LATERAL (
        SELECT id FROM qa_evaluations w
        WHERE {_PROBES.format(judge_model="due.judge_model")}
        ORDER BY w.tries, w.run_at LIMIT 1 FOR UPDATE SKIP LOCKED
    ) waiting
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
# the probes are due. Where many groups have rows due, each gets its part, or `least` if that is
# more. What is found is locked by its id: without the words of the index of what waits, no plan
# goes through that again.
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
    SELECT id, run_at, 0 FROM qa_evaluations e WHERE {_WAITING} AND e.{_NOW} AND reason = 'probe'
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

UNPUBLISH = """
UPDATE qa_evaluations SET enqueued_at = NULL
WHERE id = ANY(%(ids)s) AND status IN ('queued', 'retrying')
"""

PROBE_SOON = "UPDATE judge_pauses SET probe_at = now()"
