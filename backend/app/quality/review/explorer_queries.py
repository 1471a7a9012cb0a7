"""SQL of the list of verdicts: filtered, in pages, as short rows and as whole records.

Newest first walks the index on (workspace_id, created_at, id). The other orders sort what the
filters leave: an index for them would cost every verdict something, and a list is read seldom.
"""

from typing import Literal

from sqlalchemy import TextClause, text

from app.platform.db.statements import load_sql
from app.quality.review.filters import Filters, conditions
from app.verdicts.reading.queries import HUMAN, JUDGED_BY

Order = Literal["newest", "worst", "slowest", "costliest"]

SNIPPET_CHARS = 200

_ISSUES = """(SELECT count(*) FROM qa_evaluation_issues i
     WHERE i.evaluation_id = e.id AND i.kind = 'grounding')"""
# pass_ratio is met / items.
_QUALITY = """(SELECT json_build_object('passed', q.label = 'pass', 'source', q.source,
        'met', round(q.value * jsonb_array_length(q.details)),
        'items', jsonb_array_length(q.details))
     FROM qa_scores q WHERE q.evaluation_id = e.id AND q.name = 'quality_gate')"""

# What rows without a score, an end or a cost are sorted by: after all others.
_WORST = "COALESCE(e.correctness, 2)"
_SLOWEST = "COALESCE((extract(epoch FROM e.finished_at - e.created_at) * 1000000)::bigint, -1)"
_COSTLIEST = "COALESCE(e.cost_usd::float8, -1)"
_ORDERS = {
    "newest": ("(e.created_at, e.id) < (:after_key, :after_id)", "e.created_at DESC, e.id DESC"),
    "worst": (f"({_WORST}, e.id) > (:after_key, :after_id)", f"{_WORST}, e.id"),
    "slowest": (f"({_SLOWEST}, e.id) < (:after_key, :after_id)", f"{_SLOWEST} DESC, e.id DESC"),
    "costliest": (
        f"({_COSTLIEST}, e.id) < (:after_key, :after_id)",
        f"{_COSTLIEST} DESC, e.id DESC",
    ),
}

_COLUMNS = f"""
    e.id, e.answer_id, e.status, e.reason, e.error, e.degraded, {JUDGED_BY} AS judged_by,
    e.is_current, a.question, a.lang, a.feature, a.notebook_id,
    a.model AS answer_model, e.judge_model, e.provider, e.model, e.confidence, e.correctness,
    e.utility, e.overall_score, e.needs_improvement, e.cost_usd::float8 AS cost_usd, e.created_at,
    e.answered_at, e.finished_at,
    {_QUALITY} AS quality, {HUMAN}
"""
ROW = f"{_COLUMNS}, left(a.answer, {SNIPPET_CHARS}) AS answer_snippet, {_ISSUES} AS issues"
_RECORD = f"""{_COLUMNS}, a.answer, e.summary, e.prompt_version, e.prompt_tokens,
    e.completion_tokens, e.queue_ms, e.judge_ms,
    ARRAY(SELECT i.detail FROM qa_evaluation_issues i
          WHERE i.evaluation_id = e.id AND i.kind = 'grounding' ORDER BY i.position) AS issues
"""


def rows(filters: Filters, order: Order, *, goes_on: bool) -> TextClause:
    """A page of short rows. goes_on: after (:after_key, :after_id)."""
    return _page(ROW, filters, order, goes_on=goes_on)


def records(filters: Filters, *, goes_on: bool) -> TextClause:
    """A page of whole records, newest first."""
    return _page(_RECORD, filters, "newest", goes_on=goes_on)


def selected(filters: Filters, order: Order) -> TextClause:
    """The ids of the first `limit` rows, each with how many there are."""
    columns = "e.id, count(*) OVER () AS matching"
    return _page(columns, filters, order, goes_on=False)


def _page(columns: str, filters: Filters, order: Order, *, goes_on: bool) -> TextClause:
    after, order_by = _ORDERS[order]
    wanted = ["e.workspace_id = :workspace_id", *conditions(filters)]
    if goes_on:
        wanted.append(after)
    return text(f"""
SELECT {columns}
FROM qa_evaluations e JOIN qa_answers a ON a.id = e.answer_id
WHERE {" AND ".join(wanted)}
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

# Which judge of a cascade made the call `c`, from 1 in the order in which they were asked. The one
# at work has not recorded its step yet.
_CASCADE_STEP = """COALESCE(
        (SELECT min(s.position) FROM qa_cascade_steps s
         WHERE s.evaluation_id = e.id AND s.attempt >= c.attempt
           AND s.judge_model = c.provider || ':' || c.model),
        CASE WHEN e.cascade IS NOT NULL AND e.finished_at IS NULL THEN 1 + (
            SELECT count(*) FROM qa_cascade_steps s WHERE s.evaluation_id = e.id) END)"""
# The kind of the error that an earlier attempt had when it asked the same model for the same.
_RETRY_AFTER = """(
        SELECT CASE WHEN b.error IS NULL THEN 'malformed' ELSE split_part(b.error, ':', 1) END
        FROM judge_calls b
        WHERE b.evaluation_id = c.evaluation_id AND b.attempt < c.attempt
          AND b.provider = c.provider AND b.model = c.model
          AND b.purpose IS NOT DISTINCT FROM c.purpose AND (b.error IS NOT NULL OR b.discarded)
        ORDER BY b.id DESC LIMIT 1)"""

CALLS = text(f"""
SELECT c.id, c.attempt, c.created_at, c.request_hash, c.provider, c.model, c.prompt_tokens,
    c.cached_tokens, c.completion_tokens, c.cost_usd::float8 AS cost_usd, c.latency_ms, c.error,
    c.purpose, COALESCE(c.re_ask, false) AS re_ask, c.batched,
    {_CASCADE_STEP} AS cascade_step, {_RETRY_AFTER} AS retry_after,
    COALESCE(c.elapsed_ms, c.latency_ms) AS elapsed_ms, c.discarded,
    c.content IS NOT NULL OR c.body IS NOT NULL AS kept,
    CASE WHEN :bodies THEN c.content END AS content, CASE WHEN :bodies THEN c.body END AS body
FROM judge_calls c JOIN qa_evaluations e ON e.id = c.evaluation_id
WHERE c.evaluation_id = :evaluation_id AND c.workspace_id = :workspace_id
ORDER BY c.id
""")

TIMELINE = text(
    load_sql(__package__, "timeline", cascade_step=_CASCADE_STEP, retry_after=_RETRY_AFTER)
)

HISTORY = text("""
SELECT v.created_at AS at, v.status, v.refinement_id
FROM verdict_events v
WHERE v.evaluation_id = :evaluation_id AND v.workspace_id = :workspace_id
ORDER BY v.xid, v.id
""")
