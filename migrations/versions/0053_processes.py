"""Processes of an installation, which report that they live."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0053"
down_revision: str | None = "0052"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLE = "processes"


def _moment(name: str) -> sa.Column[object]:
    default = sa.text("now()")
    return sa.Column(name, sa.DateTime(timezone=True), server_default=default, nullable=False)


def upgrade() -> None:
    op.create_table(
        _TABLE,
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("hostname", sa.Text(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("release", sa.Text(), nullable=False),
        sa.Column("queues", sa.ARRAY(sa.Text()), nullable=False),
        _moment("steady_since"),
        _moment("seen_at"),
        sa.Column("in_flight", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("claims", postgresql.JSONB(), server_default="{}", nullable=False),
        sa.Column("ticked_at", sa.DateTime(timezone=True)),
        sa.Column("backlog", postgresql.JSONB()),
        sa.Column("id", sa.Uuid(), nullable=False),
        _moment("created_at"),
        sa.CheckConstraint(
            "kind IN ('api', 'worker', 'dispatcher')", name=op.f("ck_processes_kind_known")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_processes")),
    )
    # It belongs to no workspace. Workers have their rights by default.
    op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {_TABLE} TO searchqa_api")


def downgrade() -> None:
    op.drop_table(_TABLE)
