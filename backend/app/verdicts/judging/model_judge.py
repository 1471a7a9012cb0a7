"""A model as the judge of one lease: its evaluators side by side, and rules where it fails."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from app.judges.answer import AnswerToJudge
from app.judges.judge import (
    Evaluators,
    Judge,
    Judgement,
    for_checklist,
    phases_by_model,
    phases_of,
)
from app.judges.one_call.judge import OneCallJudge
from app.judges.phases.feedback import FeedbackResult, united
from app.judges.phases.run import FallBack, PhasesJudge
from app.judges.prompts.one_call import OneCallPrompt
from app.judges.quality_gate import QualityJudge, QualityResult
from app.judges.search_qa.evaluator import SearchQAEvaluation, SearchQAJudge
from app.judges.verdict_prompts import one_call_prompt
from app.platform.errors import MalformedOutput, ProviderError
from app.platform.processes import LimitExceeded, Limits
from app.text.packs.models import DomainPack
from app.verdicts.judging.reply_cache import ReplyCache
from app.verdicts.lifecycle.retry import describe

Result = TypeVar("Result", SearchQAEvaluation, QualityResult, FeedbackResult, Judgement)


class UnusableRepliesError(Exception):
    """Replies came and were paid for, but could not be used: `error` says why, and
    `request_hashes` name the requests they answered."""

    def __init__(self, error: ProviderError, request_hashes: tuple[str, ...]) -> None:
        super().__init__(str(error))
        self.error = error
        self.request_hashes = request_hashes


@dataclass(slots=True)
class _Attempt:
    """The calls of one evaluator, None where it is not asked for, and the error that it ended
    with."""

    calls: ReplyCache | None = None
    error: Exception | None = None


@dataclass(slots=True)
class _Part(_Attempt, Generic[Result]):
    """The same with its result."""

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

    async def or_rules(
        self, gives_up: FallBack, by_rules: Callable[[str], Awaitable[Result | None]]
    ) -> bool:
        """Replaces what the model has failed at for good, and returns whether it did. by_rules
        is called with the reason."""
        if not isinstance(self.error, ProviderError) or not gives_up(self.error):
            return False
        because, self.error = describe(self.error), None
        try:
            self.result = await by_rules(because)
        except LimitExceeded as error:
            self.error = error
        return self.error is None


class ModelJudge:
    """A Judge for one answer. For its parameters see JudgeByModel; open_calls: gives each
    evaluator its own router."""

    def __init__(
        self,
        open_calls: Callable[[], ReplyCache],
        *,
        fence_key: bytes,
        prompt: str | OneCallPrompt,
        pack: DomainPack,
        rules: Judge,
        gives_up: FallBack,
        deadline: float,
        limits: Limits,
    ) -> None:
        self._open_calls = open_calls
        self._in_one_call: _Part[Judgement] = _Part()
        self._evaluating: _Part[SearchQAEvaluation] = _Part()
        self._checking: _Part[QualityResult] = _Part()
        self._reviewing: _Part[FeedbackResult] = _Part()
        self._parts: Sequence[_Attempt] = (
            self._in_one_call,
            self._evaluating,
            self._checking,
            self._reviewing,
        )
        self._fence_key = fence_key
        self._prompt = prompt
        self._pack = pack
        self._rules = rules
        self._gives_up = gives_up
        self._deadline = deadline
        self._limits = limits
        self.quality_by_rules = False

    @property
    def from_cache(self) -> bool:
        """Whether a reply was one to an identical request for another answer."""
        return any(part.calls.reused for part in self._parts if part.calls)

    async def judge(self, subject: AnswerToJudge, evaluators: Evaluators) -> Judgement:
        """Raises UnusableRepliesError besides."""
        one_call = one_call_prompt(self._prompt) is not None and "search_qa" in evaluators
        asked = list(self._asked(subject, evaluators, one_call=one_call))
        if len(asked) == 1:  # which needs no task of its own
            await asked[0]
        else:
            await asyncio.gather(*asked)
        found = self._in_one_call.result or Judgement(self._evaluating.result)
        if found.evaluation is not None and (self._checking.error or self._reviewing.error):
            await self._let_rules_stand_in(subject, evaluators)
            evaluation = self._without_what_took_too_long(found.evaluation)
            found = replace(found, evaluation=evaluation)
        self._raise_failure()
        return Judgement(
            found.evaluation,
            self._checking.result or found.quality,
            united(found.feedback, self._reviewing.result),
        )

    def _asked(
        self, subject: AnswerToJudge, evaluators: Evaluators, *, one_call: bool
    ) -> Iterator[Awaitable[None]]:
        """one_call: whether one call is made for all but the phases that have one of their own."""
        key, seconds = self._fence_key, self._deadline
        phases = phases_of(evaluators)
        if one_call:
            calls = self._open_calls()
            whole = OneCallJudge(calls, self._pack, fence_key=key, prompt=self._prompt)
            yield self._in_one_call.run(calls, whole.judge(subject, evaluators), seconds)
            phases = phases_by_model(evaluators)
        elif "search_qa" in evaluators:
            calls = self._open_calls()
            assert isinstance(self._prompt, str), "a workspace's prompts are for one call"
            judge = SearchQAJudge(calls, fence_key=key, prompt=self._prompt)
            yield self._evaluating.run(calls, judge.judge(subject), seconds)
        if "quality_gate" in evaluators and not one_call:
            calls = self._open_calls()
            gate = QualityJudge(calls, fence_key=key)
            yield self._checking.run(calls, gate.judge(for_checklist(subject, evaluators)), seconds)
        if phases:
            calls = self._open_calls()
            reviewer = PhasesJudge(
                self._pack,
                phases,
                phases_by_model(evaluators),
                calls,
                key,
                self._limits,
                fall_back=self._gives_up,
            )
            yield self._reviewing.run(calls, reviewer.judge(subject), seconds)

    async def _let_rules_stand_in(self, subject: AnswerToJudge, evaluators: Evaluators) -> None:
        """A verdict is not held back for a checklist, nor for claims."""

        async def check(_: str) -> QualityResult | None:
            checked = for_checklist(subject, evaluators)
            return (await self._rules.judge(checked, ("quality_gate",))).quality

        async def review(because: str) -> FeedbackResult | None:
            found = (await self._rules.judge(subject, tuple(phases_of(evaluators)))).feedback
            fallbacks = dict.fromkeys(phases_by_model(evaluators), because)
            return found and replace(found, fallbacks=fallbacks)

        self.quality_by_rules = await self._checking.or_rules(self._gives_up, check)
        await self._reviewing.or_rules(self._gives_up, review)

    def _without_what_took_too_long(self, evaluation: SearchQAEvaluation) -> SearchQAEvaluation:
        """Nor for rules that took too long: it is paid for, and its flags say what is missing."""
        flags = list(evaluation.flags)
        for flag, part in zip(("checklist_ended", "phases_ended"), self._parts[2:], strict=True):
            if isinstance(part.error, LimitExceeded):
                flags.append(f"{flag}:{part.error.what}")
                part.error = None
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
