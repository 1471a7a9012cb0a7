"""A model as one step of a refinement asks it: again where that may help, and seldom."""

import asyncio
import logging
from dataclasses import dataclass, field

from app.ai_router.backoff import Backoff
from app.ai_router.types import ChatRequest, ChatResponse, ModelName
from app.platform.errors import CallLimitReached, MalformedOutput, TransientProviderError
from app.verdicts.judging.reply_cache import MeteredRouter
from app.verdicts.lifecycle.outcome import Usage

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
