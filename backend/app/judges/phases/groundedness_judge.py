"""Phase 3 by a model: one call finds the claims of an answer and verifies each, or one call for
each part of a long answer.

What it says is checked by code: where in the answer a claim stands, and whether the source
holds its quote. A claim without a quote that is found there is at most "partly" supported,
whatever the model says.
"""

from typing import Annotated

from pydantic import Field

from app.ai_router.types import ChatRouter
from app.judges.answer import AnswerToJudge
from app.judges.answer_parts import AnswerPart, answer_parts, judged_chars
from app.judges.model.ask_judge import all_of, ask_judge
from app.judges.model.parsing import JudgeReply, JudgeText, output_schema, parse_reply
from app.judges.phases.groundedness import (
    ANSWER_CUT,
    NO_SOURCES,
    AnswerClaim,
    Phase3Result,
    Verdict,
    summed_up,
)
from app.judges.phases.reading import Reading, Sources
from app.judges.prompts.claims import MAX_CLAIMS, build_messages
from app.judges.quotes import Locator, Place, QuotedSources
from app.platform.errors import MalformedOutput

MAX_TOKENS = 2_048
# More than the prompt asks for are accepted up to here; beyond it the judge did not listen.
CLAIMS_ACCEPTED = 2 * MAX_CLAIMS


class _Claim(JudgeReply):
    text: Annotated[JudgeText, Field(min_length=1)]
    reasoning: JudgeText
    note_index: Annotated[int, Field(ge=0)]
    quote: JudgeText
    verdict: Verdict


class _Claims(JudgeReply):
    claims: Annotated[list[_Claim], Field(max_length=CLAIMS_ACCEPTED)]


OUTPUT = output_schema("claims", _Claims)


async def judge_groundedness(router: ChatRouter, reading: Reading, key: bytes) -> Phase3Result:
    """Phase 3 by a model. Not asked when there is no answer or nothing that it may rest on.

    Raises MalformedOutput when the model fails twice to reply as asked, and any other
    ProviderError of the router.
    """
    answer, sources = reading.subject.answer, reading.sources
    parts = answer_parts(answer)
    flags = [ANSWER_CUT] if judged_chars(answer, parts) < len(answer) else []
    if sources.empty:
        return summed_up([], [*flags, NO_SOURCES])
    if not answer.strip():
        return summed_up([], flags)
    replies = await all_of(_ask(router, reading, part, key) for part in parts)
    check = _Check(sources)
    for part, reply in zip(parts, replies, strict=True):
        check.claims_of(part, reply)
    return summed_up(check.claims, [*flags, *check.flags])


async def claims_of(router: ChatRouter, subject: AnswerToJudge, key: bytes) -> list[str]:
    """The claims of an answer as the model copies them, not verified: it is shown no source.
    Not asked when there is no answer. Raises as judge_groundedness does."""
    if not subject.answer.strip():
        return []
    alone = Reading(AnswerToJudge(subject.question, subject.answer, lang=subject.lang))
    replies = await all_of(_ask(router, alone, part, key) for part in answer_parts(subject.answer))
    return [claim.text.strip() for reply in replies for claim in reply.claims]


async def _ask(router: ChatRouter, reading: Reading, part: AnswerPart, key: bytes) -> _Claims:
    subject, sources = reading.subject, reading.sources
    return await ask_judge(
        router,
        build_messages(subject, sources.texts, sources.titles, key, part),
        output=OUTPUT,
        max_tokens=MAX_TOKENS,
        parse=lambda text: _parse(text, len(sources.texts)),
        lang=subject.lang,
    )


def _parse(text: str, source_count: int) -> _Claims:
    reply = parse_reply(text, _Claims)
    if any(claim.note_index > source_count for claim in reply.claims):
        reason = f"claims names a note that does not exist; there are {source_count}"
        raise MalformedOutput(reason, body_excerpt=text)
    return reply


class _Check:
    """Holds what a judge said of claims against answer and sources."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._quoted = QuotedSources(sources.texts)
        self.claims: list[AnswerClaim] = []
        self.flags: list[str] = []

    def claims_of(self, part: AnswerPart, reply: _Claims) -> None:
        locator = Locator(part.text)
        for given in reply.claims:
            place = locator.find(given.text)
            if place is not None:
                place = part.start + place[0], part.start + place[1]
            self.claims.append(self._claim(len(self.claims) + 1, given, place))

    def _claim(self, number: int, given: _Claim, place: Place | None) -> AnswerClaim:
        if place is None:
            self.flags.append(f"claim_not_in_answer:{number}")
        quote = given.quote.strip()
        holder = self._quoted.holder(quote, given.note_index)
        verdict = given.verdict
        if holder is None and (quote or verdict == "supported"):
            self.flags.append(f"quote_not_found:{number}")
            verdict = "partly" if verdict == "supported" else verdict
        elif holder is not None and given.note_index and holder != given.note_index:
            self.flags.append(f"quote_in_other_note:{number}")
        start, end = place or (None, None)
        return AnswerClaim(
            text=given.text.strip(),
            verdict=verdict,
            note_index=self._sources.note(holder or given.note_index or None),
            quote=quote,
            quote_found=holder is not None if quote else None,
            start=start,
            end=end,
            reasoning=given.reasoning.strip(),
            source="judge",
        )
