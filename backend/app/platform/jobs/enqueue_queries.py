"""SQL that adds jobs and counts waiting ones, without SQLAlchemy."""

from app.platform.db.statements import in_list
from app.platform.jobs.status import UNFINISHED, WAITING, JobStatus

INSERT_JOBS = "INSERT INTO jobs (id, workspace_id, kind, payload, dedupe_key)"
# Of a job whose like is unfinished nothing is inserted or returned.
UNLESS_UNFINISHED = f"""\
ON CONFLICT (workspace_id, kind, dedupe_key)
    WHERE dedupe_key IS NOT NULL AND status IN ({in_list(UNFINISHED)}) DO NOTHING
RETURNING id, workspace_id, dedupe_key"""

# kind, status, how many, and for how long the oldest has been due; NULL where none is. Each half
# has an index of its own.
JOB_BACKLOG = f"""
SELECT kind, status, count(*), extract(epoch FROM now() - min(run_at) FILTER (
    WHERE run_at <= now()))::float8
FROM jobs WHERE status IN ({in_list(WAITING)}) GROUP BY kind, status
UNION ALL
SELECT kind, status, count(*), NULL
FROM jobs WHERE status = '{JobStatus.RUNNING}' GROUP BY kind, status
""".encode()
