"""The SQL that enqueues jobs, around the rows to enqueue: their id, workspace_id, kind, payload and
dedupe_key.

A package above may put it into a statement of its own, to enqueue in the same transaction.
"""

from app.platform.db.statements import in_list
from app.platform.jobs.status import UNFINISHED

INSERT_JOBS = "INSERT INTO jobs (id, workspace_id, kind, payload, dedupe_key)"
# Of a job whose like is unfinished nothing is inserted or returned.
UNLESS_UNFINISHED = f"""\
ON CONFLICT (workspace_id, kind, dedupe_key)
    WHERE dedupe_key IS NOT NULL AND status IN ({in_list(UNFINISHED)}) DO NOTHING
RETURNING id, workspace_id, dedupe_key"""
