"""What JudgeByRules has done in child processes: all evaluators of a claim, or one of them."""

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
from app.verdicts.lifecycle.outcome import Claim


@dataclass(frozen=True, slots=True)
class RulesVerdict:
    """Each part where the claim asks for it."""

    evaluation: SearchQAEvaluation | None
    quality: QualityResult | None
    phases: PhasesByRules | None


def judge_claim(pack: DomainPack, claim: Claim) -> RulesVerdict:
    """Everything that the claim asks for. The analysis of the texts is shared where all parts
    read the same."""
    reading = _reading(claim)
    material = reading.material if _shared(reading) else None
    evaluation = quality = found = None
    if "search_qa" in claim.evaluators and any(note.strip() for note in claim.note_contents):
        evaluation = judge(
            claim.question,
            claim.note_contents,
            claim.note_titles,
            claim.answer,
            claim.lang,
            material,
        )
    if "quality_gate" in claim.evaluators:
        quality = tick(claim, material)
    if phases(claim):
        found = run_phases(pack, phases(claim), reading, claim.lang)
    return RulesVerdict(evaluation, quality, found)


def tick(claim: Claim, material: Material | None = None) -> QualityResult | None:
    """The checklist alone; None when there is none for the feature."""
    return checks.check(
        checklist_of(claim),
        claim.question,
        claim.answer,
        claim.lang,
        claim.note_titles,
        claim.note_contents,
        material,
    )


def review(pack: DomainPack, claim: Claim) -> PhasesByRules:
    """The phases alone."""
    return run_phases(pack, phases(claim), _reading(claim), claim.lang)


def _reading(claim: Claim) -> Reading:
    return read(
        claim.question,
        claim.answer,
        claim.passages,
        claim.note_contents,
        claim.note_titles,
        claim.lang,
    )


def _shared(reading: Reading) -> bool:
    """Whether verdict, checklist and phases read the same texts: not when evidence is of no note,
    or no note has a text."""
    return not reading.sources.empty and len(reading.sources.texts) <= reading.sources.note_count
