"""Picks from notes the sentences that answer a question, without any model, or none of them.

The question's words are weighted by their rarity among the sentences of the notes (idf as in BM25:
ln(1 + (N - n + 0.5) / (n + 0.5)), Robertson & Zaragoza 2009). A sentence scores the share of them
that it holds; what its title, its heading or the sentence beside it holds counts less. Notes answer
if the best sentence covers enough of the question, and gives the kind of thing that is asked for.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple

from app.ai_router.providers.asked import (
    Question,
    in_digits,
    read_question,
    without_identifier,
    without_unrepeated,
)
from app.ai_router.providers.asked_kinds import requirement
from app.text.morphemes import Analysed, analysed_of_many, morphemes_of_many
from app.text.sentences import split_sentences

MAX_SENTENCES = 3
# The best sentence must cover at least MIN_COVERAGE + FEW_WORDS / n of the weight of the n words of
# the question, MAX_LEAST at most, and MIN_BEYOND_TITLE of that of the words that its title lacks
# (shares, 0 to 1). These and the other shares are set with benchmarks/answerer.py, half `tune`.
MIN_COVERAGE, FEW_WORDS, MAX_LEAST = 0.25, 0.8, 0.65
MIN_BEYOND_TITLE = 0.33
# How much more a missing name, topic or number costs.
MISSING_NAME = 1.2
# A further sentence must bring at least this share of the first one's score.
MIN_RELATIVE_SCORE = 0.7
# How much a word counts that does not stand in the sentence itself, but in its title or heading, or
# in the sentence before or after it.
TITLE_SHARE, BESIDE_SHARE = 0.8, 0.6
# The share of its score left to a sentence without the kind of thing asked for.
WITHOUT_KIND = 0.85
# A frequent word weighs at least this share of the rarest one.
MIN_RELATIVE_WEIGHT = 0.7
TOPIC_REACH = 4
# Sentences assumed beside those of the notes, none with the question's terms: among three
# sentences rarity says nothing yet.
BACKGROUND = 10
# Notes come capped at 12,000 characters; callers who pass their own may exceed that.
MAX_CONSIDERED = 2000


class Sentence(NamedTuple):
    """A sentence of note `note` (from 1), with its content morphemes and proper nouns."""

    note: int
    text: str
    terms: Sequence[str]
    names: AbstractSet[str]
    heading: bool


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen sentences, best first, and whether they answer the question."""

    sentences: Sequence[Sentence]
    answers: bool


def answer(question: str, titles: Sequence[str], contents: Sequence[str]) -> Selection:
    """The sentences that answer the question best. Takes CPU time: call it in a thread."""
    notes = [f"{title}\n{text}" for title, text in zip(titles, contents, strict=True)]
    question, others = without_identifier(question, notes)
    asked, titled, sentences = _analyse(question, titles, contents)
    if not asked.shares or not sentences:
        return Selection([], answers=False)
    passages = _Passages(asked, titled, sentences)
    scores = [passages.score(index) for index in range(len(sentences))]
    ranked = sorted(range(len(sentences)), key=lambda index: (-scores[index], index))
    best = ranked[0]
    least = max(MIN_RELATIVE_SCORE * scores[best], math.ulp(0.0))
    different: dict[str, Sentence] = {}
    for index in ranked:
        if scores[index] >= least:
            different.setdefault(sentences[index].text, sentences[index])
    answers = sentences[best].note not in others and passages.answer(best)
    return Selection(list(different.values())[:MAX_SENTENCES], answers)


