"""Asks a model whether an answer is grounded in its notes and answers the question."""

import secrets
from collections.abc import Iterator, Sequence
from typing import Literal

from pydantic import BaseModel, Field

from app.ai_router.ask_judge import ask_judge
from app.ai_router.parsing import (
    JudgeReply,
    JudgeText,
    Score,
    output_schema,
    parse_reply,
    quote_found,
)
from app.ai_router.prompts.re_ask import RE_ASK
from app.ai_router.prompts.search_qa_eval import PROMPT_VERSION, build_messages
from app.ai_router.types import ChatRouter, Lang
from app.errors import MalformedOutput

__all__ = [
    "PROMPT_VERSION",
    "Confidence",
    "SearchQAEvaluation",
    "SearchQAEvaluator",
    "SourceCoverage",
    "confidence_of",
    "full_titles",
    "score_flags",
]

MAX_TOKENS = 768

HIGH_CORRECTNESS = 0.8
HIGH_UTILITY = 0.7
MEDIUM_CORRECTNESS = 0.5
# A verdict at least this correct with issues, or below MEDIUM_CORRECTNESS without any,
# contradicts itself.
SPOTLESS_CORRECTNESS = 0.95

Confidence = Literal["high", "medium", "low"]


class SourceCoverage(BaseModel):
    """Whether the answer used one note. `note_index` counts from 1.

    quote: the passage of the note that bears the claim, "" when the judge gave none;
    quote_found: whether the note holds that passage, checked by code, None without a quote.
    """

    note_index: int
    note_title: str
    cited: bool
    relevant_claim: str
    quote: str = ""
    quote_found: bool | None = None


class SearchQAEvaluation(BaseModel):
    """A verdict on one answer. Scores lie between 0 and 1.

    flags: doubts about the verdict itself, each a key with an optional detail:
    `score_contradicts_issues`, `quote_not_found:<note_index>`.
    """

    correctness: float
    utility: float
    confidence: Confidence
    source_coverage: list[SourceCoverage]
    grounding_issues: list[str]
    summary: str
    flags: list[str] = Field(default_factory=list)


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


def confidence_of(correctness: float, utility: float) -> Confidence:
    """high from .8 correctness with .7 utility, medium from .5 correctness, else low."""
    if correctness >= HIGH_CORRECTNESS and utility >= HIGH_UTILITY:
        return "high"
    return "medium" if correctness >= MEDIUM_CORRECTNESS else "low"


def full_titles(note_titles: Sequence[str], count: int, lang: Lang) -> list[str]:
    """`count` titles; those that are missing or blank become "노트 n" or "Note n"."""
    given = [*note_titles[:count], *[""] * (count - len(note_titles))]
    name = "노트" if lang == "ko" else "Note"
    return [title.strip() or f"{name} {index}" for index, title in enumerate(given, start=1)]


def score_flags(correctness: float, grounding_issues: Sequence[str]) -> Iterator[str]:
    """`score_contradicts_issues` when the score and its list of issues cannot both be right."""
    if grounding_issues and correctness >= SPOTLESS_CORRECTNESS:
        yield "score_contradicts_issues"
    if not grounding_issues and correctness < MEDIUM_CORRECTNESS:
        yield "score_contradicts_issues"


class SearchQAEvaluator:
    """Judges search_qa answers with the model behind `ai_router`.

    fence_key: 1 to 64 secret bytes for the nonces around untrusted text; random when left
    out. Give every process the same key where a repeated evaluation must send an equal
    request.
    """

    def __init__(self, ai_router: ChatRouter, *, fence_key: bytes | None = None) -> None:
        self._ai_router = ai_router
        self._fence_key = fence_key or secrets.token_bytes(32)

    async def evaluate(
        self,
        question: str,
        context_notes: list[str],
        note_titles: list[str],
        ai_response: str,
        lang: Lang = "ko",
    ) -> SearchQAEvaluation | None:
        """The verdict, or None when there is no note to judge by.

        Raises MalformedOutput when the model fails twice to reply as asked, and any other
        ProviderError of the router.
        """
        if not any(note.strip() for note in context_notes):
            return None
        titles = full_titles(note_titles, len(context_notes), lang)
        verdict = await ask_judge(
            self._ai_router,
            build_messages(question, context_notes, titles, ai_response, lang, key=self._fence_key),
            output=OUTPUT,
            max_tokens=MAX_TOKENS,
            parse=lambda text: _parse(text, len(context_notes)),
            re_ask=RE_ASK,
            lang=lang,
        )
        return _evaluation(verdict, context_notes, titles)


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


def _evaluation(
    verdict: _Verdict, context_notes: Sequence[str], titles: Sequence[str]
) -> SearchQAEvaluation:
    given = {coverage.note_index: coverage for coverage in verdict.source_coverage}
    sources = [
        _coverage(index, title, note, given.get(index))
        for index, (title, note) in enumerate(zip(titles, context_notes, strict=True), start=1)
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
