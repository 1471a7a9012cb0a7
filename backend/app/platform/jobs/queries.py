"""The SQL of jobs. Each statement that changes a status is guarded, is one transaction, and takes
its time from the database clock."""

from sqlalchemy import text

from app.platform.db.statements import in_list
from app.platform.jobs.status import (
    FINAL,
    FREQUENT_KINDS,
    INSERT_JOBS,
    KEPT_KINDS,
    UNFINISHED,
    UNLESS_UNFINISHED,
    WAITING,
)

_WAITING = f"status IN ({in_list(WAITING)})"
_UNFINISHED = f"status IN ({in_list(UNFINISHED)})"

ENQUEUE = text(f"""
{INSERT_JOBS}
VALUES (:id, :workspace_id, :kind, CAST(:payload AS jsonb), :dedupe_key)
{UNLESS_UNFINISHED}
""")

UNFINISHED_LIKE_IT = text(f"""
SELECT id FROM jobs
WHERE workspace_id = :workspace_id AND kind = :kind AND dedupe_key = :dedupe_key AND {_UNFINISHED}
""")

_VIEW = """
SELECT id, kind, payload, status, attempt, done, total, error, created_at, started_at, finished_at,
    CASE WHEN status = 'retrying' THEN run_at END AS next_attempt_at
FROM jobs
"""

VIEW = text(f"{_VIEW} WHERE workspace_id = :workspace_id AND id = :id")

# NULL parameters do not filter. Ids sort by the time of creation.
VIEW_PAGE = text(f"""
{_VIEW}
WHERE workspace_id = :workspace_id
  AND (CAST(:status AS text) IS NULL OR status = :status)
  AND (CAST(:kind AS text) IS NULL OR kind = :kind)
  AND (CAST(:after AS uuid) IS NULL OR id < :after)
ORDER BY id DESC LIMIT :limit
""")

# A worker that is at it learns of it at its next heartbeat, because the job runs no more.
CANCEL = text(f"""
UPDATE jobs SET status = 'cancelled', finished_at = now(), lease_until = NULL
WHERE workspace_id = :workspace_id AND id = :id AND {_UNFINISHED}
""")

# All jobs of a kind whose payload contains this one.
CANCEL_ALL = text(f"""
UPDATE jobs SET status = 'cancelled', finished_at = now(), lease_until = NULL
WHERE workspace_id = :workspace_id AND kind = :kind AND payload @> CAST(:payload AS jsonb)
  AND {_UNFINISHED}
""")

# What was deferred for one of `reasons` is due at once.
WAKE_DEFERRED = text("""
UPDATE jobs SET run_at = now(), enqueued_at = NULL
WHERE workspace_id = :workspace_id AND status = 'retrying'
  AND split_part(error, ':', 1) = ANY(:reasons)
""")

STATE = text("SELECT state FROM jobs WHERE workspace_id = :workspace_id AND id = :id")
MERGE_STATE = text("UPDATE jobs SET state = state || CAST(:state AS jsonb) WHERE id = :id")

_HELD = "id = {id} AND attempt = {attempt} AND status = 'running'"

# Locks the row until the commit, so that nobody else can claim it in between.
HOLD = text(
    f"SELECT id FROM jobs WHERE {_HELD.format(id=':id', attempt=':attempt')} FOR NO KEY UPDATE"
)

# From here on for psycopg.
ENQUEUE_EACH = f"""
{INSERT_JOBS}
SELECT id, workspace_id, %(kind)s, CAST(%(payload)s AS jsonb), %(dedupe_key)s
FROM unnest(%(ids)s::uuid[], %(workspace_ids)s::uuid[]) AS given (id, workspace_id)
{UNLESS_UNFINISHED}
""".encode()
_HELD = _HELD.format(id="%(id)s", attempt="%(attempt)s")


def _claim(which: str) -> bytes:
    return f"""
WITH free AS (
    SELECT id FROM jobs
    WHERE {which} AND kind = ANY(%(kinds)s)
      AND {_WAITING} AND run_at <= now()
    ORDER BY run_at, id LIMIT %(limit)s FOR UPDATE SKIP LOCKED
)
UPDATE jobs j SET
    status = 'running',
    attempt = j.attempt + 1,
    lease_until = now() + make_interval(secs => %(lease)s),
    enqueued_at = NULL,
    started_at = COALESCE(j.started_at, now())
FROM free WHERE j.id = free.id
RETURNING j.id, j.workspace_id, j.kind, j.payload, j.attempt, j.tries
""".encode()


