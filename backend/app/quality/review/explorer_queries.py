"""SQL of the list of verdicts: filtered, in pages, as short rows and as whole records.

Newest first walks the index on (workspace_id, created_at, id). The other orders sort what the
filters leave: an index for them would cost every verdict something, and a list is read seldom.
"""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from sqlalchemy import TextClause, text

from app.platform.db.statements import in_list, load_sql
from app.verdicts.reading.queries import HUMAN, JUDGED_BY, OF_VERDICT, OUTCOME
from app.verdicts.status import UNFINISHED, UNJUDGED

Filters = Mapping[str, Any]

Outcome = Literal["asked", "scored", "unscored", "unrated", "undecided", "unjudged", "pending"]
_SCORED = "e.correctness IS NOT NULL AND NOT e.degraded"
OUTCOMES: Mapping[Outcome, str] = {
    "asked": "e.status <> 'skipped'",
    "scored": _SCORED,
    "unscored": f"e.status <> 'skipped' AND NOT ({_SCORED})",
    "unrated": "(e.confidence IS NULL OR e.degraded)",
    "undecided": f"{OUTCOME} = 'undecided'",
    "unjudged": f"e.status IN ({in_list(UNJUDGED)})",
    "pending": f"e.status IN ({in_list(UNFINISHED)})",
}

# By the names of the parameters.
CONDITIONS = {
    "ids": "e.id = ANY(CAST(:ids AS uuid[]))",
    "status": "e.status = :status",
    "reason": "e.reason = :reason",
    "confidence": "e.confidence = :confidence",
    "answer_id": "e.answer_id = :answer_id",
    "min_correctness": "e.correctness >= :min_correctness",
    "max_correctness": "e.correctness <= :max_correctness",
    "correctness_below": "e.correctness < :correctness_below",
    "min_utility": "e.utility >= :min_utility",
    "max_utility": "e.utility <= :max_utility",
    "judge_model": "e.judge_model = :judge_model",
    "made_by": "e.provider || ':' || e.model = :made_by",
    "prompt_version": "e.prompt_version = :prompt_version",
    "answer_model": ":answer_model IN (a.model, a.provider || ':' || a.model)",
    "feature": "a.feature = :feature",
    "lang": "a.lang = :lang",
    "notebook_id": "a.notebook_id = :notebook_id",
    "since": "e.created_at >= :since",
    "until": "e.created_at < :until",
    "first_day": "e.answered_at >= CAST(:first_day AS date)::timestamp AT TIME ZONE :tz",
    "last_day": "e.answered_at < (CAST(:last_day AS date) + 1)::timestamp AT TIME ZONE :tz",
    "degraded": "e.degraded = :degraded",
    "from_cache": "e.from_cache = :from_cache",
    "judged_by": f"{JUDGED_BY} = :judged_by",
    "current": "e.is_current = :current",
    "issue_kind": """EXISTS (SELECT FROM qa_evaluation_issues i
        WHERE i.evaluation_id = e.id AND i.kind = :issue_kind)""",
    "question": r"a.question ILIKE :question ESCAPE '\'",
}
# PostgreSQL joins by EXISTS and NOT EXISTS, but not by a comparison of one with a parameter.
EXISTING = {
    "has_issues": """EXISTS (SELECT FROM qa_evaluation_issues i
        WHERE i.evaluation_id = e.id AND i.kind = 'grounding')""",
    "labelled": f"EXISTS (SELECT FROM qa_feedback f WHERE {OF_VERDICT})",
}
# A note by its id, or by its title where it is not ours or gone; and where its index then stands.
OF_NOTES = {"cited_note": "cited_notes", "misquoted_note": "misquoted_notes"}


def note_key(written: str) -> uuid.UUID | str:
    """The id of a note, or the title of one without."""
    try:
        return uuid.UUID(written)
    except ValueError:
        return written


def conditions(filters: Filters) -> Sequence[str]:
    """The conditions on a verdict. filters: by the names above; `tz` is the time zone of days."""
    return [_condition(name, value) for name, value in filters.items() if name != "tz"]


def _condition(name: str, value: Any) -> str:
    if existing := EXISTING.get(name):
        return existing if value else f"NOT {existing}"
    if name == "outcome":
        return OUTCOMES[value]
    if noted := OF_NOTES.get(name):
        key = "n.note_id" if isinstance(value, uuid.UUID) else "n.note_id IS NULL AND n.title"
        return f"""EXISTS (SELECT FROM qa_answer_sources n WHERE n.answer_id = e.answer_id
            AND n.note_index = ANY (e.{noted}) AND {key} = :{name})"""
    return CONDITIONS[name]


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
    a.model AS answer_model, e.judge_model, e.provider, e.model, e.confidence,
    {OUTCOME} AS outcome, {OUTCOME} IS DISTINCT FROM 'undecided' AS decided,
    e.correctness, e.utility,
    e.overall_score, e.needs_improvement, e.cost_usd::float8 AS cost_usd, e.created_at,
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


# Saved views of the list.
_VIEW_COLUMNS = 'id, name, filters, list_order AS "order", columns, author, created_at, updated_at'

SAVED_VIEWS = text(f"""
SELECT {_VIEW_COLUMNS} FROM saved_views WHERE workspace_id = :workspace_id
ORDER BY lower(name), name
""")
SAVED_VIEW = text(
    f"SELECT {_VIEW_COLUMNS} FROM saved_views WHERE workspace_id = :workspace_id AND id = :id"
)

# One new view of a workspace at a time, so that their number has a bound.
LOCK_SAVED = text(
    "SELECT pg_advisory_xact_lock(hashtextextended('saved_views' || :workspace_id, 0))"
)
COUNT_SAVED = text("SELECT count(*) FROM saved_views WHERE workspace_id = :workspace_id")
INSERT_SAVED = text(f"""
INSERT INTO saved_views (id, workspace_id, name, filters, list_order, columns, author)
VALUES (:id, :workspace_id, :name, CAST(:filters AS jsonb), :order, CAST(:columns AS text[]),
    :author)
RETURNING {_VIEW_COLUMNS}
""")
# NULL keeps what is there; `columns` may be set to NULL.
UPDATE_SAVED = text(f"""
UPDATE saved_views SET name = COALESCE(CAST(:name AS text), name),
    filters = COALESCE(CAST(:filters AS jsonb), filters),
    list_order = COALESCE(CAST(:order AS text), list_order),
    columns = CASE WHEN :set_columns THEN CAST(:columns AS text[]) ELSE columns END,
    updated_at = now()
WHERE workspace_id = :workspace_id AND id = :id
RETURNING {_VIEW_COLUMNS}
""")
