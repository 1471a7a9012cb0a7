"""A verdict counted from claims: the model judges each, code computes the score."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field

from app.judges.answer import AnswerToJudge
from app.judges.answer_parts import AnswerPart
from app.judges.parsing import JudgeReply, JudgeText, Score, output_schema, parse_reply
from app.judges.prompts.search_qa_eval_claims import MAX_CLAIMS, PROMPT_VERSION, build_messages
from app.judges.quotes import quote_found
from app.judges.search_qa.verdict import (
    CLAIMS_LIMIT,
    JudgePrompt,
    SearchQAEvaluation,
    SourceCoverage,
    confidence_of,
)
from app.platform.errors import MalformedOutput
from app.text.sentences import split_sentences

MAX_TOKENS = 1_536

_Bearing = Literal["supported", "partly", "unsupported"]
_WORTH: Mapping[_Bearing, float] = {"supported": 1.0, "partly": 0.5, "unsupported": 0.0}


class _Claim(JudgeReply):
    text: JudgeText
    reasoning: JudgeText
    note_index: int
    quote: JudgeText
    verdict: _Bearing


class _Reply(JudgeReply):
    claims: Annotated[list[_Claim], Field(max_length=2 * MAX_CLAIMS)]
    summary: JudgeText
    utility: Score


OUTPUT = output_schema("search_qa_claims", _Reply)


def _read(text: str, subject: AnswerToJudge, part: AnswerPart) -> SearchQAEvaluation:
    """correctness is the mean worth of the claims: 1 supported, .5 partly, 0 unsupported. An
    answer that claims nothing has nothing wrong in it: 1."""
    reply, notes = parse_reply(text, _Reply), subject.contents
    for claim in reply.claims:
        if not 0 <= claim.note_index <= len(notes):
            reason = f"claims name a note that does not exist; there are {len(notes)}, 0 is none"
            raise MalformedOutput(reason, body_excerpt=text)
    worths = [_WORTH[claim.verdict] for claim in reply.claims]
    correctness = sum(worths) / len(worths) if worths else 1.0
    sources = [
        _coverage(index, title, note, reply.claims)
        for index, (title, note) in enumerate(zip(subject.titles, notes, strict=True), start=1)
    ]
    flags = [f"quote_not_found:{each.note_index}" for each in sources if not _sure(each)]
    if _limited(reply, part.text):
        flags.append(CLAIMS_LIMIT)
    return SearchQAEvaluation(
        correctness=correctness,
        utility=reply.utility,
        confidence=confidence_of(correctness, reply.utility),
        source_coverage=sources,
        grounding_issues=[
            f"{claim.text.strip()} ({claim.reasoning.strip()})"
            for claim in reply.claims
            if claim.verdict != "supported"
        ],
        summary=reply.summary.strip(),
        flags=flags,
    )


def _limited(reply: _Reply, answer: str) -> bool:
    """Whether the answer may claim more than the judge was let write down."""
    return len(reply.claims) >= MAX_CLAIMS and len(split_sentences(answer)) > len(reply.claims)


def _coverage(index: int, title: str, note: str, claims: Sequence[_Claim]) -> SourceCoverage:
    """The note with the first claim that it bears, one with a quote before the rest."""
    borne = [
        claim for claim in claims if claim.note_index == index and claim.verdict != "unsupported"
    ]
    if not borne:
        return SourceCoverage(note_index=index, note_title=title, cited=False, relevant_claim="")
    first = next((claim for claim in borne if claim.quote.strip()), borne[0])
    quote = first.quote.strip()
    return SourceCoverage(
        note_index=index,
        note_title=title,
        cited=True,
        relevant_claim=first.text.strip(),
        quote=quote,
        quote_found=quote_found(quote, note) if quote else None,
    )


def _sure(source: SourceCoverage) -> bool:
    return source.quote_found is not False


BY_CLAIMS = JudgePrompt(PROMPT_VERSION, build_messages, OUTPUT, MAX_TOKENS, _read)
