"""Answer, question and notes, cut into sentences and reduced to what can be compared."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain, pairwise

from app.ai_router.prompts.quoting import share
from app.judges.answer import AnswerToJudge, Extent
from app.judges.answer_parts import MAX_ANSWER_CHARS, cited_notes, without_marks
from app.judges.rules.align import Alignment
from app.judges.rules.analysis import (
    DAY,
    MAX_SENTENCES,
    NAME,
    Analysis,
    Notes,
    analysis_of_many,
    is_part_written,
    nouns_of,
    stands_written,
    with_nouns,
)
from app.judges.rules.derived import FEW_VALUES
from app.judges.rules.events import is_denying
from app.judges.rules.joined import (
    is_polar,
    joined,
    needs_its_question,
    polarity,
    says_more,
    without_polarity,
)
from app.judges.rules.replaced import Place, replaced
from app.judges.rules.values import Date, Value, same
from app.judges.rules.vocabulary import (
    ASKING,
    FRAMING,
    absolutes,
    is_advice,
    is_refusal,
    says_changed,
)
from app.text.language import Lang, detect_language, is_third_language
from app.text.morphemes import SENTENCES_KEPT, SentenceCache
from app.text.redaction import marks_of, without_marks_of
from app.text.sentences import Span, split_sentences

# Beyond these the judge reads no further, so that one request cannot hold a core for long; the
# verdict says so. Characters; and of the claims' words, sentences of the notes that have them.
NOTES_BUDGET = 60_000
ANSWER_BUDGET = MAX_ANSWER_CHARS
LOOKUPS_BUDGET = 150_000
# Pairs of words of a claim and of the longest sentence of the notes; each beyond costs as much as
# so many look-ups, since every word of one is then compared with every word of the other.
FREE_PAIRS, LOOKUPS_A_PAIR = 3_600, 2
# A claim of one word costs as much as so many look-ups.
LOOKUPS_A_CLAIM = 60
# Characters: a sentence is compared word by word, and one without end in parts.
MAX_SENTENCE_CHARS = 1_000

# Sentences of the notes with which a claim is compared word by word; and the share of its words, 0
# to 1, that the closest of them must have.
COMPARED, HALF = 2, 0.5
# The share of a claim's neighbouring words, 0 to 1, that stand so in the notes where it copies
# them: of the KLUE-NLI contradictions for tuning none did.
VERBATIM = 0.7
# Claims of an answer that the question can be joined with.
BRIEF = 2
# The share of a sentence's terms, 0 to 1, with which a note bears it.
MIN_TERM_SHARE = 0.6

_WORD = re.compile(r"\w+")
_analyses: SentenceCache[Analysis] = SentenceCache(analysis_of_many)


@dataclass(frozen=True, slots=True)
class NoteSentence:
    """A sentence of note `note_index` (from 1), its content morphemes and its analysis."""

    note_index: int
    text: str
    terms: frozenset[str]
    analysis: Analysis


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A sentence of the answer.

    text: as it stands in the answer; claim: without citation marks; terms: the content
    morphemes of the claim without words that only frame an answer; marks: the note numbers
    it cites; refusal: it only states that the notes have no answer; start, end: its place in the
    answer; analysis: of the claim; polarity: 1 for a yes, -1 for a no that claims what the
    question asks, whose words are then the claim's, else 0.
    """

    text: str
    claim: str
    terms: frozenset[str]
    marks: tuple[int, ...]
    refusal: bool
    start: int
    end: int
    analysis: Analysis
    polarity: int = 0


