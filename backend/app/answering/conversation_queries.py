"""SQL on conversations. Ids of answers are UUIDv7: their order is that of asking."""

from sqlalchemy import text

from app.platform.db.statements import SqlFile

_SQL = SqlFile(__package__, "conversations")
# For psycopg.
ADD_ANSWER = _SQL("add_answer").encode()
TURNS = _SQL("turns").encode()

ONE = text(_SQL("one"))
PAGE = text(_SQL("page"))
ANSWERS = text(_SQL("answers"))
ANSWER_IDS = text(_SQL("answer_ids"))
RENAME = text(_SQL("rename"))
DELETE = text(_SQL("delete"))
