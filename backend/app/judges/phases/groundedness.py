"""Phase 3: whether the claims of the answer rest on its sources, by rules or by a model.

groundedness = supported claims / all claims; a claim that is borne only in part counts as not
supported. None, never 1.0, when there is nothing to check: no claim, no source, or, by rules, an
answer in another language than the sources.

By rules the claiming sentences of the answer are the claims, judged by what the rules of the
offline judge hold against them. A model finds the claims and verifies each, in one call or one for
each part of a long answer. Code checks its reply: where in the answer a claim stands, and whether
the source holds its quote; a claim without a quote that is found there, or with a value that no
source states, is at most "partly" supported, whatever the model says.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from app.ai_router.types import ChatRouter, Lang
from app.judges.answer import AnswerToJudge, Fault
from app.judges.answer_parts import (
    AnswerPart,
    answer_parts,
    cited_notes,
    judged_chars,
    without_mark_spans,
    without_marks,
    without_outer_marks,
)
from app.judges.model.ask_judge import (
    JudgeReply,
    JudgeText,
    all_of,
    ask_judge,
    output_schema,
    parse_reply,
)
from app.judges.phases.reading import Reading, Sources, claim_alone, claims_something
from app.judges.prompts.phases import MAX_CLAIMS, build_claims
from app.judges.quotes import Locator, Place, QuotedSources
from app.judges.rules.find import UNRELATED
from app.judges.rules.read import AnswerSentence, Material, NoteSentence
from app.judges.rules.weigh import DOUBTFUL, Weighed, is_unsupported
from app.judges.rules.wording import UNSUPPORTED, reasons_text
from app.judges.stated import VALUE_NOT_STATED, StatedValues
from app.platform.errors import MalformedOutput

Verdict = Literal["supported", "partly", "unsupported"]
# A model's word for what is wrong with a claim, where it has none.
NO_FAULT = "none"

NO_SOURCES = "no_sources"
OTHER_LANGUAGE = "language_not_comparable"
ANSWER_CUT = "answer_cut"

_SUPPORTED: Mapping[Lang, str] = {
    "ko": "노트의 문장이 이 내용을 뒷받침합니다.",
    "en": "A sentence of the notes supports this.",
}


class AnswerClaim(NamedTuple):
    """A claim of the answer.

    note_index: the note that bears or contradicts it, None when none does; quote: the passage
    of the source, "" without; quote_found: whether the source holds the quote, checked by code,
    None without a quote; start, end: its place in the answer (str offsets), None when its words
    are not found there; fault: in what way it is doubtful, None where it is supported.
    """

    text: str
    verdict: Verdict
    note_index: int | None
    quote: str
    quote_found: bool | None
    start: int | None
    end: int | None
    reasoning: str
    source: Literal["rules", "judge"]
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class Phase3Result:
    """groundedness: 0 to 1, None when there is nothing to check.

    flags: `no_sources`; `language_not_comparable` (only numbers and units could be checked);
    `answer_cut` (claims come from its beginning only, because it is too long to be judged whole);
    and, by a judge, with the number of the claim from 1, `quote_not_found:<n>`,
    `quote_in_other_note:<n>`, `claim_not_in_answer:<n>`, `value_not_stated:<n>`.
    """

    groundedness: float | None
    supported_claims: list[str]
    unsupported_claims: list[str]
    claims: list[AnswerClaim]
    flags: list[str]

    @property
    def score(self) -> float | None:
        return self.groundedness


def evaluate_groundedness(reading: Reading) -> Phase3Result:
    """Phase 3 by rules."""
    flags = [ANSWER_CUT] if reading.answer_cut else []
    if reading.sources.empty:
        return summed_up([], [*flags, NO_SOURCES])
    claims = list(_claims(reading))
    if reading.material.comparable:
        return summed_up(claims, flags)
    refuted = [claim for claim in claims if claim.verdict == "unsupported"]
    return summed_up(refuted, [*flags, OTHER_LANGUAGE], measured=False)


def summed_up(
    claims: list[AnswerClaim], flags: list[str], *, measured: bool = True
) -> Phase3Result:
    """The result of judged claims. measured: whether they are all that the answer claims."""
    supported = [claim.text for claim in claims if claim.verdict == "supported"]
    return Phase3Result(
        groundedness=len(supported) / len(claims) if claims and measured else None,
        supported_claims=supported,
        unsupported_claims=[claim.text for claim in claims if claim.verdict != "supported"],
        claims=claims,
        flags=flags,
    )


def _claims(reading: Reading) -> Iterator[AnswerClaim]:
    material, answer, lang = reading.material, reading.subject.answer, reading.subject.lang
    for weighed in reading.weighed:
        if not claims_something(weighed.sentence, answer):
            continue
        judged = claim_alone(weighed, material)
        verdict = _verdict(judged, material)
        start, end = claim_place(answer, weighed.sentence)
        passage = closest_passage(weighed.sentence, material)
        fault: Fault | None = None
        if verdict != "supported":
            fault = judged.fault_kind if passage else "not_in_notes"
        elif weighed.is_misattributed:
            verdict, judged, fault = "partly", weighed, "misattributed"
        reasons = reasons_text(judged.found, lang) or UNSUPPORTED[lang]
        yield AnswerClaim(
            text=answer[start:end],
            verdict=verdict,
            note_index=reading.sources.note(passage.note_index) if passage else None,
            quote=passage.text if passage else "",
            quote_found=True if passage else None,
            start=start,
            end=end,
            reasoning=_SUPPORTED[lang] if verdict == "supported" else reasons,
            source="rules",
            fault=fault,
        )


def _verdict(judged: Weighed, material: Material) -> Verdict:
    """One telling fault refutes a claim; otherwise its burden and its support decide."""
    if is_unsupported(judged, material):
        return "unsupported"
    related = material.support(judged.sentence) >= UNRELATED
    return "supported" if related and judged.burden < DOUBTFUL else "partly"


def closest_passage(sentence: AnswerSentence, material: Material) -> NoteSentence | None:
    """The sentence of the sources that bears most; on a tie one of a note that it cites."""
    best = material.support(sentence)
    if not best:
        return None
    cited = (n for n in sentence.marks if material.support(sentence, n) >= best)
    return material.closest(sentence, next(cited, None))


def claim_place(answer: str, sentence: AnswerSentence) -> tuple[int, int]:
    """The place of the sentence without citation marks before and after it."""
    return without_outer_marks(answer, sentence.start, sentence.end)


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
    check = _Check(sources, reading.subject.question)
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
        build_claims(subject, sources.texts, sources.titles, key, part),
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


class QuoteCheck:
    """Holds what a model said of claims against their sources. flags: gets the doubts, with the
    number of the claim."""

    def __init__(self, sources: Sources, question: str, flags: list[str]) -> None:
        self._quoted = QuotedSources(sources.texts)
        self._stated = StatedValues(sources.texts, question)
        self._flags = flags

    def find(self, quote: str, note: int) -> tuple[str, int | None]:
        """The quote and the source that holds it; without citation marks that only the answer has,
        and that a model copies with the words. note: as in `check`."""
        quote = quote.strip()
        holder = self._quoted.holder(quote, note)
        unmarked = without_mark_spans(quote).strip()
        if holder is None and unmarked != quote:
            holder = self._quoted.holder(unmarked, note)
            quote = unmarked if holder else quote
        return quote, holder

    def check(
        self,
        number: int,
        claim: str,
        verdict: Verdict,
        note: int,
        found: tuple[str, int | None],
        word: str = NO_FAULT,
    ) -> tuple[Verdict, Fault | None]:
        """The verdict that the quote allows, and in what way the claim is doubtful. note: the
        source that the model names, 0 for none; found: by `find`; word: the model's for the
        fault."""
        quote, holder = found
        if holder is None and (quote or verdict == "supported"):
            self._flags.append(f"quote_not_found:{number}")
        elif holder is not None and note and holder != note:
            self._flags.append(f"quote_in_other_note:{number}")
        if verdict != "supported":
            return verdict, self._fault(claim, verdict, note, found, word)
        if holder is None:
            return "partly", self._fault(claim, "partly", note, found, NO_FAULT)
        if self._stated.lacks(without_marks(claim), quote):
            self._flags.append(f"{VALUE_NOT_STATED}:{number}")
            return "partly", "not_in_notes"
        return "supported", None

    def _fault(
        self, claim: str, verdict: Verdict, note: int, found: tuple[str, int | None], word: str
    ) -> Fault:
        """Without a word a quote beside an unsupported claim says otherwise. No note says what is
        unsupported, so that is never misattributed."""
        quote, holder = found
        if holder is None and self._quoted.are_apart(quote):
            return "stitched"
        if word == "contradicted" and (holder or note):
            return "contradicted"
        if holder is None:
            return "not_in_notes"
        if verdict == "unsupported":
            return "contradicted" if word == NO_FAULT else "not_in_notes"
        cited = cited_notes(claim)
        return "misattributed" if cited and holder not in cited else "not_in_notes"


class _Check:
    """Holds what a judge said of claims against answer and sources."""

    def __init__(self, sources: Sources, question: str) -> None:
        self._sources = sources
        self.claims: list[AnswerClaim] = []
        self.flags: list[str] = []
        self._quotes = QuoteCheck(sources, question, self.flags)

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
        note = given.note_index
        quote, holder = found = self._quotes.find(given.quote, note)
        verdict, fault = self._quotes.check(number, given.text, given.verdict, note, found)
        start, end = place or (None, None)
        return AnswerClaim(
            text=given.text.strip(),
            verdict=verdict,
            note_index=self._sources.note(holder or note or None),
            quote=quote,
            quote_found=holder is not None if quote else None,
            start=start,
            end=end,
            reasoning=given.reasoning.strip(),
            source="judge",
            fault=fault,
        )
