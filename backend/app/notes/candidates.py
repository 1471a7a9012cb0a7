"""The chunks that a search scores: those whose keys weigh enough, as an indexed query."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from sqlalchemy.ext.asyncio import AsyncSession

from app.notes import queries
from app.notes.keys import FREQUENCIES, SAMPLES, Place

# The index evaluates the query for each chunk that it considers.
_MAX_OPERANDS = 40
# How many entries of keys the index may have to read from their first to their last.
_MAX_ENTRIES = 50_000
# Fewer chunks of a sample are too few to extrapolate from.
_TELLING = 2
_ROUNDING = 1e-5


@dataclass(frozen=True, slots=True)
class WeightedKey:
    """frequency: in how many chunks it is."""

    key: str
    weight: float
    frequency: float


@dataclass(frozen=True, slots=True)
class Sample:
    """How many chunks of a sample have which keys, by their places in a list, and how many chunks
    of all each of them stands for."""

    chunks: Mapping[frozenset[int], int]
    share: int


@dataclass(frozen=True, slots=True)
class Heaviest:
    """query: the chunks that weigh most. above: those of them that weigh more than the lightest do,
    None if none can. chunks: about how many there are."""

    query: str
    above: str | None
    chunks: float


def heaviest(keys: Sequence[WeightedKey], sample: Sample, *, least: int, most: int) -> Heaviest:
    """About `most` chunks; more where more weigh the same, or fewer than `least` weigh more.

    keys: at least one, weights above 0. The lightest are left out where the query would be long.
    """
    order = sorted(range(len(keys)), key=lambda at: -keys[at].weight)[:_MAX_OPERANDS]
    while order:
        query = _Query([keys[at] for at in order])
        levels = _levels(keys, frozenset(order), sample)
        weight, chunks = query.chosen(levels, most, max(least, _TELLING * sample.share))
        try:
            written = query.at_least(weight - _ROUNDING)
            assert written is not None
            return Heaviest(written, query.at_least(weight + _ROUNDING), chunks)
        except _TooLong:
            # Some at once: a question may have hundreds, and each try looks at the whole sample.
            del order[-max(1, len(order) // 10) :]
    raise AssertionError("one key is a short query")


def _levels(
    keys: Sequence[WeightedKey], heavy: frozenset[int], sample: Sample
) -> list[tuple[float, float]]:
    """The weights of the sample, the highest first, each with how many chunks reach it."""
    weighing: defaultdict[float, float] = defaultdict(float)
    for held, chunks in sample.chunks.items():
        if known := held & heavy:
            weighing[round(sum(keys[at].weight for at in known), 6)] += chunks * sample.share
    weights = sorted(weighing, reverse=True)
    return list(zip(weights, accumulate(weighing[weight] for weight in weights), strict=True))


class _Query:
    """Queries over keys, the heaviest first."""

    def __init__(self, keys: Sequence[WeightedKey]) -> None:
        self._keys = keys
        left = list(accumulate(key.weight for key in reversed(keys)))
        self._left = [*reversed(left), 0.0]
        self._operands = 0

    def chosen(
        self, levels: Sequence[tuple[float, float]], most: int, least: int
    ) -> tuple[float, float]:
        """The lowest weight that few enough chunks reach, or the next one where these are fewer
        than `least`, if the index finds them soon; and how many do. Else a higher weight, or what
        weighs more than the sample, or the highest of it."""
        if not levels or (levels[-1][1] <= most and self._entries(0.0) <= _MAX_ENTRIES):
            return self._keys[-1].weight, levels[-1][1] if levels else 0.0
        fitting = [level for level in levels if level[1] <= most]
        if len(fitting) < len(levels) and (not fitting or fitting[-1][1] < least):
            fitting = list(levels[: len(fitting) + 1])
        for weight, chunks in reversed(fitting):
            if self._entries(weight) <= _MAX_ENTRIES:
                return weight, chunks
        highest, chunks = levels[0]
        if fitting and self._left[0] > highest + 2 * _ROUNDING:
            return highest + 2 * _ROUNDING, 0.0
        return highest, chunks

    def _entries(self, weight: float) -> float:
        """What the index reads: all keys but the lightest that do not reach the weight together. Of
        those it looks up only the chunks that it has come upon."""
        return sum(
            key.frequency
            for key, left in zip(self._keys, self._left, strict=False)
            if left >= weight - _ROUNDING
        )

    def at_least(self, weight: float) -> str | None:
        """Chunks that weigh so much, None if none can. Raises _TooLong."""
        self._operands = 0
        return self._from(0, weight)

    def _from(self, at: int, missing: float) -> str | None:
        """Chunks that weigh what is missing by the keys from there on, with one of them at least: a
        key that nearly every chunk has weighs less than is rounded."""
        if at == len(self._keys) or self._left[at] < missing:
            return None
        self._operands += 1
        if self._operands > _MAX_OPERANDS:
            raise _TooLong
        key = self._keys[at]
        having, still = key.key, missing - key.weight
        if still > 0:
            having = f"{having} & {self._from(at + 1, still)}"
        without = self._from(at + 1, missing)
        return having if without is None else f"({having} | {without})"


class _TooLong(Exception):
    """The query has more operands than the index may be asked for."""


_CANDIDATES = 600
# For each chunk that is wanted so many are looked at: several may be of one note.
_CHUNKS_PER_HIT = 5
# Where more than this weigh the same, not all of them are looked at.
_MAX_TIED_CHUNKS = 2_000
# Of more terms many sets are possible, so that less depends on how often a chunk holds one.
_MAX_EXACT_TERMS = 3


@dataclass(frozen=True, slots=True)
class Candidates:
    """query: over the keys of chunks. idf: of each term that a chunk has."""

    query: str
    idf: Mapping[str, float]
    mean_length: float


async def find_candidates(
    session: AsyncSession, place: Place, terms: Sequence[str], limit: int
) -> Candidates | None:
    """Enough chunks for the best `limit` to be among them; None when none has any of the terms."""
    if not terms:
        return None
    keys = [place.term(term) for term in terms]
    found = await queries.term_sample(session, place, keys, are_terms=True)
    weighted = [
        WeightedKey(key, _idf(found.size, frequency), frequency)
        for key, frequency in zip(keys, found.frequencies, strict=True)
    ]
    known = [at for at, key in enumerate(weighted) if key.frequency]
    if not known:
        return None
    # What is common says little, unless there is hardly anything else.
    telling = [at for at in known if not found.common[at]]
    least = _CHUNKS_PER_HIT * limit
    if sum(weighted[at].frequency for at in telling) < least and len(known) < len(terms):
        return await find_candidates(session, place, [terms[at] for at in known], limit)
    sample = Sample(_among(telling, found.chunks), found.share)
    most = max(_CANDIDATES, 2 * least)
    best = heaviest([weighted[at] for at in telling], sample, least=least, most=most)
    query = best.query
    if best.chunks > max(_MAX_TIED_CHUNKS, most):
        query = await _narrowed(session, place, best, [terms[at] for at in telling], most)
    idf = {terms[at]: weighted[at].weight for at in known}
    return Candidates(place.within(query), idf, found.mean_length)


def _idf(size: float, frequency: float) -> float:
    return math.log(1 + (max(size - frequency, 0.0) + 0.5) / (frequency + 0.5))


def _among(
    places: Sequence[int], chunks: Mapping[frozenset[int], int]
) -> Mapping[frozenset[int], int]:
    """The same sets by the places of their members in `places`."""
    new = {at: place for place, at in enumerate(places)}
    return {frozenset(new[at] for at in held if at in new): n for held, n in chunks.items()}


async def _narrowed(
    session: AsyncSession, place: Place, best: Heaviest, terms: Sequence[str], most: int
) -> str:
    """Where too many chunks weigh the same: what weighs more than they do, those of them that hold
    a term most often, and some of the others."""
    sample = min(math.ceil(math.log(best.chunks / most, 4)), SAMPLES - 1)
    parts = [best.above, f"({best.query}) & {place.sample(sample)}"]
    if len(terms) <= _MAX_EXACT_TERMS:
        often = [
            f"({best.query}) & ({' | '.join(place.term(term, least) for term in terms)})"
            for least in FREQUENCIES
        ]
        counted = (await queries.term_sample(session, place, often)).frequencies
        enough = (query for query, chunks in zip(often, counted, strict=True) if 0 < chunks <= most)
        parts.append(next(enough, None))
    return " | ".join(part for part in parts if part)
