"""SQL on traces. Times are of the database clock.

Writers lock traces first, in the order of their ids, and counts last: two writers never
wait for each other in a circle.
"""

from app.integrations.traces.grouping import Outcome
from app.platform.db.statements import SqlFile, load_sql

_PACKAGE = "app.integrations.traces"

OPEN_TRACES = load_sql(_PACKAGE, "open_traces").encode()
INSERT_SPANS = load_sql(_PACKAGE, "insert_spans").encode()
_SQL = SqlFile(_PACKAGE, "queries", not_genai=Outcome.NOT_GENAI)
COUNT = _SQL("count").encode()
ROOM = _SQL("room").encode()
CLAIM_DUE = _SQL("claim_due").encode()
SPANS_OF = _SQL("spans_of").encode()
FINISH = _SQL("finish").encode()
DROP_SPANS = _SQL("drop_spans").encode()
COUNT_SPANS = _SQL("count_spans").encode()
DELETE_TRACES = _SQL("delete_traces").encode()
COUNT_OLD = _SQL("count_old").encode()
COUNTS = _SQL("counts").encode()
NEWEST = _SQL("newest").encode()
