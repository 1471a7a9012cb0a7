"""Verdicts of rules store what they conclude; figures count those that rules left undecided.

Older verdicts keep NULL. Nothing is rewritten, and no rolled day is rolled up again: none of them
has an undecided verdict.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module

import sqlalchemy as sa
from alembic import op

from migrations.functions import create_function
from migrations.view_columns import set_view_columns

revision: str = "0060"
down_revision: str | None = "0059"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

# Columns at the end of views, with their type, what they read and their meaning.
_COUNT = "count(v.correctness) FILTER (WHERE v.decided AND NOT v.degraded)"
_COUNTED = "Of the scored, those that rules did not leave undecided."
_MODEL_COMPARISON = import_module("migrations.versions.0012_analytics_views").MODEL_COMPARISON.query
_COLUMNS: Mapping[str, Mapping[str, tuple[str, str, str]]] = {
    "verdicts": {
        "outcome": (
            "text",
            "e.outcome",
            "What rules conclude; NULL for models and older verdicts.",
        ),
        "decided": (
            "boolean",
            "e.outcome IS DISTINCT FROM 'undecided'",
            "False where rules could not tell whether the answer is grounded.",
        ),
    },
    "hourly_verdicts": {
        "undecided": ("integer", "undecided", "Of the scored, those that rules left undecided."),
    },
    "daily_quality": {
        "decided": ("bigint", _COUNT, _COUNTED),
    },
}


def upgrade() -> None:
    op.execute("ALTER TABLE qa_evaluations ADD COLUMN IF NOT EXISTS outcome text")
    op.execute(
        "ALTER TABLE qa_evaluations ADD CONSTRAINT ck_qa_evaluations_outcome_known CHECK"
        " (outcome IN ('matches', 'mismatch', 'undecided', 'rightly_refused')) NOT VALID"
    )
    op.add_column("qa_hourly_verdicts", sa.Column("undecided", sa.Integer()))
    op.add_column("eval_results", sa.Column("faithfulness_decided", sa.Boolean()))
    op.add_column("judge_bench_results", sa.Column("decided", sa.Boolean()))
    op.execute(create_function("deliver_verdict_event"))
    _replace_views(filled=True)
    op.execute(f"COMMENT ON COLUMN analytics.model_comparison.decided IS '{_COUNTED}'")
    for view, columns in _COLUMNS.items():
        for name, (*_, meaning) in columns.items():
            op.execute(f"COMMENT ON COLUMN analytics.{view}.{name} IS '{meaning}'")


def downgrade() -> None:
    _replace_views(filled=False)
    op.drop_column("judge_bench_results", "decided")
    op.drop_column("eval_results", "faithfulness_decided")
    op.drop_column("qa_hourly_verdicts", "undecided")
    op.drop_column("qa_evaluations", "outcome")


def _replace_views(*, filled: bool) -> None:
    for view, columns in _COLUMNS.items():
        reads = {
            name: read if filled else f"NULL::{type_}" for name, (type_, read, _) in columns.items()
        }
        set_view_columns(f"analytics.{view}", reads)
    counted = _COUNT if filled else "NULL::bigint"
    query = _MODEL_COMPARISON.replace("pending\n    FROM (", "pending, decided\n    FROM (", 1)
    verdicts = "\n        FROM analytics.verdicts v"
    query = query.replace(verdicts, f",\n        {counted} AS decided{verdicts}", 1)
    op.execute(f"CREATE OR REPLACE VIEW analytics.model_comparison AS {query}")