CLAIM = _claim("id = ANY(%(ids)s)")
# A job that has killed two processes is taken only by ids, by the process for such jobs.
CLAIM_NEXT = _claim("crashes < 2")

# Returns the status, which shows why nothing was prolonged.
EXTEND = f"""
WITH extended AS (
    UPDATE jobs SET
        lease_until = now() + make_interval(secs => %(lease)s),
        done = COALESCE(%(done)s, done),
        total = COALESCE(%(total)s, total)
    WHERE {_HELD} RETURNING id
)
SELECT EXISTS (SELECT FROM extended), status FROM jobs WHERE id = %(id)s
""".encode()

# Success, retry, failure and release differ only in their values.
SETTLE = f"""
WITH deleted AS (
    DELETE FROM jobs
    WHERE {_HELD} AND %(status)s::text = 'succeeded' AND kind IN ({in_list(FREQUENT_KINDS)})
    RETURNING id
), settled AS (
    UPDATE jobs SET
        status = %(status)s::text,
        error = %(error)s,
        tries = tries + %(tried)s,
        run_at = now() + make_interval(secs => %(delay)s),
        lease_until = NULL,
        finished_at = CASE WHEN %(status)s::text IN ({in_list(FINAL)}) THEN now() END
    WHERE {_HELD} AND NOT EXISTS (SELECT FROM deleted)
    RETURNING id
)
SELECT id FROM deleted UNION ALL SELECT id FROM settled
""".encode()

REAP = b"""
WITH expired AS (
    SELECT id FROM jobs WHERE status = 'running' AND lease_until <= now()
    ORDER BY lease_until LIMIT %(limit)s FOR UPDATE SKIP LOCKED
)
UPDATE jobs j SET
    crashes = j.crashes + 1,
    status = CASE WHEN j.crashes + 1 >= 4 THEN 'failed' ELSE 'retrying' END,
    error = CASE WHEN j.crashes + 1 >= 4
        THEN 'Given up: the worker died or hung 4 times while doing this job.'
        ELSE 'The worker died or hung while doing this job.' END,
    run_at = now(),
    lease_until = NULL,
    enqueued_at = NULL,
    finished_at = CASE WHEN j.crashes + 1 >= 4 THEN now() END
FROM expired WHERE j.id = expired.id
RETURNING j.id
"""

TAKE_DUE = f"""
WITH due AS (
    SELECT id FROM jobs
    WHERE {_WAITING} AND run_at <= now()
      AND (enqueued_at IS NULL OR enqueued_at < now() - make_interval(secs => %(republish)s))
      AND (crashes >= 2) = %(suspects)s
    ORDER BY run_at, id LIMIT %(limit)s FOR UPDATE SKIP LOCKED
)
UPDATE jobs j SET enqueued_at = now() FROM due WHERE j.id = due.id
RETURNING j.id
""".encode()

UNPUBLISH = f"""
UPDATE jobs SET enqueued_at = NULL WHERE id = ANY(%(ids)s) AND {_WAITING}
""".encode()

# kind, status, how many, and for how long the oldest has been due; NULL where none is. Each half
# has an index of its own.
JOB_BACKLOG = f"""
SELECT kind, status, count(*), extract(epoch FROM now() - min(run_at) FILTER (
    WHERE run_at <= now()))::float8
FROM jobs WHERE {_WAITING} GROUP BY kind, status
UNION ALL
SELECT kind, status, count(*), NULL
FROM jobs WHERE status = 'running' GROUP BY kind, status
""".encode()

# Retention. The condition is word for word that of the index.
_ENDED = f"""
FROM jobs
WHERE status IN ({in_list(FINAL)}) AND kind NOT IN ({in_list(KEPT_KINDS)})
  AND finished_at < now() - make_interval(days => %(days)s)
"""
COUNT_ENDED = f"SELECT count(*) {_ENDED}".encode()
DELETE_ENDED = f"""
DELETE FROM jobs WHERE id = ANY(ARRAY(
    SELECT id {_ENDED} ORDER BY finished_at LIMIT %(limit)s FOR UPDATE SKIP LOCKED))
""".encode()
