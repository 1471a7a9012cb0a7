"""Answer, question and notes, cut into sentences and reduced to what can be compared."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import attrgetter

from app.ai_router.prompts.fencing import share
from app.ai_router.rules.marks import cited_notes, without_marks
from app.ai_router.rules.vocabulary import FRAMING, is_refusal
from app.text.language import Lang, detect_language
from app.text.morphemes import morphemes_of_many
from app.text.sentences import split_sentences

# Beyond these the judge reads no further, so that one request cannot hold a core for long.
NOTES_BUDGET = 60_000
ANSWER_BUDGET = 12_000


@dataclass(frozen=True, slots=True)
class NoteSentence:
    """A sentence of note `note_index` (from 1) and its content morphemes."""

    note_index: int
    text: str
    terms: frozenset[str]


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A sentence of the answer.

    text: as it stands in the answer; claim: without citation marks; terms: the content
    morphemes of the claim without words that only frame an answer; marks: the note numbers
    it cites; refusal: it only says that the notes do not tell.
    """

    text: str
    claim: str
    terms: frozenset[str]
    marks: tuple[int, ...]
    refusal: bool


@dataclass(frozen=True)
class Material:
    """What there is to compare. `note_sentences` stand in the order of their notes."""

    question: str
    question_terms: frozenset[str]
    sentences: Sequence[AnswerSentence]
    note_sentences: Sequence[NoteSentence]
    note_count: int
    answer_lang: Lang
    notes_lang: Lang

    @cached_property
    def known_terms(self) -> frozenset[str]:
        """Everything the answer may say without adding anything: notes and question."""
        return self.question_terms.union(*(sentence.terms for sentence in self.note_sentences))

    @cached_property
    def known_text(self) -> str:
        """Notes and question as they stand, lower-cased."""
        texts = [self.question, *(sentence.text for sentence in self.note_sentences)]
        return "\n".join(texts).lower()

    @property
    def comparable(self) -> bool:
        """Whether words of the answer can be looked up in the notes at all."""
        return self.answer_lang == self.notes_lang

    def support(self, sentence: AnswerSentence, note: int | None = None) -> float:
        """Share of the sentence's terms found together in one sentence of the notes, 0 to 1.

        note: look in this note only. Terms of the question count as found once another
        term is.
        """
        closest = self.closest(sentence, note)
        if closest is None or not sentence.terms & closest.terms:
            return 0.0
        return len(sentence.terms & (closest.terms | self.question_terms)) / len(sentence.terms)

    def closest(self, sentence: AnswerSentence, note: int | None = None) -> NoteSentence | None:
        """The sentence of the notes that shares most with this one; shorter ones win ties."""
        asked = sentence, note
        if asked not in self._closest:
            among = self.note_sentences if note is None else self._by_note.get(note, ())
            self._closest[asked] = max(
                among,
                key=lambda one: (len(sentence.terms & one.terms), -len(one.terms)),
                default=None,
            )
        return self._closest[asked]

    @cached_property
    def _closest(self) -> dict[tuple[AnswerSentence, int | None], NoteSentence | None]:
        return {}

    @cached_property
    def _by_note(self) -> dict[int, list[NoteSentence]]:
        groups = groupby(self.note_sentences, key=attrgetter("note_index"))
        return {index: list(group) for index, group in groups}


def read(question: str, notes: Sequence[str], answer: str) -> Material:
    """Analyses the three texts. Blocks: the Korean model may have to be loaded first."""
    notes = share(notes, NOTES_BUDGET)
    texts = _sentences(answer[:ANSWER_BUDGET])
    claims = [without_marks(text) for text in texts]
    placed = [
        (index, span.text)
        for index, note in enumerate(notes, start=1)
        for span in split_sentences(note)
    ]
    analysed = morphemes_of_many([question, *claims, *(text for _, text in placed)])
    question_terms, *terms = (frozenset(found) for found in analysed)
    return Material(
        question=question,
        question_terms=question_terms,
        sentences=[
            AnswerSentence(text, claim, found - FRAMING, cited_notes(text), is_refusal(claim))
            for text, claim, found in zip(texts, claims, terms, strict=False)
        ],
        note_sentences=[
            NoteSentence(index, text, found)
            for (index, text), found in zip(placed, terms[len(claims) :], strict=True)
        ],
        note_count=len(notes),
        answer_lang=detect_language(" ".join(claims)),
        notes_lang=detect_language(" ".join(notes)),
    )


def _sentences(answer: str) -> list[str]:
    """The sentences of the answer; marks that stand alone go with the sentence before."""
    sentences: list[str] = []
    for span in split_sentences(answer):
        if any(char.isalnum() for char in without_marks(span.text)):
            sentences.append(span.text)
        elif sentences:
            sentences[-1] += f" {span.text}"
    return sentences
