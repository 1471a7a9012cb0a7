"""Saved views of the list of evaluations: a name for its filters, order and columns."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from migrations.row_security import protect, unprotect

revision: str = "0043"
down_revision: str | None = "0042"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLE = "saved_views"


def upgrade() -> None:
    op.create_table(
        _TABLE,
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("filters", postgresql.JSONB(), nullable=False),
        sa.Column("list_order", sa.Text(), nullable=False),
        sa.Column("columns", sa.ARRAY(sa.Text())),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column(
            *("updated_at", sa.DateTime(timezone=True)),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column(
            *("created_at", sa.DateTime(timezone=True)),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.CheckConstraint(
            "char_length(name) BETWEEN 1 AND 100", name=op.f("ck_saved_views_name_length")
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_saved_views_workspace_id_workspaces"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_saved_views")),
        sa.UniqueConstraint(
            *("workspace_id", "name"), name=op.f("uq_saved_views_workspace_id_name")
        ),
    )
    protect(_TABLE)


def downgrade() -> None:
    unprotect(_TABLE)
    op.drop_table(_TABLE)
