"""The criteria that a bench began with, and what its judges say by them."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision: str = "0076"
down_revision: str | None = "0075"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    op.add_column("judge_benches", sa.Column("criteria", sa.ARRAY(sa.Text())))
    op.add_column("judge_bench_results", sa.Column("criteria", postgresql.JSONB()))


def downgrade() -> None:
    op.drop_column("judge_bench_results", "criteria")
    op.drop_column("judge_benches", "criteria")
