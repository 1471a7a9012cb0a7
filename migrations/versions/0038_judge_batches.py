"""Batches of requests to judges: what is in them, which calls were lines of one, and the policy."""

from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from alembic import op

from migrations.row_security import protect, unprotect

revision: str = "0038"
down_revision: str | None = "0037"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLES = ("judge_batches", "judge_batch_lines")
_STATES = "'collecting', 'submitting', 'running', 'reading', 'ended', 'failed', 'cancelled'"
_COUNTS = ("polls", "answers", "requests", "done", "failed", "stored", "errors", "dropped")
_COLUMNS: Mapping[str, str] = {
    "workspace_id": "Workspace of the answer.",
    "evaluation_id": "The verdict that it was made for.",
    "called_at": "When its reply was read.",
    "made_by": "provider:model.",
    "prompt_tokens": "Tokens sent.",
    "completion_tokens": "Tokens received.",
    "cost_usd": "US dollars, at the price of batches; NULL where it is not known.",
}
_VIEW = """
SELECT workspace_id, evaluation_id, created_at AS called_at,
    provider || ':' || model AS made_by, prompt_tokens, completion_tokens, cost_usd
FROM judge_calls WHERE batched
"""


def upgrade() -> None:
    _create_tables()
    protect(*_TABLES)
    op.add_column(
        "judge_calls",
        sa.Column("batched", sa.Boolean(), server_default=sa.text("false"), nullable=False),
    )
    op.add_column("evaluation_policies", sa.Column("bulk_by", sa.Text()))
    op.add_column("evaluation_policies", sa.Column("batch_hours", sa.Integer()))
    for name, condition in (
        ("bulk_by", "bulk_by IN ('batch', 'calls')"),
        ("batch_hours", "batch_hours BETWEEN 1 AND 24"),
    ):
        op.create_check_constraint(
            op.f(f"ck_evaluation_policies_{name}"), "evaluation_policies", condition
        )
    op.create_index(
        "ix_qa_evaluations_for_batch",
        "qa_evaluations",
        ["workspace_id", "judge_model", "run_at"],
        postgresql_where=sa.text("reason = 'for_batch'"),
    )
    _create_view("analytics.batched_calls")


def downgrade() -> None:
    op.execute("DROP VIEW analytics.batched_calls")
    # Rows in batches are judged by calls.
    op.execute(
        "UPDATE qa_evaluations SET reason = NULL, run_at = now(), enqueued_at = NULL"
        " WHERE status IN ('queued', 'retrying') AND reason IN ('for_batch', 'in_batch')"
    )
    op.drop_index("ix_qa_evaluations_for_batch", "qa_evaluations")
    for name in ("bulk_by", "batch_hours"):
        op.drop_constraint(op.f(f"ck_evaluation_policies_{name}"), "evaluation_policies")
        op.drop_column("evaluation_policies", name)
    op.drop_column("judge_calls", "batched")
    unprotect(*_TABLES)
    for table in reversed(_TABLES):
        op.drop_table(table)


def _time(name: str, *, now: bool = False, nullable: bool = True) -> sa.Column[object]:
    return sa.Column(
        name,
        sa.DateTime(timezone=True),
        server_default=sa.text("now()") if now else None,
        nullable=nullable,
    )


def _create_tables() -> None:
    name = "judge_batches"
    op.create_table(
        name,
        sa.Column("judge_model", sa.Text(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("error", sa.Text()),
        _time("deadline_at", nullable=False),
        _time("last_row_at", now=True, nullable=False),
        _time("submitting_at"),
        _time("submitted_at"),
        _time("finished_at"),
        _time("retry_at"),
        _time("cancel_requested_at"),
        sa.Column("provider_batch", sa.Text()),
        *(
            sa.Column(count, sa.Integer(), server_default=sa.text("0"), nullable=False)
            for count in _COUNTS
        ),
        sa.Column("cost_usd", sa.Numeric(14, 8), server_default=sa.text("0")),
        sa.Column("id", sa.Uuid(), nullable=False),
        _time("created_at", now=True, nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.CheckConstraint(f"state IN ({_STATES})", name=op.f(f"ck_{name}_state_known")),
        sa.CheckConstraint(
            "state <> 'failed' OR error IS NOT NULL", name=op.f(f"ck_{name}_failed_has_error")
        ),
        sa.CheckConstraint(
            "state NOT IN ('running', 'reading') OR provider_batch IS NOT NULL",
            name=op.f(f"ck_{name}_running_has_provider_batch"),
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f(f"fk_{name}_workspace_id_workspaces"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{name}")),
    )
    op.create_index(op.f(f"ix_{name}_workspace_id_id"), name, ["workspace_id", "id"])
    op.create_index(
        f"uq_{name}_collecting",
        name,
        ["workspace_id", "judge_model"],
        unique=True,
        postgresql_where=sa.text("state = 'collecting'"),
    )
    op.create_index(
        f"ix_{name}_at_work",
        name,
        ["id"],
        postgresql_where=sa.text("state IN ('submitting', 'running', 'reading')"),
    )
    lines = "judge_batch_lines"
    op.create_table(
        lines,
        sa.Column("batch_id", sa.Uuid(), nullable=False),
        sa.Column("evaluation_id", sa.Uuid(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("request_hash", sa.String(64)),
        _time("read_at"),
        sa.Column("id", sa.Uuid(), nullable=False),
        _time("created_at", now=True, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        *(
            sa.ForeignKeyConstraint(
                [column],
                [f"{table}.id"],
                name=op.f(f"fk_{lines}_{column}_{table}"),
                ondelete="CASCADE",
            )
            for column, table in (("batch_id", name), ("evaluation_id", "qa_evaluations"))
        ),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{lines}")),
    )
    op.create_index(
        f"uq_{lines}_custom_id", lines, ["evaluation_id", "attempt", "position"], unique=True
    )
    op.create_index(op.f(f"ix_{lines}_batch_id"), lines, ["batch_id"])


def _create_view(name: str) -> None:
    # Giving a view away takes the right to make one there, as in migration 0012.
    op.execute("GRANT CREATE ON SCHEMA analytics TO searchqa_views")
    op.execute(f"CREATE VIEW {name} AS {_VIEW}")
    op.execute(
        f"COMMENT ON VIEW {name} IS"
        " 'Version 1. Those of analytics.calls that were lines of a batch of their provider.'"
    )
    for column, meaning in _COLUMNS.items():
        op.execute(f"COMMENT ON COLUMN {name}.{column} IS '{meaning}'")
    op.execute(f"GRANT SELECT ON {name} TO searchqa_analyst, searchqa_app")
    op.execute(f"ALTER VIEW {name} OWNER TO searchqa_views")
    op.execute("REVOKE CREATE ON SCHEMA analytics FROM searchqa_views")