@dataclass(frozen=True)
class Material:
    """What there is to compare. `note_sentences` stand in the order of their notes.

    titles: of the notes, in their order. comparable: whether words of the answer can be looked up
    in the notes at all. extent: how much of the texts was read.
    """

    question: str
    question_terms: frozenset[str]
    asked: Analysis
    sentences: Sequence[AnswerSentence]
    note_sentences: Sequence[NoteSentence]
    titles: Sequence[Analysis]
    note_count: int
    answer_lang: Lang
    comparable: bool
    extent: Extent

    @cached_property
    def known_terms(self) -> frozenset[str]:
        """Everything the answer may say without adding anything: notes and question."""
        return self.question_terms.union(self.note_terms, *(title.terms for title in self.titles))

    @cached_property
    def note_terms(self) -> frozenset[str]:
        """The content morphemes of the notes."""
        return frozenset().union(*(sentence.terms for sentence in self.note_sentences))

    @cached_property
    def notes(self) -> Notes:
        """The sentences of the notes, as claims are aligned with them."""
        return Notes(
            [sentence.analysis for sentence in self.note_sentences],
            [sentence.note_index for sentence in self.note_sentences],
            self.titles,
        )

    @cached_property
    def note_numbers(self) -> frozenset[float]:
        """The numbers of the notes without their units and signs."""
        return frozenset(
            abs(value.number) for sentence in self.notes.sentences for value in sentence.held_values
        )

    @cached_property
    def few_values(self) -> list[list[Value]]:
        """By sentence the values of the notes, none where they have more than FEW_VALUES."""
        everywhere = [one.held_values for one in self.notes.sentences if one.values]
        return everywhere if sum(map(len, everywhere)) <= FEW_VALUES else []

    @cached_property
    def values_asked_about(self) -> list[list[Value]]:
        """By sentence the values of those that hold most of the question, and of those beside."""
        asked = Alignment(self.asked, self.notes, self.names)
        near = dict.fromkeys(one for n in asked.nearest for one in asked.beside(n))
        return [self.notes.sentences[n].held_values for n in near]

    def aligned(self, sentence: AnswerSentence) -> Alignment:
        """The sentence beside the notes."""
        found = self._aligned.get(sentence.claim)
        if found is None:
            found = self._aligned[sentence.claim] = Alignment(
                sentence.analysis, self.notes, self.names, self._said_by_asking
            )
        return found

    @cached_property
    def _said_by_asking(self) -> frozenset[str]:
        """The words of the question that a brief answer need not repeat."""
        return self.question_terms if self.claim_count <= BRIEF else frozenset()

    @cached_property
    def _aligned(self) -> dict[str, Alignment]:
        return {}

    def new_terms(self, sentence: AnswerSentence) -> frozenset[str]:
        """Words of a sentence that neither a note nor the question has; a word that the analyser
        takes apart in another way stands in the notes all the same."""
        found = self._new_terms.get(sentence.claim)
        if found is None:
            new = (sentence.terms & sentence.analysis.words) - self.known_terms
            text = self.known_text
            known = self._written
            for term in new - known.keys():
                known[term] = stands_written(term, text)
            found = frozenset(
                t for t in new if not known[t] and not is_part_written(t, sentence.analysis, text)
            )
            self._new_terms[sentence.claim] = found
        return found

    @cached_property
    def _written(self) -> dict[str, bool]:
        return {}

    @cached_property
    def _new_terms(self) -> dict[str, frozenset[str]]:
        return {}

    def copied_share(self, sentence: AnswerSentence) -> float:
        """The share of a claim's neighbouring words, 0 to 1, that stand so in the notes."""
        pairs = word_pairs(sentence.claim)
        return sum(pair in self.note_pairs for pair in pairs) / len(pairs) if pairs else 0.0

    def departs(self, sentence: AnswerSentence) -> bool:
        """Whether all else that the answer claims copies the notes."""
        others = self._claims - {sentence.claim}
        return bool(others) and self._uncopied <= {sentence.claim}

    @cached_property
    def _claims(self) -> frozenset[str]:
        return frozenset(one.claim for one in self.sentences if one.terms)

    @cached_property
    def _uncopied(self) -> frozenset[str]:
        return frozenset(
            one.claim for one in self.sentences if one.terms and self.copied_share(one) < VERBATIM
        )

    def replaced(self, sentence: AnswerSentence) -> Place | None:
        """The one place in which a sentence differs from one of the notes that it copies."""
        if sentence.claim not in self._replaced:
            self._replaced[sentence.claim] = self._find_replaced(sentence)
        return self._replaced[sentence.claim]

    def _find_replaced(self, sentence: AnswerSentence) -> Place | None:
        alignment = self.aligned(sentence)
        # What one sentence says as a whole needs no other to differ from.
        if alignment.gap <= 0 or alignment.held < HALF or sentence.polarity:
            return None
        near = [n for n in alignment.closest[:COMPARED] if n not in self.notes.rows]
        notes = [self.notes.sentences[n] for n in near]
        return replaced(sentence.analysis, notes)

    @cached_property
    def _replaced(self) -> dict[str, Place | None]:
        return {}

    @cached_property
    def names(self) -> frozenset[str]:
        """Terms that are written as names somewhere in notes or answer."""
        notes, claims = self.notes.sentences, [one.analysis for one in self.sentences]
        return frozenset(t.term for s in (*notes, *claims) for t in s.tokens if t.kind == NAME)

    @cached_property
    def claim_count(self) -> int:
        """How many sentences of the answer claim something."""
        return sum(bool(one.terms) and not one.refusal for one in self.sentences)

    @cached_property
    def says_no(self) -> bool:
        """Whether the answer begins with a no to what the question asks."""
        return (
            is_polar(self.question)
            and bool(self.sentences)
            and polarity(self.sentences[0].text) < 0
        )

    def in_titles(self, value: Value) -> bool:
        """Whether the title of a note has a value."""
        return any(same(value, one) for title in self.titles for one in title.held_values)

    @cached_property
    def dates(self) -> Sequence[Date | None]:
        """Of each note the date in its title, or else in its first sentence."""
        firsts = {one.note_index: one.analysis for one in reversed(self.note_sentences)}
        texts = [(title, firsts.get(n, title)) for n, title in enumerate(self.titles, start=1)]
        held = [[*title.held_values, *first.held_values] for title, first in texts]
        return [next((one.date for one in values if one.kind == "date"), None) for values in held]

    def is_day_of_a_date(self, value: Value) -> bool:
        """Whether "20일" is the day of a date of the notes, not twenty days."""
        if value.kind != "s" or value.amount != value.number * DAY:
            return False
        return value.number in self._days

    @cached_property
    def _days(self) -> frozenset[int | None]:
        held = (one for sentence in self.notes.sentences for one in sentence.held_values)
        return frozenset(one.date[2] for one in held if one.kind == "date") - {None}

    @cached_property
    def note_pairs(self) -> frozenset[tuple[str, str]]:
        """The words that stand side by side in the notes."""
        return frozenset().union(*(word_pairs(one.text) for one in self.note_sentences))

    @cached_property
    def changes(self) -> Sequence[tuple[int, NoteSentence]]:
        """The sentences of the notes that say that things have changed, each with its place."""
        found = enumerate(self.note_sentences)
        return [(place, one) for place, one in found if says_changed(one.text)]

    @cached_property
    def note_absolutes(self) -> set[str]:
        """The words of the notes that widen, narrow or compare."""
        return absolutes(self.known_text)

    @cached_property
    def known_text(self) -> str:
        """The notes as they stand, lower-cased."""
        texts = [*(one.text for one in self.titles), *(one.text for one in self.note_sentences)]
        return "\n".join(texts).lower()

    def support(self, sentence: AnswerSentence, note: int | None = None) -> float:
        """Share of the sentence's terms found together in one sentence of the notes, 0 to 1.

        note: look in this note only. Terms of the question count as found once another
        term is.
        """
        key = sentence.terms, note
        share = self._support.get(key)
        if share is None:
            closest = self.closest(sentence, note)
            share = 0.0
            if closest is not None:
                held = sentence.terms & (closest.terms | self.question_terms)
                share = len(held) / len(sentence.terms)
            self._support[key] = share
        return share

    @cached_property
    def _support(self) -> dict[tuple[frozenset[str], int | None], float]:
        return {}

    def bearers(self, sentence: AnswerSentence) -> int:
        """How many notes hold most of the sentence in one of theirs."""
        best = self.closest_by_note(sentence)
        return sum(
            note is not None
            and len(sentence.terms & (one.terms | self.question_terms))
            >= MIN_TERM_SHARE * len(sentence.terms)
            for note, one in best.items()
        )

    def share_held(self, sentence: AnswerSentence, note: NoteSentence) -> float:
        """The share of the sentence's words that one sentence of the notes holds, 0 to 1."""
        words = sentence.terms - ASKING
        return len(words & note.terms) / len(words) if words else 0.0

    def closest(self, sentence: AnswerSentence, note: int | None = None) -> NoteSentence | None:
        """The sentence of the notes that shares most with this one; shorter ones win ties.

        None when no sentence shares any term.
        """
        return self.closest_by_note(sentence).get(note)

    def closest_by_note(self, sentence: AnswerSentence) -> dict[int | None, NoteSentence]:
        """The closest sentence of each note that shares a term, and of all under None."""
        found = self._closest.get(sentence.terms)
        if found is None:
            found = self._closest[sentence.terms] = self._closest_by_note(sentence.terms)
        return found

    def _closest_by_note(self, terms: frozenset[str]) -> dict[int | None, NoteSentence]:
        shared = Counter(chain.from_iterable(self._postings.get(term, ()) for term in terms))
        best: dict[int | None, tuple[int, int, int]] = {}
        sizes = self._sizes
        for position, count in shared.items():
            note, size = sizes[position]
            held = best.get(note)
            if held is None or (count >= held[0] and (count, size, -position) > held):
                best[note] = count, size, -position
        if best:
            best[None] = max(best.values())
        return {note: self.note_sentences[-rank[2]] for note, rank in best.items()}

    @cached_property
    def _sizes(self) -> Sequence[tuple[int, int]]:
        """Of each sentence of the notes its note, and how few terms it has."""
        return [(one.note_index, -len(one.terms)) for one in self.note_sentences]

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


