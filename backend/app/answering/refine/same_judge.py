"""Has another answer judged as the first one was: by the same judge, prompt and evaluators."""

import uuid
from dataclasses import dataclass
from typing import Any, Self

from sqlalchemy import Row

from app.ai_router.router import Providers
from app.answering.refine.step_router import MAX_WAIT_SECONDS, Spent
from app.answering.refine.verdict import AnswerVerdict
from app.judges.answer import AnswerToJudge
from app.judges.judge_names import RULES_MODEL
from app.judges.prompts.one_call import OneCallPrompt
from app.judges.verdict import SearchQAEvaluation
from app.platform.settings import Settings
from app.verdicts.judging.in_memory import InMemoryJudging
from app.verdicts.lifecycle.cascade import cap_confidence
from app.verdicts.lifecycle.outcome import (
    Failure,
    Lease,
    Outcome,
    Pause,
    Retry,
    Verdict,
)


@dataclass(frozen=True, slots=True)
class FirstVerdict:
    """The verdict on the first answer, and who gave it. evaluators, judge_prompt: as in Lease."""

    verdict: AnswerVerdict
    judge_model: str
    judge_prompt: str | None
    evaluators: tuple[str, ...]
    feature: str
    own_prompt: OneCallPrompt | None = None

    @classmethod
    def of(cls, row: Row[Any], own_prompt: OneCallPrompt | None = None) -> Self | None:
        """None where the answer has no scores. A degraded verdict is one of the rules. own_prompt:
        the text of its prompt where that is one of the workspace."""
        if row.correctness is None:
            return None
        return cls(
            AnswerVerdict(
                judged_by=_judged_by(row.provider, row.model, row.prompt_version),
                correctness=row.correctness,
                utility=row.utility,
                confidence=row.confidence,
                overall=row.verdict_overall,
            ),
            RULES_MODEL if row.degraded else row.judge_model,
            row.judge_prompt,
            tuple(row.evaluators),
            row.feature,
            own_prompt,
        )


class SameJudge:
    """Gives verdicts as `first` was given. providers: of the models. Nothing is stored."""

    def __init__(self, first: FirstVerdict, settings: Settings, providers: Providers) -> None:
        self._first = first
        self._judging = InMemoryJudging(settings, providers, max_wait=MAX_WAIT_SECONDS)
        self._taken = 0

    async def verdict(
        self, id_: uuid.UUID, workspace_id: uuid.UUID, subject: AnswerToJudge
    ) -> AnswerVerdict:
        """With `error` where the judge cannot. id_: whose bytes fence the material. Raises no
        ProviderError."""
        first = self._first
        lease = Lease(
            id=id_,
            workspace_id=workspace_id,
            attempt=1,
            tries=0,
            judge_model=first.judge_model,
            evaluators=first.evaluators,
            subject=subject,
            judge_prompt=first.judge_prompt,
            own_prompt=first.own_prompt,
            judge_fallback="failed",
        )
        return _verdict_of(await self._judging.judge(lease))

    @property
    def feature(self) -> str:
        return self._first.feature

    def take_spent(self) -> Spent:
        """What was spent since this was last called."""
        taken, self._taken = self._taken, len(self._judging.calls)
        return Spent(self._taken - taken, self._judging.usage(taken))


def _verdict_of(outcome: Outcome) -> AnswerVerdict:
    match outcome:
        case Verdict(evaluation=SearchQAEvaluation() as evaluation, feedback=feedback):
            found = cap_confidence(
                evaluation,
                feedback,
                outcome.own_checklist,
                prompt_version=outcome.prompt_version,
            )
            return AnswerVerdict(
                judged_by=_judged_by(outcome.provider, outcome.model, outcome.prompt_version),
                correctness=found.correctness,
                utility=found.utility,
                confidence=found.confidence,
                overall=feedback.overall_score if feedback else None,
            )
        case Retry(error=error) | Failure(error=error):
            return AnswerVerdict(error=error)
        case Pause(reason=reason):
            return AnswerVerdict(error=f"The judge cannot work: {reason}.")
    return AnswerVerdict(error="The judge had no room, or nothing to judge by.")


def _judged_by(provider: str | None, model: str | None, prompt_version: str | None) -> str:
    return f"{provider}:{model}/{prompt_version}"
