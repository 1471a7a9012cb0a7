"""Judges whose replies cannot be used are known by the answers in a row that show it."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0063"
down_revision: str | None = "0062"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.add_column(
        "judge_failures",
        sa.Column("unusable_ids", postgresql.ARRAY(sa.Uuid()), server_default="{}", nullable=False),
    )


def downgrade() -> None:
    op.execute("UPDATE judge_pauses SET reason = 'unusable_replies' WHERE reason = 'unsuitable'")
    op.drop_column("judge_failures", "unusable_ids")
