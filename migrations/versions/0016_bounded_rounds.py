"""What the dispatcher's rounds and judging again read stays small, however many rows there are.

`recheck_after` marks the degraded verdicts whose judges are still to be asked; jobs keep where they
are; what is due is found judge by judge.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision: str = "0016"
down_revision: str | None = "0014"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_WAITING = "status IN ('queued', 'retrying')"
_NEW = (
    ("ix_qa_evaluations_due", ["queue", "judge_model", "run_at"], _WAITING),
    ("ix_qa_evaluations_probes", ["queue"], f"{_WAITING} AND reason = 'probe'"),
    (
        "ix_qa_evaluations_recheck",
        ["workspace_id", "judge_model", "recheck_after"],
        "recheck_after IS NOT NULL",
    ),
    ("ix_qa_evaluations_job", ["job_id", "finished_at"], "job_id IS NOT NULL"),
)
_OLD = (
    ("ix_qa_evaluations_due", ["queue", "run_at"], _WAITING),
    ("ix_qa_evaluations_degraded", ["judge_model"], "is_current AND degraded"),
    ("ix_qa_evaluations_job", ["job_id", "status"], "job_id IS NOT NULL"),
)


def upgrade() -> None:
    op.add_column("qa_evaluations", sa.Column("recheck_after", sa.DateTime(timezone=True)))
    op.execute(
        "UPDATE qa_evaluations SET recheck_after = finished_at"
        " WHERE is_current AND degraded AND judge_key LIKE '%/degraded'"
    )
    _exchange(_OLD, _NEW)
    op.add_column("evaluation_policies", sa.Column("judge_prompt", sa.Text()))
    op.add_column("jobs", sa.Column("state", JSONB(), server_default="{}", nullable=False))


def downgrade() -> None:
    op.drop_column("jobs", "state")
    op.drop_column("evaluation_policies", "judge_prompt")
    _exchange(_NEW, _OLD)
    op.drop_column("qa_evaluations", "recheck_after")


def _exchange(
    old: Sequence[tuple[str, list[str], str]], new: Sequence[tuple[str, list[str], str]]
) -> None:
    for name, _, _ in old:
        op.drop_index(name, table_name="qa_evaluations")
    for name, columns, where in new:
        op.create_index(name, "qa_evaluations", columns, postgresql_where=sa.text(where))
