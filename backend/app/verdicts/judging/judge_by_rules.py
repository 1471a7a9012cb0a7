"""Verdicts by rules: no network, no key, all of it CPU time of child processes."""

import asyncio
import os
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import TypeVar, TypeVarTuple

from app.judges.phases.run import FeedbackResult, feedback_by_rules
from app.judges.quality_gate import QualityResult
from app.packs.models import DomainPack
from app.processes import Limits, ProcessDied, quick_lane
from app.verdicts.judging import rules_verdict
from app.verdicts.judging.evaluators import phases, phases_by_model
from app.verdicts.lifecycle.outcome import Lease, Release, Verdict
from app.verdicts.policy.evaluation_policy import RULES_MODEL, prompt_version

Given = TypeVarTuple("Given")
Value = TypeVar("Value")

CORES = os.cpu_count() or 1
# A lease outlasts the deadline by ten seconds; what cannot begin by then is released.
PATIENCE_SECONDS = 8.0
# A child may also die of what others did, as when the machine has no memory left.
_TRIES = 2


class JudgeByRules:
    """Judges as many evaluations at a time as there are cores, each in a child process that is
    ended when it exceeds `limits`. Its methods raise LimitExceeded for the one that did."""

    def __init__(self, pack: DomainPack, limits: Limits) -> None:
        self._pack = pack
        self._limits = limits
        self._cores = asyncio.Semaphore(CORES)

    async def verdict(self, lease: Lease, because: str | None = None) -> Verdict | Release:
        """because: the failure of the judge that the rules stand in for. Releases it
        when no core becomes free in time."""
        await quick_lane().ready(rules_verdict.__name__)
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self._cores.acquire()
        except TimeoutError:
            return Release()
        try:
            return await self._verdict(lease, because)
        finally:
            self._cores.release()

    async def quality(self, lease: Lease, because: str) -> QualityResult | None:
        """The checklist alone."""
        async with self._cores:
            return await self._in_child(rules_verdict.tick, lease)

    async def feedback(self, lease: Lease, because: str) -> FeedbackResult:
        """The four phases alone; the result says that and why no model did its part."""
        async with self._cores:
            found = await self._in_child(rules_verdict.review, self._pack, lease)
        result = feedback_by_rules(found, phases(lease))
        return replace(result, fallbacks=dict.fromkeys(phases_by_model(lease), because))

    async def _verdict(self, lease: Lease, because: str | None) -> Verdict:
        start = perf_counter()
        found = await self._in_child(rules_verdict.judge_lease, self._pack, lease)
        feedback = None
        if found.phases is not None:
            feedback = feedback_by_rules(found.phases, phases(lease))
        return Verdict(
            found.evaluation,
            found.quality,
            feedback=feedback,
            provider="offline",
            model="rules",
            prompt_version=prompt_version(RULES_MODEL, lease.evaluators),
            judge_ms=(perf_counter() - start) * 1000,
            degraded_because=because,
        )

    async def _in_child(self, function: Callable[[*Given], Value], *arguments: *Given) -> Value:
        for _ in range(_TRIES - 1):
            try:
                return await quick_lane().run(self._limits, function, *arguments)
            except ProcessDied:
                continue
        return await quick_lane().run(self._limits, function, *arguments)
