"""Verdicts by a model: each reply is stored before it is read."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from time import perf_counter
from typing import Any, TypeVar

from app.ai_router.types import ChatResponse, ChatRouter
from app.errors import MalformedOutput, ProviderError
from app.judges.phases import by_rules
from app.judges.phases.run import FeedbackEvaluator, FeedbackResult
from app.judges.quality_gate import QualityGate, QualityResult
from app.judges.search_qa.evaluator import (
    PROMPT_VERSION,
    SearchQAEvaluation,
    SearchQAEvaluator,
)
from app.packs.models import DomainPack
from app.processes import LimitExceeded, Limits, quick_lane
from app.verdicts.judging.call_budget import CallBudget
from app.verdicts.judging.evaluators import phases, phases_by_model, run_evaluators
from app.verdicts.judging.judge_by_rules import JudgeByRules
from app.verdicts.judging.reply_cache import ReplyCache, Stash
from app.verdicts.lifecycle.outcome import Lease, Verdict
from app.verdicts.lifecycle.retry import describe
from app.verdicts.policy.evaluation_policy import prompt_version

Routers = Callable[[str], ChatRouter]
Stored = Callable[[Lease], Awaitable[Mapping[str, ChatResponse]]]
# Whether there is no point in asking the model again for what failed.
GivesUp = Callable[[Lease, ProviderError], bool]
Part = TypeVar("Part")


class UnusableRepliesError(Exception):
    """Replies came and were paid for, but could not be used: `error` says why, and
    `request_hashes` name the requests they answered."""

    def __init__(self, error: ProviderError, request_hashes: tuple[str, ...]) -> None:
        super().__init__(str(error))
        self.error = error
        self.request_hashes = request_hashes


class JudgeByModel:
    """Judges one held evaluation with the model that it names.

    routers: gives the router of a `provider:model` name. stash, stored: write a reply down, and
    read those of earlier attempts. rules: do the checklist or the phases when the evaluation is
    there and their own calls have failed for good, which gives_up decides. deadline: seconds
    that all calls of an evaluator may take together; each has its own and they start together, or
    one that hangs would take the others' results with it. limits: of what rules do beside it.
    """

    def __init__(
        self,
        pack: DomainPack,
        rules: JudgeByRules,
        *,
        routers: Routers,
        stash: Stash,
        stored: Stored,
        gives_up: GivesUp,
        deadline: float,
        limits: Limits,
    ) -> None:
        self._pack = pack
        self._rules = rules
        self._routers = routers
        self._stash = stash
        self._stored = stored
        self._gives_up = gives_up
        self._deadline = deadline
        self._limits = limits

    async def verdict(self, lease: Lease, calls: CallBudget) -> Verdict:
        """Raises ProviderError and UnusableRepliesError."""
        if phases(lease) - phases_by_model(lease):
            # Loading the Korean model must not use up the deadline of the calls.
            await quick_lane().ready(by_rules.__name__)
        start = perf_counter()
        stored = await self._stored(lease) if lease.attempt > 1 else {}
        router = self._routers(lease.judge_model)
        evaluating, checking, reviewing = (
            ReplyCache(router, lease, self._stash, stored, calls) for _ in range(3)
        )
        # The id is made after the answer is written, so nobody who wrote notes or answer can
        # know it, and it is the same in every process, so a stored reply is recognised.
        key = lease.id.bytes

        def evaluate(*given: Any) -> Awaitable[SearchQAEvaluation | None]:
            prompt = lease.judge_prompt or PROMPT_VERSION
            evaluator = SearchQAEvaluator(evaluating, fence_key=key, prompt=prompt)
            return evaluating.in_time(evaluator.evaluate(*given), self._deadline)

        def check(*given: Any) -> Awaitable[QualityResult | None]:
            gate = QualityGate(checking, fence_key=key)
            titled = partial(gate.evaluate, note_titles=lease.note_titles)
            return checking.in_time(titled(*given), self._deadline)

        def review(*given: Any) -> Awaitable[FeedbackResult]:
            reviewer = FeedbackEvaluator(
                self._pack, phases(lease), phases_by_model(lease), reviewing, key, self._limits
            )
            return reviewing.in_time(reviewer.evaluate(*given, fall_back=gives_up), self._deadline)

        def gives_up(error: ProviderError) -> bool:
            return calls.left <= 0 or self._gives_up(lease, error)

        evaluation, quality, feedback = await run_evaluators(lease, evaluate, check, review)
        checked = quality
        if isinstance(evaluation, SearchQAEvaluation):
            # A verdict is not held back for a checklist, nor for claims.
            quality = await _or_rules(lease, quality, self._rules.quality, gives_up)
            feedback = await _or_rules(lease, feedback, self._rules.feedback, gives_up)
            # Nor for rules that took too long: it is paid for, and its flags say what is missing.
            if isinstance(quality, LimitExceeded):
                evaluation, quality = _flagged(evaluation, "checklist_ended", quality), None
            if isinstance(feedback, LimitExceeded):
                evaluation, feedback = _flagged(evaluation, "phases_ended", feedback), None
        if (
            isinstance(evaluation, BaseException)
            or isinstance(quality, BaseException)
            or isinstance(feedback, BaseException)
        ):
            raise _failure(((evaluation, evaluating), (quality, checking), (feedback, reviewing)))
        return Verdict(
            evaluation,
            quality,
            feedback=feedback,
            provider=evaluating.model.provider,
            model=evaluating.model.model,
            prompt_version=prompt_version(lease.judge_model, lease.evaluators, lease.judge_prompt),
            judge_ms=(perf_counter() - start) * 1000,
            usage=evaluating.usage + checking.usage + reviewing.usage,
            quality_by_rules=quality is not None and quality is not checked,
        )


async def _or_rules(
    lease: Lease,
    result: Part,
    stand_in: Callable[[Lease, str], Awaitable[Part]],
    gives_up: Callable[[ProviderError], bool],
) -> Part | LimitExceeded:
    if isinstance(result, ProviderError) and gives_up(result):
        try:
            return await stand_in(lease, describe(result))
        except LimitExceeded as error:
            return error
    return result


def _flagged(evaluation: SearchQAEvaluation, flag: str, error: LimitExceeded) -> SearchQAEvaluation:
    return evaluation.model_copy(update={"flags": [*evaluation.flags, f"{flag}:{error.what}"]})


def _failure(results: Sequence[tuple[object, ReplyCache]]) -> BaseException:
    """The first error, with the requests whose replies were malformed if there are any."""
    first = next(result for result, _ in results if isinstance(result, BaseException))
    unusable = [router for result, router in results if isinstance(result, MalformedOutput)]
    if unusable and isinstance(first, ProviderError):
        hashes = tuple(key for router in unusable for key in router.asked)
        return UnusableRepliesError(first, hashes)
    return first
