"""What JudgeByRules has done in child processes: all evaluators of a lease, or one of them."""

from dataclasses import dataclass

from app.judges.phases.by_rules import PhasesByRules, run_phases
from app.judges.phases.sources import Reading, read
from app.judges.quality_gate import QualityResult
from app.judges.rules import checks
from app.judges.rules.judge import judge
from app.judges.rules.material import Material
from app.judges.search_qa.evaluator import SearchQAEvaluation
from app.packs.models import DomainPack
from app.verdicts.judging.evaluators import checklist_of, phases
from app.verdicts.lifecycle.outcome import Lease


@dataclass(frozen=True, slots=True)
class RulesVerdict:
    """Each part where the lease asks for it."""

    evaluation: SearchQAEvaluation | None
    quality: QualityResult | None
    phases: PhasesByRules | None


def judge_lease(pack: DomainPack, lease: Lease) -> RulesVerdict:
    """Everything that the lease asks for. The analysis of the texts is shared where all parts
    read the same."""
    reading = _reading(lease)
    material = reading.material if _shared(reading) else None
    evaluation = quality = found = None
    if "search_qa" in lease.evaluators and any(note.strip() for note in lease.note_contents):
        evaluation = judge(
            lease.question,
            lease.note_contents,
            lease.note_titles,
            lease.answer,
            lease.lang,
            material,
        )
    if "quality_gate" in lease.evaluators:
        quality = tick(lease, material)
    if phases(lease):
        found = run_phases(pack, phases(lease), reading, lease.lang)
    return RulesVerdict(evaluation, quality, found)


def tick(lease: Lease, material: Material | None = None) -> QualityResult | None:
    """The checklist alone; None when there is none for the feature."""
    return checks.check(
        checklist_of(lease),
        lease.question,
        lease.answer,
        lease.lang,
        lease.note_titles,
        lease.note_contents,
        material,
    )


def review(pack: DomainPack, lease: Lease) -> PhasesByRules:
    """The phases alone."""
    return run_phases(pack, phases(lease), _reading(lease), lease.lang)


def _reading(lease: Lease) -> Reading:
    return read(
        lease.question,
        lease.answer,
        lease.passages,
        lease.note_contents,
        lease.note_titles,
        lease.lang,
    )


def _shared(reading: Reading) -> bool:
    """Whether verdict, checklist and phases read the same texts: not when evidence is of no note,
    or no note has a text."""
    return not reading.sources.empty and len(reading.sources.texts) <= reading.sources.note_count
