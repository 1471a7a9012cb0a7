"""The SQL of jobs. Each statement that changes a status is guarded, is one transaction, and takes
its time from the database clock."""

from sqlalchemy import text

_UNFINISHED = "status IN ('queued', 'running', 'retrying')"

ENQUEUE = text(f"""
INSERT INTO jobs (id, workspace_id, kind, payload, dedupe_key)
VALUES (:id, :workspace_id, :kind, CAST(:payload AS jsonb), :dedupe_key)
ON CONFLICT (workspace_id, kind, dedupe_key)
    WHERE dedupe_key IS NOT NULL AND {_UNFINISHED} DO NOTHING
RETURNING id
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

STATE = text("SELECT state FROM jobs WHERE workspace_id = :workspace_id AND id = :id")
MERGE_STATE = text("UPDATE jobs SET state = state || CAST(:state AS jsonb) WHERE id = :id")

_HELD = "id = {id} AND attempt = {attempt} AND status = 'running'"

# Locks the row until the commit, so that nobody else can claim it in between.
HOLD = text(
    f"SELECT id FROM jobs WHERE {_HELD.format(id=':id', attempt=':attempt')} FOR NO KEY UPDATE"
)

# From here on for psycopg.
ENQUEUE_EACH = f"""
INSERT INTO jobs (id, workspace_id, kind, payload, dedupe_key)
SELECT id, workspace_id, %(kind)s, CAST(%(payload)s AS jsonb), %(dedupe_key)s
FROM unnest(%(ids)s::uuid[], %(workspace_ids)s::uuid[]) AS given (id, workspace_id)
ON CONFLICT (workspace_id, kind, dedupe_key)
    WHERE dedupe_key IS NOT NULL AND {_UNFINISHED} DO NOTHING
"""
_HELD = _HELD.format(id="%(id)s", attempt="%(attempt)s")


def _claim(which: str) -> str:
    return f"""
WITH free AS (
    SELECT id FROM jobs
    WHERE {which} AND kind = ANY(%(kinds)s)
      AND status IN ('queued', 'retrying') AND run_at <= now()
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
"""


CLAIM = _claim("id = ANY(%(ids)s)")
# A job that has killed two processes is taken only by the process of its own, which is told so.
CLAIM_NEXT = _claim("crashes < 2")

# Gives the status, which tells why when nothing was prolonged.
EXTEND = f"""
WITH extended AS (
    UPDATE jobs SET
        lease_until = now() + make_interval(secs => %(lease)s),
        done = COALESCE(%(done)s, done),
        total = COALESCE(%(total)s, total)
    WHERE {_HELD} RETURNING id
)
SELECT EXISTS (SELECT FROM extended), status FROM jobs WHERE id = %(id)s
"""

# Success, retry, failure and release differ only in their values.
SETTLE = f"""
UPDATE jobs SET
    status = %(status)s::text,
    error = %(error)s,
    tries = tries + %(tried)s,
    run_at = now() + make_interval(secs => %(delay)s),
    lease_until = NULL,
    finished_at = CASE WHEN %(status)s::text IN ('succeeded', 'failed') THEN now() END
WHERE {_HELD}
RETURNING id
"""

REAP = """
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

TAKE_DUE = """
WITH due AS (
    SELECT id FROM jobs
    WHERE status IN ('queued', 'retrying') AND run_at <= now()
      AND (enqueued_at IS NULL OR enqueued_at < now() - make_interval(secs => %(republish)s))
      AND (crashes >= 2) = %(suspects)s
    ORDER BY run_at, id LIMIT %(limit)s FOR UPDATE SKIP LOCKED
)
UPDATE jobs j SET enqueued_at = now() FROM due WHERE j.id = due.id
RETURNING j.id
"""

UNPUBLISH = """
UPDATE jobs SET enqueued_at = NULL WHERE id = ANY(%(ids)s) AND status IN ('queued', 'retrying')
"""
