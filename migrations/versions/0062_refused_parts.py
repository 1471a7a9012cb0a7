"""Processes share what model servers refuse, and keep it over a restart."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0062"
down_revision: str | None = "0061"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "refused_parts",
        sa.Column("server", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("parts", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column(
            "refused_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("server", "model", name=op.f("pk_refused_parts")),
    )


def downgrade() -> None:
    op.drop_table("refused_parts")
