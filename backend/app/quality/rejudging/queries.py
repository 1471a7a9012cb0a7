"""The SQL that chooses, prices and counts what is judged again."""

from dataclasses import dataclass
from typing import Self

from sqlalchemy import TextClause, text

from app.platform.db.statements import in_list, load_sql
from app.verdicts.status import FINAL, UNJUDGED

_OF_CHOSEN = """e.answer_id IN (
    SELECT k.answer_id FROM qa_evaluations k
    WHERE k.workspace_id = :workspace_id AND k.id = ANY(CAST(:evaluation_ids AS uuid[])))"""
# NULL parameters do not filter.
_OF_VERDICT = f"""
    (CAST(:since AS timestamptz) IS NULL OR e.answered_at >= :since)
    AND (CAST(:until AS timestamptz) IS NULL OR e.answered_at < :until)
    AND (CAST(:status AS text) IS NULL OR e.status = :status)
    AND (CAST(:confidence AS text) IS NULL OR e.confidence = :confidence)
    AND (CAST(:degraded AS bool) IS NULL OR e.degraded = :degraded)
    AND (CAST(:needs_improvement AS bool) IS NULL OR e.needs_improvement = :needs_improvement)
    AND (CAST(:judge_model AS text) IS NULL OR e.judge_model = :judge_model)
    AND (CAST(:prompt_version AS text) IS NULL OR e.prompt_version = :prompt_version)
    AND (CAST(:correctness_below AS float8) IS NULL OR e.correctness < :correctness_below)
    AND (CAST(:utility_below AS float8) IS NULL OR e.utility < :utility_below)
    AND (CAST(:overall_below AS float8) IS NULL OR e.overall_score < :overall_below)
    AND (CAST(:evaluation_ids AS uuid[]) IS NULL OR {_OF_CHOSEN})
"""
_OF_ANSWER = """EXISTS (
    SELECT FROM qa_answers a WHERE a.id = e.answer_id
      AND (CAST(:feature AS text) IS NULL OR a.feature = :feature)
      AND (CAST(:lang AS text) IS NULL OR a.lang = :lang)
      AND (CAST(:notebook_id AS uuid) IS NULL OR a.notebook_id = :notebook_id OR EXISTS (
          SELECT FROM qa_answer_sources s JOIN notes n ON n.id = s.note_id
          WHERE s.answer_id = a.id AND n.notebook_id = :notebook_id)))
"""
# What is under way has a verdict coming and is left to it.
_CURRENT = f"""e.workspace_id = :workspace_id AND e.is_current
    AND e.status IN ({in_list(FINAL)})"""


@dataclass(frozen=True, slots=True)
class EstimateStatements:
    """The statements of an estimate. At a million answers each reads each verdict once, and the
    answers themselves only where the filter has conditions on them."""

    counts: TextClause
    judged: TextClause
    sample: TextClause

    @classmethod
    def with_condition(cls, matches: str) -> Self:
        return cls(*(text(_load(name, matches)) for name in ("counts", "judged", "sample")))


def _load(name: str, matches: str, **more: str) -> str:
    about = {"current": _CURRENT, "matches": matches, "unjudged": in_list(UNJUDGED)}
    return load_sql(__package__, name, **about, **more)


BY_VERDICT = EstimateStatements.with_condition(_OF_VERDICT)
_ALL_CONDITIONS = f"{_OF_VERDICT} AND {_OF_ANSWER}"
BY_ANSWER = EstimateStatements.with_condition(_ALL_CONDITIONS)
PAGE = text(_load("page", _ALL_CONDITIONS, among="true"))
# Reads the chosen answers only.
PAGE_OF_CHOSEN = text(_load("page", _ALL_CONDITIONS, among=_OF_CHOSEN))

ONE = text("""
SELECT id, answer_id, status, evaluators FROM qa_evaluations
WHERE workspace_id = :workspace_id AND answer_id = (
    SELECT answer_id FROM qa_evaluations WHERE workspace_id = :workspace_id AND id = :id
) AND is_current
""")

FOR_GOOD = text("SELECT (now() - interval '1 minute')::text")
COUNT = text(load_sql(__package__, "progress"))
