"""Picks from notes the sentences that answer a question, without any model.

A question's morphemes are weighted by their rarity among the sentences of the notes
(idf as in BM25: ln(1 + (N - n + 0.5) / (n + 0.5)), Robertson & Zaragoza 2009). A sentence
scores what it shares with the question, more for two terms in the question's order and, at a
discount, for terms of its title and of the line it stands under.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from app.text.morphemes import morphemes_of_many
from app.text.sentences import Span, split_sentences

MAX_SENTENCES = 3
# Below this share of the question's weight the notes are said not to answer: low enough for
# one of two terms in a short note. Of 200 KorQuAD questions, 97 % are answered when the
# paragraph is among five notes, and 1 % when the five are of other articles.
MIN_COVERAGE = 0.38
# A further sentence must bring at least this share of the first one's score.
MIN_RELATIVE_SCORE = 0.5
BIGRAM_BONUS = 0.5
TITLE_SHARE = 0.5
TOPIC_SHARE = 0.5
TOPIC_REACH = 4
# Sentences assumed beside those of the notes, none with the question's terms: among three
# sentences rarity says nothing yet.
BACKGROUND = 10
# Notes come capped at 12,000 characters; callers who pass their own may exceed that.
MAX_CONSIDERED = 2000

# They say what kind of answer is wanted, and notes rarely repeat them.
_WORDS_OF_ASKING = """
    알다 알리다 알려주다 말하다 설명 설명하다 누구 언제 어디 무엇 무슨 얼마 몇 이유 방법 어떻다
    어떤 궁금 궁금하다 질문 답 요약 무어 뭐 주다 대하다 관하다 따르다 위하다 통하다 이름 사람
    tell explain describ mani much long often far list give show pleas know mean name kind
    """
_ASKING = frozenset(_WORDS_OF_ASKING.split())


class Sentence(NamedTuple):
    """A sentence of note `note` (from 1), with its content morphemes."""

    note: int
    text: str
    terms: Sequence[str]
    heading: bool


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen sentences, best first, and the share of the question they cover (0 to 1)."""

    sentences: Sequence[Sentence]
    coverage: float

    @property
    def answers(self) -> bool:
        return bool(self.sentences) and self.coverage >= MIN_COVERAGE


def answer(question: str, titles: Sequence[str], contents: Sequence[str]) -> Selection:
    """The sentences that answer the question best. Takes CPU time: call it in a thread."""
    sentences, title_terms, asked = _analyse(question, titles, contents)
    weights = _weights(asked, sentences, title_terms)
    total = sum(weights.values())
    if not total:
        return Selection([], 0.0)
    topics = _topics(sentences, weights)
    scores = [
        _score(sentence, asked, weights, title_terms[sentence.note - 1], topic)
        for sentence, topic in zip(sentences, topics, strict=True)
    ]
    chosen = _choose(sentences, scores, weights)
    covered: set[str] = set()
    for index in chosen:
        sentence = sentences[index]
        covered |= {*sentence.terms, *topics[index], *title_terms[sentence.note - 1]}
    coverage = sum(weight for term, weight in weights.items() if term in covered) / total
    return Selection([sentences[index] for index in chosen], coverage)


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
) -> tuple[list[Sentence], list[frozenset[str]], list[str]]:
    found: list[tuple[int, Span, bool]] = []
    for note, content in enumerate(contents, 1):
        for span in split_sentences(content):
            line_start = content.rfind("\n", 0, span.start) + 1
            heading = content[line_start : span.start].lstrip().startswith("#")
            found.append((note, span, heading))
    del found[MAX_CONSIDERED:]
    texts = [question, *titles, *(span.text for _, span, _ in found)]
    question_terms, *rest = morphemes_of_many(texts)
    title_terms = [frozenset(terms) for terms in rest[: len(titles)]]
    sentences = [
        Sentence(note, span.text, terms, heading)
        for (note, span, heading), terms in zip(found, rest[len(titles) :], strict=True)
    ]
    asked = [term for term in question_terms if term not in _ASKING]
    return sentences, title_terms, asked or question_terms


def _weights(
    asked: Sequence[str], sentences: Sequence[Sentence], title_terms: Sequence[AbstractSet[str]]
) -> dict[str, float]:
    sets = [{*sentence.terms, *title_terms[sentence.note - 1]} for sentence in sentences]
    count = len(sets) + BACKGROUND
    weights = {}
    for term in set(asked):
        holding = sum(term in terms for terms in sets)
        weights[term] = math.log(1 + (count - holding + 0.5) / (holding + 0.5))
    return weights


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


def _score(
    sentence: Sentence,
    asked: Sequence[str],
    weights: Mapping[str, float],
    title: AbstractSet[str],
    topic: AbstractSet[str],
) -> float:
    if _is_topic(sentence, weights) or sentence.text.endswith(("?", "？")):
        return 0.0
    own = weights.keys() & set(sentence.terms)
    score = sum(weights[term] for term in own)
    pairs = set(pairwise(sentence.terms))
    score += BIGRAM_BONUS * sum(
        min(weights[a], weights[b]) for a, b in set(pairwise(asked)) if (a, b) in pairs
    )
    score += TITLE_SHARE * sum(weights[term] for term in (title & weights.keys()) - own)
    score += TOPIC_SHARE * sum(weights[term] for term in topic - own - title)
    return score


def _choose(
    sentences: Sequence[Sentence], scores: Sequence[float], weights: Mapping[str, float]
) -> list[int]:
    """Indexes of the best sentences; terms that are already covered count half."""
    chosen: list[int] = []
    covered: set[str] = set()
    said: set[str] = set()
    best = 0.0
    while len(chosen) < MAX_SENTENCES:
        gains = {
            index: score - sum(weights[t] for t in covered & set(sentences[index].terms)) / 2
            for index, score in enumerate(scores)
            if score > 0 and index not in chosen and sentences[index].text not in said
        }
        if not gains:
            break
        index = max(gains, key=lambda i: (gains[i], -i))
        best = best or gains[index]
        if gains[index] < MIN_RELATIVE_SCORE * best:
            break
        chosen.append(index)
        said.add(sentences[index].text)
        covered |= weights.keys() & set(sentences[index].terms)
    return chosen
