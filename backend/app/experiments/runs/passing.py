"""Whether the answer to a case with notes of its own is as expected."""

from app.experiments.models import EvalTestCase
from app.experiments.runs.diagnosis import HIGH_FROM
from app.judges.answer import AnswerToJudge
from app.judges.published.llm_judge import JudgeScore
from app.judges.rules.judge import is_refused, judge
from app.judges.rules.read import read
from app.platform.processes.pool import QUICK_LIMITS, quick_lane
from app.text.language import lang_of


async def passes(case: EvalTestCase, answer: str, faithful: JudgeScore) -> bool | None:
    """A refusal passes where one is expected, and nowhere else. Another answer fails where rules
    find that it contradicts the reference answer; else it passes from a faithfulness of HIGH_FROM
    on, or where it matches the reference. None where the case has no notes, or nobody can tell."""
    if not case.notes:
        return None
    lang, reference = lang_of(case.lang), case.reference_answer
    subject = AnswerToJudge.from_texts(case.question, answer, [reference or ""], lang=lang)
    refused, matches = await quick_lane().run(QUICK_LIMITS, _compare, subject)
    if refused or case.expects_refusal:
        return refused and case.expects_refusal
    if matches is False:
        return False
    if faithful.parsed and (faithful.evaluation is None or faithful.evaluation.decided):
        return faithful.score >= HIGH_FROM
    return matches


def _compare(subject: AnswerToJudge) -> tuple[bool, bool | None]:
    """Whether the answer only refuses, and whether it matches its one note, the reference; None
    where there is none or rules cannot tell. Blocks."""
    material = read(subject)
    if not material.sentences:
        return False, None
    if is_refused(material) or not subject.has_notes:
        return is_refused(material), None
    outcome = judge(subject, material).outcome
    return False, None if outcome == "undecided" else outcome == "matches"
