"""Indexes that find what has been kept long enough, and what hangs on an answer."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0003"
down_revision: str | None = "0002"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_UNIQUE = "uq_qa_evaluations_workspace_id_answer_id_judge_key"
# The same columns, the answer first: deleting an answer looks for its evaluations.
_UNIQUE_BY_ANSWER = "uq_qa_evaluations_answer_id_workspace_id_judge_key"


def upgrade() -> None:
    op.create_index(op.f("ix_qa_answers_created_at"), "qa_answers", ["created_at"])
    op.create_index(
        "ix_judge_calls_bodies",
        "judge_calls",
        ["created_at"],
        postgresql_where=sa.text("body IS NOT NULL OR content IS NOT NULL"),
    )
    op.create_index(
        "ix_verdict_events_passing",
        "verdict_events",
        ["created_at"],
        postgresql_where=sa.text("status IN ('queued', 'running', 'retrying')"),
    )
    op.create_unique_constraint(
        op.f(_UNIQUE_BY_ANSWER), "qa_evaluations", ["answer_id", "workspace_id", "judge_key"]
    )
    op.drop_constraint(op.f(_UNIQUE), "qa_evaluations", type_="unique")


def downgrade() -> None:
    op.create_unique_constraint(
        op.f(_UNIQUE), "qa_evaluations", ["workspace_id", "answer_id", "judge_key"]
    )
    op.drop_constraint(op.f(_UNIQUE_BY_ANSWER), "qa_evaluations", type_="unique")
    op.drop_index("ix_verdict_events_passing", table_name="verdict_events")
    op.drop_index("ix_judge_calls_bodies", table_name="judge_calls")
    op.drop_index(op.f("ix_qa_answers_created_at"), table_name="qa_answers")