@lru_cache(maxsize=SENTENCES_KEPT)
def word_pairs(text: str) -> tuple[tuple[str, str], ...]:
    """Neighbouring words as they are written, lower-cased."""
    return tuple(pairwise(_WORD.findall(text.lower())))


def read(subject: AnswerToJudge, quotes: Sequence[str] = ()) -> Material:
    """Analyses the texts. Blocks: the Korean model may have to be loaded first.

    quotes: what the answer may rest on besides the notes. They are numbered on after the
    notes, but no mark of the answer can name them.
    """
    question, answer, texts = subject.question, subject.answer, [*subject.contents, *quotes]
    extent = Extent.measure(
        answer,
        texts,
        judged_answer_chars=min(len(answer), ANSWER_BUDGET),
        notes_budget=NOTES_BUDGET,
    )
    notes = share(texts, NOTES_BUDGET)
    spans = _sentences(answer[:ANSWER_BUDGET])
    # Whose data it is that a question asks for, the notes need not say.
    asked_for = marks_of(question)
    asked_for = asked_for and asked_for.difference(*map(marks_of, notes))
    question = without_marks_of(question, asked_for)
    claims = [without_marks(without_marks_of(span.text, asked_for)) for span in spans]
    placed = [
        (index, span.text)
        for index, note in enumerate(notes, start=1)
        for span in _in_parts(split_sentences(note))
    ]
    titles = [*(note.title for note in subject.notes), *("" for _ in quotes)]
    asked, *analyses = _analyses.of_many(
        [question, *claims, *(text for _, text in placed), *titles]
    )
    placed_from, titles_from = len(claims), len(claims) + len(placed)
    analyses[placed_from:] = _alike(analyses[placed_from:], [asked, *analyses[:placed_from]])
    asked, *analyses[:placed_from] = _alike(
        [asked, *analyses[:placed_from]], analyses[placed_from:]
    )
    noted = frozenset[str]().union(*(one.terms for one in analyses[placed_from:titles_from]))
    said = _polarities(question, claims, asked, analyses)
    answer_lang = detect_language(_lettered(" ".join(claims), question))
    material = Material(
        question=question,
        question_terms=asked.terms,
        asked=asked,
        sentences=[
            _sentence(span, claim, found, polarity, question, asked, noted)
            for span, claim, found, polarity in zip(spans, claims, analyses, said, strict=False)
        ],
        note_sentences=[
            NoteSentence(index, text, found.terms | found.figures, found)
            for (index, text), found in zip(placed, analyses[placed_from:titles_from], strict=True)
        ],
        titles=analyses[titles_from:],
        note_count=len(subject.notes),
        answer_lang=answer_lang,
        comparable=not any(map(str.isalpha, "".join(claims)))
        or _are_comparable(claims, " ".join(notes))
        or any(
            detect_language(text) == answer_lang and _is_borne(found.terms, analyses[:placed_from])
            for (_, text), found in zip(placed, analyses[placed_from:titles_from], strict=True)
        ),
        extent=extent,
    )
    return _within_budget(_without_advice(material))


