"""When the answer was finished stands beside each of its verdicts.

Figures by day of the answer need not join a table for it, and the planner, which cannot know that
answers and verdicts of the same days belong together, expects as many rows as there are. On a
million verdicts the UPDATE takes about two minutes.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0014"
down_revision: str | None = "0013"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_VERDICTS = """
CREATE OR REPLACE VIEW analytics.verdicts AS
SELECT e.workspace_id, e.id AS evaluation_id, e.answer_id, a.notebook_id,
    {answered_at} AS answered_at, e.created_at AS requested_at, e.started_at, e.finished_at,
    a.question, a.lang, a.feature, a.origin,
    CASE WHEN a.provider IS NULL THEN a.model ELSE a.provider || ':' || a.model END
        AS answer_model,
    a.search_method, e.is_current, e.status, e.reason, e.degraded, e.judge_key, e.judge_model,
    e.provider || ':' || e.model AS made_by, e.prompt_version,
    e.correctness, e.utility, e.confidence, e.overall_score, e.needs_improvement, e.summary,
    e.attempt AS attempts, e.tries, e.crashes, e.prompt_tokens, e.completion_tokens,
    e.cost_usd, e.queue_ms, e.judge_ms,
    (extract(epoch FROM e.finished_at - e.created_at) * 1000)::float8 AS verdict_ms,
    e.error{more}
FROM qa_evaluations e
LEFT JOIN qa_answers a ON a.id = e.answer_id AND a.workspace_id = e.workspace_id
"""
# To be joined by the answer_id of a verdict: `sources` goes through qa_evaluations for it.
_GIVEN_NOTES = """
CREATE VIEW analytics.given_notes AS
SELECT workspace_id, answer_id, note_index, note_id, title FROM qa_answer_sources
"""
_COMMENTS = {
    "workspace_id": "Workspace of the answer.",
    "answer_id": "The answer, as in verdicts.",
    "note_index": "1 is [노트 1] in the answer.",
    "note_id": "The note; NULL when it is not ours or gone.",
    "title": "Its title, as the model was given it.",
}


def upgrade() -> None:
    op.add_column("qa_evaluations", sa.Column("answered_at", sa.DateTime(timezone=True)))
    op.execute(
        "UPDATE qa_evaluations e SET answered_at = a.created_at FROM qa_answers a"
        " WHERE a.id = e.answer_id"
    )
    op.alter_column("qa_evaluations", "answered_at", server_default=sa.func.now(), nullable=False)
    op.create_index(
        op.f("ix_qa_evaluations_workspace_id_answered_at"),
        "qa_evaluations",
        ["workspace_id", "answered_at"],
    )
    # PostgreSQL thinks that as many days come out as times go in, and sorts all rows. Told that
    # they are few, it adds them up where they are read, in several processes.
    op.execute("ALTER TABLE qa_evaluations ALTER COLUMN answered_at SET (n_distinct = 1000)")
    op.execute(
        "CREATE STATISTICS st_qa_answer_sources_notes (ndistinct) ON note_id, title"
        " FROM qa_answer_sources"
    )
    op.execute("ANALYZE qa_evaluations")
    op.execute("ANALYZE qa_answer_sources")
    op.execute(_VERDICTS.format(answered_at="e.answered_at", more=_more()))
    op.execute(
        "COMMENT ON COLUMN analytics.verdicts.stored_at IS"
        " 'The same as answered_at, read from the answer: for queries that need its columns.'"
    )
    _create_given_notes()


def downgrade() -> None:
    op.execute("DROP VIEW analytics.given_notes")
    op.execute("DROP STATISTICS st_qa_answer_sources_notes")
    op.execute(_VERDICTS.format(answered_at="a.created_at", more=_more()))
    op.drop_index(op.f("ix_qa_evaluations_workspace_id_answered_at"), "qa_evaluations")
    op.drop_column("qa_evaluations", "answered_at")


def _more() -> str:
    """Columns of a view cannot be taken away: those of later migrations stay, empty, until 0012
    drops it."""
    later = op.get_bind().execute(
        sa.text(
            "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute"
            " WHERE attrelid = 'analytics.verdicts'::regclass AND attnum >"
            " (SELECT attnum FROM pg_attribute WHERE attrelid = 'analytics.verdicts'::regclass"
            "  AND attname = 'stored_at') ORDER BY attnum"
        )
    )
    empty = (f", NULL::{type_} AS {name}" for name, type_ in later)
    return "".join([", a.created_at AS stored_at", *empty])


def _create_given_notes() -> None:
    op.execute(_GIVEN_NOTES)
    op.execute(
        "COMMENT ON VIEW analytics.given_notes IS"
        " 'Version 1. One row for each note that an answer was given, judged or not.'"
    )
    for column, meaning in _COMMENTS.items():
        op.execute(f"COMMENT ON COLUMN analytics.given_notes.{column} IS '{meaning}'")
    op.execute("GRANT SELECT ON analytics.given_notes TO searchqa_analyst, searchqa_app")
    # Giving it away takes the right to make one there, as in migration 0012.
    op.execute("GRANT CREATE ON SCHEMA analytics TO searchqa_views")
    op.execute("ALTER VIEW analytics.given_notes OWNER TO searchqa_views")
    op.execute("REVOKE CREATE ON SCHEMA analytics FROM searchqa_views")
