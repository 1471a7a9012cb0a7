"""Datasets of test cases, runs over them and their results."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from migrations.row_security import protect, unprotect

revision: str = "0007"
down_revision: str | None = "0006"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

TABLES = ("eval_datasets", "eval_test_cases", "eval_runs", "eval_results")

# A part of a run that is given up for good would leave the run waiting for ever.
FAIL_RUN = """
CREATE FUNCTION fail_run_of_failed_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE eval_runs
    SET status = 'failed', error_message = NEW.error, finished_at = now(), updated_at = now()
    WHERE id = CAST(NEW.payload ->> 'run_id' AS uuid) AND status IN ('pending', 'running');
    RETURN NULL;
END $$
"""
ON_FAILED = """
CREATE TRIGGER fail_run_of_failed_job AFTER UPDATE OF status ON jobs
FOR EACH ROW WHEN (NEW.kind = 'evaluate_cases' AND NEW.status = 'failed')
EXECUTE FUNCTION fail_run_of_failed_job()
"""


def upgrade() -> None:
    _create_datasets()
    _create_runs()
    protect(*TABLES)
    op.execute(FAIL_RUN)
    op.execute(ON_FAILED)


def downgrade() -> None:
    op.execute("DROP TRIGGER fail_run_of_failed_job ON jobs")
    op.execute("DROP FUNCTION fail_run_of_failed_job")
    unprotect(*TABLES)
    op.drop_table("eval_results")
    op.drop_index(op.f("ix_eval_runs_workspace_id_id"), table_name="eval_runs")
    op.drop_index(op.f("ix_eval_runs_dataset_id"), table_name="eval_runs")
    op.drop_table("eval_runs")
    op.drop_table("eval_test_cases")
    op.drop_index(op.f("ix_eval_datasets_notebook_id"), table_name="eval_datasets")
    op.drop_table("eval_datasets")


def _id() -> sa.Column[object]:
    return sa.Column("id", sa.Uuid(), nullable=False)


def _time(name: str = "created_at", *, nullable: bool = False) -> sa.Column[object]:
    default = None if nullable else sa.text("now()")
    return sa.Column(name, sa.DateTime(timezone=True), server_default=default, nullable=nullable)


def _workspace() -> sa.Column[object]:
    return sa.Column("workspace_id", sa.Uuid(), nullable=False)


def _of_workspace(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["workspace_id"],
        ["workspaces.id"],
        name=op.f(f"fk_{table}_workspace_id_workspaces"),
        ondelete="CASCADE",
    )


def _create_datasets() -> None:
    op.create_table(
        "eval_datasets",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("notebook_id", sa.Uuid(), nullable=True),
        sa.Column("origin", postgresql.JSONB(), nullable=False),
        _id(),
        _time(),
        _workspace(),
        sa.ForeignKeyConstraint(
            ["notebook_id"],
            ["notebooks.id"],
            name=op.f("fk_eval_datasets_notebook_id_notebooks"),
            ondelete="SET NULL",
        ),
        _of_workspace("eval_datasets"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_eval_datasets")),
        sa.UniqueConstraint(
            *("workspace_id", "name", "version"),
            name=op.f("uq_eval_datasets_workspace_id_name_version"),
        ),
    )
    op.create_index(op.f("ix_eval_datasets_notebook_id"), "eval_datasets", ["notebook_id"])
    op.create_table(
        "eval_test_cases",
        sa.Column("dataset_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("ground_truth_chunk_ids", sa.ARRAY(sa.Text()), nullable=False),
        sa.Column("reference_answer", sa.Text(), nullable=True),
        sa.Column("lang", sa.String(length=2), nullable=False),
        _id(),
        _time(),
        _workspace(),
        sa.ForeignKeyConstraint(
            ["dataset_id"],
            ["eval_datasets.id"],
            name=op.f("fk_eval_test_cases_dataset_id_eval_datasets"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_eval_test_cases")),
        sa.UniqueConstraint(
            "dataset_id", "position", name=op.f("uq_eval_test_cases_dataset_id_position")
        ),
    )


def _create_runs() -> None:
    op.create_table(
        "eval_runs",
        sa.Column("dataset_id", sa.Uuid(), nullable=True),
        sa.Column("dataset_name", sa.Text(), nullable=False),
        sa.Column("dataset_version", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=16), server_default="pending", nullable=False),
        sa.Column("k", sa.Integer(), nullable=False),
        sa.Column("evaluation_type", sa.String(length=16), nullable=False),
        sa.Column("answer_model", sa.Text(), nullable=False),
        sa.Column("judge_model", sa.Text(), nullable=False),
        sa.Column("cases", sa.Integer(), nullable=False),
        sa.Column("summary", postgresql.JSONB(), nullable=True),
        sa.Column("error_message", sa.Text(), nullable=True),
        _time("updated_at"),
        _time("finished_at", nullable=True),
        _id(),
        _time(),
        _workspace(),
        sa.CheckConstraint("k BETWEEN 1 AND 50", name=op.f("ck_eval_runs_k_range")),
        sa.CheckConstraint(
            "status IN ('pending', 'running', 'completed', 'failed', 'cancelled')",
            name=op.f("ck_eval_runs_status_known"),
        ),
        sa.CheckConstraint(
            "evaluation_type IN ('retrieval_only', 'full_rag')",
            name=op.f("ck_eval_runs_type_known"),
        ),
        sa.ForeignKeyConstraint(
            ["dataset_id"],
            ["eval_datasets.id"],
            name=op.f("fk_eval_runs_dataset_id_eval_datasets"),
            ondelete="SET NULL",
        ),
        _of_workspace("eval_runs"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_eval_runs")),
    )
    op.create_index(op.f("ix_eval_runs_dataset_id"), "eval_runs", ["dataset_id"])
    op.create_index(op.f("ix_eval_runs_workspace_id_id"), "eval_runs", ["workspace_id", "id"])
    ids = ("retrieved_chunk_ids", "ground_truth_chunk_ids", "missing_chunk_ids")
    op.create_table(
        "eval_results",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("test_case_id", sa.Uuid(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        *(sa.Column(name, sa.ARRAY(sa.Text()), nullable=False) for name in ids),
        sa.Column("precision", sa.Double(), nullable=True),
        sa.Column("recall", sa.Double(), nullable=True),
        sa.Column("hit", sa.Boolean(), nullable=True),
        sa.Column("reciprocal_rank", sa.Double(), nullable=True),
        sa.Column("average_precision", sa.Double(), nullable=True),
        sa.Column("ndcg", sa.Double(), nullable=True),
        sa.Column("generated_answer", sa.Text(), nullable=True),
        sa.Column("faithfulness", sa.Double(), nullable=True),
        sa.Column("faithfulness_reasoning", sa.Text(), nullable=True),
        sa.Column("faithfulness_parsed", sa.Boolean(), nullable=True),
        sa.Column("answer_relevancy", sa.Double(), nullable=True),
        sa.Column("answer_relevancy_reasoning", sa.Text(), nullable=True),
        sa.Column("answer_relevancy_parsed", sa.Boolean(), nullable=True),
        sa.Column("prompt_tokens", sa.Integer(), nullable=True),
        sa.Column("completion_tokens", sa.Integer(), nullable=True),
        sa.Column("cost_usd", sa.Numeric(precision=12, scale=8), nullable=True),
        sa.Column("latency_ms", sa.Double(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        _time(),
        _workspace(),
        sa.ForeignKeyConstraint(
            ["run_id"],
            ["eval_runs.id"],
            name=op.f("fk_eval_results_run_id_eval_runs"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("run_id", "position", name=op.f("pk_eval_results")),
    )
