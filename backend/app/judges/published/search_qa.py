"""Asks a model for a verdict by the first prompt, for the published evaluator.

From the parts of a long answer, correctness is the lowest: a mean would let an invented part drown
in the very length that made the parts necessary. utility is the highest: whatever part replies to
the question, the answer holds that reply. Issues of all parts count, each with its place.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence

from app.ai_router.types import ChatRouter, Lang
from app.judges.answer import (
    CLAIMS_LIMIT,
    AnswerToJudge,
    Extent,
    SearchQAEvaluation,
    SourceCoverage,
    confidence_of,
    score_flags,
)
from app.judges.answer_parts import AnswerPart, answer_parts, judged_chars
from app.judges.model.ask_judge import (
    JudgeReply,
    JudgeText,
    Score,
    all_of,
    ask_judge,
    output_schema,
    parse_reply,
)
from app.judges.prompts.search_qa_eval import NOTES_BUDGET, build_messages
from app.judges.quotes import quote_found
from app.platform.errors import MalformedOutput

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


MAX_TOKENS = 768


class _Coverage(JudgeReply):
    note_index: int
    cited: bool
    relevant_claim: JudgeText
    quote: JudgeText = ""


class _Verdict(JudgeReply):
    grounding_issues: list[JudgeText]
    source_coverage: list[_Coverage]
    summary: JudgeText
    correctness: Score
    utility: Score


OUTPUT = output_schema("search_qa_evaluation", _Verdict)


class SearchQAJudge:
    """Judges answers from notes with the model behind `router`.

    fence_key: 1 to 64 secret bytes for the nonces around untrusted text; random when left
    out. Give every process the same key where a repeated evaluation must send an equal
    request.
    """

    def __init__(self, router: ChatRouter, *, fence_key: bytes | None = None) -> None:
        self._router = router
        self._fence_key = fence_key or secrets.token_bytes(32)

    async def judge(self, subject: AnswerToJudge) -> SearchQAEvaluation | None:
        """The verdict, or None when there is no note to judge by. A long answer is judged in
        parts at the same time (`answer_parts`).

        Raises MalformedOutput when the model fails twice to reply as asked, and any other
        ProviderError of the router.
        """
        if not subject.has_notes:
            return None
        parts = answer_parts(subject.answer)
        verdicts = await all_of(self._judge_part(subject, part) for part in parts)
        extent = Extent.measure(
            subject.answer,
            subject.contents,
            judged_answer_chars=judged_chars(subject.answer, parts),
            notes_budget=NOTES_BUDGET,
        )
        return verdict_of_parts(parts, verdicts, extent, subject.lang)

    async def _judge_part(self, subject: AnswerToJudge, part: AnswerPart) -> SearchQAEvaluation:
        return await ask_judge(
            self._router,
            build_messages(subject, self._fence_key, part),
            output=OUTPUT,
            max_tokens=MAX_TOKENS,
            parse=lambda reply: read_reply(reply, subject),
            lang=subject.lang,
        )


def read_reply(text: str, subject: AnswerToJudge) -> SearchQAEvaluation:
    """The verdict that a reply gives. Raises MalformedOutput."""
    return _evaluation(_parse(text, len(subject.notes)), subject)


def _parse(text: str, note_count: int) -> _Verdict:
    verdict = parse_reply(text, _Verdict)
    seen: set[int] = set()
    for coverage in verdict.source_coverage:
        index = coverage.note_index
        if not 1 <= index <= note_count:
            reason = f"source_coverage names a note that does not exist; there are {note_count}"
            raise MalformedOutput(reason, body_excerpt=text)
        if index in seen:
            reason = f"source_coverage names note {index} twice"
            raise MalformedOutput(reason, body_excerpt=text)
        seen.add(index)
    return verdict


def _evaluation(verdict: _Verdict, subject: AnswerToJudge) -> SearchQAEvaluation:
    given = {coverage.note_index: coverage for coverage in verdict.source_coverage}
    sources = [
        _coverage(index, title, note, given.get(index))
        for index, (title, note) in enumerate(
            zip(subject.titles, subject.contents, strict=True), start=1
        )
    ]
    issues = [issue.strip() for issue in verdict.grounding_issues if issue.strip()]
    misquoted = [source.note_index for source in sources if source.quote_found is False]
    return SearchQAEvaluation(
        correctness=verdict.correctness,
        utility=verdict.utility,
        confidence=confidence_of(verdict.correctness, verdict.utility),
        source_coverage=sources,
        grounding_issues=issues,
        summary=verdict.summary.strip(),
        flags=[
            *score_flags(verdict.correctness, issues),
            *(f"quote_not_found:{index}" for index in misquoted),
        ],
    )


def _coverage(index: int, title: str, note: str, given: _Coverage | None) -> SourceCoverage:
    # A note that the judge leaves out of its list is one that it saw no use of.
    if given is None:
        return SourceCoverage(note_index=index, note_title=title, cited=False, relevant_claim="")
    quote = given.quote.strip()
    return SourceCoverage(
        note_index=index,
        note_title=title,
        cited=given.cited,
        relevant_claim=given.relevant_claim.strip(),
        quote=quote,
        quote_found=quote_found(quote, note) if quote else None,
    )