def _alike(sentences: Sequence[Analysis], others: Sequence[Analysis]) -> list[Analysis]:
    """The sentences, with Korean nouns in one piece where the others have them so."""
    nouns = {noun for one in others if one.is_korean for noun in nouns_of(one)}
    if not nouns:
        return list(sentences)
    words = frozenset().union(*(one.words for one in others))
    return [with_nouns(one, nouns, words) for one in sentences]


def _without_advice(material: Material) -> Material:
    """Where to ask instead claims nothing beside a refusal."""
    sentences = material.sentences
    if not any(one.refusal for one in sentences) or all(one.refusal for one in sentences):
        return material
    if not all(one.refusal or is_advice(one.claim) for one in sentences):
        return material
    return replace(material, sentences=[replace(one, refusal=True) for one in sentences])


def _within_budget(material: Material) -> Material:
    """With those first sentences of the answer whose words are looked up in time."""
    left = LOOKUPS_BUDGET
    postings = material.notes.postings
    longest = max((len(one.analysis.tokens) for one in material.note_sentences), default=0)
    seen: set[str] = set()
    for number, sentence in enumerate(material.sentences):
        if sentence.claim not in seen:
            seen.add(sentence.claim)
            tokens = sentence.analysis.tokens
            left -= sum(min(MAX_SENTENCES, len(postings.get(one.term, ()))) for one in tokens)
            left -= LOOKUPS_A_CLAIM + LOOKUPS_A_PAIR * max(0, len(tokens) * longest - FREE_PAIRS)
        if left < 0 and number:
            end = material.sentences[number - 1].end
            extent = material.extent.model_copy(update={"judged_answer_chars": end})
            return replace(material, sentences=material.sentences[:number], extent=extent)
    return material


