"""From a claim to its outcome: runs the evaluators and sorts every way they can fail."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter

import psycopg

from app.ai_router.quality_gate import QualityGate, QualityResult
from app.ai_router.rules_judge import RulesJudge
from app.ai_router.search_qa_evaluator import SearchQAEvaluation, SearchQAEvaluator
from app.ai_router.types import ChatResponse, ChatRouter
from app.errors import MalformedOutput, ProviderError, SetupError, TransientProviderError
from app.settings import Settings
from app.verdicts.outcome import Claim, Failure, Outcome, Pause, Release, Retry, Verdict
from app.verdicts.policy import RULES_MODEL, prompt_version
from app.verdicts.recording import RecordingRouter, Stash
from app.verdicts.retry import RetryPolicy, describe

logger = logging.getLogger(__name__)

Routers = Callable[[str], ChatRouter]
Stored = Callable[[Claim], Awaitable[Mapping[str, ChatResponse]]]


class Judging:
    """Judges claims one at a time each; many run side by side on one loop.

    routers: gives the router of a `provider:model` name; raises SetupError for a bad one.
    stash, stored: write a reply down, and read those of earlier attempts.
    """

    def __init__(
        self, settings: Settings, *, routers: Routers, stash: Stash, stored: Stored
    ) -> None:
        self._deadline = settings.judge_deadline
        self._fallback = settings.judge_fallback
        self._retry = RetryPolicy.from_settings(settings)
        self._routers = routers
        self._stash = stash
        self._stored = stored
        self._rules = RulesJudge()

    async def judge(self, claim: Claim) -> Outcome:
        """Never raises but for cancellation: whatever happens becomes an outcome."""
        try:
            async with asyncio.timeout(self._deadline):
                if claim.judge_model == RULES_MODEL:
                    return await self._judge_by_rules(claim)
                return await self._judge_by_model(claim)
        except TimeoutError:
            late = TransientProviderError(f"The judge took longer than {self._deadline:g} s.")
            return await self._after_failure(claim, late)
        except _UnusableReplies as failure:
            return await self._after_failure(claim, failure.error, failure.request_hashes)
        except ProviderError as error:
            return await self._after_failure(claim, error)
        except SetupError as error:
            return Pause(str(error))
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            logger.warning("PostgreSQL is away (%s); giving back evaluation %s", error, claim.id)
            return Release()
        except Exception as error:
            logger.exception("Judging evaluation %s failed in our own code", claim.id)
            return Failure(f"Internal error: {type(error).__name__}. The worker's log has more.")

    async def _judge_by_model(self, claim: Claim) -> Verdict:
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
        evaluation, quality = await _both(
            claim, evaluator.evaluate, partial(gate.evaluate, note_titles=claim.note_titles)
        )
        # A verdict is not held back for a checklist: if that reply alone is of no use, rules
        # tick it.
        by_rules = isinstance(quality, MalformedOutput) and isinstance(
            evaluation, SearchQAEvaluation
        )
        if by_rules:
            quality = await self._checking(claim)(
                checklist_of(claim), claim.question, claim.answer, claim.lang
            )
        if isinstance(evaluation, BaseException) or isinstance(quality, BaseException):
            raise _failure(((evaluation, evaluating), (quality, checking)))
        return Verdict(
            evaluation,
            quality,
            provider=evaluating.model.provider,
            model=evaluating.model.model,
            prompt_version=prompt_version(claim.judge_model, claim.evaluators),
            judge_ms=_milliseconds_since(start),
            usage=evaluating.usage + checking.usage,
            quality_by_rules=by_rules,
        )

    async def _judge_by_rules(self, claim: Claim, because: str | None = None) -> Verdict:
        start = perf_counter()
        evaluation, quality = await _both(claim, self._rules.evaluate, self._checking(claim))
        if isinstance(evaluation, BaseException):
            raise evaluation
        if isinstance(quality, BaseException):
            raise quality
        return Verdict(
            evaluation,
            quality,
            provider="offline",
            model="rules",
            prompt_version=prompt_version(RULES_MODEL, claim.evaluators),
            judge_ms=_milliseconds_since(start),
            degraded_because=because,
        )

    def _checking(self, claim: Claim) -> Callable[..., Awaitable[QualityResult | None]]:
        return partial(
            self._rules.check_quality,
            note_titles=claim.note_titles,
            context_notes=claim.note_contents,
        )

    async def _after_failure(
        self, claim: Claim, error: ProviderError, discards: tuple[str, ...] = ()
    ) -> Outcome:
        decision = self._retry.decide(error, claim.tries)
        if isinstance(decision, Failure) and self._fallback == "rules":
            return await self._judge_by_rules(claim, because=describe(error))
        return replace(decision, discards=discards) if isinstance(decision, Retry) else decision


class _UnusableReplies(Exception):
    """Replies came and were paid for, but could not be used."""

    def __init__(self, error: ProviderError, request_hashes: tuple[str, ...]) -> None:
        super().__init__(str(error))
        self.error = error
        self.request_hashes = request_hashes


def _failure(results: Sequence[tuple[object, RecordingRouter]]) -> BaseException:
    """The first error, with the requests whose replies were malformed if there are any."""
    first = next(result for result, _ in results if isinstance(result, BaseException))
    unusable = [router for result, router in results if isinstance(result, MalformedOutput)]
    if unusable and isinstance(first, ProviderError):
        return _UnusableReplies(first, tuple(key for router in unusable for key in router.asked))
    return first


async def _both(
    claim: Claim,
    evaluate: Callable[..., Awaitable[SearchQAEvaluation | None]],
    check_quality: Callable[..., Awaitable[QualityResult | None]],
) -> tuple[SearchQAEvaluation | BaseException | None, QualityResult | BaseException | None]:
    """Runs those of the two that the claim asks for, side by side, and returns what each gave or
    raised: when one fails the other may finish, because its reply is paid for."""

    async def skip() -> None:
        return None

    notes, titles = list(claim.note_contents), list(claim.note_titles)
    about = (claim.question, claim.answer, claim.lang)
    return await asyncio.gather(
        evaluate(claim.question, notes, titles, claim.answer, claim.lang)
        if "search_qa" in claim.evaluators
        else skip(),
        check_quality(checklist_of(claim), *about)
        if "quality_gate" in claim.evaluators
        else skip(),
        return_exceptions=True,
    )


def checklist_of(claim: Claim) -> str:
    """Answers from notes are checked as search_qa, whichever feature asked."""
    return "search_qa" if "search_qa" in claim.evaluators else claim.feature


def _milliseconds_since(start: float) -> float:
    return (perf_counter() - start) * 1000
