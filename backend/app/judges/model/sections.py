"""What the sections of a reply become: the checklist and the phases of a verdict."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from app.ai_router.types import Lang
from app.judges.answer import AnswerToJudge
from app.judges.checklists import CHECKLISTS, QualityResult, quality_result
from app.judges.criteria.criterion import Criterion
from app.judges.judge import Evaluators, phases_by_model, phases_of
from app.judges.model.reply import Checked, Reply, citation_of, supported_claims
from app.judges.phases.completeness import NuggetVerdict, Phase2Result, Support, completeness_of
from app.judges.phases.groundedness import summed_up
from app.judges.phases.next_steps import Phase4Result, evaluate_next_steps
from app.judges.phases.run import FeedbackResult, Phase
from app.judges.prompts.one_call import MAX_NUGGETS, MAX_STEPS, Sections
from app.text.packs.models import DomainPack

# The phase that a section of the reply is for.
PHASE_OF: Mapping[str, Phase] = {"nuggets": "completeness", "next_steps": "next_steps"}


def used_sources(checked: Checked, replies: Sequence[Reply]) -> set[int]:
    """The numbers of the sources that the answer uses: those that bear a claim, and those that
    the model names besides."""
    named = {number for reply in replies for number in reply.used_notes}
    return named | {source for source, _ in supported_claims(checked)}


_BEST_FIRST: Sequence[Support] = ("supported", "partly", "not")


def checklist_of(replies: Sequence[Reply], lang: Lang) -> QualityResult:
    """An item met by one part of a long answer is met."""
    by_item = zip(*(reply.checklist for reply in replies), strict=True)
    ticks = [next((tick for tick in given if tick.passed), given[0]) for given in by_item]
    return quality_result(
        CHECKLISTS["search_qa"][lang], [(tick.passed, tick.reason.strip()) for tick in ticks]
    )


@dataclass(frozen=True, slots=True)
class Feedback:
    """What the phases are made of. replies: one for each part of the answer."""

    pack: DomainPack
    subject: AnswerToJudge
    checked: Checked
    replies: Sequence[Reply]

    def result(self, phases: AbstractSet[Phase]) -> FeedbackResult:
        used = used_sources(self.checked, self.replies)
        phase2 = self._completeness() if "completeness" in phases else None
        missing = phase2.missing_nuggets if phase2 else []
        by_rules = {"next_steps"} if self.pack.next_steps.has_any else set()
        return FeedbackResult(
            phase1=citation_of(self.subject, self.checked, used) if "citation" in phases else None,
            phase2=phase2,
            phase3=summed_up(self.checked.claims, list(self.checked.flags))
            if "groundedness" in phases
            else None,
            phase4=self._next_steps(missing) if "next_steps" in phases else None,
            sources={phase: "rules" if phase in by_rules else "judge" for phase in sorted(phases)},
        )

    @property
    def _most_useful(self) -> Reply:
        return max(self.replies, key=lambda reply: reply.utility)

    def _completeness(self) -> Phase2Result:
        """By the nuggets of the most useful part, each with the best support that a part gives."""
        given = self._most_useful.nuggets
        names = [one.name for one in self.pack.nuggets] or [one.text for one in given][:MAX_NUGGETS]
        support: dict[str, list[Support]] = {name: [] for name in names}
        for reply in self.replies:
            texts = names if self.pack.nuggets else [one.text for one in reply.nuggets]
            for name, one in zip(texts, reply.nuggets, strict=False):
                if name in support:
                    support[name].append(one.support)
        return completeness_of(
            [
                NuggetVerdict(name, "vital", min(found, key=_BEST_FIRST.index), "judge")
                for name, found in support.items()
            ]
        )

    def _next_steps(self, missing: Sequence[str]) -> Phase4Result:
        if self.pack.next_steps.has_any:
            return evaluate_next_steps(self.pack.next_steps, self.subject, missing)
        steps = self._most_useful.next_steps
        return Phase4Result(
            suggested_queries=steps.suggested_queries[:MAX_STEPS],
            action_items=steps.action_items[:MAX_STEPS],
            urgency=steps.urgency,
        )


def sections_of(
    evaluators: Evaluators, pack: DomainPack, lang: Lang, criteria: Sequence[Criterion] = ()
) -> Sections:
    """What the evaluators want of the one call. Phases that they give a call of their own
    (`:model`) are no part of it. criteria: those for the answer; of them the model is asked those
    of its kind."""
    phases = phases_of(evaluators) - phases_by_model(evaluators)
    return Sections(
        checklist=CHECKLISTS["search_qa"][lang].items if "quality_gate" in evaluators else (),
        nuggets=tuple(one.name for one in pack.nuggets) if "completeness" in phases else None,
        next_steps="next_steps" in phases and not pack.next_steps.has_any,
        criteria=tuple(each for each in criteria if each.kind == "model"),
    )
