"""Judges answers by rules: no network, no key, the same verdict for the same input.

It aligns each claim with the sentences of the notes that carry it and compares what stands
there: values, names, roles, negation, order, causes and citation marks. A learned head weighs
what is found. A true paraphrase in other words looks less grounded to it than it is.
"""

from collections.abc import Sequence

from app.ai_router.types import ModelName
from app.judges.answer import AnswerToJudge
from app.judges.extent import Extent
from app.judges.rules import grounding, wording
from app.judges.rules.material import Material, read
from app.judges.rules.utility import speaks_another_language, utility
from app.judges.search_qa.verdict import (
    SearchQAEvaluation,
    SourceCoverage,
    confidence_of,
    score_flags,
)

RULES_MODEL = ModelName("offline", "rules")
RULES_VERSION = "rules-3"

OFF_TOPIC = 0.5


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
    issues = grounding.issues(weighed, correct, material, lang)
    parts = _summary_parts(material, useful, issues)
    bad = len(issues)
    if not material.comparable:
        issues.append(wording.INCOMPARABLE[lang])
    # In a long answer one refuted sentence hardly moves the score, but it is there to be seen.
    sure = material.extent.whole and not any(one.is_telling for one in weighed)
    return SearchQAEvaluation(
        correctness=correct,
        utility=useful,
        confidence=confidence_of(correct, useful, sure=sure),
        source_coverage=grounding.source_coverage(material, subject.titles, weighed),
        grounding_issues=issues,
        summary=wording.summary(parts, lang, total=len(weighed), bad=bad),
        flags=list(score_flags(correct, issues)),
        extent=material.extent,
    )


def _summary_parts(material: Material, useful: float, issues: Sequence[str]) -> list[str]:
    if all(sentence.refusal for sentence in material.sentences) and not issues:
        return ["refusal"]
    unspoilt = "grounded" if material.comparable else "incomparable"
    parts = ["issues" if issues else unspoilt]
    if speaks_another_language(material):
        parts.append("other_language")
    elif useful < OFF_TOPIC:
        parts.append("off_topic")
    return parts


def empty_verdict(subject: AnswerToJudge, extent: Extent) -> SearchQAEvaluation:
    """An empty answer claims nothing, so it is neither right nor useful."""
    return SearchQAEvaluation(
        correctness=0.0,
        utility=0.0,
        confidence="low",
        source_coverage=[
            SourceCoverage(note_index=index, note_title=title, cited=False, relevant_claim="")
            for index, title in enumerate(subject.titles, start=1)
        ],
        grounding_issues=[wording.EMPTY[subject.lang]],
        summary=wording.EMPTY[subject.lang],
        extent=extent,
    )
