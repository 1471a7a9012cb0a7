"""Judges' prompts in a workspace's own words."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from migrations.row_security import APP_ROLE, protect, unprotect

revision: str = "0047"
down_revision: str | None = "0040"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLE = "judge_prompts"


def upgrade() -> None:
    op.create_table(
        _TABLE,
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column(
            "reference",
            sa.Text(),
            sa.Computed("'workspace:' || name || '@' || version::text", persisted=True),
            nullable=False,
        ),
        sa.Column("base", sa.Text(), nullable=False),
        sa.Column("parent", sa.Text(), nullable=False),
        sa.Column("text_ko", sa.Text(), nullable=False),
        sa.Column("text_en", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("made_by", sa.Text(), nullable=False),
        sa.Column("retired_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False
        ),
        sa.CheckConstraint(
            "name ~ '^[a-z0-9][a-z0-9-]{0,39}$'", name=op.f("ck_judge_prompts_name")
        ),
        sa.CheckConstraint("version BETWEEN 1 AND 99999", name=op.f("ck_judge_prompts_version")),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_judge_prompts_workspace_id_workspaces"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judge_prompts")),
        sa.UniqueConstraint(
            *("workspace_id", "name", "version"),
            name=op.f("uq_judge_prompts_workspace_id_name_version"),
        ),
        sa.UniqueConstraint("workspace_id", "reference", name=op.f("uq_judge_prompts_reference")),
    )
    protect(_TABLE)
    # A version that verdicts name never says anything else.
    op.execute(f"REVOKE UPDATE, DELETE ON {_TABLE} FROM {APP_ROLE}")
    op.execute(f"GRANT UPDATE (retired_at) ON {_TABLE} TO {APP_ROLE}")


def downgrade() -> None:
    unprotect(_TABLE)
    op.drop_table(_TABLE)
