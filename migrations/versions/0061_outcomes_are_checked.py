"""Checks what 0060 forbids on older rows too, in a transaction of its own: writers go on."""

from collections.abc import Sequence

from alembic import op

revision: str = "0061"
down_revision: str | None = "0060"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.execute("ALTER TABLE qa_evaluations VALIDATE CONSTRAINT ck_qa_evaluations_outcome_known")


def downgrade() -> None:
    """Nothing to undo: 0060 drops the constraint."""
