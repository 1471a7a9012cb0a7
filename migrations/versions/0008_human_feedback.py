"""What people say of answers and claims."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from migrations.row_security import protect, unprotect

revision: str = "0008"
down_revision: str | None = "0007"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "qa_feedback",
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("answer_id", sa.Uuid(), nullable=False),
        sa.Column("claim_position", sa.Integer(), nullable=True),
        sa.Column("label", sa.String(length=8), nullable=False),
        sa.Column("utility_label", sa.String(length=8), nullable=True),
        sa.Column("comment", sa.Text(), nullable=True),
        sa.Column("author", sa.Text(), nullable=False),
        _time("updated_at"),
        sa.Column("id", sa.Uuid(), nullable=False),
        _time("created_at"),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.CheckConstraint(
            "label IN ('right', 'partly', 'wrong')", name=op.f("ck_qa_feedback_label_known")
        ),
        sa.CheckConstraint(
            "utility_label IN ('useful', 'partly', 'useless')",
            name=op.f("ck_qa_feedback_utility_known"),
        ),
        sa.CheckConstraint(
            "utility_label IS NULL OR claim_position IS NULL",
            name=op.f("ck_qa_feedback_utility_of_whole_answer"),
        ),
        sa.CheckConstraint(
            "char_length(comment) <= 4000", name=op.f("ck_qa_feedback_comment_length")
        ),
        sa.CheckConstraint(
            "char_length(author) BETWEEN 1 AND 200", name=op.f("ck_qa_feedback_author_length")
        ),
        sa.ForeignKeyConstraint(
            ["evaluation_id"],
            ["qa_evaluations.id"],
            name=op.f("fk_qa_feedback_evaluation_id_qa_evaluations"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["answer_id"],
            ["qa_answers.id"],
            name=op.f("fk_qa_feedback_answer_id_qa_answers"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["evaluation_id", "claim_position"],
            ["qa_claims.evaluation_id", "qa_claims.position"],
            name=op.f("fk_qa_feedback_evaluation_id_claim_position_qa_claims"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_qa_feedback")),
        sa.UniqueConstraint(
            *("evaluation_id", "author", "claim_position"),
            name=op.f("uq_qa_feedback_evaluation_id_author_claim_position"),
            postgresql_nulls_not_distinct=True,
        ),
    )
    op.create_index(op.f("ix_qa_feedback_answer_id"), "qa_feedback", ["answer_id"])
    op.create_index(op.f("ix_qa_feedback_workspace_id_id"), "qa_feedback", ["workspace_id", "id"])
    protect("qa_feedback")


def downgrade() -> None:
    unprotect("qa_feedback")
    op.drop_table("qa_feedback")


def _time(name: str) -> sa.Column[object]:
    return sa.Column(
        name, sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
    )
