"""Doubtful claims say in what way they are wrong, and refusals have a verdict of their own.

Older rows keep NULL. A right refusal counts for no average: the view of verdicts gives it no score.
"""

import re
from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from alembic import op

from migrations.concurrent_index import create_index, drop_index
from migrations.functions import create_function
from migrations.view_columns import set_view_columns

revision: str = "0072"
down_revision: str | None = "0071"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLE, _INDEX = "qa_evaluations", "ix_qa_evaluations_workspace_id_answered_at"
_FAULTS = ("contradicted", "not_in_notes", "misattributed", "stitched")
_COUNTS = tuple(f"claims_{fault}" for fault in _FAULTS)
_OUTCOMES = ("matches", "mismatch", "undecided", "rightly_refused")
_FIGURES = (
    *("id", "answer_id", "is_current", "status", "reason", "degraded", "correctness", "utility"),
    *("confidence", "judge_model", "claims_supported", "claims_partly", "claims_unsupported"),
    "outcome",
)
_ADD_CHECK = "ALTER TABLE {} ADD CONSTRAINT {} CHECK ({} IN ({})) NOT VALID"
# Columns of views, with their type, what they read and their meaning.
_SCORE = "CASE WHEN e.outcome IS DISTINCT FROM 'rightly_refused' THEN e.{} END"
_OF_CLAIMS = "Claims of the answer that are doubtful in this way; NULL where it is not known."
_REFUSALS = {
    "rightly_refused": "Answers that rightly say that the notes do not tell: none of the scored.",
    "falsely_refused": "Of the scored, those that say so though the notes do.",
}
_COLUMNS: Mapping[str, Mapping[str, tuple[str, str, str]]] = {
    "verdicts": {
        "outcome": (
            "text",
            "e.outcome",
            "What rules conclude, and rightly_refused or falsely_refused of every judge.",
        ),
        **{name: ("smallint", f"e.{name}", _OF_CLAIMS) for name in _COUNTS},
    },
    "daily_quality": {
        "rightly_refused": (
            "bigint",
            "count(*) FILTER (WHERE v.outcome = 'rightly_refused' AND NOT v.degraded)",
            _REFUSALS["rightly_refused"],
        ),
    },
    "claims": {
        "fault": (
            "text",
            "fault::text",
            "Of doubtful ones contradicted, not_in_notes, misattributed or stitched; else NULL.",
        ),
    },
    "hourly_verdicts": {
        **{
            name: ("integer", name, "Sum of the claims that are doubtful in this way.")
            for name in _COUNTS
        },
        **{name: ("integer", name, meaning) for name, meaning in _REFUSALS.items()},
    },
}
_SCORES = {
    "correctness": "Is every claim grounded in the notes? 0 to 1;",
    "utility": "Does it answer the question? 0 to 1;",
}
_NO_SCORE = "NULL without a verdict, and of answers that are rightly_refused."
# What the event did not have before this migration.
_IN_EVENTS = re.compile(r" *'faults', CASE .*?END,\n", re.DOTALL)


def upgrade() -> None:
    op.execute("ALTER TABLE qa_claims ADD COLUMN IF NOT EXISTS fault varchar(16)")
    op.add_column("eval_results", sa.Column("outcome", sa.Text()))
    for name in _COUNTS:
        op.execute(f"ALTER TABLE {_TABLE} ADD COLUMN IF NOT EXISTS {name} smallint")
    _check("qa_claims", "fault", _FAULTS)
    _check(_TABLE, "outcome", (*_OUTCOMES, "falsely_refused"))
    for name in (*_COUNTS, "rightly_refused", "falsely_refused"):
        op.add_column("qa_hourly_verdicts", sa.Column(name, sa.Integer()))
    op.execute(create_function("deliver_verdict_event"))
    _set_views(filled=True)
    for view, columns in _COLUMNS.items():
        for name, (*_, meaning) in columns.items():
            op.execute(f"COMMENT ON COLUMN analytics.{view}.{name} IS '{meaning}'")
    for name, asked in _SCORES.items():
        op.execute(f"COMMENT ON COLUMN analytics.verdicts.{name} IS '{asked} {_NO_SCORE}'")
    # They hold right refusals as scored; days that are not there are rolled up again.
    op.execute("DELETE FROM qa_rolled_days")
    _replace_index((*_FIGURES, *_COUNTS))
    for table, column in (("qa_claims", "fault"), (_TABLE, "outcome")):
        op.execute(f"ALTER TABLE {table} VALIDATE CONSTRAINT ck_{table}_{column}_known")


def downgrade() -> None:
    _replace_index(_FIGURES)
    _set_views(filled=False)
    op.execute(_IN_EVENTS.sub("", create_function("deliver_verdict_event")))
    for name in (*_COUNTS, "rightly_refused", "falsely_refused"):
        op.drop_column("qa_hourly_verdicts", name)
    op.execute(f"UPDATE {_TABLE} SET outcome = 'mismatch' WHERE outcome = 'falsely_refused'")
    _check(_TABLE, "outcome", _OUTCOMES)
    op.execute(f"ALTER TABLE {_TABLE} VALIDATE CONSTRAINT ck_{_TABLE}_outcome_known")
    for name in _COUNTS:
        op.drop_column(_TABLE, name)
    op.drop_column("eval_results", "outcome")
    op.drop_column("qa_claims", "fault")


def _set_views(*, filled: bool) -> None:
    for view, columns in _COLUMNS.items():
        reads = {
            name: read if filled or name == "outcome" else f"NULL::{type_}"
            for name, (type_, read, _) in columns.items()
        }
        if view == "verdicts":
            reads |= {name: _SCORE.format(name) if filled else f"e.{name}" for name in _SCORES}
        set_view_columns(f"analytics.{view}", reads)


def _check(table: str, column: str, known: Sequence[str]) -> None:
    name = f"ck_{table}_{column}_known"
    values = ", ".join(f"'{value}'" for value in known)
    op.execute(f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {name}")
    op.execute(_ADD_CHECK.format(table, name, column, values))


def _replace_index(columns: Sequence[str]) -> None:
    next_ = f"{_INDEX}_next"
    create_index(next_, _TABLE, ["workspace_id", "answered_at"], postgresql_include=columns)
    drop_index(_INDEX, _TABLE)
    # contract: no statement names an index.
    op.execute(f"ALTER INDEX {next_} RENAME TO {_INDEX}")
