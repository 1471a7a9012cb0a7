"""Examples of a workspace's prompts, and what a bench has learned from labels."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from migrations.row_security import protect, unprotect

revision: str = "0075"
down_revision: str | None = "0074"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLE = "judge_prompt_examples"


def upgrade() -> None:
    op.create_table(
        _TABLE,
        sa.Column("prompt_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("answer_id", sa.Uuid(), nullable=False),
        sa.Column("example", postgresql.JSONB(), nullable=False),
        sa.ForeignKeyConstraint(
            ["prompt_id"],
            ["judge_prompts.id"],
            name=op.f("fk_judge_prompt_examples_prompt_id_judge_prompts"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["answer_id"],
            ["qa_answers.id"],
            name=op.f("fk_judge_prompt_examples_answer_id_qa_answers"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("prompt_id", "position", name=op.f("pk_judge_prompt_examples")),
    )
    op.create_index(op.f("ix_judge_prompt_examples_answer_id"), _TABLE, ["answer_id"])
    protect(_TABLE)
    op.add_column("judge_benches", sa.Column("learning", postgresql.JSONB()))


def downgrade() -> None:
    op.drop_column("judge_benches", "learning")
    unprotect(_TABLE)
    op.drop_table(_TABLE)
