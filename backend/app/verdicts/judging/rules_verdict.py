"""What RulesJudge has done in child processes: the evaluators of one answer by rules, and what
a detector needs of them."""

from time import perf_counter

from app.judges.answer import AnswerToJudge
from app.judges.judge import Evaluators, Judgement, for_checklist, phases_of
from app.judges.local.detector import Draft, draft_of
from app.judges.phases.reading import Reading
from app.judges.phases.run import run_phases
from app.judges.rules.checklist import check
from app.judges.rules.judge import judge
from app.text.packs.models import DomainPack

_BY_DETECTOR = frozenset({"search_qa", "groundedness", "groundedness:model"})


def judge_by_rules(pack: DomainPack, subject: AnswerToJudge, evaluators: Evaluators) -> Judgement:
    """Blocks. The analysis of the texts is shared where all evaluators read the same."""
    reading, phases = Reading(subject), phases_of(evaluators)
    verdict, checklist = "search_qa" in evaluators, "quality_gate" in evaluators
    material = reading.material if (verdict or checklist) and _shared(reading) else None
    return Judgement(
        judge(subject, material) if verdict and subject.has_notes else None,
        check(for_checklist(subject, evaluators), material) if checklist else None,
        run_phases(pack, phases, reading) if phases else None,
    )


def time_judge_by_rules(
    pack: DomainPack, subject: AnswerToJudge, evaluators: Evaluators
) -> tuple[Judgement, float]:
    """With the milliseconds that it took. Blocks."""
    start = perf_counter()
    return judge_by_rules(pack, subject, evaluators), (perf_counter() - start) * 1000


def draft_for_detector(
    pack: DomainPack, subject: AnswerToJudge, evaluators: Evaluators
) -> tuple[Draft, Judgement]:
    """The answer as a detector reads it, and what rules say beside it: checklist and phases, but
    for the claims. Blocks."""
    beside = tuple(name for name in evaluators if name not in _BY_DETECTOR)
    return draft_of(subject), judge_by_rules(pack, subject, beside)


def _shared(reading: Reading) -> bool:
    """Whether verdict, checklist and phases read the same texts: not when evidence is of no note,
    or no note has a text."""
    return not reading.sources.empty and len(reading.sources.texts) <= reading.sources.note_count
