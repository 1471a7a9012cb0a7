"""SQL of the list of verdicts: filtered, in pages, as short rows and as whole records.

Newest first walks the index on (workspace_id, created_at, id). The other orders sort what the
filters leave: an index for them would cost every verdict something, and a list is read seldom.
"""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from sqlalchemy import TextClause, text

from app.platform.db.statements import SqlFile, in_list, load_sql
from app.verdicts.answers.queries import ATTRIBUTES
from app.verdicts.reading.queries import (
    CORRECTNESS,
    FINDINGS,
    HUMAN,
    JUDGED_BY,
    OF_VERDICT,
    OUTCOME,
    UTILITY,
)
from app.verdicts.status import UNFINISHED, UNJUDGED

Filters = Mapping[str, Any]

Outcome = Literal[
    "asked",
    "scored",
    "unscored",
    "unrated",
    "undecided",
    "rightly_refused",
    "falsely_refused",
    "unjudged",
    "pending",
]
_SCORED = "e.correctness IS NOT NULL AND NOT e.degraded"
OUTCOMES: Mapping[Outcome, str] = {
    "asked": "e.status <> 'skipped'",
    "scored": f"{_SCORED} AND e.outcome IS DISTINCT FROM 'rightly_refused'",
    "unscored": f"e.status <> 'skipped' AND NOT ({_SCORED})",
    "unrated": "(e.confidence IS NULL OR e.degraded)",
    "undecided": f"{OUTCOME} = 'undecided'",
    "rightly_refused": "e.outcome = 'rightly_refused' AND NOT e.degraded",
    "falsely_refused": "e.outcome = 'falsely_refused' AND NOT e.degraded",
    "unjudged": f"e.status IN ({in_list(UNJUDGED)})",
    "pending": f"e.status IN ({in_list(UNFINISHED)})",
}


def _scored_by(condition: str) -> str:
    """Of the score by the workspace's criterion `:criterion`; NULL is no score."""
    return f"""EXISTS (SELECT FROM qa_scores q WHERE q.evaluation_id = e.id
        AND q.criterion_version IS NOT NULL AND q.name = :criterion AND {condition})"""


# By the names of the parameters.
CONDITIONS = {
    "ids": "e.id = ANY(CAST(:ids AS uuid[]))",
    "status": "e.status = :status",
    "reason": "e.reason = :reason",
    "confidence": """e.confidence = :confidence
        AND e.outcome IS DISTINCT FROM 'rightly_refused'""",
    "fault": """EXISTS (SELECT FROM qa_claims c
        WHERE c.evaluation_id = e.id AND c.fault = :fault)""",
    "answer_id": "e.answer_id = :answer_id",
    "failure_id": """EXISTS (SELECT FROM recurring_failure_answers m
        WHERE m.evaluation_id = e.id AND m.failure_id = :failure_id)""",
    "min_correctness": f"{CORRECTNESS} >= :min_correctness",
    "max_correctness": f"{CORRECTNESS} <= :max_correctness",
    "correctness_below": f"{CORRECTNESS} < :correctness_below",
    "min_utility": f"{UTILITY} >= :min_utility",
    "max_utility": f"{UTILITY} <= :max_utility",
    "judge_model": "e.judge_model = :judge_model",
    "made_by": "e.provider || ':' || e.model = :made_by",
    "prompt_version": "e.prompt_version = :prompt_version",
    "answer_model": ":answer_model IN (a.model, a.provider || ':' || a.model)",
    "feature": "a.feature = :feature",
    "lang": "a.lang = :lang",
    "notebook_id": "a.notebook_id = :notebook_id",
    "app_version": "a.app_version = :app_version",
    "environment": "a.environment = :environment",
    # As the application wrote it, or as it is stored.
    "user_ref": "a.user_ref IN (stored_user_ref(:workspace_id, :user_ref), :user_ref)",
    "session_id": "a.session_id = :session_id",
    "tag": "a.tags @> ARRAY[CAST(:tag AS text)]",
    "attribute": r"""a.attributes ->> split_part(:attribute, '=', 1)
        = regexp_replace(:attribute, '^[^=]*=', '')""",
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
    "criterion": _scored_by("TRUE"),
    "criterion_label": _scored_by("q.label = :criterion_label"),
    "min_criterion": _scored_by("q.value >= :min_criterion"),
    "max_criterion": _scored_by("q.value <= :max_criterion"),
    "question": r"a.question ILIKE :question ESCAPE '\'",
}
# PostgreSQL joins by EXISTS and NOT EXISTS, but not by a comparison of one with a parameter.
EXISTING = {
    "has_issues": """EXISTS (SELECT FROM qa_evaluation_issues i
        WHERE i.evaluation_id = e.id AND i.kind = 'grounding')""",
    "labelled": f"EXISTS (SELECT FROM qa_feedback f WHERE {OF_VERDICT})",
}
# Notes by ids, or by the title of one that is not ours or gone; and where their index stands.
OF_NOTES = {"cited_note": "cited_notes", "misquoted_note": "misquoted_notes"}


