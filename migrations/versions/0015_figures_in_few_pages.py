"""Figures are read from few pages.

What a verdict says of claims and notes stands in its row too, so that its figures need no join, and
what averages are made of stands in indexes: PostgreSQL reads those alone, however long the
texts are. On a million verdicts the upgrade takes about two minutes on a busy machine.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0015"
down_revision: str | None = "0014"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_COLUMNS = {
    "claims_supported": ("smallint", "Claims that the notes bear out; NULL where none were read."),
    "claims_partly": ("smallint", "Claims that they bear out in part."),
    "claims_unsupported": ("smallint", "Claims that they do not bear out."),
    "cited_notes": (
        "smallint[]",
        "note_index of the notes that the answer used; NULL where the judge was not asked.",
    ),
    "misquoted_notes": (
        "smallint[]",
        "note_index of those that the judge quotes with words that do not stand in them.",
    ),
}
_FILL = """
UPDATE qa_evaluations e
SET claims_supported = c.supported, claims_partly = c.partly, claims_unsupported = c.unsupported,
    cited_notes = s.cited, misquoted_notes = s.misquoted
FROM qa_evaluations o
LEFT JOIN (
    SELECT evaluation_id, count(*) FILTER (WHERE verdict = 'supported') AS supported,
        count(*) FILTER (WHERE verdict = 'partly') AS partly,
        count(*) FILTER (WHERE verdict = 'unsupported') AS unsupported
    FROM qa_claims GROUP BY 1
) c ON c.evaluation_id = o.id
LEFT JOIN (
    SELECT evaluation_id,
        COALESCE(array_agg(note_index ORDER BY note_index) FILTER (WHERE cited), '{}') AS cited,
        COALESCE(array_agg(note_index ORDER BY note_index) FILTER (WHERE NOT quote_found), '{}')
            AS misquoted
    FROM qa_evaluation_sources GROUP BY 1
) s ON s.evaluation_id = o.id
WHERE e.id = o.id AND (c.evaluation_id IS NOT NULL OR s.evaluation_id IS NOT NULL)
"""
_VERDICTS = """
CREATE OR REPLACE VIEW analytics.verdicts AS
SELECT e.workspace_id, e.id AS evaluation_id, e.answer_id, a.notebook_id,
    e.answered_at, e.created_at AS requested_at, e.started_at, e.finished_at,
    a.question, a.lang, a.feature, a.origin,
    CASE WHEN a.provider IS NULL THEN a.model ELSE a.provider || ':' || a.model END
        AS answer_model,
    a.search_method, e.is_current, e.status, e.reason, e.degraded, e.judge_key, e.judge_model,
    e.provider || ':' || e.model AS made_by, e.prompt_version,
    e.correctness, e.utility, e.confidence, e.overall_score, e.needs_improvement, e.summary,
    e.attempt AS attempts, e.tries, e.crashes, e.prompt_tokens, e.completion_tokens,
    e.cost_usd, e.queue_ms, e.judge_ms,
    (extract(epoch FROM e.finished_at - e.created_at) * 1000)::float8 AS verdict_ms,
    e.error, a.created_at AS stored_at, {columns}
FROM qa_evaluations e
LEFT JOIN qa_answers a ON a.id = e.answer_id AND a.workspace_id = e.workspace_id
"""
_OF_VERDICTS = "ix_qa_evaluations_workspace_id_answered_at"
_OF_ANSWERS = "ix_qa_answers_workspace_id_created_at"
_READ_OF_VERDICTS = (
    *("id", "answer_id", "is_current", "status", "reason", "degraded", "correctness", "utility"),
    *("confidence", "judge_model", "claims_supported", "claims_partly", "claims_unsupported"),
)
_READ_OF_ANSWERS = (
    *("id", "feature", "lang", "provider", "model", "search_method", "notebook_id"),
)
_VACUUMED = ("qa_evaluations", "qa_answers", "qa_answer_sources")


def upgrade() -> None:
    added = ", ".join(f"ADD {name} {type_}" for name, (type_, _) in _COLUMNS.items())
    op.execute(f"ALTER TABLE qa_evaluations {added}")
    op.execute(_FILL)
    _make_indexes(read=_READ_OF_VERDICTS, read_of_answers=_READ_OF_ANSWERS)
    _make_key_of_sources("INCLUDE (workspace_id, note_id, title)")
    for table in _VACUUMED:
        # Only what vacuum has looked at is read from the index alone.
        op.execute(
            f"ALTER TABLE {table} SET (autovacuum_vacuum_scale_factor = 0.05,"
            " autovacuum_vacuum_insert_scale_factor = 0.05)"
        )
        op.execute(f"ANALYZE {table}")
    _replace_view(filled=True)
    for name, (_, meaning) in _COLUMNS.items():
        op.execute(f"COMMENT ON COLUMN analytics.verdicts.{name} IS '{meaning}'")


def downgrade() -> None:
    _replace_view(filled=False)
    for table in _VACUUMED:
        op.execute(
            f"ALTER TABLE {table} RESET (autovacuum_vacuum_scale_factor,"
            " autovacuum_vacuum_insert_scale_factor)"
        )
    _make_key_of_sources("")
    _make_indexes(read=(), read_of_answers=())
    dropped = ", ".join(f"DROP {name}" for name in _COLUMNS)
    op.execute(f"ALTER TABLE qa_evaluations {dropped}")


def _replace_view(*, filled: bool) -> None:
    """Columns of a view cannot be taken away: those of later migrations stay, empty, see 0014."""
    there = op.get_bind().execute(
        sa.text(
            "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute"
            " WHERE attrelid = 'analytics.verdicts'::regclass AND attnum >"
            " (SELECT attnum FROM pg_attribute WHERE attrelid = 'analytics.verdicts'::regclass"
            "  AND attname = 'stored_at') ORDER BY attnum"
        )
    )
    types = {name: type_ for name, (type_, _) in _COLUMNS.items()} | {
        row[0]: row[1] for row in there
    }
    columns = (
        f"e.{name}" if filled and name in _COLUMNS else f"NULL::{type_} AS {name}"
        for name, type_ in types.items()
    )
    op.execute(_VERDICTS.format(columns=", ".join(columns)))


def _make_indexes(*, read: Sequence[str], read_of_answers: Sequence[str]) -> None:
    for name, table, key, more in (
        (_OF_VERDICTS, "qa_evaluations", "answered_at", read),
        (_OF_ANSWERS, "qa_answers", "created_at", read_of_answers),
    ):
        op.execute(f"DROP INDEX {name}")
        included = f" INCLUDE ({', '.join(more)})" if more else ""
        op.execute(f"CREATE INDEX {name} ON {table} (workspace_id, {key}){included}")


def _make_key_of_sources(included: str) -> None:
    op.execute(
        "ALTER TABLE qa_answer_sources DROP CONSTRAINT pk_qa_answer_sources,"
        f" ADD CONSTRAINT pk_qa_answer_sources PRIMARY KEY (answer_id, note_index) {included}"
    )
