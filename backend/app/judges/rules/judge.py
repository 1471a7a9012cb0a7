"""The verdict of the rules on an answer."""

from collections.abc import Mapping, Sequence

from app.ai_router.types import ModelName
from app.judges.answer import (
    HIGH_UTILITY,
    AnswerToJudge,
    Confidence,
    Extent,
    Outcome,
    SearchQAEvaluation,
    SourceCoverage,
    confidence_of,
    score_flags,
)
from app.judges.rules import weigh as grounding
from app.judges.rules import wording
from app.judges.rules.read import Material, read
from app.judges.rules.utility import (
    MISSING_FACTOR,
    answer_in_notes,
    lacks_what_was_asked,
    speaks_another_language,
    utility,
)

RULES_MODEL = ModelName("offline", "rules")
RULES_VERSION = "rules-4"

OFF_TOPIC = 0.5
_OUTCOMES: Mapping[Confidence, Outcome] = {
    "high": "matches",
    "medium": "undecided",
    "low": "mismatch",
}
# Of an answer that says that the notes do not say: correctness, 0 to 1, confidence and outcome,
# where they do not, where they do, and where they may.
_OF_REFUSALS: Mapping[str, tuple[float, Confidence, Outcome]] = {
    "refusal": (1.0, "medium", "rightly_refused"),
    "false_refusal": (0.2, "low", "falsely_refused"),
    "doubtful_refusal": (0.6, "medium", "undecided"),
}


def judge(subject: AnswerToJudge, material: Material | None = None) -> SearchQAEvaluation:
    """The verdict of the rules. Blocks for some milliseconds, less with the `material` that an
    earlier analysis of these texts gave."""
    material = material or read(subject)
    lang = subject.lang
    if not material.sentences:
        return empty_verdict(subject, material.extent)
    weighed = grounding.weigh(material)
    correct = grounding.correctness(weighed, material)
    useful = utility(material)
    beside = all(one.is_beside_the_question for one in weighed if not one.sentence.refusal)
    if beside:
        useful = round(useful * MISSING_FACTOR, 4)
    if is_refused(material):
        return refusal_verdict(subject, material, weighed)
    issues = grounding.issues(weighed, correct, material, lang)
    confidence = confidence_of(correct, useful, sure=material.extent.whole)
    bad = len(issues)
    if not material.comparable:
        issues.append(wording.INCOMPARABLE[lang])
    parts = _summary_parts(confidence, material, useful, weighed)
    if useful < HIGH_UTILITY and not speaks_another_language(material):
        parts.append("off_topic" if beside or lacks_what_was_asked(material) else "unlike_question")
    return SearchQAEvaluation(
        correctness=correct,
        utility=useful,
        confidence=confidence,
        outcome=_OUTCOMES[confidence],
        source_coverage=grounding.source_coverage(material, subject.titles, weighed),
        grounding_issues=issues,
        summary=wording.summary(parts, lang, total=len(weighed), bad=bad),
        flags=list(score_flags(correct, issues)),
        extent=material.extent,
    )


def is_refused(material: Material) -> bool:
    """Whether the answer only says that the notes do not say."""
    return all(sentence.refusal for sentence in material.sentences)


def refusal_verdict(
    subject: AnswerToJudge, material: Material, weighed: Sequence[grounding.Weighed]
) -> SearchQAEvaluation:
    """A refusal is right unless a sentence of the notes answers the question; where one may, rules
    cannot tell."""
    answer, sure = answer_in_notes(material)
    issues = []
    if answer is not None:
        issues = [wording.answered_text(answer.text, subject.lang, sure=sure)]
    part = "refusal" if answer is None else "false_refusal" if sure else "doubtful_refusal"
    correct, confidence, outcome = _OF_REFUSALS[part]
    return SearchQAEvaluation(
        correctness=correct,
        utility=utility(material),
        confidence=confidence,
        outcome=outcome,
        source_coverage=grounding.source_coverage(material, subject.titles, weighed),
        grounding_issues=issues,
        summary=wording.summary([part], subject.lang, total=len(weighed), bad=len(issues)),
        extent=material.extent,
    )


def _summary_parts(
    confidence: Confidence,
    material: Material,
    useful: float,
    weighed: Sequence[grounding.Weighed],
) -> list[str]:
    """What the summary says: that the answer matches or differs, or why rules cannot tell."""
    if confidence == "high":
        return ["grounded"]
    if confidence == "low":
        parts = ["issues"]
    elif not material.comparable:
        parts = ["incomparable"]
    elif any("unconfirmed" in one.found for one in weighed):
        parts = ["unconfirmed"]
    elif any(one.is_issue for one in weighed):
        parts = ["doubtful"]
    elif not material.extent.whole:
        parts = ["too_long"]
    elif useful >= HIGH_UTILITY:
        parts = ["reworded"]
    else:
        parts = []
    if speaks_another_language(material):
        parts.append("other_language")
    return parts


def empty_verdict(subject: AnswerToJudge, extent: Extent) -> SearchQAEvaluation:
    """An empty answer claims nothing, so it is neither right nor useful."""
    return SearchQAEvaluation(
        correctness=0.0,
        utility=0.0,
        confidence="low",
        outcome="mismatch",
        source_coverage=[
            SourceCoverage(note_index=index, note_title=title, cited=False, relevant_claim="")
            for index, title in enumerate(subject.titles, start=1)
        ],
        grounding_issues=[wording.EMPTY[subject.lang]],
        summary=wording.EMPTY[subject.lang],
        extent=extent,
    )
