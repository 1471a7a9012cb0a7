"""Judges measured against human labels."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from migrations.row_security import protect, unprotect

revision: str = "0011"
down_revision: str | None = "0010"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

TABLES = ("judge_benches", "judge_bench_items", "judge_bench_results")

# A part that is given up or cancelled would leave its bench waiting for ever; the other parts are
# of no use then.
END_BENCH = """
CREATE FUNCTION end_bench_of_ended_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE judge_benches
    SET status = NEW.status, error_message = NEW.error, finished_at = now(), updated_at = now()
    WHERE id = CAST(NEW.payload ->> 'bench_id' AS uuid) AND status IN ('pending', 'running');
    IF FOUND THEN
        UPDATE jobs SET status = 'cancelled', finished_at = now(), lease_until = NULL
        WHERE workspace_id = NEW.workspace_id AND kind = 'judge_bench'
          AND payload ->> 'bench_id' = NEW.payload ->> 'bench_id'
          AND status IN ('queued', 'running', 'retrying');
    END IF;
    RETURN NULL;
END $$
"""
ON_ENDED = """
CREATE TRIGGER end_bench_of_ended_job AFTER UPDATE OF status ON jobs
FOR EACH ROW WHEN (NEW.kind = 'judge_bench' AND NEW.status IN ('failed', 'cancelled'))
EXECUTE FUNCTION end_bench_of_ended_job()
"""


def upgrade() -> None:
    _create_benches()
    _create_items()
    _create_results()
    protect(*TABLES)
    op.execute(END_BENCH)
    op.execute(ON_ENDED)


def downgrade() -> None:
    op.execute("DROP TRIGGER end_bench_of_ended_job ON jobs")
    op.execute("DROP FUNCTION end_bench_of_ended_job")
    unprotect(*TABLES)
    op.drop_table("judge_bench_results")
    op.drop_table("judge_bench_items")
    op.drop_index(op.f("ix_judge_benches_workspace_id_id"), table_name="judge_benches")
    op.drop_table("judge_benches")


def _time(name: str = "created_at", *, nullable: bool = False) -> sa.Column[object]:
    default = None if nullable else sa.text("now()")
    return sa.Column(name, sa.DateTime(timezone=True), server_default=default, nullable=nullable)


def _of_bench(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["bench_id"],
        ["judge_benches.id"],
        name=op.f(f"fk_{table}_bench_id_judge_benches"),
        ondelete="CASCADE",
    )


def _create_benches() -> None:
    op.create_table(
        "judge_benches",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("source", sa.String(length=16), nullable=False),
        sa.Column("judges", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("threshold", sa.Double(), nullable=False),
        sa.Column("judge_spans", sa.Boolean(), nullable=False),
        sa.Column("available", sa.Integer(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("items", sa.Integer(), nullable=False),
        sa.Column("hallucinated", sa.Integer(), nullable=False),
        sa.Column("rejected", postgresql.JSONB(), nullable=False),
        sa.Column("status", sa.String(length=16), server_default="pending", nullable=False),
        sa.Column("summary", postgresql.JSONB(), nullable=True),
        sa.Column("error_message", sa.Text(), nullable=True),
        _time("updated_at"),
        _time("finished_at", nullable=True),
        sa.Column("id", sa.Uuid(), nullable=False),
        _time(),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.CheckConstraint(
            "source IN ('file', 'feedback')", name=op.f("ck_judge_benches_source_known")
        ),
        sa.CheckConstraint(
            "status IN ('pending', 'running', 'completed', 'failed', 'cancelled')",
            name=op.f("ck_judge_benches_status_known"),
        ),
        sa.CheckConstraint(
            "threshold BETWEEN 0 AND 1", name=op.f("ck_judge_benches_threshold_range")
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_judge_benches_workspace_id_workspaces"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judge_benches")),
    )
    op.create_index(
        op.f("ix_judge_benches_workspace_id_id"), "judge_benches", ["workspace_id", "id"]
    )


def _create_items() -> None:
    op.create_table(
        "judge_bench_items",
        sa.Column("bench_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("ref", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("passages", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("hallucinated", sa.Boolean(), nullable=False),
        sa.Column("grade", sa.Double(), nullable=True),
        sa.Column("spans", postgresql.JSONB(), nullable=True),
        sa.Column("lang", sa.String(length=2), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        _of_bench("judge_bench_items"),
        sa.PrimaryKeyConstraint("bench_id", "position", name=op.f("pk_judge_bench_items")),
    )


def _create_results() -> None:
    op.create_table(
        "judge_bench_results",
        sa.Column("bench_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("judge", sa.Text(), nullable=False),
        sa.Column("hallucinated", sa.Boolean(), nullable=False),
        sa.Column("score", sa.Double(), nullable=True),
        sa.Column("predicted", sa.Boolean(), nullable=True),
        sa.Column("spans", postgresql.JSONB(), nullable=True),
        sa.Column("prompt_tokens", sa.Integer(), nullable=True),
        sa.Column("completion_tokens", sa.Integer(), nullable=True),
        sa.Column("cost_usd", sa.Numeric(precision=12, scale=8), nullable=True),
        sa.Column("latency_ms", sa.Double(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        _time(),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.CheckConstraint(
            "(score IS NULL) = (error IS NOT NULL)",
            name=op.f("ck_judge_bench_results_score_or_error"),
        ),
        sa.CheckConstraint(
            "score BETWEEN 0 AND 1", name=op.f("ck_judge_bench_results_score_range")
        ),
        _of_bench("judge_bench_results"),
        sa.PrimaryKeyConstraint(
            "bench_id", "position", "judge", name=op.f("pk_judge_bench_results")
        ),
    )
