"""SQL that reads what waits to be judged, of all workspaces."""

from app.platform.db.statements import in_list, load_sql
from app.verdicts.status import WAITING

BACKLOG = load_sql(__package__, "backlog", waiting=in_list(WAITING)).encode()
