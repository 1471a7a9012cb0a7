"""Percentiles of whole days in the time zones that are asked for most, and labels that lead to
their verdicts."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from migrations.row_security import protect, unprotect

revision: str = "0051"
down_revision: str | None = "0050"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_TABLE, _VIEW = "qa_daily_times", "analytics.daily_times"
_VIEW_OWNER = "searchqa_views"
_SEEN = "workspace_id = ANY (ARRAY(SELECT analytics.visible_workspaces()))"
_COLUMNS = {
    "workspace_id": "Workspace of the answers.",
    "began": "When the day began, in its time zone.",
    "ended": "When it ended.",
    "judge_model": "Judge that was asked; NULL: all of them.",
    "verdicts": "Verdicts of the day.",
    "queue_ms": "What 50, 95 and 99 % of them did not wait longer than.",
    "judge_ms": "The same of the judge.",
    "verdict_ms": "The same from asking for a verdict to having it.",
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
    op.execute(f"""
        CREATE TABLE {_TABLE} (
            id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_{_TABLE} PRIMARY KEY,
            workspace_id uuid NOT NULL CONSTRAINT fk_{_TABLE}_workspace_id_workspaces
                REFERENCES workspaces ON DELETE CASCADE,
            began timestamptz NOT NULL, ended timestamptz NOT NULL, judge_model text,
            verdicts integer NOT NULL, queue_ms float8[], judge_ms float8[], verdict_ms float8[],
            CONSTRAINT uq_{_TABLE}_workspace_id_began_ended_judge_model
                UNIQUE NULLS NOT DISTINCT (workspace_id, began, ended, judge_model))
    """)
    protect(_TABLE)
    op.execute(f"GRANT SELECT ON {_TABLE} TO {_VIEW_OWNER}")
    op.execute(f"CREATE POLICY analytics ON {_TABLE} FOR SELECT TO {_VIEW_OWNER} USING ({_SEEN})")
    op.execute(f"GRANT CREATE ON SCHEMA analytics TO {_VIEW_OWNER}")
    op.execute(f"CREATE VIEW {_VIEW} AS SELECT {', '.join(_COLUMNS)} FROM {_TABLE}")
    op.execute(
        f"COMMENT ON VIEW {_VIEW} IS 'Version 1. How long the current verdicts of a day took."
        " Counts only where rolled_days names all days (UTC) that it overlaps.'"
    )
    for column, meaning in _COLUMNS.items():
        op.execute(f"COMMENT ON COLUMN {_VIEW}.{column} IS '{meaning}'")
    op.execute(f"GRANT SELECT ON {_VIEW} TO searchqa_analyst, searchqa_app")
    op.execute(f"ALTER VIEW {_VIEW} OWNER TO {_VIEW_OWNER}")
    _replace_label_pairs(_BY_ANSWER)
    op.execute(f"REVOKE CREATE ON SCHEMA analytics FROM {_VIEW_OWNER}")


def downgrade() -> None:
    op.execute(f"GRANT CREATE ON SCHEMA analytics TO {_VIEW_OWNER}")
    _replace_label_pairs(_ANY_PLAN)
    op.execute(f"REVOKE CREATE ON SCHEMA analytics FROM {_VIEW_OWNER}")
    op.execute(f"DROP VIEW {_VIEW}")
    op.execute(f"DROP POLICY analytics ON {_TABLE}")
    unprotect(_TABLE)
    op.drop_table(_TABLE)
    op.drop_column("qa_rolled_days", "zones")


def _replace_label_pairs(join: str) -> None:
    op.execute(_LABEL_PAIRS.format(join=join))
