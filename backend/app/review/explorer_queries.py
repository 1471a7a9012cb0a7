"""SQL of the list of verdicts: filtered, in pages, as short rows and as whole records.

A filter that is not given stands in no statement, so that PostgreSQL plans for what is asked.
Newest first walks the index on (workspace_id, created_at, id). Worst first sorts what the filters
leave: an index on correctness would cost every verdict something, and a list is read seldom.
"""

from collections.abc import Mapping
from typing import Literal

from sqlalchemy import TextClause, text

from app.verdicts.reading.queries import HUMAN, JUDGED_BY, OF_VERDICT

Order = Literal["newest", "worst"]

SNIPPET_CHARS = 200

_ISSUES = """(SELECT count(*) FROM qa_evaluation_issues i
     WHERE i.evaluation_id = e.id AND i.kind = 'grounding')"""
# pass_ratio is met / items.
_QUALITY = """(SELECT json_build_object('passed', q.label = 'pass', 'source', q.source,
        'met', round(q.value * jsonb_array_length(q.details)),
        'items', jsonb_array_length(q.details))
     FROM qa_scores q WHERE q.evaluation_id = e.id AND q.name = 'quality_gate')"""

# By the names of the parameters.
CONDITIONS = {
    "ids": "e.id = ANY(CAST(:ids AS uuid[]))",
    "status": "e.status = :status",
    "reason": "e.reason = :reason",
    "confidence": "e.confidence = :confidence",
    "answer_id": "e.answer_id = :answer_id",
    "min_correctness": "e.correctness >= :min_correctness",
    "max_correctness": "e.correctness <= :max_correctness",
    "min_utility": "e.utility >= :min_utility",
    "max_utility": "e.utility <= :max_utility",
    "judge_model": "e.judge_model = :judge_model",
    "answer_model": "a.model = :answer_model",
    "feature": "a.feature = :feature",
    "lang": "a.lang = :lang",
    "notebook_id": "a.notebook_id = :notebook_id",
    "since": "e.created_at >= :since",
    "until": "e.created_at < :until",
    "degraded": "e.degraded = :degraded",
    "judged_by": f"{JUDGED_BY} = :judged_by",
    "current": "e.is_current = :current",
    "question": r"a.question ILIKE :question ESCAPE '\'",
}
# PostgreSQL joins by EXISTS and NOT EXISTS, but not by a comparison of one with a parameter.
EXISTING = {
    "has_issues": """EXISTS (SELECT FROM qa_evaluation_issues i
        WHERE i.evaluation_id = e.id AND i.kind = 'grounding')""",
    "labelled": f"EXISTS (SELECT FROM qa_feedback f WHERE {OF_VERDICT})",
}

# What a row without a score is sorted by in the worst-first order: after all others.
_WORST = "COALESCE(e.correctness, 2)"
_ORDERS = {
    "newest": ("(e.created_at, e.id) < (:after_key, :after_id)", "e.created_at DESC, e.id DESC"),
    "worst": (f"({_WORST}, e.id) > (:after_key, :after_id)", f"{_WORST}, e.id"),
}

_COLUMNS = f"""
    e.id, e.answer_id, e.status, e.reason, e.error, e.degraded, {JUDGED_BY} AS judged_by,
    e.is_current, a.question, a.lang, a.feature, a.notebook_id,
    a.model AS answer_model, e.judge_model, e.provider, e.model, e.confidence, e.correctness,
    e.utility, e.overall_score, e.needs_improvement, e.cost_usd::float8 AS cost_usd, e.created_at,
    e.finished_at,
    {_QUALITY} AS quality, {HUMAN}
"""
ROW = f"{_COLUMNS}, left(a.answer, {SNIPPET_CHARS}) AS answer_snippet, {_ISSUES} AS issues"
_RECORD = f"""{_COLUMNS}, a.answer, e.summary, e.prompt_version, e.prompt_tokens,
    e.completion_tokens, e.queue_ms, e.judge_ms,
    ARRAY(SELECT i.detail FROM qa_evaluation_issues i
          WHERE i.evaluation_id = e.id AND i.kind = 'grounding' ORDER BY i.position) AS issues
"""


def rows(filters: Mapping[str, object], order: Order, *, goes_on: bool) -> TextClause:
    """A page of short rows. goes_on: after (:after_key, :after_id)."""
    return _page(ROW, filters, order, goes_on=goes_on)


def records(filters: Mapping[str, object], *, goes_on: bool) -> TextClause:
    """A page of whole records, newest first."""
    return _page(_RECORD, filters, "newest", goes_on=goes_on)


def selected(filters: Mapping[str, object], order: Order) -> TextClause:
    """The ids of the first `limit` rows, each with how many there are."""
    columns = "e.id, count(*) OVER () AS matching"
    return _page(columns, filters, order, goes_on=False)


def _condition(name: str, value: object) -> str:
    if existing := EXISTING.get(name):
        return existing if value else f"NOT {existing}"
    return CONDITIONS[name]


def _page(
    columns: str, filters: Mapping[str, object], order: Order, *, goes_on: bool
) -> TextClause:
    after, order_by = _ORDERS[order]
    conditions = ["e.workspace_id = :workspace_id"]
    conditions += [_condition(name, value) for name, value in filters.items()]
    if goes_on:
        conditions.append(after)
    return text(f"""
SELECT {columns}
FROM qa_evaluations e JOIN qa_answers a ON a.id = e.answer_id
WHERE {" AND ".join(conditions)}
ORDER BY {order_by} LIMIT :limit
""")


SOURCES = text("""
SELECT n.note_index, n.note_id, n.title, n.content, n.score,
    COALESCE(s.cited, false) AS cited, COALESCE(s.relevant_claim, '') AS relevant_claim,
    COALESCE(s.quote, '') AS quote, s.quote_found
FROM qa_evaluations e
JOIN qa_answer_sources n ON n.answer_id = e.answer_id
LEFT JOIN qa_evaluation_sources s ON s.evaluation_id = e.id AND s.note_index = n.note_index
WHERE e.id = :evaluation_id AND e.workspace_id = :workspace_id
ORDER BY n.note_index
""")

CALLS = text("""
SELECT c.id, c.attempt, c.created_at, c.request_hash, c.provider, c.model, c.prompt_tokens,
    c.cached_tokens, c.completion_tokens, c.cost_usd::float8 AS cost_usd, c.latency_ms, c.error,
    c.discarded, c.content IS NOT NULL OR c.body IS NOT NULL AS kept,
    CASE WHEN :bodies THEN c.content END AS content, CASE WHEN :bodies THEN c.body END AS body
FROM judge_calls c
WHERE c.evaluation_id = :evaluation_id AND c.workspace_id = :workspace_id
ORDER BY c.id
""")

HISTORY = text("""
SELECT v.created_at AS at, v.status, v.refinement_id
FROM verdict_events v
WHERE v.evaluation_id = :evaluation_id AND v.workspace_id = :workspace_id
ORDER BY v.xid, v.id
""")
