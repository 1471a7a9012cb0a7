"""Judging answers again with another judge or prompt."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0010"
down_revision: str | None = "0009"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_INDEXES = (
    ("ix_qa_evaluations_job", ["job_id", "status"], "job_id IS NOT NULL"),
    ("ix_qa_evaluations_degraded", ["judge_model"], "is_current AND degraded"),
    (
        "ix_qa_evaluations_served",
        ["judge_model", "finished_at"],
        "status = 'succeeded' AND NOT degraded",
    ),
)


def upgrade() -> None:
    op.add_column("qa_evaluations", sa.Column("judge_prompt", sa.Text(), nullable=True))
    op.add_column("qa_evaluations", sa.Column("job_id", sa.Uuid(), nullable=True))
    for name, columns, where in _INDEXES:
        op.create_index(name, "qa_evaluations", columns, postgresql_where=sa.text(where))
    op.execute("UPDATE qa_evaluations SET judge_key = judge_key || '/degraded' WHERE degraded")


def downgrade() -> None:
    # Where the judge has given its own verdict since, the stand-in's keeps the key it has.
    op.execute(
        "UPDATE qa_evaluations d SET judge_key = left(d.judge_key, -length('/degraded'))"
        " WHERE d.degraded AND d.judge_key LIKE '%/degraded' AND NOT EXISTS ("
        "   SELECT FROM qa_evaluations o WHERE o.answer_id = d.answer_id"
        "   AND o.judge_key = left(d.judge_key, -length('/degraded')))"
    )
    for name, _, _ in reversed(_INDEXES):
        op.drop_index(name, table_name="qa_evaluations")
    op.drop_column("qa_evaluations", "job_id")
    op.drop_column("qa_evaluations", "judge_prompt")
