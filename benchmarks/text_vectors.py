"""Vectors of passages and questions as an embedding model would place them, made without one.

Each word has a random direction, and a text is the sum of its words' directions, weighted by how
rare they are: texts with words in common are near. As in models, most of the variance lies in
few of the dimensions, all vectors share a direction, and no two passages are the same: each has a
part of its own.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

# Dimensions that vary: the rest of a vector follows from them.
_LATENT = 256
_SPECTRUM = 0.5
# The cosine of two passages about unlike things, about as models have it.
_COMMON = 0.2
# How long a passage's own part is, beside that of its words; a question is short and plain.
_OWN = 0.6
_QUESTION_OWN = 0.2
_BATCH = 10_000
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class TextVectors:
    """corpus: JSON lines with `text`; questions: JSON lines with `question`."""

    dimensions: int
    corpus: Path
    questions: Path

    def passages(self, count: int) -> Iterator[Vectors]:
        """Batches of unit vectors. Each passage: two sentences of one text and one of any."""
        random = np.random.default_rng(1)
        by_text = [sentences for text in self._texts() if (sentences := _sentences(text))]
        latent = self._latent(list(chain.from_iterable(by_text)))
        ends = np.cumsum([len(sentences) for sentences in by_text])
        begins = ends - [len(sentences) for sentences in by_text]
        for start in range(0, count, _BATCH):
            size = min(_BATCH, count - start)
            chosen = random.integers(len(by_text), size=size)
            first, second = (random.integers(begins[chosen], ends[chosen]) for _ in range(2))
            stray = random.integers(ends[-1], size=size)
            mixed = _unit(latent[first] + latent[second] + 0.5 * latent[stray])
            yield self._placed(mixed, _OWN, random)

    def asked(self, count: int) -> Vectors:
        lines = self.questions.read_text(encoding="utf-8").splitlines()
        step = max(1, len(lines) // count)
        texts = [json.loads(line)["question"] for line in lines[::step][:count]]
        return self._placed(self._latent(texts), _QUESTION_OWN, np.random.default_rng(2))

    def _texts(self) -> Iterator[str]:
        for line in self.corpus.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)["text"]

    def _latent(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of `_LATENT` numbers."""
        spread = np.arange(1, _LATENT + 1) ** -_SPECTRUM
        known = Counter(chain.from_iterable(set(_words(text)) for text in self._texts()))
        texts_known = known.total()
        found = np.zeros((len(texts), _LATENT), np.float32)
        for row, text in enumerate(texts):
            for word in _words(text):
                weight = np.log(texts_known / (1 + known[word]))
                found[row] += weight * spread * _direction(word)
        return _unit(found)

    def _placed(self, latent: Vectors, own: float, random: np.random.Generator) -> Vectors:
        """Among `dimensions`, each with a part of its own and one that all have."""
        turn = np.random.default_rng(3).standard_normal((_LATENT, self.dimensions), np.float32)
        common = _unit(np.random.default_rng(4).standard_normal((1, self.dimensions), np.float32))
        spread = (np.arange(1, _LATENT + 1) ** -_SPECTRUM).astype(np.float32)
        parts = random.standard_normal(latent.shape, np.float32) * spread
        placed = _unit((latent + own * _unit(parts)) @ turn)
        return _unit(np.sqrt(1 - _COMMON) * placed + np.sqrt(_COMMON) * common)


def _sentences(text: str) -> list[str]:
    return [each for each in re.split(r"(?<=[.?!])\s+", text) if len(each) > 10]


def _words(text: str) -> list[str]:
    """Two syllables of each word: what Korean appends to it is mostly behind them."""
    return [word[:2] for word in _WORD.findall(text.lower())]


_directions: dict[str, Vectors] = {}


def _direction(word: str) -> Vectors:
    if word not in _directions:
        seed = int.from_bytes(word.encode(), "big") % 2**63
        generator = np.random.default_rng(seed)
        _directions[word] = generator.standard_normal(_LATENT, np.float32)
    return _directions[word]


def _unit(vectors: Vectors) -> Vectors:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
