"""One verdict from those on the parts of a long answer.

correctness is the lowest of the parts: a mean would let an invented part drown in the very length
that made the parts necessary. utility is the highest: whatever part replies to the question, the
answer holds that reply. Issues of all parts count, each with its place.
"""

from collections.abc import Iterator, Mapping, Sequence

from app.ai_router.types import Lang
from app.judges.answer_parts import AnswerPart
from app.judges.extent import Extent
from app.judges.search_qa.verdict import (
    CLAIMS_LIMIT,
    SearchQAEvaluation,
    SourceCoverage,
    confidence_of,
    score_flags,
)

_PLACE: Mapping[Lang, str] = {
    "ko": "[답변 {start:,}~{end:,}자] {text}",
    "en": "[characters {start:,}–{end:,}] {text}",
}


def verdict_of_parts(
    parts: Sequence[AnswerPart], verdicts: Sequence[SearchQAEvaluation], extent: Extent, lang: Lang
) -> SearchQAEvaluation:
    """The verdict on the whole answer. verdicts: one for each part, over the same notes."""
    verdict = verdicts[0] if len(verdicts) == 1 else _united(parts, verdicts, lang)
    sure = extent.whole and CLAIMS_LIMIT not in verdict.flags
    confidence = confidence_of(verdict.correctness, verdict.utility, sure=sure)
    return verdict.model_copy(update={"confidence": confidence, "extent": extent})


def _united(
    parts: Sequence[AnswerPart], verdicts: Sequence[SearchQAEvaluation], lang: Lang
) -> SearchQAEvaluation:
    correctness = min(verdict.correctness for verdict in verdicts)
    utility = max(verdict.utility for verdict in verdicts)
    placed = list(zip(parts, verdicts, strict=True))
    issues = [_placed(part, i, lang) for part, one in placed for i in one.grounding_issues]
    flags = [flag for one in verdicts for flag in one.flags if flag not in set(score_flags(0, []))]
    return SearchQAEvaluation(
        correctness=correctness,
        utility=utility,
        confidence=confidence_of(correctness, utility),
        source_coverage=list(_sources(verdicts)),
        grounding_issues=issues,
        summary="\n".join(_placed(part, one.summary, lang) for part, one in placed),
        flags=list(dict.fromkeys([*score_flags(correctness, issues), *flags])),
    )


def _placed(part: AnswerPart, text: str, lang: Lang) -> str:
    return _PLACE[lang].format(start=part.start + 1, end=part.end, text=text)


def _sources(verdicts: Sequence[SearchQAEvaluation]) -> Iterator[SourceCoverage]:
    """Each note from the part with most evidence of it: with a quote that was found, with
    another one, cited; the first of equals."""
    for of_parts in zip(*(verdict.source_coverage for verdict in verdicts), strict=True):
        yield max(of_parts, key=lambda one: (one.cited, bool(one.quote_found), bool(one.quote)))
