"""Benches know what the labels of drawn answers stand for, and who gave stored verdicts."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0036"
down_revision: str | None = "0035"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.add_column("judge_benches", sa.Column("frame", postgresql.JSONB()))
    op.add_column("judge_bench_items", sa.Column("cell", sa.Integer()))
    op.add_column("judge_bench_results", sa.Column("made_by", sa.Text()))
    # Those of benches that have ended were not made.
    op.execute(
        """UPDATE judge_benches SET summary = summary || '{"comparisons": []}'"""
        " WHERE summary IS NOT NULL"
    )


def downgrade() -> None:
    op.execute("UPDATE judge_benches SET summary = summary - 'comparisons'")
    op.drop_column("judge_bench_results", "made_by")
    op.drop_column("judge_bench_items", "cell")
    op.drop_column("judge_benches", "frame")
