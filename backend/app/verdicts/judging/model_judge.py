"""Judges by a model: one call for the verdict, further calls beside it, rules where those fail."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from app.judges.answer import AnswerToJudge, SearchQAEvaluation
from app.judges.checklists import QualityJudge, QualityResult
from app.judges.judge import (
    Evaluators,
    Judge,
    Judgement,
    phases_by_model,
    phases_of,
)
from app.judges.model.one_call import OneCallJudge
from app.judges.phases.run import FeedbackResult, PhasesJudge, united
from app.platform.errors import MalformedOutput, ProviderError
from app.platform.processes.calls import LimitExceeded
from app.verdicts.judging.context import CallBudget, JudgingContext
from app.verdicts.judging.reply_cache import MeteredRouter, ReplyCache
from app.verdicts.lifecycle.outcome import Lease
from app.verdicts.lifecycle.retry import describe

Result = TypeVar("Result", QualityResult, FeedbackResult, Judgement)
# Whether asking the model again for what failed so is pointless.
IsFinal = Callable[[ProviderError], bool]


class UnusableRepliesError(Exception):
    """Replies came and were paid for, but could not be used: `error` says why, and
    `request_hashes` name the requests they answered."""

    def __init__(self, error: ProviderError, request_hashes: tuple[str, ...]) -> None:
        super().__init__(str(error))
        self.error = error
        self.request_hashes = request_hashes


@dataclass(slots=True)
class _Part(Generic[Result]):
    """The calls of one evaluator, None where it is not asked for, and its result or the error that
    it ended with."""

    calls: ReplyCache | None = None
    error: Exception | None = None
    result: Result | None = None

    async def run(
        self, calls: ReplyCache, judging: Awaitable[Result | None], seconds: float
    ) -> None:
        """Keeps the error: the others may finish, because their replies are paid for."""
        self.calls = calls
        try:
            self.result = await calls.in_time(judging, seconds)
        except Exception as error:  # noqa: BLE001  raised when all have ended
            self.error = error


class ModelJudge:
    """The Judge of one lease that asks the lease's model.

    rules: replace phases that have failed for good, which is_final decides, where the evaluation
    is there. settings.judge.deadline_seconds: seconds that all calls of an evaluator may take
    together; each has its own and they start together, or one that hangs would take the others'
    results with it. `router` counts what was used.
    """

    def __init__(
        self,
        context: JudgingContext,
        lease: Lease,
        calls: CallBudget,
        rules: Judge,
        is_final: IsFinal,
    ) -> None:
        self._context = context
        self._lease = lease
        self._calls = calls
        self._rules = rules
        self._is_final = is_final
        self._verdict: _Part[Judgement] = _Part()
        self._checklist: _Part[QualityResult] = _Part()
        self._phases: _Part[FeedbackResult] = _Part()
        # The id is made after the answer is written, so nobody who wrote notes or answer can know
        # it, and it is the same in every process, so a stored reply is recognised.
        self._fence_key = lease.id.bytes
        self.router = MeteredRouter(context.router_for(lease.judge_model))

    @property
    def _parts(self) -> tuple[_Part[Judgement], _Part[QualityResult], _Part[FeedbackResult]]:
        return self._verdict, self._checklist, self._phases

    @property
    def from_cache(self) -> bool:
        """Whether a reply was one to an identical request for another answer."""
        return any(part.calls.reused for part in self._parts if part.calls)

    async def judge(self, subject: AnswerToJudge, evaluators: Evaluators) -> Judgement:
        """Raises UnusableRepliesError besides."""
        calls = await self._open_calls()
        context_of, model = self._context.context_of, self._lease.judge_model
        size = await context_of(model) if context_of else None
        asked = list(self._ask(subject, evaluators, calls, size))
        if len(asked) == 1:  # which needs no task of its own
            await asked[0]
        else:
            await asyncio.gather(*asked)
        found = self._verdict.result or Judgement()
        if found.evaluation is not None and self._phases.error:
            await self._fall_back_to_rules(subject, evaluators)
            found = found._replace(evaluation=self._flag_missing_phases(found.evaluation))
        self._raise_failure()
        return Judgement(
            found.evaluation,
            self._checklist.result or found.quality,
            united(found.feedback, self._phases.result),
            found.quality_by_rules,
            found.criteria,
        )

    async def _open_calls(self) -> Callable[[], ReplyCache]:
        """Gives each evaluator a router of its own."""
        context, lease = self._context, self._lease
        replies = await context.load_replies(lease) if lease.attempt > 1 else {}
        # Who has an answer judged again wants to hear the judge again, and so does an attempt after
        # one that failed.
        again = lease.judged_again or lease.attempt > lease.first_attempt
        reuses = context.settings.judge.reuse_replies_hours and not again
        find_reply = context.find_reply if reuses else None
        return lambda: ReplyCache(
            self.router, lease, context.save_reply, replies, self._calls, find_reply
        )

    def _ask(
        self,
        subject: AnswerToJudge,
        evaluators: Evaluators,
        open_calls: Callable[[], ReplyCache],
        size: int | None,
    ) -> Iterator[Awaitable[None]]:
        """One call is made for all but the phases that have one of their own. size: of the model's
        context."""
        context, key = self._context, self._fence_key
        seconds = context.settings.judge.deadline_seconds
        phases = phases_of(evaluators)
        if "search_qa" in evaluators:
            calls = open_calls()
            judge = OneCallJudge(
                calls,
                context.pack,
                fence_key=key,
                prompt=self._lease.prompt,
                rules=self._rules,
                criteria=self._lease.criteria,
                context=size,
            )
            yield self._verdict.run(calls, judge.judge(subject, evaluators), seconds)
            phases = phases_by_model(evaluators)
        elif "quality_gate" in evaluators:
            calls = open_calls()
            gate = QualityJudge(calls, fence_key=key)
            yield self._checklist.run(calls, gate.judge(subject), seconds)
        if phases:
            calls = open_calls()
            reviewer = PhasesJudge(
                context.pack,
                phases,
                phases_by_model(evaluators),
                calls,
                key,
                context.limits,
                fall_back=self._is_final,
            )
            yield self._phases.run(calls, reviewer.judge(subject), seconds)

    async def _fall_back_to_rules(self, subject: AnswerToJudge, evaluators: Evaluators) -> None:
        """A verdict is not held back for claims."""
        error = self._phases.error
        if not isinstance(error, ProviderError) or not self._is_final(error):
            return
        self._phases.error = None
        try:
            found = (await self._rules.judge(subject, tuple(phases_of(evaluators)))).feedback
        except LimitExceeded as exceeded:
            self._phases.error = exceeded
        else:
            fallbacks = dict.fromkeys(phases_by_model(evaluators), describe(error))
            self._phases.result = found and replace(found, fallbacks=fallbacks)

    def _flag_missing_phases(self, evaluation: SearchQAEvaluation) -> SearchQAEvaluation:
        """Nor for rules that took too long: it is paid for, and a flag says what is missing."""
        error = self._phases.error
        if not isinstance(error, LimitExceeded):
            return evaluation
        self._phases.error = None
        flags = [*evaluation.flags, f"phases_ended:{error.what}"]
        return evaluation.model_copy(update={"flags": flags})

    def _raise_failure(self) -> None:
        """The first error, with the requests whose replies were malformed if there are any."""
        first = next((part.error for part in self._parts if part.error), None)
        if first is None:
            return
        unusable = [part for part in self._parts if isinstance(part.error, MalformedOutput)]
        if unusable and isinstance(first, ProviderError):
            hashes = tuple(key for part in unusable if part.calls for key in part.calls.asked)
            raise UnusableRepliesError(first, hashes)
        raise first
