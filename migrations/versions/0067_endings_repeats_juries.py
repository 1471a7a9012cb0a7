"""Models that end and what uses them; benches that repeat verdicts; juries of policies."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from migrations.functions import create_function

revision: str = "0067"
down_revision: str | None = "0066"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLE = "model_endings"


def upgrade() -> None:
    op.create_table(
        _TABLE,
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("ends_on", sa.Date(), nullable=False),
        sa.Column("source", sa.String(8), nullable=False),
        sa.Column("workspaces", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.CheckConstraint(
            "source IN ('list', 'server')", name=op.f("ck_model_endings_source_known")
        ),
        sa.PrimaryKeyConstraint("model", name=op.f("pk_model_endings")),
    )
    # It belongs to no workspace. Workers have their rights by default.
    op.execute(f"GRANT SELECT ON {_TABLE} TO searchqa_api, searchqa_app")
    op.execute("ALTER TABLE evaluation_policies ADD COLUMN IF NOT EXISTS jury text[]")
    op.execute(create_function("model_uses"))
    op.add_column(
        "judge_benches",
        sa.Column("repeats", sa.Integer(), server_default=sa.text("1"), nullable=False),
    )
    op.add_column("judge_bench_results", sa.Column("scores", sa.ARRAY(sa.Float())))


def downgrade() -> None:
    op.drop_column("judge_bench_results", "scores")
    op.drop_column("judge_benches", "repeats")
    op.execute("DROP FUNCTION model_uses(text[])")
    op.drop_column("evaluation_policies", "jury")
    op.drop_table(_TABLE)