def _sentence(
    span: Span,
    claim: str,
    found: Analysis,
    polarity: int,
    question: str,
    asked: Analysis,
    noted: frozenset[str],
) -> AnswerSentence:
    refusal = not polarity and is_refusal(claim, found.terms, question, noted)
    if polarity:
        claim = f"{question} {without_polarity(claim)}"
        found = joined(asked, found)
    return AnswerSentence(
        text=span.text,
        claim=claim,
        terms=_claimed(found),
        marks=cited_notes(span.text),
        refusal=refusal,
        start=span.start,
        end=span.end,
        analysis=found,
        polarity=polarity,
    )


def _polarities(
    question: str, claims: Sequence[str], asked: Analysis, analyses: Sequence[Analysis]
) -> list[int]:
    """For each sentence whether it is a yes or no that claims what the question asks. Where more
    is said, that is the claim."""
    if not is_polar(question):
        return [0] * len(claims)
    saying = {n for n, found in enumerate(analyses[: len(claims)]) if found.words - FRAMING}
    return [
        polarity(claim)
        if saying <= {n}
        and needs_its_question(asked, analyses[n])
        and not (is_denying(without_polarity(claim)) and says_more(analyses[n]))
        else 0
        for n, claim in enumerate(claims)
    ]


def _claimed(found: Analysis) -> frozenset[str]:
    """The words of a claim and its figures, without the units and numerals that values have."""
    figures = {term for term in found.terms if term[:1].isdigit()}
    return (found.terms & (found.words | figures)) - FRAMING


def _are_comparable(claims: Sequence[str], notes: str) -> bool:
    """Whether the answer, or any of its sentences, is in the language of the notes."""
    theirs = _language(notes)
    return _language(" ".join(claims)) == theirs or any(
        _language(claim) == theirs for claim in claims
    )


def _is_borne(terms: frozenset[str], claims: Sequence[Analysis]) -> bool:
    """Whether a sentence of the notes with these terms holds most of one of the claims."""
    return any(
        one.terms and len(one.terms & terms) >= MIN_TERM_SHARE * len(one.terms) for one in claims
    )


def _lettered(text: str, other: str) -> str:
    """A text, or where it has no letter, as "= 65", another one."""
    return text if any(map(str.isalpha, text)) else other


def _language(text: str) -> tuple[Lang, bool]:
    return detect_language(text), is_third_language(text)


def _in_parts(spans: Sequence[Span]) -> Iterator[Span]:
    """The sentences, those without end in parts that end at a blank where there is one."""
    for span in spans:
        start, text = span.start, span.text
        while len(text) > MAX_SENTENCE_CHARS:
            blank = text.rfind(" ", 1, MAX_SENTENCE_CHARS)
            size = blank if blank > 0 else MAX_SENTENCE_CHARS
            yield Span(start, start + size, text[:size])
            start, text = start + size, text[size:]
        yield Span(start, start + len(text), text)


def _sentences(answer: str) -> list[Span]:
    """The sentences of the answer; marks that stand alone go with the sentence before."""
    sentences: list[Span] = []
    for span in _in_parts(split_sentences(answer)):
        if any(char.isalnum() for char in without_marks(span.text)):
            sentences.append(span)
        elif sentences:
            before = sentences[-1]
            sentences[-1] = Span(before.start, span.end, f"{before.text} {span.text}")
    return sentences
