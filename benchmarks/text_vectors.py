"""Vectors of passages and questions as an embedding model would place them, made without one.

Each word has a random direction, and a text is the sum of its words' directions, weighted by how
rare they are: texts with words in common are near. As in models, most of the variance lies in
few of the dimensions, all vectors share a direction, and no two passages are the same: each has a
part of its own.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain

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
_WORD = re.compile(r"\w+")


class TextVectors:
    """Unit vectors of `dimensions` numbers. corpus: texts that say how rare a word is."""

    def __init__(self, dimensions: int, corpus: Sequence[str]) -> None:
        self.dimensions = dimensions
        self._known = Counter(chain.from_iterable(set(_words(text)) for text in corpus))
        self._directions: dict[str, Vectors] = {}

    def latent(self, texts: Sequence[str]) -> Vectors:
        """Unit vectors of `_LATENT` numbers."""
        spread = np.arange(1, _LATENT + 1) ** -_SPECTRUM
        total = self._known.total()
        found = np.zeros((len(texts), _LATENT), np.float32)
        for row, text in enumerate(texts):
            for word in _words(text):
                weight = np.log(total / (1 + self._known[word]))
                found[row] += weight * spread * self._direction(word)
        return _unit(found)

    def of_parts(
        self, latent: Vectors, parts: Sequence[Sequence[int]], random: np.random.Generator
    ) -> Vectors:
        """Of passages. parts: of each, which rows of `latent` it is made of."""
        starts = np.cumsum([0, *(len(each) for each in parts[:-1])])
        mixed = np.add.reduceat(latent[list(chain.from_iterable(parts))], starts)
        return self._placed(_unit(mixed), _OWN, random)

    def asked(self, questions: Sequence[str]) -> Vectors:
        return self._placed(self.latent(questions), _QUESTION_OWN, np.random.default_rng(2))

    def _placed(self, latent: Vectors, own: float, random: np.random.Generator) -> Vectors:
        """Among `dimensions`, each with a part of its own and one that all have."""
        turn = np.random.default_rng(3).standard_normal((_LATENT, self.dimensions), np.float32)
        common = _unit(np.random.default_rng(4).standard_normal((1, self.dimensions), np.float32))
        spread = (np.arange(1, _LATENT + 1) ** -_SPECTRUM).astype(np.float32)
        parts = random.standard_normal(latent.shape, np.float32) * spread
        placed = _unit((latent + own * _unit(parts)) @ turn)
        return _unit(np.sqrt(1 - _COMMON) * placed + np.sqrt(_COMMON) * common)

    def _direction(self, word: str) -> Vectors:
        if word not in self._directions:
            generator = np.random.default_rng(int.from_bytes(word.encode(), "big") % 2**63)
            self._directions[word] = generator.standard_normal(_LATENT, np.float32)
        return self._directions[word]


def _words(text: str) -> list[str]:
    """Two syllables of each word: what Korean appends to it is mostly behind them."""
    return [word[:2] for word in _WORD.findall(text.lower())]


def _unit(vectors: Vectors) -> Vectors:
    unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit
