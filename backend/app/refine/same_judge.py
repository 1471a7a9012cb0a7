"""Has another answer judged as the first one was: by the same judge, prompt and evaluators."""

import asyncio
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from sqlalchemy import Row

from app.ai_router.router import Providers
from app.ai_router.types import ChatResponse, ChatRouter
from app.judges.answer import AnswerToJudge
from app.judges.judge_names import RULES_MODEL
from app.judges.search_qa.evaluator import SearchQAEvaluation
from app.refine.step_router import MAX_WAIT_SECONDS, Spent
from app.refine.verdict import AnswerVerdict
from app.settings import Settings
from app.verdicts.judging.judging import Judging
from app.verdicts.lifecycle.agreement import agreed
from app.verdicts.lifecycle.lifecycle import StashedCall
from app.verdicts.lifecycle.outcome import (
    Failure,
    Lease,
    Outcome,
    Pause,
    Retry,
    Usage,
    Verdict,
    usage_of,
)


@dataclass(frozen=True, slots=True)
class FirstVerdict:
    """The verdict on the first answer, and who gave it. evaluators, judge_prompt: as in Lease."""

    verdict: AnswerVerdict
    judge_model: str
    judge_prompt: str | None
    evaluators: tuple[str, ...]
    feature: str

    @classmethod
    def of(cls, row: Row[Any]) -> Self | None:
        """None where the answer has no scores. A degraded verdict is one of the rules."""
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
        )


class SameJudge:
    """Gives verdicts as `first` was given. providers: of the models. Nothing is stored: a paid
    reply is kept in memory for the tries after it."""

    def __init__(self, first: FirstVerdict, settings: Settings, providers: Providers) -> None:
        self._first = first
        self._calls: list[StashedCall] = []
        self._taken = 0

        def router(model: str) -> ChatRouter:
            return providers.router(model, deadline=settings.judge_deadline)

        self._judging = Judging(settings, routers=router, stash=self._stash, stored=self._stored)

    async def verdict(
        self, id_: uuid.UUID, workspace_id: uuid.UUID, subject: AnswerToJudge
    ) -> AnswerVerdict:
        """With `error` where the judge cannot; what may go better is tried again within the bound
        of calls of a verdict. id_: whose bytes fence the material. Raises no ProviderError."""
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
            judge_fallback="failed",
        )
        while True:
            outcome = await self._judging.judge(lease)
            if not isinstance(outcome, Retry) or outcome.delay > MAX_WAIT_SECONDS:
                return _verdict_of(outcome)
            self._discard(outcome.discards)
            await asyncio.sleep(outcome.delay)
            lease = replace(
                lease,
                attempt=lease.attempt + 1,
                tries=lease.tries + 1,
                calls=len(self._calls),
            )

    @property
    def feature(self) -> str:
        return self._first.feature

    def take_spent(self) -> Spent:
        """What was spent since this was last called."""
        new = self._calls[self._taken :]
        self._taken = len(self._calls)
        return Spent(len(new), sum((usage_of(call.response) for call in new), Usage()))

    async def _stash(self, call: StashedCall) -> None:
        self._calls.append(call)

    async def _stored(self, _: Lease) -> Mapping[str, ChatResponse]:
        return {
            call.request_hash: call.response
            for call in self._calls
            if call.response and not call.error
        }

    def _discard(self, request_hashes: Collection[str]) -> None:
        """Replies to these are asked for again."""
        self._calls = [
            replace(call, error="unusable") if call.request_hash in request_hashes else call
            for call in self._calls
        ]


def _verdict_of(outcome: Outcome) -> AnswerVerdict:
    match outcome:
        case Verdict(evaluation=SearchQAEvaluation() as evaluation, feedback=feedback):
            found = agreed(evaluation, feedback, outcome.own_checklist)
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
