"""What is judged, by whom, and why not."""

import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self

from app.ai_router import quality_gate, search_qa_evaluator
from app.ai_router.prompts import claims, next_steps, nuggets
from app.ai_router.rules_judge import RULES_VERSION
from app.settings import Settings
from app.verdicts.status import SkipReason, Status

RULES_MODEL = "offline:rules"

_PROMPT_VERSIONS = {
    "quality_gate": quality_gate.PROMPT_VERSION,
    "search_qa": search_qa_evaluator.PROMPT_VERSION,
    "completeness:model": nuggets.PROMPT_VERSION,
    "groundedness:model": claims.PROMPT_VERSION,
    "next_steps:model": next_steps.PROMPT_VERSION,
}


def prompt_version(
    judge_model: str, evaluators: Sequence[str], judge_prompt: str | None = None
) -> str:
    """The versions that made a verdict: of the rules, or of each evaluator's prompt. judge_prompt:
    the version that was asked for of the verdict's own prompt, None for the usual one."""
    versions = _PROMPT_VERSIONS | ({"search_qa": judge_prompt} if judge_prompt else {})
    asked = [versions[name] for name in evaluators if name in versions]
    if judge_model == RULES_MODEL or not asked:
        return RULES_VERSION
    return "+".join(asked)


@dataclass(frozen=True, slots=True)
class EvaluationPlan:
    """The row that a finished answer gets: `queued`, or `skipped` with its reason.

    judge_key names evaluators, model and prompt version: the same answer judged again with
    any of them changed is another verdict.
    """

    status: Literal[Status.QUEUED, Status.SKIPPED]
    reason: SkipReason | None
    evaluators: tuple[str, ...]
    judge_model: str
    auto_refine: bool = False
    judge_prompt: str | None = None

    @property
    def judge_key(self) -> str:
        if not self.evaluators:
            return "none"
        version = prompt_version(self.judge_model, self.evaluators, self.judge_prompt)
        return f"{'+'.join(self.evaluators)}/{self.judge_model}/{version}"


@dataclass(frozen=True, slots=True)
class EvaluationPolicy:
    enabled: bool
    sample_rate: float
    quality_gate_features: frozenset[str]
    phases: tuple[str, ...]
    judge_model: str
    auto_refine: bool

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        return cls(
            enabled=settings.evaluation_enabled,
            sample_rate=settings.sample_rate,
            quality_gate_features=settings.quality_gate_features
            if settings.quality_gate
            else frozenset(),
            phases=settings.phases,
            judge_model=settings.judge_model,
            auto_refine=settings.auto_refine,
        )

    def plan(
        self, answer_id: uuid.UUID, *, feature: str, from_notes: bool, has_notes: bool
    ) -> EvaluationPlan:
        """from_notes: the answer was meant to come from notes; has_notes: it was given some."""
        evaluators = self._evaluators(feature, from_notes=from_notes, has_notes=has_notes)
        reason = self._skip_reason(answer_id, evaluators, from_notes=from_notes)
        status: Literal[Status.QUEUED, Status.SKIPPED] = Status.SKIPPED if reason else Status.QUEUED
        refine = self.auto_refine and from_notes and status is Status.QUEUED
        return EvaluationPlan(status, reason, evaluators, self.judge_model, refine)

    def _evaluators(self, feature: str, *, from_notes: bool, has_notes: bool) -> tuple[str, ...]:
        """The names of what is run; `:model` behind a phase that the judge model does."""
        if from_notes and not has_notes:
            return ()
        checklist = "search_qa" if from_notes else feature
        gate = checklist in self.quality_gate_features and checklist in quality_gate.CHECKLISTS
        deep = ("search_qa", *self.phases) if from_notes else ()
        return ("quality_gate", *deep) if gate else deep

    def _skip_reason(
        self, answer_id: uuid.UUID, evaluators: tuple[str, ...], *, from_notes: bool
    ) -> SkipReason | None:
        if not self.enabled:
            return SkipReason.DISABLED
        if not evaluators:
            return SkipReason.NO_CONTEXT if from_notes else SkipReason.NOT_SEARCH_QA
        if _unit_hash(answer_id) >= self.sample_rate:
            return SkipReason.SAMPLED_OUT
        return None


def _unit_hash(answer_id: uuid.UUID) -> float:
    """A number in [0, 1) that is always the same for the same answer."""
    digest = hashlib.blake2b(answer_id.bytes, digest_size=8).digest()
    return int.from_bytes(digest) / 2**64
