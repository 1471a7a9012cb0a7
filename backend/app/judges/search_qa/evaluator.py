"""Asks a model whether an answer is grounded in its notes and answers the question."""

import secrets

from app.ai_router.types import ChatRouter
from app.judges.answer import AnswerToJudge
from app.judges.answer_parts import AnswerPart, answer_parts, judged_chars
from app.judges.ask_judge import all_of, ask_judge
from app.judges.extent import Extent
from app.judges.parsing import JudgeReply, JudgeText, Score, output_schema, parse_reply
from app.judges.prompts.search_qa_eval import NOTES_BUDGET, build_messages
from app.judges.quotes import quote_found
from app.judges.search_qa.parts import verdict_of_parts
from app.judges.search_qa.verdict import (
    SearchQAEvaluation,
    SourceCoverage,
    confidence_of,
    score_flags,
)
from app.platform.errors import MalformedOutput

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
        extent = Extent.of(
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
