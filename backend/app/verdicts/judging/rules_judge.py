"""Judges by rules: no network, no key, all of it CPU time of child processes."""

import asyncio
from collections.abc import Callable
from time import perf_counter
from typing import TypeVar

from app.judges.answer import AnswerToJudge
from app.judges.judge import Evaluators, Judgement
from app.judges.local.draft import Draft
from app.platform.processes import Limits, ProcessDied, quick_lane
from app.platform.processes.linux import usable_cores
from app.text.packs.models import DomainPack
from app.verdicts.judging import rules_verdict

CORES = usable_cores()
# A lease outlasts the deadline by ten seconds; what cannot begin by then is released.
MAX_CORE_WAIT_SECONDS = 8.0
# A child may also die of what others did, as when the machine has no memory left.
_TRIES = 2

Value = TypeVar("Value")
Work = Callable[[DomainPack, AnswerToJudge, Evaluators], Value]


class RulesJudge:
    """A Judge of as many answers at a time as there are cores, each in a child process that is
    ended when it exceeds `limits`. Its methods raise LimitExceeded for the one that did."""

    def __init__(self, pack: DomainPack, limits: Limits) -> None:
        self._pack = pack
        self._limits = limits
        self._cores = asyncio.Semaphore(CORES)

    async def judge(self, subject: AnswerToJudge, evaluators: Evaluators) -> Judgement:
        """Waits for a core as long as it takes."""
        async with self._cores:
            return await self._in_child(rules_verdict.judge_by_rules, subject, evaluators)

    async def judge_soon(
        self, subject: AnswerToJudge, evaluators: Evaluators
    ) -> tuple[Judgement, float] | None:
        """With the milliseconds that it took, once a core was free; None when none becomes free
        within MAX_CORE_WAIT_SECONDS."""
        await quick_lane().ready(rules_verdict.__name__)
        try:
            async with asyncio.timeout(MAX_CORE_WAIT_SECONDS):
                await self._cores.acquire()
        except TimeoutError:
            return None
        start = perf_counter()
        try:
            found = await self._in_child(rules_verdict.judge_by_rules, subject, evaluators)
        finally:
            self._cores.release()
        return found, (perf_counter() - start) * 1000

    async def draft(
        self, subject: AnswerToJudge, evaluators: Evaluators
    ) -> tuple[Draft, Judgement]:
        """See draft_for_detector. Waits for a core as long as it takes."""
        async with self._cores:
            return await self._in_child(rules_verdict.draft_for_detector, subject, evaluators)

    async def _in_child(
        self, work: Work[Value], subject: AnswerToJudge, evaluators: Evaluators
    ) -> Value:
        given = (self._pack, subject, evaluators)
        for _ in range(_TRIES - 1):
            try:
                return await quick_lane().run(self._limits, work, *given)
            except ProcessDied:
                continue
        return await quick_lane().run(self._limits, work, *given)