def note_key(written: str) -> list[uuid.UUID] | str:
    """The ids of a note and its copies, or the title of one without."""
    try:
        return [uuid.UUID(each) for each in written.split()] or written
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
        same = f"n.note_id IS NULL AND n.title = :{name}"
        if not isinstance(value, str):
            same = f"n.note_id = ANY(CAST(:{name} AS uuid[]))"
        return f"""EXISTS (SELECT FROM qa_answer_sources n WHERE n.answer_id = e.answer_id
            AND n.note_index = ANY (e.{noted}) AND {same})"""
    return CONDITIONS[name]


Order = Literal["newest", "worst", "slowest", "costliest"]

SNIPPET_CHARS = 200

# What rows without a score, an end or a cost are sorted by: after all others.
_WORST = f"COALESCE({CORRECTNESS}, 2)"
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

_SQL = SqlFile(
    __package__,
    "explorer",
    human=HUMAN,
    judged_by=JUDGED_BY,
    outcome=OUTCOME,
    findings=FINDINGS,
    correctness=CORRECTNESS,
    utility=UTILITY,
    attributes=ATTRIBUTES,
    snippet_chars=str(SNIPPET_CHARS),
)
ROW = _SQL("row")


def rows(filters: Filters, order: Order, *, goes_on: bool) -> TextClause:
    """A page of short rows. goes_on: after (:after_key, :after_id)."""
    return text(_page(ROW, filters, order, goes_on=goes_on))


def records(filters: Filters, *, goes_on: bool) -> TextClause:
    """A page of whole records, newest first."""
    return text(_page(_SQL("record"), filters, "newest", goes_on=goes_on))


def selected(filters: Filters, order: Order) -> TextClause:
    """One row (ids, matching): the first `limit`, and how many there are, counted up to `most`."""
    first = _page("e.id", filters, order, goes_on=False, limit="most")
    return text(_SQL("selected", first=first))


def _page(
    columns: str, filters: Filters, order: Order, *, goes_on: bool, limit: str = "limit"
) -> str:
    """limit: the name of the parameter."""
    after, order_by = _ORDERS[order]
    wanted = ["e.workspace_id = :workspace_id", *conditions(filters)]
    if goes_on:
        wanted.append(after)
    given = {"columns": columns, "conditions": " AND ".join(wanted), "order": order_by}
    return _SQL("page", **given, limit=limit)


SOURCES = text(_SQL("sources"))
CALLS = text(_SQL("calls"))
TIMELINE = text(
    load_sql(
        __package__, "timeline", cascade_step=_SQL("cascade_step"), retry_after=_SQL("retry_after")
    )
)
HISTORY = text(_SQL("history"))
SAVED_VIEWS = text(_SQL("saved_views"))
SAVED_VIEW = text(_SQL("saved_view"))
LOCK_SAVED = text(_SQL("lock_saved"))
COUNT_SAVED = text(_SQL("count_saved"))
INSERT_SAVED = text(_SQL("insert_saved"))
UPDATE_SAVED = text(_SQL("update_saved"))
