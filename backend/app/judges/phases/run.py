"""Runs the phases of one answer, by rules in a child process or by a model, and scores them."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from app.ai_router.types import ChatRouter
from app.judges.answer import AnswerToJudge
from app.judges.phases.asked_nuggets import completeness_of_question
from app.judges.phases.citation import Phase1Result, cite
from app.judges.phases.completeness import Phase2Result, evaluate_completeness, judge_completeness
from app.judges.phases.groundedness import Phase3Result, evaluate_groundedness, judge_groundedness
from app.judges.phases.next_steps import Phase4Result, evaluate_next_steps, judge_next_steps
from app.judges.phases.reading import Reading
from app.platform.errors import ProviderError
from app.platform.processes.calls import Limits
from app.platform.processes.pool import QUICK_LIMITS, quick_lane
from app.text.packs.models import DomainPack

Phase = Literal["citation", "completeness", "groundedness", "next_steps"]
ALL_PHASES: frozenset[Phase] = frozenset(("citation", "completeness", "groundedness", "next_steps"))
MODEL_PHASES: frozenset[Phase] = ALL_PHASES - {"citation"}

# The parts of the overall score, and what every answer has, because phase 4 is no score.
WEIGHTS: Mapping[Phase, float] = {"citation": 0.2, "completeness": 0.3, "groundedness": 0.4}
BASE = 0.1
GOOD_ENOUGH = 0.7


@dataclass(frozen=True, slots=True)
class FeedbackResult:
    """The phases that ran; the others are None.

    sources: by whom each phase was judged. fallbacks: why a phase that a model should have
    judged was judged by rules.
    """

    phase1: Phase1Result | None = None
    phase2: Phase2Result | None = None
    phase3: Phase3Result | None = None
    phase4: Phase4Result | None = None
    sources: Mapping[Phase, Literal["rules", "judge"]] = field(default_factory=dict)
    fallbacks: Mapping[Phase, str] = field(default_factory=dict)

    @property
    def overall_score(self) -> float | None:
        """.2 citation + .3 completeness + .4 groundedness + .1, from .1 to 1.

        Where a phase did not run or had nothing to check, the weights of the others are raised
        in proportion, so that they make up .9 again. None when nothing was checked. Rounded to
        four places, so that 0.7 is 0.7.
        """
        scores = {
            "citation": self.phase1 and self.phase1.score,
            "completeness": self.phase2 and self.phase2.score,
            "groundedness": self.phase3 and self.phase3.score,
        }
        parts = [(w, scores[name]) for name, w in WEIGHTS.items() if scores[name] is not None]
        if not parts:
            return None
        total = math.fsum(weight for weight, _ in parts)
        earned = math.fsum(weight * score for weight, score in parts if score)
        return round((1 - BASE) * earned / total + BASE, 4)

    @property
    def needs_improvement(self) -> bool | None:
        """Whether the overall score lies below .7; None without one."""
        overall = self.overall_score
        return None if overall is None else overall < GOOD_ENOUGH


def united(first: FeedbackResult | None, second: FeedbackResult | None) -> FeedbackResult | None:
    """The phases of both; where both have one, that of the second."""
    if first is None or second is None:
        return first or second
    return replace(
        second,
        phase1=second.phase1 or first.phase1,
        phase2=second.phase2 or first.phase2,
        phase3=second.phase3 or first.phase3,
        phase4=second.phase4 or first.phase4,
        sources={**first.sources, **second.sources},
    )


def run_phases(
    pack: DomainPack, phases: AbstractSet[Phase], reading: Reading, missing: Sequence[str] = ()
) -> FeedbackResult:
    """Blocks for some milliseconds. missing: the nuggets that phase 4 offers to look for when
    phase 2 is not among `phases`, because a model has done it."""
    phase2 = phase4 = None
    if "completeness" in phases:
        phase2 = _completeness(pack, reading)
        missing = phase2.missing_nuggets
    if "next_steps" in phases:
        phase4 = evaluate_next_steps(pack.next_steps, reading.subject, missing)
    return FeedbackResult(
        phase1=cite(reading) if "citation" in phases else None,
        phase2=phase2,
        phase3=evaluate_groundedness(reading) if "groundedness" in phases else None,
        phase4=phase4,
        sources=dict.fromkeys(sorted(phases), "rules"),
    )


def _completeness(pack: DomainPack, reading: Reading) -> Phase2Result:
    """By the nuggets of the domain, or, where none is known, by the parts of the question."""
    if pack.nuggets:
        return evaluate_completeness(reading.subject.answer, pack.nuggets)
    return completeness_of_question(reading)


T = TypeVar("T")
# Whether rules stand in for a phase whose model failed so.
FallBack = Callable[[ProviderError], bool]


def always(_: ProviderError) -> bool:
    return True


class PhasesJudge:
    """Runs `phases` on answers, those of `by_model` with the model behind `router`.

    limits: of the phases by rules, which run in a child process. fence_key: 1 to 64 secret bytes
    for the nonces around untrusted text, as for SearchQAJudge. fall_back: whether a phase whose
    model fails is judged by rules, and the result says so. Raises ValueError when a phase is to be
    judged by a model that cannot be, or there is no router for it.
    """

    def __init__(
        self,
        pack: DomainPack,
        phases: frozenset[Phase] = ALL_PHASES,
        by_model: frozenset[Phase] = frozenset(),
        router: ChatRouter | None = None,
        fence_key: bytes = b"",
        limits: Limits = QUICK_LIMITS,
        *,
        fall_back: FallBack = always,
    ) -> None:
        if by_model - MODEL_PHASES:
            raise ValueError("phase 1, citation, is judged by rules only")
        if by_model and (router is None or not fence_key):
            raise ValueError("phases judged by a model need a router and a fence key")
        self.pack = pack
        self.phases = phases
        self.by_model = by_model & phases
        self.router = router
        self.fence_key = fence_key
        self.limits = limits
        self.fall_back = fall_back

    async def judge(self, subject: AnswerToJudge) -> FeedbackResult:
        """The result for one answer. Raises the ProviderError of a model that rules do not stand
        in for, after the other calls have ended, and LimitExceeded when the rules took more than
        their limits."""
        return await _Run(self, Reading(subject)).result()


@dataclass
class _Run:
    """One answer on its way through the phases."""

    judge: PhasesJudge
    reading: Reading
    fallbacks: dict[Phase, str] = field(default_factory=dict)

    async def result(self) -> FeedbackResult:
        phases, by_model = self.judge.phases, self.judge.by_model
        own = phases - by_model
        # Phase 4 offers what phase 2 has found missing, so it comes after it.
        early = own - {"next_steps"} if "completeness" in by_model else own
        ruled = await self._by_rules(early)
        judged3, judged2_4 = await asyncio.gather(
            self._groundedness(ruled.phase3),
            self._completeness_and_next_steps(ruled),
            return_exceptions=True,
        )
        if isinstance(judged3, BaseException):
            raise judged3
        if isinstance(judged2_4, BaseException):
            raise judged2_4
        phase2, phase4 = judged2_4
        judged = by_model - self.fallbacks.keys()
        return FeedbackResult(
            phase1=ruled.phase1,
            phase2=phase2,
            phase3=judged3,
            phase4=phase4,
            sources={phase: "judge" if phase in judged else "rules" for phase in sorted(phases)},
            fallbacks=self.fallbacks,
        )

    async def _by_rules(
        self, phases: AbstractSet[Phase], missing: Sequence[str] = ()
    ) -> FeedbackResult:
        if not phases:
            return FeedbackResult()
        given = (self.judge.pack, phases, self.reading, missing)
        return await quick_lane().run(self.judge.limits, run_phases, *given)

    async def _groundedness(self, by_rules: Phase3Result | None) -> Phase3Result | None:
        if "groundedness" not in self.judge.by_model:
            return by_rules
        judged = await self._ask(
            "groundedness",
            lambda router: judge_groundedness(router, self.reading, self.judge.fence_key),
        )
        return judged or (await self._by_rules({"groundedness"})).phase3

    async def _completeness_and_next_steps(
        self, ruled: FeedbackResult
    ) -> tuple[Phase2Result | None, Phase4Result | None]:
        phase2, phase4 = ruled.phase2, ruled.phase4
        if "completeness" in self.judge.by_model:
            judged = await self._ask(
                "completeness",
                lambda router: judge_completeness(router, self.reading, self.judge.fence_key),
            )
            phase2 = judged or (await self._by_rules({"completeness"})).phase2
        if "next_steps" in self.judge.phases and phase4 is None:
            phase4 = await self._next_steps(phase2.missing_nuggets if phase2 else [])
        return phase2, phase4

    async def _next_steps(self, missing: Sequence[str]) -> Phase4Result | None:
        judged = None
        if "next_steps" in self.judge.by_model:
            subject, key = self.reading.subject, self.judge.fence_key
            judged = await self._ask(
                "next_steps", lambda router: judge_next_steps(router, subject, missing, key)
            )
        return judged or (await self._by_rules({"next_steps"}, missing)).phase4

    async def _ask(self, phase: Phase, judge: Callable[[ChatRouter], Awaitable[T]]) -> T | None:
        """What the model says, or None with a reason in `fallbacks` when the rules must."""
        if self.judge.router is None:
            return None
        try:
            return await judge(self.judge.router)
        except ProviderError as error:
            if not self.judge.fall_back(error):
                raise
            self.fallbacks[phase] = f"{error.kind}: {error}"
            return None
