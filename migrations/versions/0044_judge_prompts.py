"""Judges' prompts in a workspace's own words, and trials of them."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from migrations.row_security import protect, unprotect

revision: str = "0044"
down_revision: str | None = "0043"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLE, _TRIALS = "judge_prompts", "judge_trials"


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
    _create_trials()


def _create_trials() -> None:
    op.create_table(
        _TRIALS,
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("judge_model", sa.Text(), nullable=False),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("instructions", sa.Text(), nullable=True),
        sa.Column("lang", sa.String(2), nullable=False),
        sa.Column("made_by", sa.Text(), nullable=False),
        sa.Column("verdict", postgresql.JSONB(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("calls", sa.Integer(), nullable=True),
        sa.Column("prompt_tokens", sa.Integer(), nullable=True),
        sa.Column("completion_tokens", sa.Integer(), nullable=True),
        sa.Column("cost_usd", sa.Numeric(12, 8), nullable=True),
        sa.Column("judge_ms", sa.Float(), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column(
            "created_at", sa.DateTime(timezone=True), server_default=sa.func.now(), nullable=False
        ),
        sa.CheckConstraint(
            "verdict IS NULL OR error IS NULL", name=op.f("ck_judge_trials_verdict_or_error")
        ),
        sa.CheckConstraint(
            "(finished_at IS NULL) = (verdict IS NULL AND error IS NULL)",
            name=op.f("ck_judge_trials_ends_with_either"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_judge_trials_workspace_id_workspaces"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["qa_evaluations.id"],
            name=op.f("fk_judge_trials_evaluation_id_qa_evaluations"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judge_trials")),
    )
    op.create_index(op.f("ix_judge_trials_workspace_id"), _TRIALS, ["workspace_id"])
    op.create_index(op.f("ix_judge_trials_evaluation_id"), _TRIALS, ["evaluation_id"])
    protect(_TRIALS)


def downgrade() -> None:
    unprotect(_TABLE, _TRIALS)
    op.drop_table(_TRIALS)
    op.drop_table(_TABLE)
