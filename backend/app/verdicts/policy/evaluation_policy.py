"""What is judged, by whom, and why not."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Any, Literal, Self

from app.judges import checklists as quality_gate
from app.judges.answer_parts import parts_needed
from app.judges.criteria.criterion import with_criteria
from app.judges.judge_names import BY_MODEL, RULES_MODEL, is_detector, takes_prompts
from app.judges.local.judge import LOCAL_VERSION
from app.judges.prompts import phases
from app.judges.prompts.one_call import HISTORY_VERSION
from app.judges.rules.judge import RULES_VERSION
from app.judges.verdict_prompts import (
    DEFAULT_PROMPT,
    VERDICT_PROMPTS,
    in_place_of,
    is_known,
    is_of_workspace,
)
from app.platform.ids import unit_hash
from app.platform.settings import Settings
from app.verdicts.answers.finished import FinishedAnswer
from app.verdicts.policy.cascade import CascadeCalibration
from app.verdicts.policy.document import WorkspacePolicy, server_policy
from app.verdicts.policy.judge_prices import JudgePrices
from app.verdicts.status import SkipReason, Status


def filtered(only: WorkspacePolicy, answer: FinishedAnswer, chars: int) -> SkipReason | None:
    """Why the filters of a policy leave an answer of so many characters out; None where they do
    not."""
    if only.features is not None and answer.feature not in only.features:
        return SkipReason.FILTERED_FEATURE
    if only.languages is not None and answer.lang not in only.languages:
        return SkipReason.FILTERED_LANGUAGE
    if chars < (only.min_answer_chars or 0):
        return SkipReason.FILTERED_LENGTH
    if only.max_answer_chars is not None and chars > only.max_answer_chars:
        return SkipReason.FILTERED_LENGTH
    # Those of a row that was read as JSON are texts.
    if only.notebook_ids is not None and str(answer.notebook_id) not in map(str, only.notebook_ids):
        return SkipReason.FILTERED_NOTEBOOK
    return None


def text_bytes(answer: FinishedAnswer) -> int:
    """Of question, answer, notes and history together, in UTF-8."""
    turns = (text for turn in answer.history or () for text in (turn.question, turn.answer))
    notes = (source.content for source in answer.sources)
    texts = (answer.question, answer.answer, *notes, *turns)
    return sum(len(text.encode()) for text in texts)


_PROMPT_VERSIONS = {
    "quality_gate": phases.CHECKLIST_VERSION,
    "completeness:model": phases.NUGGETS_VERSION,
    "groundedness:model": phases.CLAIMS_VERSION,
    "next_steps:model": phases.NEXT_STEPS_VERSION,
}

_OTHER_PROMPTS = frozenset(VERDICT_PROMPTS) - {DEFAULT_PROMPT}


def _unusual(judge_prompt: str | None) -> str | None:
    shipped = judge_prompt and in_place_of(judge_prompt)
    return shipped if shipped in _OTHER_PROMPTS or is_of_workspace(shipped) else None


def prompt_version(
    judge_model: str,
    evaluators: Sequence[str],
    judge_prompt: str | None = None,
    *,
    history: bool = False,
) -> str:
    """The versions that made a verdict: of the rules, of detectors, or of each evaluator's prompt.
    judge_prompt: the requested version of the verdict's own prompt, None for the default. history:
    whether the answer has turns before it, which the verdict's prompt shows."""
    return _prompt_version(judge_model, tuple(evaluators), judge_prompt, history)


@lru_cache(maxsize=256)
def _prompt_version(
    judge_model: str, evaluators: tuple[str, ...], judge_prompt: str | None, history: bool
) -> str:
    if is_detector(judge_model) and "search_qa" in evaluators:
        return LOCAL_VERSION
    shipped = in_place_of(judge_prompt or DEFAULT_PROMPT)
    verdict = shipped if is_known(shipped) else DEFAULT_PROMPT
    versions = _PROMPT_VERSIONS | {"search_qa": verdict}
    if "search_qa" in evaluators:
        del versions["quality_gate"]  # which is ticked in the same call
    asked = [versions[name] for name in evaluators if name in versions]
    if not takes_prompts(judge_model) or not asked:
        return RULES_VERSION
    shows_history = history and "search_qa" in evaluators
    return "+".join([*asked, *([HISTORY_VERSION] if shows_history else [])])


