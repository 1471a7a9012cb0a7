"""Answers keep the turns of their dialogue before them, and their question as it stands alone."""

from collections.abc import Sequence

from alembic import op

revision: str = "0071"
down_revision: str | None = "0070"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_COLUMNS = {"history": "jsonb", "standalone_question": "text"}


def upgrade() -> None:
    for name, type_ in _COLUMNS.items():
        op.execute(f"ALTER TABLE qa_answers ADD COLUMN IF NOT EXISTS {name} {type_}")


def downgrade() -> None:
    for name in _COLUMNS:
        op.drop_column("qa_answers", name)
