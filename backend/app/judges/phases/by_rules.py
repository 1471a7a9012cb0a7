"""The phases by rules, as one call of a child process."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from app.judges.phases.citation import cite
from app.judges.phases.completeness import evaluate_completeness
from app.judges.phases.feedback import FeedbackResult, Phase
from app.judges.phases.groundedness import evaluate_groundedness
from app.judges.phases.next_steps import evaluate_next_steps
from app.judges.phases.reading import Reading
from app.packs.models import DomainPack


def run_phases(
    pack: DomainPack, phases: AbstractSet[Phase], reading: Reading, missing: Sequence[str] = ()
) -> FeedbackResult:
    """Blocks for some milliseconds. missing: the nuggets that phase 4 offers to look for when
    phase 2 is not among `phases`, because a model has done it."""
    phase2 = phase4 = None
    if "completeness" in phases:
        phase2 = evaluate_completeness(reading.subject.answer, pack.nuggets)
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
