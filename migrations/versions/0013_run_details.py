"""Which retrieval a run measures."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0013"
down_revision: str | None = "0012"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.add_column(
        "eval_runs",
        sa.Column("retrieval", sa.String(length=16), server_default="text", nullable=False),
    )
    op.add_column("eval_runs", sa.Column("embedding_model", sa.Text(), nullable=True))
    op.create_check_constraint(
        op.f("ck_eval_runs_retrieval_known"),
        "eval_runs",
        "retrieval IN ('text', 'hybrid', 'evidence')",
    )


def downgrade() -> None:
    op.drop_constraint(op.f("ck_eval_runs_retrieval_known"), "eval_runs")
    op.drop_column("eval_runs", "embedding_model")
    op.drop_column("eval_runs", "retrieval")
