"""The lease that a claimed row becomes."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from app.ai_router.types import Lang
from app.judges.answer import AnswerToJudge
from app.judges.criteria.criterion import Criterion
from app.judges.prompts.one_call import Example, OneCallPrompt
from app.judges.verdict_prompts import with_instructions
from app.text.evidence import evidence_from_json
from app.text.turns import Turn
from app.verdicts.lifecycle.outcome import CascadeStep, Lease
from app.verdicts.policy.cascade import CascadeCalibration, JudgeGuarantee, StepThresholds
from app.verdicts.policy.document import DEFAULT_CASCADE_CHECK
from app.verdicts.policy.evaluation_policy import prompt_version


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
    history: Sequence[Mapping[str, str]] | None
    standalone_question: str | None
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
    own_prompt: Sequence[Any] | None
    queue: str
    age: float
    criteria: Sequence[Mapping[str, object]] | None


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
            history=map(Turn.from_json, row.history or ()),
            stands_alone=row.standalone_question,
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
        criteria=tuple(map(Criterion.from_json, row.criteria or ())),
    )


def _step(row: LeaseRow, cascade: tuple[str, ...]) -> CascadeStep | None:
    if not row.mid_cascade:
        return None
    later = cascade[cascade.index(row.judge_model) + 1 :]
    if row.votes is not None:
        votes, majority = tuple(row.votes), len(cascade) // 2 + 1
        return CascadeStep(later, None, 0, needs_guarantee=False, votes=votes, majority=majority)
    check = DEFAULT_CASCADE_CHECK if row.cascade_check is None else row.cascade_check
    return CascadeStep(later, _thresholds(row, cascade), check, row.needs_guarantee)


def _thresholds(row: LeaseRow, cascade: tuple[str, ...]) -> StepThresholds | None:
    """None where the present calibration of the workspace is for other judges or prompts: then the
    judge is never sure."""
    if row.cascade_calibration is None:
        return None
    found = CascadeCalibration.model_validate(row.cascade_calibration)
    versions = [prompt_version(each, row.evaluators, row.judge_prompt) for each in found.judges]
    if found.active != cascade or found.prompt_versions != versions:
        return None
    return found.steps.get(row.judge_model)


def _own_prompt(row: LeaseRow) -> OneCallPrompt | None:
    if row.own_prompt is None or row.judge_prompt is None:
        return None
    base, korean, english, stored = row.own_prompt
    examples = [Example.model_validate(each) for each in stored or ()]
    return with_instructions(row.judge_prompt, base, {"ko": korean, "en": english}, examples)


def _fallbacks(row: LeaseRow, step: CascadeStep | None) -> tuple[str, ...]:
    """The judges to try when this one cannot judge. One requested by name has none."""
    if not row.is_current:
        return ()
    models = list(row.fallback_models or ())
    if row.judge_model in models:
        models = models[models.index(row.judge_model) + 1 :]
    return (*(step.later if step else ()), *models)
