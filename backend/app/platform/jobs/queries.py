"""The SQL of jobs. Each statement that changes a status is guarded, is one transaction, and takes
its time from the database clock."""

from sqlalchemy import text

from app.platform.db.statements import SqlFile, in_list
from app.platform.jobs.status import (
    FINAL,
    FREQUENT_KINDS,
    INSERT_JOBS,
    KEPT_KINDS,
    UNFINISHED,
    UNLESS_UNFINISHED,
    WAITING,
)

_SQL = SqlFile(
    __package__,
    "queries",
    is_waiting=f"status IN ({in_list(WAITING)})",
    is_unfinished=f"status IN ({in_list(UNFINISHED)})",
    final=in_list(FINAL),
    frequent_kinds=in_list(FREQUENT_KINDS),
    kept_kinds=in_list(KEPT_KINDS),
    insert_jobs=INSERT_JOBS,
    unless_unfinished=UNLESS_UNFINISHED,
)
ENQUEUE = text(_SQL("enqueue"))
UNFINISHED_LIKE_IT = text(_SQL("unfinished_like_it"))
VIEW = text(_SQL("view"))
VIEW_PAGE = text(_SQL("view_page"))
CANCEL = text(_SQL("cancel"))
CANCEL_ALL = text(_SQL("cancel_all"))
WAKE_DEFERRED = text(_SQL("wake_deferred"))
STATE = text(_SQL("state"))
MERGE_STATE = text(_SQL("merge_state"))
HOLD = text(_SQL("hold"))
# From here on for psycopg.
ENQUEUE_EACH = _SQL("enqueue_each").encode()
CLAIM = _SQL("claim", which="id = ANY(%(ids)s)").encode()
# A job that has killed two processes is taken only by ids, by the process for such jobs.
CLAIM_NEXT = _SQL("claim", which="crashes < 2").encode()
EXTEND = _SQL("extend").encode()
SETTLE = _SQL("settle").encode()
REAP = _SQL("reap").encode()
TAKE_DUE = _SQL("take_due").encode()
UNPUBLISH = _SQL("unpublish").encode()
JOB_BACKLOG = _SQL("job_backlog").encode()
COUNT_ENDED = _SQL("count_ended").encode()
DELETE_ENDED = _SQL("delete_ended").encode()
