"""Verdicts by rules: no network, no key, all of it CPU time."""

import asyncio
import os
from dataclasses import replace
from functools import partial
from time import perf_counter

from app.ai_router.quality_gate import QualityResult
from app.ai_router.rules_judge import RulesJudge
from app.evaluation.feedback import FeedbackEvaluator, FeedbackResult
from app.evaluation.sources import Reading, read
from app.packs.models import DomainPack
from app.verdicts.evaluators import (
    CheckQuality,
    check,
    phases,
    phases_by_model,
    review,
    run_evaluators,
)
from app.verdicts.outcome import Claim, Release, Verdict
from app.verdicts.policy import RULES_MODEL, prompt_version

CORES = os.cpu_count() or 1
# A lease outlasts the deadline by ten seconds; a claim that cannot begin by then goes back.
PATIENCE_SECONDS = 8.0


class JudgeByRules:
    """Judges as many claims at a time as there are cores."""

    def __init__(self, pack: DomainPack) -> None:
        self._judge = RulesJudge()
        self._pack = pack
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

    async def quality(self, claim: Claim, because: str) -> QualityResult | None:
        """The checklist alone."""
        async with self._cores:
            return await check(claim, self._checking(claim))

    async def feedback(self, claim: Claim, because: str) -> FeedbackResult:
        """The four phases alone; the result says that and why no model did its part."""
        async with self._cores:
            result = await review(claim, self._reviewing(claim).evaluate)
        return replace(result, fallbacks=dict.fromkeys(phases_by_model(claim), because))

    async def _verdict(self, claim: Claim, because: str | None) -> Verdict:
        start = perf_counter()
        reading = await asyncio.to_thread(_analysed, claim)
        material = reading.material if reading else None
        evaluation, quality, feedback = await run_evaluators(
            claim,
            partial(self._judge.evaluate, material=material),
            partial(self._checking(claim), material=material),
            partial(self._review, claim, reading),
        )
        for result in (evaluation, quality, feedback):
            if isinstance(result, BaseException):
                raise result
        assert not isinstance(evaluation, BaseException)
        assert not isinstance(quality, BaseException)
        assert not isinstance(feedback, BaseException)
        return Verdict(
            evaluation,
            quality,
            feedback=feedback,
            provider="offline",
            model="rules",
            prompt_version=prompt_version(RULES_MODEL, claim.evaluators),
            judge_ms=(perf_counter() - start) * 1000,
            degraded_because=because,
        )

    async def _review(self, claim: Claim, reading: Reading | None, *_: object) -> FeedbackResult:
        reviewer = self._reviewing(claim)
        if reading is None:
            return await review(claim, reviewer.evaluate)
        return await reviewer.evaluate_reading(reading, claim.lang)

    def _reviewing(self, claim: Claim) -> FeedbackEvaluator:
        return FeedbackEvaluator(self._pack, phases(claim))

    def _checking(self, claim: Claim) -> CheckQuality:
        return partial(
            self._judge.check_quality,
            note_titles=claim.note_titles,
            context_notes=claim.note_contents,
        )


def _analysed(claim: Claim) -> Reading | None:
    """The texts with the analysis that verdict, checklist and phases share. None when they do
    not read the same texts, because evidence is of no note or no note has a text. Blocks."""
    reading = read(
        claim.question,
        claim.answer,
        claim.passages,
        claim.note_contents,
        claim.note_titles,
        claim.lang,
    )
    if reading.sources.empty or len(reading.sources.texts) > reading.sources.note_count:
        return None
    # Made here, because the three would else each make it in a thread of their own.
    _ = reading.material
    return reading
