"""A verdict tells how much of the answer and its notes was judged.

Nothing is rewritten: older rows keep NULL, which the constraint lets pass, so there is nothing to
validate and no scan holds a lock.
"""

from collections.abc import Sequence

from alembic import op

revision: str = "0021"
down_revision: str | None = "0016"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_COLUMNS = {
    "answer_chars": "Characters of the answer; NULL in older verdicts.",
    "judged_answer_chars": "Characters of it that were judged, from its beginning.",
    "note_chars": "Characters of the notes that the answer was given.",
    "judged_note_chars": "Characters of them that the judge was shown.",
}
_HIGH = "ck_qa_evaluations_high_only_when_all_judged"
# As in 0015, with the new columns at the end.
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
    e.error, a.created_at AS stored_at, e.claims_supported, e.claims_partly,
    e.claims_unsupported, e.cited_notes, e.misquoted_notes, {columns}
FROM qa_evaluations e
LEFT JOIN qa_answers a ON a.id = e.answer_id AND a.workspace_id = e.workspace_id
"""


def upgrade() -> None:
    added = ", ".join(f"ADD {name} integer" for name in _COLUMNS)
    op.execute(f"ALTER TABLE qa_evaluations {added}")
    op.execute(
        f"ALTER TABLE qa_evaluations ADD CONSTRAINT {_HIGH} CHECK (confidence <> 'high' OR"
        " (judged_answer_chars >= answer_chars AND judged_note_chars >= note_chars)) NOT VALID"
    )
    op.execute(_VERDICTS.format(columns=", ".join(f"e.{name}" for name in _COLUMNS)))
    for name, meaning in _COLUMNS.items():
        op.execute(f"COMMENT ON COLUMN analytics.verdicts.{name} IS '{meaning}'")


def downgrade() -> None:
    # Columns of a view cannot be taken away, see 0014.
    nothing = ", ".join(f"NULL::integer AS {name}" for name in _COLUMNS)
    op.execute(_VERDICTS.format(columns=nothing))
    dropped = ", ".join(f"DROP {name}" for name in _COLUMNS)
    op.execute(f"ALTER TABLE qa_evaluations DROP CONSTRAINT {_HIGH}, {dropped}")
