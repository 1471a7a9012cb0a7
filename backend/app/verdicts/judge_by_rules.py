"""Verdicts by rules: no network, no key, all of it CPU time."""

import asyncio
import os
from functools import partial
from time import perf_counter

from app.ai_router.quality_gate import QualityResult
from app.ai_router.rules_judge import RulesJudge
from app.verdicts.evaluators import CheckQuality, check, run_evaluators
from app.verdicts.outcome import Claim, Release, Verdict
from app.verdicts.policy import RULES_MODEL, prompt_version

CORES = os.cpu_count() or 1
# A lease outlasts the deadline by ten seconds; a claim that cannot begin by then goes back.
PATIENCE_SECONDS = 8.0


class JudgeByRules:
    """Judges as many claims at a time as there are cores."""

    def __init__(self) -> None:
        self._judge = RulesJudge()
        self._cores = asyncio.Semaphore(CORES)

    async def verdict(self, claim: Claim, because: str | None = None) -> Verdict | Release:
        """because: the failure of the judge that the rules stand in for. Gives the claim back
        when no core becomes free in time."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self._cores.acquire()
        except TimeoutError:
            return Release()
        try:
            return await self._verdict(claim, because)
        finally:
            self._cores.release()

    async def quality(self, claim: Claim) -> QualityResult | None:
        """The checklist alone."""
        async with self._cores:
            return await check(claim, self._checking(claim))

    async def _verdict(self, claim: Claim, because: str | None) -> Verdict:
        start = perf_counter()
        evaluation, quality = await run_evaluators(
            claim, self._judge.evaluate, self._checking(claim)
        )
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
            judge_ms=(perf_counter() - start) * 1000,
            degraded_because=because,
        )

    def _checking(self, claim: Claim) -> CheckQuality:
        return partial(
            self._judge.check_quality,
            note_titles=claim.note_titles,
            context_notes=claim.note_contents,
        )
