"""The lease that a claimed row becomes."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from app.ai_router.types import Lang
from app.judges.answer import AnswerToJudge
from app.judges.prompts.one_call import OneCallPrompt
from app.judges.verdict_prompts import with_instructions
from app.text.evidence import evidence_from_json
from app.verdicts.lifecycle.cascade import jury_step, step_of
from app.verdicts.lifecycle.outcome import CascadeStep, Lease
from app.verdicts.policy.cascade import JudgeGuarantee


class LeaseRow(NamedTuple):
    """A row of `lease.sql`, whose columns have these names in this order."""

    id: uuid.UUID
    workspace_id: uuid.UUID
    attempt: int
    tries: int
    judge_model: str
    evaluators: Sequence[str]
    question: str
    answer: str
    lang: Lang
    feature: str
    titles: Sequence[str]
    contents: Sequence[str]
    evidence: Any
    judge_prompt: str | None
    is_current: bool
    fallback_models: Sequence[str] | None
    judge_fallback: str | None
    calls: int
    failing: str | None
    traceparent: str | None
    guarantees: Sequence[Sequence[Any]] | None
    cascade: Sequence[str] | None
    mid_cascade: bool
    cascade_check: float | None
    cascade_calibration: Mapping[str, Any] | None
    needs_guarantee: bool
    first_attempt: int
    votes: Sequence[str] | None
    own_prompt: Sequence[str] | None
    queue: str
    age: float


def lease_of(columns: Sequence[Any]) -> Lease:
    """Of a row of `lease.sql`."""
    row = LeaseRow._make(columns)
    cascade = tuple(row.cascade or ())
    step = _step(row, cascade)
    return Lease(
        id=row.id,
        workspace_id=row.workspace_id,
        attempt=row.attempt,
        tries=row.tries,
        judge_model=row.judge_model,
        evaluators=tuple(row.evaluators),
        subject=AnswerToJudge.from_texts(
            question=row.question,
            answer=row.answer,
            contents=row.contents,
            titles=row.titles,
            evidence=evidence_from_json(row.evidence),
            lang=row.lang,
            feature=row.feature,
        ),
        judge_prompt=row.judge_prompt,
        own_prompt=_own_prompt(row),
        judged_again=not row.is_current,
        fallbacks=_fallbacks(row, step),
        judge_fallback=row.judge_fallback,
        calls=row.calls,
        failing=row.failing,
        traceparent=row.traceparent,
        guarantees=tuple(JudgeGuarantee(*each) for each in row.guarantees or ()),
        cascade=cascade,
        step=step,
        first_attempt=row.first_attempt,
        queue=row.queue,
        age=row.age,
    )


def _step(row: LeaseRow, cascade: tuple[str, ...]) -> CascadeStep | None:
    if not row.mid_cascade:
        return None
    if row.votes is not None:
        return jury_step(row.judge_model, cascade, row.votes)
    return step_of(
        row.judge_model,
        cascade,
        evaluators=row.evaluators,
        prompt=row.judge_prompt,
        check=row.cascade_check,
        calibration=row.cascade_calibration,
        needs_guarantee=row.needs_guarantee,
    )


def _own_prompt(row: LeaseRow) -> OneCallPrompt | None:
    if row.own_prompt is None or row.judge_prompt is None:
        return None
    base, korean, english = row.own_prompt
    return with_instructions(row.judge_prompt, base, {"ko": korean, "en": english})


def _fallbacks(row: LeaseRow, step: CascadeStep | None) -> tuple[str, ...]:
    """The judges to try when this one cannot judge. One requested by name has none."""
    if not row.is_current:
        return ()
    models = list(row.fallback_models or ())
    if row.judge_model in models:
        models = models[models.index(row.judge_model) + 1 :]
    return (*(step.later if step else ()), *models)
