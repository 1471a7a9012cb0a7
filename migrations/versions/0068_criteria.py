"""A workspace's own criteria, those in force, and the version that gave a score."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from migrations.row_security import protect, unprotect

revision: str = "0068"
down_revision: str | None = "0067"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLE = "judge_criteria"


def upgrade() -> None:
    op.create_table(
        _TABLE,
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("reference", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("scale", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("pattern", sa.Text(), nullable=True),
        sa.Column("json_schema", sa.Text(), nullable=True),
        sa.Column("min_chars", sa.Integer(), nullable=True),
        sa.Column("max_chars", sa.Integer(), nullable=True),
        sa.Column("features", sa.ARRAY(sa.Text()), nullable=True),
        sa.Column("languages", sa.ARRAY(sa.Text()), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("made_by", sa.Text(), nullable=False),
        sa.Column("archived_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False
        ),
        sa.CheckConstraint("name ~ '^[a-z][a-z0-9_]{0,39}$'", name=op.f("ck_judge_criteria_name")),
        sa.CheckConstraint("version BETWEEN 1 AND 99999", name=op.f("ck_judge_criteria_version")),
        sa.CheckConstraint(
            "kind IN ('model', 'regex', 'json_schema', 'length')",
            name=op.f("ck_judge_criteria_kind_known"),
        ),
        sa.CheckConstraint(
            "cardinality(scale) IN (0, 2, 3, 4, 5)", name=op.f("ck_judge_criteria_scale")
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_judge_criteria_workspace_id_workspaces"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judge_criteria")),
        sa.UniqueConstraint(
            *("workspace_id", "name", "version"),
            name=op.f("uq_judge_criteria_workspace_id_name_version"),
        ),
        sa.UniqueConstraint("workspace_id", "reference", name=op.f("uq_judge_criteria_reference")),
    )
    protect(_TABLE)
    op.execute("ALTER TABLE evaluation_policies ADD COLUMN IF NOT EXISTS criteria text[]")
    op.add_column("qa_scores", sa.Column("criterion_version", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("qa_scores", "criterion_version")
    op.drop_column("evaluation_policies", "criteria")
    unprotect(_TABLE)
    op.drop_table(_TABLE)
