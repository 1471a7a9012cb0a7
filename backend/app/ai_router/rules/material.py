"""Answer, question and notes, cut into sentences and reduced to what can be compared."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from app.ai_router.answer_parts import MAX_ANSWER_CHARS
from app.ai_router.extent import Extent
from app.ai_router.prompts.fencing import share
from app.ai_router.rules.marks import cited_notes, without_marks
from app.ai_router.rules.vocabulary import FRAMING, is_refusal, measures
from app.text.language import Lang, detect_language, is_third_language
from app.text.sentences import Span, split_sentences
from app.text.term_cache import TermCache

# Beyond these the judge reads no further, so that one request cannot hold a core for long; the
# verdict says so. Every answer that the API accepts is read to its end.
NOTES_BUDGET = 60_000
ANSWER_BUDGET = MAX_ANSWER_CHARS

_terms = TermCache()


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
    it cites; refusal: it only says that the notes do not tell; start, end: its place in the
    answer.
    """

    text: str
    claim: str
    terms: frozenset[str]
    marks: tuple[int, ...]
    refusal: bool
    start: int
    end: int


@dataclass(frozen=True)
class Material:
    """What there is to compare. `note_sentences` stand in the order of their notes.

    comparable: whether words of the answer can be looked up in the notes at all. extent: how much
    of the texts was read.
    """

    question: str
    question_terms: frozenset[str]
    sentences: Sequence[AnswerSentence]
    note_sentences: Sequence[NoteSentence]
    note_count: int
    answer_lang: Lang
    comparable: bool
    extent: Extent

    @cached_property
    def known_terms(self) -> frozenset[str]:
        """Everything the answer may say without adding anything: notes and question."""
        return self.question_terms.union(*(sentence.terms for sentence in self.note_sentences))

    @cached_property
    def known_text(self) -> str:
        """Notes and question as they stand, lower-cased."""
        texts = [self.question, *(sentence.text for sentence in self.note_sentences)]
        return "\n".join(texts).lower()

    @cached_property
    def known_measures(self) -> frozenset[tuple[str, str]]:
        """The numbers of notes and question with their units."""
        return frozenset(measures(self.known_text))

    def support(self, sentence: AnswerSentence, note: int | None = None) -> float:
        """Share of the sentence's terms found together in one sentence of the notes, 0 to 1.

        note: look in this note only. Terms of the question count as found once another
        term is.
        """
        closest = self.closest(sentence, note)
        if closest is None:
            return 0.0
        return len(sentence.terms & (closest.terms | self.question_terms)) / len(sentence.terms)

    def closest(self, sentence: AnswerSentence, note: int | None = None) -> NoteSentence | None:
        """The sentence of the notes that shares most with this one; shorter ones win ties.

        None when no sentence shares any term.
        """
        found = self._closest.get(sentence.terms)
        if found is None:
            found = self._closest[sentence.terms] = self._closest_by_note(sentence.terms)
        return found.get(note)

    def _closest_by_note(self, terms: frozenset[str]) -> dict[int | None, NoteSentence]:
        """The closest sentence of each note that shares a term, and of all under None."""
        shared = Counter(chain.from_iterable(self._postings.get(term, ()) for term in terms))
        best: dict[int | None, tuple[int, int, int]] = {}
        for position, count in shared.items():
            one = self.note_sentences[position]
            rank = count, -len(one.terms), -position
            for note in (one.note_index, None):
                if note not in best or rank > best[note]:
                    best[note] = rank
        return {note: self.note_sentences[-rank[2]] for note, rank in best.items()}

    @cached_property
    def _closest(self) -> dict[frozenset[str], dict[int | None, NoteSentence]]:
        return {}

    @cached_property
    def _postings(self) -> dict[str, list[int]]:
        """For each term the positions of the note sentences that hold it."""
        postings: dict[str, list[int]] = {}
        for position, sentence in enumerate(self.note_sentences):
            for term in sentence.terms:
                postings.setdefault(term, []).append(position)
        return postings


def read(
    question: str, notes: Sequence[str], answer: str, passages: Sequence[str] = ()
) -> Material:
    """Analyses the texts. Blocks: the Korean model may have to be loaded first.

    passages: what the answer may rest on besides the notes. They are numbered on after the
    notes, but no mark of the answer can name them.
    """
    note_count = len(notes)
    extent = Extent.of(
        answer,
        [*notes, *passages],
        judged_answer_chars=min(len(answer), ANSWER_BUDGET),
        notes_budget=NOTES_BUDGET,
    )
    notes = share([*notes, *passages], NOTES_BUDGET)
    spans = _sentences(answer[:ANSWER_BUDGET])
    claims = [without_marks(span.text) for span in spans]
    placed = [
        (index, span.text)
        for index, note in enumerate(notes, start=1)
        for span in split_sentences(note)
    ]
    question_terms, *terms = _terms.of_many([question, *claims, *(text for _, text in placed)])
    return Material(
        question=question,
        question_terms=question_terms,
        sentences=[
            AnswerSentence(
                text=span.text,
                claim=claim,
                terms=found - FRAMING,
                marks=cited_notes(span.text),
                refusal=is_refusal(claim),
                start=span.start,
                end=span.end,
            )
            for span, claim, found in zip(spans, claims, terms, strict=False)
        ],
        note_sentences=[
            NoteSentence(index, text, found)
            for (index, text), found in zip(placed, terms[len(claims) :], strict=True)
        ],
        note_count=note_count,
        answer_lang=detect_language(" ".join(claims)),
        comparable=_share_a_language(" ".join(claims), " ".join(notes)),
        extent=extent,
    )


def _share_a_language(answer: str, notes: str) -> bool:
    return detect_language(answer) == detect_language(notes) and is_third_language(
        answer
    ) == is_third_language(notes)


def _sentences(answer: str) -> list[Span]:
    """The sentences of the answer; marks that stand alone go with the sentence before."""
    sentences: list[Span] = []
    for span in split_sentences(answer):
        if any(char.isalnum() for char in without_marks(span.text)):
            sentences.append(span)
        elif sentences:
            before = sentences[-1]
            sentences[-1] = Span(before.start, span.end, f"{before.text} {span.text}")
    return sentences
