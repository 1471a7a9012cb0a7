"""Filters of the list of verdicts, as conditions of SQL over an evaluation `e` and its answer `a`.

A filter that is not given stands in no statement, so that PostgreSQL plans for what is asked. Those
that say what became of an answer, and days, are defined as in the named queries of analytics: a
count there is the number of verdicts here.
"""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from app.platform.db.statements import in_list
from app.verdicts.reading.queries import JUDGED_BY, OF_VERDICT
from app.verdicts.status import UNFINISHED, UNJUDGED

Filters = Mapping[str, Any]

Outcome = Literal["asked", "scored", "unscored", "unrated", "unjudged", "pending"]
_SCORED = "e.correctness IS NOT NULL AND NOT e.degraded"
OUTCOMES: Mapping[Outcome, str] = {
    "asked": "e.status <> 'skipped'",
    "scored": _SCORED,
    "unscored": f"e.status <> 'skipped' AND NOT ({_SCORED})",
    "unrated": "(e.confidence IS NULL OR e.degraded)",
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
    """All that a verdict must be. filters: by the names above; `tz` is the time zone of days."""
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
