"""SQL on processes, and on the servers and tables behind them."""

from app.platform.db.statements import SqlFile

_SQL = SqlFile(__package__, "queries")
ENTER = _SQL("enter").encode()
BEAT = _SQL("beat").encode()
LEAVE = _SQL("leave").encode()
DELETE_SILENT = _SQL("delete_silent").encode()
PROCESSES = _SQL("processes").encode()
PAUSED = _SQL("paused").encode()
OBSERVE_CLOCK = _SQL("observe_clock").encode()
TABLES = _SQL("tables").encode()
DATABASE = _SQL("database").encode()
SAVE_LISTED = _SQL("save_listed").encode()
SAVE_SERVED = _SQL("save_served").encode()
COUNT_WORKSPACES = _SQL("count_workspaces").encode()
PROVIDERS_OF_POLICIES = _SQL("providers_of_policies").encode()
ENDINGS = _SQL("endings").encode()
USES = _SQL("uses").encode()
ENDINGS_OF_WORKSPACE = _SQL("endings_of_workspace")
