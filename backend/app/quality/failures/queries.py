"""SQL of failures that recur: for the job that groups them, for retention, and for the API."""

import uuid
from collections.abc import Mapping

from sqlalchemy import text

from app.platform.db.statements import SqlFile
from app.quality.analytics.sources import AND, Filters, conditions
from app.verdicts.reading.queries import OUTCOME

# Older verdicts are not grouped, and a group is frequent by the answers of so many days.
WINDOW_DAYS = 30
# Of one verdict.
MAX_STATEMENTS = 5
# A name is settled when a group has more answers than this.
NAMED_BY = 8
# Answers from which a failure is frequent, and reported once.
FREQUENT = 5

_SQL = SqlFile(
    __package__,
    "queries",
    outcome=OUTCOME,
    # What is wrong with a doubted statement; older verdicts do not say in what way.
    fault="COALESCE(q.fault, q.verdict)",
    days=str(WINDOW_DAYS),
    statements=str(MAX_STATEMENTS),
    named=str(NAMED_BY),
    frequent=str(FREQUENT),
)

# For psycopg.
UNGROUPED = _SQL("ungrouped").encode()
COUNT_EMPTY = _SQL("count_empty").encode()
DELETE_EMPTY = _SQL("delete_empty").encode()

# For SQLAlchemy.
BEGIN = text(_SQL("begin"))
DOUBTED = text(_SQL("doubted"))
ADVANCE = text(_SQL("advance"))
GROUPS = text(_SQL("groups"))
ADD_GROUPS = text(_SQL("add_groups"))
ADD_ANSWERS = text(_SQL("add_answers"))
YOUNG = text(_SQL("young"))
RENAME = text(_SQL("rename"))
RETURNED = text(_SQL("returned"))
REOPEN = text(_SQL("reopen"))
ALARM = text(_SQL("alarm"))
EVICT = text(_SQL("evict"))
DROPPED = text(_SQL("dropped"))
EXAMPLES = text(_SQL("examples", examples="20"))
RELEASES = text(_SQL("releases"))
CHANGE = text(_SQL("change"))

# By the names of the parameters.
_CONDITIONS = {
    "id": "f.id = %(id)s",
    "state": "f.state = %(state)s",
    "owner": "f.owner = %(owner)s",
    "fault": "f.fault = %(fault)s",
    "note_id": "f.note_id = %(note_id)s",
}


def listed(filters: Filters, workspace_id: uuid.UUID, asked: Mapping[str, object]) -> str:
    """A page of groups; for psycopg. asked: those of _CONDITIONS that are not None narrow it."""
    wanted = [sql for name, sql in _CONDITIONS.items() if asked.get(name) is not None]
    of_answers = conditions(filters, workspace_id).values()
    return _SQL(
        "listed",
        filters=AND.join(of_answers),
        conditions=" AND ".join(wanted) or "true",
        of_group="r.failure_id = %(id)s" if asked.get("id") else "true",
    )
