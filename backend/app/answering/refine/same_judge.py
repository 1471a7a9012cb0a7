"""Models of a refinement: its steps' calls, and verdicts by the judge of the first answer."""

import asyncio
import logging
import uuid
from dataclasses import dataclass, field
from typing import Any, Self

from sqlalchemy import Row

from app.ai_router.router import Providers
from app.ai_router.types import ChatRequest, ChatResponse, ModelName
from app.answering.refine.state import AnswerVerdict
from app.judges.answer import AnswerToJudge
from app.judges.judge_names import RULES_MODEL
from app.judges.prompts.one_call import OneCallPrompt
from app.platform.errors import CallLimitReached, MalformedOutput, TransientProviderError
from app.platform.settings import Settings
from app.verdicts.judging.in_memory import InMemoryJudging
from app.verdicts.judging.reply_cache import MeteredRouter
from app.verdicts.lifecycle.cascade import stored_evaluation
from app.verdicts.lifecycle.outcome import Failure, Lease, Outcome, Pause, Retry, Usage, Verdict
from app.verdicts.lifecycle.retry import Backoff

logger = logging.getLogger(__name__)

# Calls that an evaluation or the rewriting of a query may take, before the fallback does it.
STEP_CALLS = 3
# A server that wants to be left alone for longer is not waited for.
MAX_WAIT_SECONDS = 30.0


def max_calls(max_iterations: int, max_attempts: int) -> int:
    """The most calls that one refinement makes, those of the verdict on its answer apart: each
    evaluation and each rewritten query takes STEP_CALLS, each answer one, and one more for each
    further attempt of the job. max_iterations, max_attempts: at least 1."""
    evaluations, rewritten, answers = max_iterations + 1, max_iterations, max_iterations
    return STEP_CALLS * (evaluations + rewritten) + answers + max_attempts - 1


@dataclass(frozen=True, slots=True)
class Spent:
    """What a step took: calls to models, tokens and US dollars."""

    calls: int = 0
    usage: Usage = field(default_factory=Usage)

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(self.calls + other.calls, self.usage + other.usage)


@dataclass(slots=True)
class StepRouter:
    """Wraps a router: at most `limit` calls from one `end_step` to the next. Transient failures
    are tried again after a pause; a reply that does not fit is left to the caller, who can say
    what was wrong with it."""

    router: MeteredRouter
    limit: int
    backoff: Backoff
    _left: int = field(init=False)
    _calls: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self._left = self.limit

    @property
    def model(self) -> ModelName:
        return self.router.model

    def end_step(self) -> Spent:
        """What was spent since this was last called. The next step has all its calls."""
        spent = Spent(self._calls, self.router.take_usage())
        self._left, self._calls = self.limit, 0
        return spent

    async def chat(self, request: ChatRequest) -> ChatResponse:
        """As AIRouter.chat. Raises CallLimitReached besides."""
        if self._left <= 0:
            raise CallLimitReached(f"The {self.limit} calls that a step may take are used up.")
        for tries in range(self._left):
            self._left -= 1
            # Offline models compute here: nobody is called.
            self._calls += self.model.provider != "offline"
            try:
                return await self.router.chat(request)
            except MalformedOutput:
                raise
            except TransientProviderError as error:
                delay = self.backoff.delay(tries, error.retry_after)
                if self._left <= 0 or delay > MAX_WAIT_SECONDS:
                    raise
                logger.info("%s: %s; asking again in %.1f s", self.model, error.kind, delay)
            await asyncio.sleep(delay)
        raise AssertionError("the last try returns or raises")


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
    def from_row(cls, row: Row[Any], own_prompt: OneCallPrompt | None = None) -> Self | None:
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
        return _verdict_of(lease, await self._judging.judge(lease))

    @property
    def feature(self) -> str:
        return self._first.feature

    def take_spent(self) -> Spent:
        """What was spent since this was last called."""
        taken, self._taken = self._taken, len(self._judging.calls)
        return Spent(self._taken - taken, self._judging.usage(taken))


def _verdict_of(lease: Lease, outcome: Outcome) -> AnswerVerdict:
    match outcome:
        case Verdict(feedback=feedback) if found := stored_evaluation(lease, outcome):
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
