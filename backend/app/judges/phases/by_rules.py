"""The phases by rules, as one call of a child process."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from app.judges.phases.citation import Phase1Result, cite
from app.judges.phases.completeness import Phase2Result, evaluate_completeness
from app.judges.phases.groundedness import Phase3Result, evaluate_groundedness
from app.judges.phases.next_steps import Phase4Result, evaluate_next_steps
from app.judges.phases.sources import Reading
from app.packs.models import DomainPack
from app.text.language import Lang


@dataclass(frozen=True, slots=True)
class PhasesByRules:
    """The results of the phases that were asked for; the others are None."""

    phase1: Phase1Result | None = None
    phase2: Phase2Result | None = None
    phase3: Phase3Result | None = None
    phase4: Phase4Result | None = None


def run_phases(
    pack: DomainPack,
    phases: AbstractSet[str],
    reading: Reading,
    lang: Lang,
    missing: Sequence[str] = (),
) -> PhasesByRules:
    """Blocks for some milliseconds. missing: the nuggets that phase 4 offers to look for when
    phase 2 is not among `phases`, because a model has done it."""
    phase2 = phase4 = None
    if "completeness" in phases:
        phase2 = evaluate_completeness(reading.answer, pack.nuggets)
        missing = phase2.missing_nuggets
    if "next_steps" in phases:
        phase4 = evaluate_next_steps(
            pack.next_steps, reading.query, reading.answer, reading.evidence, missing, lang
        )
    return PhasesByRules(
        phase1=cite(reading) if "citation" in phases else None,
        phase2=phase2,
        phase3=evaluate_groundedness(reading, lang) if "groundedness" in phases else None,
        phase4=phase4,
    )
