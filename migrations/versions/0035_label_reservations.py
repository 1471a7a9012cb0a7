"""Answers that somebody has open to label, so that two people do not get the same one."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from migrations.row_security import protect, unprotect

revision: str = "0035"
down_revision: str | None = "0034"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLE = "review_reservations"


def upgrade() -> None:
    op.create_table(
        _TABLE,
        sa.Column("answer_id", sa.Uuid(), nullable=False),
        sa.Column("holder", sa.Uuid(), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["answer_id"],
            ["qa_answers.id"],
            name=op.f("fk_review_reservations_answer_id_qa_answers"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("answer_id", name=op.f("pk_review_reservations")),
    )
    op.create_index(op.f("ix_review_reservations_workspace_id"), _TABLE, ["workspace_id"])
    protect(_TABLE)


def downgrade() -> None:
    unprotect(_TABLE)
    op.drop_table(_TABLE)
