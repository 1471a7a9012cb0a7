"""Judged answers that people may label, with claims to label."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from app.judges.phases.feedback import FeedbackResult
from app.judges.phases.groundedness import AnswerClaim, Phase3Result
from app.verdicts.lifecycle.service import NewEvaluation
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from verdict_world import World, settings, store_answers, verdict

ANSWER = "변성은 95도에서 합니다. 어닐링은 72도입니다."
# Supported, then unsupported.
CLAIMS = ((0, 13), (14, 25))


def claims(*verdicts: str) -> FeedbackResult:
    """Phase 3 with a claim for each verdict; of two claims, the places are CLAIMS."""
    found = [
        AnswerClaim(
            text=f"주장 {number}",
            verdict=each,
            note_index=None,
            quote="",
            quote_found=None,
            start=CLAIMS[number][0] if number < len(CLAIMS) else None,
            end=CLAIMS[number][1] if number < len(CLAIMS) else None,
            reasoning="",
            source="judge",
        )
        for number, each in enumerate(verdicts)
    ]
    share = verdicts.count("supported") / len(verdicts)
    return FeedbackResult(
        phase3=Phase3Result(share, [], [], found, []), sources={"groundedness": "judge"}
    )


async def judged(
    world: World,
    correctness: float = 0.95,
    *,
    flags: Sequence[str] = (),
    issues: Sequence[str] = (),
    feedback: FeedbackResult | None = None,
    degraded: str | None = None,
    by: Mapping[str, object] = MappingProxyType({}),
    **answer: Any,
) -> NewEvaluation:
    """A stored answer with a verdict, by a worker's own path. by: changes of the verdict, such as
    its provider."""
    policy = EvaluationPolicy.from_settings(settings(judge_model="openai:gpt-4o-mini"))
    given = {"answer": ANSWER} | answer
    (new,) = await store_answers(world, policy=policy, **given)
    outcome = verdict(feedback=feedback, degraded_because=degraded)
    assert outcome.evaluation is not None
    scores = {"correctness": correctness, "flags": list(flags), "grounding_issues": list(issues)}
    evaluation = outcome.evaluation.model_copy(update=scores)
    outcome = verdict(evaluation=evaluation, feedback=feedback, degraded_because=degraded, **by)
    (claim,) = await world.lifecycle.claim([new.evaluation_id])
    assert await world.lifecycle.record([(claim, outcome)]) == {claim.id}
    return new
