"""The evaluation that follows from the claims of a reply; code does the arithmetic."""

from collections.abc import Iterator, Mapping, Sequence

from app.ai_router.types import Lang
from app.judges.answer import AnswerToJudge
from app.judges.extent import Extent
from app.judges.one_call.claims import NOT_JUDGED, Checked, borne
from app.judges.one_call.reply import Reply
from app.judges.phases.groundedness import AnswerClaim, Verdict
from app.judges.search_qa.verdict import (
    SearchQAEvaluation,
    SourceCoverage,
    confidence_of,
    score_flags,
)

_WORTH: Mapping[Verdict, float] = {"supported": 1.0, "partly": 0.5, "unsupported": 0.0}

# A judge that found nothing to compare has compared nothing.
NOTHING_CLAIMED = "nothing_claimed"

_NO_SUCH_NOTE: Mapping[Lang, str] = {
    "ko": "답변이 없는 노트를 출처로 표시합니다: {number}번",
    "en": "The answer cites a note that does not exist: number {number}",
}


def evaluation_of(
    subject: AnswerToJudge, checked: Checked, replies: Sequence[Reply], extent: Extent
) -> SearchQAEvaluation:
    """replies: one for each part of the answer; the most useful part makes it useful.

    correctness is the mean worth of the claims: 1 supported, .5 partly, 0 unsupported. An answer
    that claims nothing has nothing wrong in it: 1. High confidence needs a claim, each of them
    supported, and no other issue.
    """
    claims = checked.claims
    correctness = sum(_WORTH[claim.verdict] for claim in claims) / len(claims) if claims else 1.0
    utility = max(reply.utility for reply in replies)
    issues = list(_issues(subject, checked, replies))
    flags = [*checked.flags, *([] if claims else [NOTHING_CLAIMED])]
    unjudged = any(flag.startswith((NOT_JUDGED, NOTHING_CLAIMED)) for flag in flags)
    sure = extent.whole and not issues and not unjudged
    return SearchQAEvaluation(
        correctness=correctness,
        utility=utility,
        confidence=confidence_of(correctness, utility, sure=sure),
        source_coverage=list(_coverage(subject, checked, replies)),
        grounding_issues=issues,
        summary="\n".join(summary for reply in replies if (summary := reply.summary.strip())),
        flags=[*score_flags(correctness, issues), *flags],
        extent=extent,
    )


def used_sources(checked: Checked, replies: Sequence[Reply]) -> set[int]:
    """The numbers of the sources that the answer uses: those that bear a claim, and those that
    the model names besides."""
    named = {number for reply in replies for number in reply.used_notes}
    return named | {source for source, _ in borne(checked)}


def _issues(subject: AnswerToJudge, checked: Checked, replies: Sequence[Reply]) -> Iterator[str]:
    for claim in checked.claims:
        if claim.verdict != "supported":
            yield f"{claim.text} ({claim.reasoning})" if claim.reasoning else claim.text
    for reply in replies:
        yield from filter(None, map(str.strip, reply.grounding_issues))
    marked = dict.fromkeys(number for one in checked.sentences for number in one.marks)
    for number in marked:
        if not 1 <= number <= checked.sources.note_count:
            yield _NO_SUCH_NOTE[subject.lang].format(number=number)


def _coverage(
    subject: AnswerToJudge, checked: Checked, replies: Sequence[Reply]
) -> Iterator[SourceCoverage]:
    """Each note with the first claim that it bears, one with a quote before the rest."""
    used = used_sources(checked, replies)
    by_note: dict[int, AnswerClaim] = {}
    for number, claim in borne(checked):
        held = by_note.get(number)
        if held is None or (claim.quote and not held.quote):
            by_note[number] = claim
    for index, title in enumerate(subject.titles, start=1):
        first = by_note.get(index)
        yield SourceCoverage(
            note_index=index,
            note_title=title,
            cited=index in used,
            relevant_claim=first.text if first else "",
            quote=first.quote if first else "",
            quote_found=first.quote_found if first else None,
        )
