"""The lease that a claimed row becomes."""

from collections.abc import Sequence
from typing import Any

from app.judges.answer import AnswerToJudge
from app.judges.prompts.one_call import OneCallPrompt
from app.judges.verdict_prompts import with_instructions
from app.text.evidence import evidence_from_json
from app.verdicts.lifecycle.cascade import step_of
from app.verdicts.lifecycle.outcome import Lease
from app.verdicts.policy.guarantee import JudgeGuarantee


def lease_of(row: Sequence[Any]) -> Lease:
    """Of a row of `lease.sql`."""
    cascade = tuple(row[21] or ())
    step = None
    if row[22]:
        step = step_of(
            row[4],
            cascade,
            evaluators=row[5],
            prompt=row[13],
            check=row[23],
            calibration=row[24],
            needs_guarantee=row[25],
        )
    return Lease(
        id=row[0],
        workspace_id=row[1],
        attempt=row[2],
        tries=row[3],
        judge_model=row[4],
        evaluators=tuple(row[5]),
        subject=AnswerToJudge.from_texts(
            question=row[6],
            answer=row[7],
            contents=row[11],
            titles=row[10],
            evidence=evidence_from_json(row[12]),
            lang=row[8],
            feature=row[9],
        ),
        judge_prompt=row[13],
        own_prompt=_own_prompt(row[13], row[27]),
        judged_again=not row[14],
        # A judge requested by name has no fallback.
        fallbacks=(*(step.later if step else ()), *_after(row[4], row[15] or []))
        if row[14]
        else (),
        judge_fallback=row[16],
        calls=row[17],
        failing=row[18],
        traceparent=row[19],
        guarantees=tuple(JudgeGuarantee(*each) for each in row[20] or ()),
        cascade=cascade,
        step=step,
        first_attempt=row[26],
        queue=row[28],
        age=row[29],
    )


def _own_prompt(version: str, texts: Sequence[str] | None) -> OneCallPrompt | None:
    if texts is None:
        return None
    base, korean, english = texts
    return with_instructions(version, base, {"ko": korean, "en": english})


def _after(model: str, fallback_models: Sequence[str]) -> tuple[str, ...]:
    """Those that are still to be tried when `model` cannot judge."""
    if model in fallback_models:
        return tuple(fallback_models[fallback_models.index(model) + 1 :])
    return tuple(fallback_models)
