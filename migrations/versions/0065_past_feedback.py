"""Labels that were replaced or deleted are kept."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from migrations.row_security import protect, unprotect

revision: str = "0065"
down_revision: str | None = "0064"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLE = "qa_past_feedback"


def upgrade() -> None:
    at = sa.DateTime(timezone=True)
    op.create_table(
        _TABLE,
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", at, server_default=sa.text("now()"), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("answer_id", sa.Uuid(), nullable=False),
        sa.Column("claim_position", sa.Integer()),
        sa.Column("label", sa.String(8), nullable=False),
        sa.Column("utility_label", sa.String(8)),
        sa.Column("comment", sa.Text()),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("said_at", at, nullable=False),
        sa.Column("ended_by", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["answer_id"],
            ["qa_answers.id"],
            name=op.f(f"fk_{_TABLE}_answer_id_qa_answers"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{_TABLE}")),
    )
    op.create_index(op.f(f"ix_{_TABLE}_answer_id_author"), _TABLE, ["answer_id", "author"])
    protect(_TABLE)


def downgrade() -> None:
    unprotect(_TABLE)
    op.drop_table(_TABLE)
