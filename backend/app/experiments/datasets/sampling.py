"""A sample of chunks in which every note has its share."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from typing import Protocol, TypeVar


class OfNote(Protocol):
    """What a chunk must have to be sampled."""

    @property
    def id(self) -> str: ...

    @property
    def note_id(self) -> str: ...


C = TypeVar("C", bound=OfNote)


def sample_chunks(chunks: Iterable[C], max_chunks_sample: int, seed: int) -> list[C]:
    """At most `max_chunks_sample` (at least 1) chunks, note by note.

    Every note gets one chunk while there is room, and the rest goes to the notes by the number
    of their chunks (largest remainders first). The same chunks and seed give the same sample,
    whatever their order and on any machine, since hashes of the ids choose.
    """
    if max_chunks_sample < 1:
        raise ValueError(f"a sample of {max_chunks_sample} chunks; it must be at least 1")
    notes: defaultdict[str, list[C]] = defaultdict(list)
    for chunk in chunks:
        notes[chunk.note_id].append(chunk)
    shares = _shares({note: len(held) for note, held in notes.items()}, max_chunks_sample, seed)
    return [
        chunk
        for note in sorted(shares)
        for chunk in sorted(notes[note], key=lambda each: _draw(seed, each.id))[: shares[note]]
    ]


def _shares(sizes: dict[str, int], room: int, seed: int) -> dict[str, int]:
    """How many chunks of each note are taken; sizes: how many each has."""
    total = sum(sizes.values())
    if room >= total:
        return sizes
    drawn = sorted(sizes, key=lambda note: _draw(seed, note))
    if room <= len(drawn):
        return dict.fromkeys(drawn[:room], 1)
    more, spare = room - len(drawn), total - len(drawn)
    # Exact integers: quotients of floats could round two ways for equal remainders.
    shares = {note: 1 + (size - 1) * more // spare for note, size in sizes.items()}
    left = room - sum(shares.values())
    by_remainder = sorted(drawn, key=lambda note: -((sizes[note] - 1) * more % spare))
    for note in by_remainder[:left]:
        shares[note] += 1
    return shares


def _draw(seed: int, name: str) -> bytes:
    return hashlib.blake2b(f"{seed}:{name}".encode(), digest_size=16).digest()
