"""Verdicts by a model: each reply is stored before it is read."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from time import perf_counter

from app.ai_router.quality_gate import QualityGate, QualityResult
from app.ai_router.search_qa_evaluator import SearchQAEvaluation, SearchQAEvaluator
from app.ai_router.types import ChatResponse, ChatRouter
from app.errors import MalformedOutput, ProviderError
from app.verdicts.evaluators import run_evaluators
from app.verdicts.outcome import Claim, Verdict
from app.verdicts.policy import prompt_version
from app.verdicts.recording import RecordingRouter, Stash

Routers = Callable[[str], ChatRouter]
Stored = Callable[[Claim], Awaitable[Mapping[str, ChatResponse]]]
# The checklist of a claim, when the model's own is lost; None says that it is worth a retry.
StandIn = Callable[[Claim, ProviderError], Awaitable[QualityResult | None]]


class UnusableRepliesError(Exception):
    """Replies came and were paid for, but could not be used: `error` says why, and
    `request_hashes` name the requests they answered."""

    def __init__(self, error: ProviderError, request_hashes: tuple[str, ...]) -> None:
        super().__init__(str(error))
        self.error = error
        self.request_hashes = request_hashes


class JudgeByModel:
    """Judges one claim with the model that it names.

    routers: gives the router of a `provider:model` name. stash, stored: write a reply down, and
    read those of earlier attempts. stand_in: ticks the checklist when the evaluation is there
    and the checklist's own call has failed for good.
    """

    def __init__(
        self, *, routers: Routers, stash: Stash, stored: Stored, stand_in: StandIn
    ) -> None:
        self._routers = routers
        self._stash = stash
        self._stored = stored
        self._stand_in = stand_in

    async def verdict(self, claim: Claim) -> Verdict:
        """Raises ProviderError and UnusableRepliesError."""
        start = perf_counter()
        stored = await self._stored(claim) if claim.attempt > 1 else {}
        evaluating, checking = (
            RecordingRouter(self._routers(claim.judge_model), claim, self._stash, stored)
            for _ in range(2)
        )
        # The id is made after the answer is written, so nobody who wrote notes or answer can
        # know it, and it is the same in every process, so a stored reply is recognised.
        evaluator = SearchQAEvaluator(evaluating, fence_key=claim.id.bytes)
        gate = QualityGate(checking, fence_key=claim.id.bytes)
        evaluation, quality = await run_evaluators(
            claim, evaluator.evaluate, partial(gate.evaluate, note_titles=claim.note_titles)
        )
        by_rules = False
        if isinstance(evaluation, SearchQAEvaluation) and isinstance(quality, ProviderError):
            # A verdict is not held back for a checklist.
            stand_in = await self._stand_in(claim, quality)
            by_rules = stand_in is not None
            quality = stand_in or quality
        if isinstance(evaluation, BaseException) or isinstance(quality, BaseException):
            raise _failure(((evaluation, evaluating), (quality, checking)))
        return Verdict(
            evaluation,
            quality,
            provider=evaluating.model.provider,
            model=evaluating.model.model,
            prompt_version=prompt_version(claim.judge_model, claim.evaluators),
            judge_ms=(perf_counter() - start) * 1000,
            usage=evaluating.usage + checking.usage,
            quality_by_rules=by_rules,
        )


def _failure(results: Sequence[tuple[object, RecordingRouter]]) -> BaseException:
    """The first error, with the requests whose replies were malformed if there are any."""
    first = next(result for result, _ in results if isinstance(result, BaseException))
    unusable = [router for result, router in results if isinstance(result, MalformedOutput)]
    if unusable and isinstance(first, ProviderError):
        hashes = tuple(key for router in unusable for key in router.asked)
        return UnusableRepliesError(first, hashes)
    return first
