"""The phases by rules, as one call of a child process."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from app.judges.phases.asked_nuggets import completeness_of_question
from app.judges.phases.citation import cite
from app.judges.phases.completeness import Phase2Result, evaluate_completeness
from app.judges.phases.feedback import FeedbackResult, Phase
from app.judges.phases.groundedness import evaluate_groundedness
from app.judges.phases.next_steps import evaluate_next_steps
from app.judges.phases.reading import Reading
from app.text.packs.models import DomainPack


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