class _Passages:
    """The sentences of the notes, with the question's words that each holds."""

    def __init__(
        self, asked: Question, titles: Sequence[Sentence], sentences: Sequence[Sentence]
    ) -> None:
        self._asked = asked
        self._titles = titles
        self._sentences = sentences
        self._held = [asked.held_by(one.text, {*one.terms}) for one in sentences]
        self._weights = _weights(asked, self._held)
        topics = _topics(sentences, self._weights)
        titled = [asked.held_by(title.text, {*title.terms}) for title in titles]
        self._above = [
            titled[one.note - 1] | topic for one, topic in zip(sentences, topics, strict=True)
        ]
        given = requirement(asked.text)
        self._given = [given is None or given(one.text, one.names) for one in sentences]

    def score(self, index: int) -> float:
        sentence = self._sentences[index]
        if _is_topic(sentence, self._weights) or sentence.text.endswith(("?", "？")):
            return 0.0
        return self._coverage(index) * (1.0 if self._given[index] else WITHOUT_KIND)

    def answer(self, index: int) -> bool:
        """Whether a sentence gives what is asked for, covers the question, beyond its title too,
        and is of the question's year."""
        above, sentence = self._above[index], self._sentences[index]
        notes = [one.note for one in self._sentences]
        of_note = zip(notes, self._held, strict=True)
        held = above.union(*(terms for note, terms in of_note if note == sentence.note))
        terms = {*sentence.terms, *self._titles[sentence.note - 1].terms}
        least = min(MAX_LEAST, MIN_COVERAGE + FEW_WORDS / len(self._weights))
        return (
            self._given[index]
            and self._coverage(index) >= least
            and self._coverage(index, above) >= MIN_BEYOND_TITLE
            and not self._asked.asks_of_another(held, terms)
        )

    def _coverage(self, index: int, apart: AbstractSet[str] = frozenset()) -> float:
        """The share of the question's weight that a sentence and what is around it hold, words
        `apart` left out."""
        beside = [
            self._held[one]
            for one in range(max(0, index - 1), min(index + 2, len(self._sentences)))
            if self._sentences[one].note == self._sentences[index].note
        ]
        weights = {term: weight for term, weight in self._weights.items() if term not in apart}
        loss = 0.0
        for term, weight in weights.items():
            if term in self._held[index]:
                continue
            if term in self._above[index]:
                loss += (1 - TITLE_SHARE) * weight
            elif any(term in held for held in beside):
                loss += (1 - BESIDE_SHARE) * weight
            else:
                loss += weight * (MISSING_NAME if term in self._asked.named else 1.0)
        return max(0.0, 1.0 - loss / sum(weights.values())) if weights else 1.0


def summarise(text: str) -> list[str]:
    """The MAX_SENTENCES sentences that hold most of what the text speaks of, in its order
    (SumBasic's mean term probability, Nenkova & Vanderwende 2005, over at least six terms)."""
    spans = split_sentences(text)[:MAX_CONSIDERED]
    terms = morphemes_of_many([span.text for span in spans])
    frequency = Counter(term for sentence in terms for term in set(sentence))
    remaining = dict(frequency)
    chosen: list[int] = []
    while len(chosen) < min(MAX_SENTENCES, len(spans)):
        rest = [index for index in range(len(spans)) if index not in chosen]
        best = max(
            rest,
            key=lambda i: sum(remaining[t] for t in set(terms[i])) / max(6, len(set(terms[i]))),
        )
        chosen.append(best)
        for term in terms[best]:
            remaining[term] = 0
    return [spans[index].text for index in sorted(chosen)]


def _analyse(
    question: str, titles: Sequence[str], contents: Sequence[str]
) -> tuple[Question, list[Sentence], list[Sentence]]:
    found = [(note, title, True) for note, title in enumerate(titles, 1)]
    for note, content in enumerate(contents, 1):
        for span in split_sentences(content):
            line_start = content.rfind("\n", 0, span.start) + 1
            heading = content[line_start : span.start].lstrip().startswith("#")
            found.append((note, span.text, heading))
    del found[MAX_CONSIDERED:]
    texts = [without_unrepeated(question), *(text for _, text, _ in found)]
    first, *rest = analysed_of_many([in_digits(text) for text in texts])
    read = [
        Sentence(note, text, _terms(analysed), _names(analysed), heading)
        for (note, text, heading), analysed in zip(found, rest, strict=True)
    ]
    return read_question(first), read[: len(titles)], read[len(titles) :]


def _terms(analysed: Analysed) -> list[str]:
    return [term for _, term in analysed.morphemes]


def _names(analysed: Analysed) -> frozenset[str]:
    return frozenset(token.form for token in analysed.tokens if token.tag in ("NNP", "UN"))


def _weights(asked: Question, held: Sequence[AbstractSet[str]]) -> dict[str, float]:
    count = len(held) + BACKGROUND
    holding = Counter(term for terms in held for term in terms)
    rarity = {
        term: math.log(1 + (count - holding[term] + 0.5) / (holding[term] + 0.5))
        for term in asked.shares
    }
    least = MIN_RELATIVE_WEIGHT * max(rarity.values())
    return {term: share * max(rarity[term], least) for term, share in asked.shares.items()}


def _topics(sentences: Sequence[Sentence], weights: Mapping[str, float]) -> list[frozenset[str]]:
    """For each sentence the question's terms in the heading it stands under."""
    topics: list[frozenset[str]] = []
    topic, note, left = frozenset[str](), 0, 0
    for sentence in sentences:
        if sentence.note != note or left == 0:
            topic = frozenset()
        note = sentence.note
        topics.append(topic)
        left -= 1
        if _is_topic(sentence, weights):
            topic, left = frozenset(sentence.terms) & weights.keys(), TOPIC_REACH
    return topics


def _is_topic(sentence: Sentence, weights: Mapping[str, float]) -> bool:
    """Whether it only names the subject of the question, so that the answer follows below."""
    if sentence.heading:
        return True
    # "Sale items may not be refunded." has no other words, and is an answer.
    return weights.keys() >= set(sentence.terms) and not sentence.text.endswith((".", "다", "요"))
