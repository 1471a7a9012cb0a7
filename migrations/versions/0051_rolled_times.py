"""Percentiles of whole days in the time zones that are asked for most, the slowest verdicts of
days, and labels that lead to their verdicts."""

from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from migrations.row_security import protect, unprotect

revision: str = "0051"
down_revision: str | None = "0050"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TIMES, _SLOWEST = "daily_times", "daily_slowest"
_VIEW_OWNER = "searchqa_views"
_SEEN = "workspace_id = ANY (ARRAY(SELECT analytics.visible_workspaces()))"
_VIEWS = {
    _TIMES: (
        "How long current verdicts took. Counts only where rolled_days names each overlapping day.",
        {
            "workspace_id": "Workspace of the answers.",
            "began": "When the day began, in its time zone.",
            "ended": "When it ended.",
            "judge_model": "Judge that was asked; NULL: all of them.",
            "verdicts": "Verdicts of the day.",
            "queue_ms": "What 50, 95 and 99 % of them did not wait longer than.",
            "judge_ms": "The same of the judge.",
            "verdict_ms": "The same from asking for a verdict to having it.",
        },
    ),
    _SLOWEST: (
        "The slowest verdicts of each day (UTC). Counts only on days that rolled_days names.",
        {
            "workspace_id": "Workspace of the answers.",
            "at": "When the day began, of the answers.",
            "evaluation_id": "The verdict.",
            "judge_model": "Judge that was asked.",
            "verdict_ms": "From asking for a verdict to having it.",
            "of_all": "How many verdicts the day has.",
        },
    ),
}
# A label finds its verdicts by its answer. Labels are of people, and few; without the OFFSET
# PostgreSQL reads all verdicts to find those that have one.
_LABEL_PAIRS = """
CREATE OR REPLACE VIEW analytics.label_pairs AS
SELECT e.workspace_id, e.id AS evaluation_id, e.answer_id, f.author, f.label AS human_label,
    j.label AS judge_label,
    abs(array_position('{{wrong,partly,right}}'::text[], f.label::text)
        - array_position('{{wrong,partly,right}}'::text[], j.label)) AS distance, f.comment
FROM (
    SELECT DISTINCT ON (answer_id, author) answer_id, author, label, comment
    FROM qa_feedback WHERE claim_position IS NULL
    ORDER BY answer_id, author, updated_at DESC, id DESC
) f
{join}
CROSS JOIN LATERAL (
    SELECT CASE WHEN e.correctness >= 0.8 THEN 'right' WHEN e.correctness >= 0.5 THEN 'partly'
        ELSE 'wrong' END
) j(label)
"""
_ANY_PLAN = """JOIN qa_evaluations e ON e.answer_id = f.answer_id AND e.correctness IS NOT NULL
    AND NOT e.degraded"""
_BY_ANSWER = """CROSS JOIN LATERAL (
    SELECT * FROM qa_evaluations
    WHERE answer_id = f.answer_id AND correctness IS NOT NULL AND NOT degraded
    OFFSET 0
) e"""


def upgrade() -> None:
    op.add_column("qa_rolled_days", sa.Column("zones", postgresql.ARRAY(sa.Text())))
    _create_table(
        _TIMES,
        "began timestamptz NOT NULL, ended timestamptz NOT NULL, judge_model text,"
        " verdicts integer NOT NULL, queue_ms float8[], judge_ms float8[], verdict_ms float8[],"
        " CONSTRAINT uq_qa_daily_times_workspace_id_began_ended_judge_model"
        " UNIQUE NULLS NOT DISTINCT (workspace_id, began, ended, judge_model)",
    )
    _create_table(
        _SLOWEST,
        "at timestamptz NOT NULL, evaluation_id uuid NOT NULL, judge_model text NOT NULL,"
        " verdict_ms float8 NOT NULL, of_all integer NOT NULL",
    )
    op.create_index(
        op.f("ix_qa_daily_slowest_workspace_id_at"), f"qa_{_SLOWEST}", ["workspace_id", "at"]
    )
    op.execute(f"GRANT CREATE ON SCHEMA analytics TO {_VIEW_OWNER}")
    for name, (meaning, columns) in _VIEWS.items():
        _create_view(name, meaning, columns)
    _replace_label_pairs(_BY_ANSWER)
    op.execute(f"REVOKE CREATE ON SCHEMA analytics FROM {_VIEW_OWNER}")


def downgrade() -> None:
    op.execute(f"GRANT CREATE ON SCHEMA analytics TO {_VIEW_OWNER}")
    _replace_label_pairs(_ANY_PLAN)
    op.execute(f"REVOKE CREATE ON SCHEMA analytics FROM {_VIEW_OWNER}")
    for name in _VIEWS:
        op.execute(f"DROP VIEW analytics.{name}")
        op.execute(f"DROP POLICY analytics ON qa_{name}")
        unprotect(f"qa_{name}")
        op.drop_table(f"qa_{name}")
    op.drop_column("qa_rolled_days", "zones")


def _create_table(name: str, columns: str) -> None:
    table = f"qa_{name}"
    op.execute(f"""
        CREATE TABLE {table} (
            id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_{table} PRIMARY KEY,
            workspace_id uuid NOT NULL CONSTRAINT fk_{table}_workspace_id_workspaces
                REFERENCES workspaces ON DELETE CASCADE,
            {columns})
    """)
    protect(table)
    op.execute(f"GRANT SELECT ON {table} TO {_VIEW_OWNER}")
    op.execute(f"CREATE POLICY analytics ON {table} FOR SELECT TO {_VIEW_OWNER} USING ({_SEEN})")


def _create_view(name: str, meaning: str, columns: Mapping[str, str]) -> None:
    view = f"analytics.{name}"
    op.execute(f"CREATE VIEW {view} AS SELECT {', '.join(columns)} FROM qa_{name}")
    op.execute(f"COMMENT ON VIEW {view} IS 'Version 1. {meaning}'")
    for column, what in columns.items():
        op.execute(f"COMMENT ON COLUMN {view}.{column} IS '{what}'")
    op.execute(f"GRANT SELECT ON {view} TO searchqa_analyst, searchqa_app")
    op.execute(f"ALTER VIEW {view} OWNER TO {_VIEW_OWNER}")


def _replace_label_pairs(join: str) -> None:
    op.execute(_LABEL_PAIRS.format(join=join))
