"""The claims of an answer by a model's reply: quotes and marks are checked by code.

A sentence is supported only with a quote that a source holds; otherwise it is supported in part
at most, whatever the model says.
"""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from app.judges.answer import AnswerToJudge
from app.judges.answer_parts import ShownSentence, cited_notes, without_marks
from app.judges.model.reply import SentenceVerdict
from app.judges.phases.citation import Citation, Phase1Result, cited_result
from app.judges.phases.groundedness import AnswerClaim, Verdict
from app.judges.phases.reading import Sources
from app.judges.quotes import QuotedSources

# A sentence with a value that the model calls no claim was not judged.
NOT_JUDGED = "claim_not_judged"


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """A sentence with what the model says of it, after its quote was looked up. marks: the notes
    that it names; source: the number of the source that it rests on, 0 for none; claim: None
    where it claims nothing."""

    shown: ShownSentence
    marks: tuple[int, ...]
    source: int
    claim: AnswerClaim | None


@dataclass
class Checked:
    """All sentences of an answer in order, with the doubts about what was said of them."""

    sources: Sources
    sentences: list[JudgedSentence] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    _quoted: QuotedSources = field(init=False)

    def __post_init__(self) -> None:
        self._quoted = QuotedSources(self.sources.texts)

    @property
    def claims(self) -> list[AnswerClaim]:
        return [one.claim for one in self.sentences if one.claim is not None]

    def add(
        self, answer: str, shown: Sequence[ShownSentence], given: Sequence[SentenceVerdict]
    ) -> None:
        """given: one for each sentence."""
        for sentence, said in zip(shown, given, strict=True):
            self.sentences.append(self._judged(answer, sentence, said))

    def _judged(self, answer: str, shown: ShownSentence, said: SentenceVerdict) -> JudgedSentence:
        number, marks = len(self.sentences) + 1, cited_notes(shown.text)
        if said.verdict == "no_claim":
            if any(char.isdigit() for char in without_marks(shown.text)):
                self.flags.append(f"{NOT_JUDGED}:{number}")
            return JudgedSentence(shown, marks, said.note_index, None)
        quote = said.quote.strip()
        holder = self._quoted.holder(quote, said.note_index)
        verdict: Verdict = said.verdict
        if holder is None and (quote or verdict == "supported"):
            self.flags.append(f"quote_not_found:{number}")
            verdict = "partly" if verdict == "supported" else verdict
        elif holder is not None and said.note_index and holder != said.note_index:
            self.flags.append(f"quote_in_other_note:{number}")
        source = holder or said.note_index
        claim = AnswerClaim(
            text=answer[shown.start : shown.end],
            verdict=verdict,
            note_index=self.sources.note(source or None),
            quote=quote,
            quote_found=holder is not None if quote else None,
            start=shown.start,
            end=shown.end,
            reasoning=said.reasoning.strip(),
            source="judge",
        )
        return JudgedSentence(shown, marks, source, claim)


def supported_claims(checked: Checked) -> Iterator[tuple[int, AnswerClaim]]:
    """The claims that rest on a source at least in part, with its number."""
    for one in checked.sentences:
        if one.source and one.claim is not None and one.claim.verdict != "unsupported":
            yield one.source, one.claim


def citation_of(subject: AnswerToJudge, checked: Checked, used: AbstractSet[int]) -> Phase1Result:
    """used: the sources that the answer uses."""
    sources = checked.sources
    citations = [c for one in checked.sentences for c in _citations(one, checked)]
    named = used | {citation.note_index for citation in citations}
    cited = [
        place in used or passage.note_index in named or f"[{passage.chunk_id}]" in subject.answer
        for passage, place in zip(sources.passages, sources.places, strict=True)
    ]
    return cited_result(sources.passages, cited, citations, sources.note_count)


def _citations(sentence: JudgedSentence, checked: Checked) -> Iterator[Citation]:
    """One for each note that the sentence marks, or else for the note that it rests on."""
    note = checked.sources.note(sentence.source or None)
    resting = [note] if note and sentence.claim and sentence.claim.verdict != "unsupported" else []
    for number in sentence.marks or resting:
        yield Citation(
            note_index=number,
            start=sentence.shown.start,
            end=sentence.shown.end,
            marked=bool(sentence.marks),
            supported=_supported(sentence, number, checked),
            quote=sentence.claim.quote if sentence.claim and number == sentence.source else "",
        )


def _supported(sentence: JudgedSentence, number: int, checked: Checked) -> bool | None:
    """A sentence with several marks may rest on each note in part."""
    if not 1 <= number <= checked.sources.note_count:
        return False
    if sentence.claim is None:
        return None
    if sentence.claim.verdict != "supported":
        return False
    return number == sentence.source or len(sentence.marks) > 1
