"""The SQL of batches: for the dispatcher and retention by psycopg, for jobs and the API."""

from sqlalchemy import text

from app.platform.db.owned_queries import one_and_page
from app.platform.db.statements import SqlFile, in_list
from app.platform.jobs.status import UNFINISHED
from app.verdicts.batches.models import AT_WORK, FINAL
from app.verdicts.lifecycle.parking import PARKED

BATCH_JOB = "judge_batch"
_SQL = SqlFile(
    __package__,
    "queries",
    at_work=f"state IN ({in_list(AT_WORK)})",
    final=f"state IN ({in_list(FINAL)})",
    unfinished=in_list(UNFINISHED),
    batch_job=BATCH_JOB,
    parked=PARKED,
)

RETRY_AT = _SQL("retry_at").encode()
ADD_ROWS = _SQL("add_rows").encode()
ADD_LINES = _SQL("add_lines").encode()
CLOSE = _SQL("close").encode()
WITHOUT_JOB = _SQL("without_job").encode()
GET = text(_SQL("get"))
UNREAD_LINES = text(_SQL("unread_lines"))
CLEAR_LINES = text(_SQL("clear_lines"))
SET_LINES = text(_SQL("set_lines"))
DROP_LINES = text(_SQL("drop_lines"))
SUBMITTING = text(_SQL("submitting"))
RUNNING = text(_SQL("running"))
KNOWN = text(_SQL("known"))
POLLED = text(_SQL("polled"))
READING = text(_SQL("reading"))
MARK_READ = text(_SQL("mark_read"))
UNREAD_AMONG = text(_SQL("unread_among"))
COUNT_READ = text(_SQL("count_read"))
FINISH = text(_SQL("finish"))
REQUEST_CANCEL = text(_SQL("request_cancel"))
BATCH, _ = one_and_page(_SQL("rows"), "b.id")
_, BATCH_PAGE = one_and_page(_SQL("rows_in_state"), "b.id")
COUNT_ENDED = _SQL("count_ended").encode()
COUNT_ENDED_LINES = _SQL("count_ended_lines").encode()
DELETE_ENDED_LINES = _SQL("delete_ended_lines").encode()
DELETE_ENDED = _SQL("delete_ended").encode()