@dataclass(frozen=True, slots=True)
class EvaluationPlan:
    """The row that a finished answer gets: `queued`, or `skipped` with its reason.

    judge_key names evaluators, model and prompt version: the same answer judged again with
    any of them changed is another verdict. policy_version: of the workspace, 0 without one.
    cost_estimate_usd: see JudgePrices. cascade: the judges that are asked in turn, `judge_model`
    the last of them, and what each may cost; empty where it judges alone.
    """

    status: Literal[Status.QUEUED, Status.SKIPPED]
    reason: SkipReason | None
    evaluators: tuple[str, ...]
    judge_model: str
    auto_refine: bool = False
    judge_prompt: str | None = None
    policy_version: int = 0
    cost_estimate_usd: Decimal | None = None
    cascade: tuple[str, ...] = ()
    cascade_costs: tuple[Decimal | None, ...] = ()

    @property
    def first_judge(self) -> str:
        """Who is asked first."""
        return self.cascade[0] if self.cascade else self.judge_model

    @property
    def judge_key(self) -> str:
        if not self.evaluators:
            return "none"
        version = prompt_version(self.judge_model, self.evaluators, self.judge_prompt)
        return f"{'+'.join(self.evaluators)}/{self.judge_model}/{version}"


@dataclass(frozen=True, slots=True)
class EvaluationPolicy:
    """What holds for one workspace: the server's settings, and its own over them.

    judge_prompt: None for the usual one, also where the one that was chosen is there no more.
    criteria: references of the workspace's own.
    """

    enabled: bool
    sample_rate: float
    quality_gate_features: frozenset[str]
    phases: tuple[str, ...]
    judge_model: str
    judge_prompt: str | None
    auto_refine: bool
    prices: JudgePrices
    document: WorkspacePolicy
    version: int = 0
    cascade_calibration: CascadeCalibration | None = None
    criteria: tuple[str, ...] = ()

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        """The server's, for workspaces without a policy."""
        return cls._from_document(server_policy(settings), 0, JudgePrices(settings))

    @classmethod
    def _from_document(cls, holds: WorkspacePolicy, version: int, prices: JudgePrices) -> Self:
        assert holds.enabled is not None
        assert holds.sample_rate is not None
        assert holds.judge_model is not None
        return cls(
            enabled=holds.enabled,
            sample_rate=holds.sample_rate,
            quality_gate_features=frozenset(holds.quality_gate_features or ())
            if holds.quality_gate
            else frozenset(),
            phases=tuple(holds.phases or ()),
            judge_model=holds.judge_model,
            judge_prompt=_unusual(holds.judge_prompt),
            auto_refine=bool(holds.auto_refine),
            prices=prices,
            document=holds,
            version=version,
        )

    @property
    def _chain(self) -> tuple[str, ...]:
        """The judge of the policy, then its fallback models."""
        return (self.judge_model, *(self.document.fallback_models or ()))

    @property
    def judges(self) -> tuple[str, ...]:
        """The judges of the policy: its own, its fallback models, its cascade's and its jury's."""
        several = (*(self.document.cascade or ()), *(self.document.jury or ()))
        return tuple(dict.fromkeys((*self._chain, *several)))

    def versions_of(self, judges: Sequence[str]) -> tuple[str, ...]:
        """The prompt versions by which these judge answers from notes now."""
        evaluators = self._evaluators("search_qa", from_notes=True, has_notes=True)
        return tuple(prompt_version(each, evaluators, self.judge_prompt) for each in judges)

    @property
    def judge_versions(self) -> frozenset[tuple[str, str]]:
        """The judges with the prompt versions by which they judge answers from notes now."""
        return frozenset(zip(self.judges, self.versions_of(self.judges), strict=True))

    @property
    def active_cascade(self) -> tuple[str, ...]:
        """The judges that answers from notes are judged by in turn now: the jury, or those of a
        cascade whose calibration is for the judges and prompts of now."""
        jury = self.document.jury or ()
        if jury and jury[-1] == self.judge_model:
            return tuple(jury)
        found, judges = self.cascade_calibration, self.document.cascade or ()
        if found is None or not found.steps or not judges or judges[-1] != self.judge_model:
            return ()
        return found.active if found.holds(judges, self.versions_of(judges)) else ()

    def with_workspace(self, row: Mapping[str, Any] | None) -> "EvaluationPolicy":
        """This policy with the settings that the row of a workspace overrides."""
        if row is None:
            return self
        own = WorkspacePolicy.from_row(row)
        holds = self._from_document(own.with_defaults(self.document), row["version"], self.prices)
        return replace(
            holds,
            cascade_calibration=CascadeCalibration.from_row(row),
            criteria=tuple(row["criteria"] or ()),
        )

    def plan_answer(self, answer_id: uuid.UUID, answer: FinishedAnswer) -> EvaluationPlan:
        """The row of an answer that was just finished."""
        return self.plan(
            answer_id,
            feature=answer.feature,
            from_notes=answer.from_notes,
            has_notes=any(source.content.strip() for source in answer.sources),
            filtered=filtered(self.document, answer, len(answer.answer)),
            text_bytes=text_bytes(answer),
            parts=parts_needed(len(answer.answer)),
        )

    def plan(
        self,
        answer_id: uuid.UUID,
        *,
        feature: str,
        from_notes: bool,
        has_notes: bool,
        filtered: SkipReason | None = None,
        text_bytes: int = 0,
        parts: int = 1,
    ) -> EvaluationPlan:
        """from_notes: the answer was meant to come from notes; has_notes: it was given some.
        filtered: why the workspace's filters leave the answer out. text_bytes, parts: see
        JudgePrices."""
        evaluators = self._evaluators(feature, from_notes=from_notes, has_notes=has_notes)
        # The checklist of an answer without notes is worth no call unless the policy says so.
        by_model = from_notes or feature + BY_MODEL in self.quality_gate_features
        judge_model = self.judge_model if by_model else RULES_MODEL
        reason = self._skip_reason(answer_id, evaluators, filtered, from_notes=from_notes)
        if reason:
            return EvaluationPlan(
                Status.SKIPPED, reason, evaluators, judge_model, policy_version=self.version
            )

        def estimate(*judges: str) -> Decimal | None:
            return self.prices.estimate(judges, evaluators, text_bytes, self.judge_prompt, parts)

        # What the dearest of the chain may cost, of whom any may have to judge.
        last = estimate(*(self._chain if by_model else (RULES_MODEL,)))
        cascade = self.active_cascade if "search_qa" in evaluators else ()
        costs = (*map(estimate, cascade[:-1]), last)
        return EvaluationPlan(
            Status.QUEUED,
            None,
            evaluators,
            judge_model,
            auto_refine=from_notes and self._refines(feature),
            judge_prompt=None if judge_model == RULES_MODEL else self.judge_prompt,
            policy_version=self.version,
            cost_estimate_usd=costs[0],
            cascade=cascade,
            cascade_costs=costs if cascade else (),
        )

    def _evaluators(self, feature: str, *, from_notes: bool, has_notes: bool) -> tuple[str, ...]:
        """The names of what is run; `:model` behind a phase that the judge model does."""
        if from_notes and not has_notes:
            return ()
        checklist = "search_qa" if from_notes else feature
        wanted = {checklist, checklist + BY_MODEL} & self.quality_gate_features
        gate = bool(wanted) and checklist in quality_gate.CHECKLISTS
        deep = ("search_qa", *self.phases) if from_notes else ()
        return with_criteria(("quality_gate", *deep) if gate else deep, self.criteria)

    def _refines(self, feature: str) -> bool:
        named = self.document.auto_refine_features
        return self.auto_refine and (named is None or feature in named)

    def _skip_reason(
        self,
        answer_id: uuid.UUID,
        evaluators: tuple[str, ...],
        filtered: SkipReason | None,
        *,
        from_notes: bool,
    ) -> SkipReason | None:
        if not self.enabled:
            return SkipReason.DISABLED
        if not evaluators:
            return SkipReason.NO_CONTEXT if from_notes else SkipReason.NOT_SEARCH_QA
        if filtered:
            return filtered
        if unit_hash(answer_id.bytes) >= self.sample_rate:
            return SkipReason.SAMPLED_OUT
        return None
