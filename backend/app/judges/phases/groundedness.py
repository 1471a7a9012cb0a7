"""Phase 3: whether the claims of the answer rest on its sources.

groundedness = supported claims / all claims; a claim that is borne only in part counts as not
supported. None, never 1.0, when there is nothing to check: no claim, no source, or, by rules,
an answer in another language than the sources.

Here by rules: the claiming sentences of the answer are the claims, judged by what the rules of
the offline judge hold against them (rules.sentence_rules). groundedness_judge asks a model.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from app.ai_router.types import Lang
from app.judges.answer_parts import without_outer_marks
from app.judges.phases.reading import Reading, claim_alone, claims_something
from app.judges.rules.find import UNRELATED
from app.judges.rules.read import AnswerSentence, Material, NoteSentence
from app.judges.rules.weigh import DOUBTFUL, Weighed, is_unsupported
from app.judges.rules.wording import UNSUPPORTED, reasons_text

Verdict = Literal["supported", "partly", "unsupported"]

NO_SOURCES = "no_sources"
OTHER_LANGUAGE = "language_not_comparable"
ANSWER_CUT = "answer_cut"

_SUPPORTED: Mapping[Lang, str] = {
    "ko": "노트의 문장이 이 내용을 뒷받침합니다.",
    "en": "A sentence of the notes supports this.",
}


@dataclass(frozen=True, slots=True)
class AnswerClaim:
    """A claim of the answer.

    note_index: the note that bears or contradicts it, None when none does; quote: the passage
    of the source, "" without; quote_found: whether the source holds the quote, checked by code,
    None without a quote; start, end: its place in the answer (str offsets), None when its words
    are not found there.
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


@dataclass(frozen=True, slots=True)
class Phase3Result:
    """groundedness: 0 to 1, None when there is nothing to check.

    flags: `no_sources`; `language_not_comparable` (only numbers and units could be checked);
    `answer_cut` (claims come from its beginning only, because it is too long to be judged whole);
    and, by a judge, with the number of the claim from 1, `quote_not_found:<n>`,
    `quote_in_other_note:<n>`, `claim_not_in_answer:<n>`.
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
