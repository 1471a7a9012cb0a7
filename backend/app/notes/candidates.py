"""The chunks that a search looks at, as a query that the index answers."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from app.notes import queries
from app.notes.keys import FREQUENCIES, SAMPLES, Place
from app.notes.thresholds import Heaviest, Sample, WeightedKey, heaviest

_CANDIDATES = 600
# For each chunk that is wanted so many are looked at: several may be of one note.
_ENOUGH = 5
# Where more than this weigh the same, not all of them are looked at.
_MOST_ALIKE = 2_000
# Of more terms many sets are possible, so that less depends on how often a chunk holds one.
_FEW_TERMS = 3


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
    found = await queries.term_sample(session, place, keys)
    weighted = [
        WeightedKey(key, _idf(found.size, frequency), frequency)
        for key, frequency in zip(keys, found.frequencies, strict=True)
    ]
    known = [at for at, key in enumerate(weighted) if key.frequency]
    if not known:
        return None
    # What is common says little, unless there is hardly anything else.
    telling = [at for at in known if not found.common[at]]
    least = _ENOUGH * limit
    if sum(weighted[at].frequency for at in telling) < least and len(known) < len(terms):
        return await find_candidates(session, place, [terms[at] for at in known], limit)
    sample = Sample(_among(telling, found.chunks), found.share)
    most = max(_CANDIDATES, 2 * least)
    best = heaviest([weighted[at] for at in telling], sample, least=least, most=most)
    query = best.query
    if best.chunks > max(_MOST_ALIKE, most):
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
    if len(terms) <= _FEW_TERMS:
        often = [
            f"({best.query}) & ({' | '.join(place.term(term, least) for term in terms)})"
            for least in FREQUENCIES
        ]
        counted = (await queries.term_sample(session, place, often)).frequencies
        enough = (query for query, chunks in zip(often, counted, strict=True) if 0 < chunks <= most)
        parts.append(next(enough, None))
    return " | ".join(part for part in parts if part)
