"""SQL that reads what jobs wait or run, of all workspaces."""

from app.platform.db.statements import in_list
from app.platform.jobs.status import WAITING, JobStatus

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
