"""Picks from notes the sentences that answer a question, without any model, or none of them.

The question's words are weighted by their rarity among the sentences of the notes (idf as in BM25:
ln(1 + (N - n + 0.5) / (n + 0.5)), Robertson & Zaragoza 2009). A sentence scores the share of them
that it holds; what its title, its heading or the rest of its note holds counts less. Notes answer
if the best sentence covers enough of the question, and gives the kind of thing that is asked for.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple

from app.ai_router.providers.asked import Question, read_question, without_rates
from app.ai_router.providers.asked_kinds import requirement
from app.text.morphemes import Analysed, analysed_of_many, morphemes_of_many
from app.text.sentences import split_sentences

MAX_SENTENCES = 3
# Shares of the question's weight, 0 to 1, below which the notes do not answer: of all its words,
# and of those that the note's title lacks. These and the other shares are set with
# benchmarks/answerer.py on its half `tune`; docs/quality.md has the errors of both kinds.
MIN_COVERAGE = 0.47
MIN_BEYOND_TITLE = 0.33
# A further sentence must bring at least this share of the first one's score.
MIN_RELATIVE_SCORE = 0.7
# How much a word counts that does not stand in the sentence itself, but in its title or heading, in
# the sentence before or after it, elsewhere in its note.
TITLE_SHARE, BESIDE_SHARE, NOTE_SHARE = 0.8, 0.6, 0.3
# Shares of its score left to a sentence without the kind of thing asked for; and to one that holds
# no word of the question itself.
WITHOUT_KIND = 0.7
WITHOUT_WORDS = 0.8
# A frequent word weighs at least this share of the rarest one.
MIN_RELATIVE_WEIGHT = 0.6
# A sentence that gives it beside the best one covers at least this share of what that one does.
MIN_GIVER = 0.7
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
    """The chosen sentences, best first, the share of the question they cover (0 to 1), and whether
    they answer it."""

    sentences: Sequence[Sentence]
    coverage: float
    answers: bool


def answer(question: str, titles: Sequence[str], contents: Sequence[str]) -> Selection:
    """The sentences that answer the question best. Takes CPU time: call it in a thread."""
    asked, titled, sentences = _analyse(question, titles, contents)
    if not asked.shares or not sentences:
        return Selection([], 0.0, answers=False)
    return _select(_Scored(asked, titled, sentences))


def _select(scored: "_Scored") -> Selection:
    scores = scored.scores
    best = max(range(len(scores)), key=lambda index: (scores[index], -index))
    least = MIN_RELATIVE_SCORE * scores[best]
    if not least:
        return Selection([], 0.0, answers=False)
    ranked = sorted((-score, index) for index, score in enumerate(scores) if score >= least)
    texts = {scored.sentences[index].text: index for _, index in reversed(ranked)}
    chosen = [index for _, index in ranked if texts[scored.sentences[index].text] == index]
    del chosen[MAX_SENTENCES:]
    gives = scored.giver(best, chosen)
    if gives is not None and gives not in chosen:
        chosen = [best, gives, *chosen[1 : MAX_SENTENCES - 1]]
    coverage = scored.coverage(best)
    answers = gives is not None and coverage >= MIN_COVERAGE and scored.is_about(best)
    return Selection([scored.sentences[index] for index in chosen], coverage, answers)


class _Scored:
    """The sentences of the notes with what each holds of the question."""

    def __init__(
        self, asked: Question, titles: Sequence[Sentence], sentences: Sequence[Sentence]
    ) -> None:
        self.asked = asked
        self.titles = titles
        self.sentences = sentences
        self.held = [asked.held_by(one.text, one.terms) for one in sentences]
        self.weights = _weights(asked, self.held)
        topics = _topics(sentences, self.weights)
        titled = [asked.held_by(title.text, title.terms) for title in titles]
        self.above = [
            titled[one.note - 1] | topic for one, topic in zip(sentences, topics, strict=True)
        ]
        self.of_note: dict[int, set[str]] = {}
        for one, held in zip(sentences, self.held, strict=True):
            self.of_note.setdefault(one.note, set()).update(held)
        given = requirement(asked.text)
        self.given = [given is None or given(one.text, one.names) for one in sentences]
        self.scores = [self._score(index) for index in range(len(sentences))]

    def _score(self, index: int) -> float:
        sentence = self.sentences[index]
        if _is_topic(sentence, self.weights) or sentence.text.endswith(("?", "？")):
            return 0.0
        score = self.coverage(index) * (1.0 if self.given[index] else WITHOUT_KIND)
        return score * (1.0 if self.held[index] else WITHOUT_WORDS)

    def coverage(self, index: int, *, beyond_title: bool = False) -> float:
        """The share of the question's weight that a sentence and what is around it hold."""
        above = self.above[index]
        beside = frozenset[str]().union(*(self.held[one] for one in self._beside(index)))
        sources = (
            (self.held[index], 1.0),
            (above, TITLE_SHARE),
            (beside, BESIDE_SHARE),
            (self.of_note[self.sentences[index].note], NOTE_SHARE),
        )
        asked = self.weights.keys() - above if beyond_title else self.weights.keys()
        credit = sum(
            self.weights[term] * next((share for held, share in sources if term in held), 0.0)
            for term in asked
        )
        return credit / sum(self.weights[term] for term in asked) if asked else 1.0

    def is_about(self, index: int) -> bool:
        """Whether a sentence says more of the question than its title does, and of its year."""
        sentence, above = self.sentences[index], self.above[index]
        if self.coverage(index, beyond_title=True) < MIN_BEYOND_TITLE:
            return False
        held = self.of_note[sentence.note] | above
        terms = {*sentence.terms, *self.titles[sentence.note - 1].terms}
        return not self.asked.asks_of_another(held, terms)

    def giver(self, best: int, chosen: Sequence[int]) -> int | None:
        """The sentence of the best one's note that gives what is asked for: itself, another chosen
        one or one beside it, if it covers nearly as much."""
        others = [one for one in chosen if self.sentences[one].note == self.sentences[best].note]
        for index in (best, *others, *self._beside(best)):
            near = self.coverage(index) >= MIN_GIVER * self.coverage(best)
            if self.given[index] and self.scores[index] and near:
                return index
        return None

    def _beside(self, index: int) -> Iterator[int]:
        for one in (index + 1, index - 1):
            note = self.sentences[index].note
            if 0 <= one < len(self.sentences) and self.sentences[one].note == note:
                yield one


def summarise(text: str, count: int = MAX_SENTENCES) -> list[str]:
    """The `count` sentences that hold most of what the text speaks of, in its order
    (SumBasic's mean term probability, Nenkova & Vanderwende 2005, over at least six terms)."""
    spans = split_sentences(text)[:MAX_CONSIDERED]
    terms = morphemes_of_many([span.text for span in spans])
    frequency = Counter(term for sentence in terms for term in set(sentence))
    remaining = dict(frequency)
    chosen: list[int] = []
    while len(chosen) < min(count, len(spans)):
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
    first, *rest = analysed_of_many([without_rates(question), *(text for _, text, _ in found)])
    read = [
        Sentence(note, text, _terms(analysed), _names(analysed), heading)
        for (note, text, heading), analysed in zip(found, rest, strict=True)
    ]
    return read_question(question, first), read[: len(titles)], read[len(titles) :]


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
    return sentence.heading or weights.keys() >= set(sentence.terms)
