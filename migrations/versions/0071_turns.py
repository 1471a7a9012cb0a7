"""Answers keep the turns of their dialogue before them, and their question as it stands alone; the
last answers of a session are read from an index."""

from collections.abc import Sequence

from alembic import op

from migrations.concurrent_index import create_index, drop_index

revision: str = "0071"
down_revision: str | None = "0070"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_ANSWERS = "qa_answers"
_COLUMNS = {"history": "jsonb", "standalone_question": "text"}
_SESSION = ("workspace_id", "session_id")
_SESSION_INDEX = f"ix_{_ANSWERS}_{'_'.join(_SESSION)}"


def upgrade() -> None:
    for name, type_ in _COLUMNS.items():
        op.execute(f"ALTER TABLE {_ANSWERS} ADD COLUMN IF NOT EXISTS {name} {type_}")
    where = "session_id IS NOT NULL"
    create_index(f"{_SESSION_INDEX}_id", _ANSWERS, (*_SESSION, "id"), where=where)
    # contract: the index above begins with its columns.
    drop_index(_SESSION_INDEX, _ANSWERS)


def downgrade() -> None:
    create_index(_SESSION_INDEX, _ANSWERS, _SESSION, where="session_id IS NOT NULL")
    drop_index(f"{_SESSION_INDEX}_id", _ANSWERS)
    for name in _COLUMNS:
        op.drop_column(_ANSWERS, name)
