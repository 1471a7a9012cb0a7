"""Cuts a note into passages of a few hundred characters, the unit that search ranks."""

import re
from collections.abc import Iterator

from app.text.sentences import split_sentences

MAX_CHUNK_CHARS = 800
_PARAGRAPH_BREAK = re.compile(r"\n[ \t]*\n\s*")


def split_chunks(text: str) -> list[str]:
    """Passages of at most 800 characters, in order, as full as paragraphs allow.

    A paragraph is cut only if it is longer than a passage, and then between sentences; a
    sentence only if it is longer still, and then at a space. No passage is empty, and all of
    the text but space around the cuts is in one of them.
    """
    chunks: list[str] = []
    start = end = 0
    for piece_start, piece_end in _pieces(text):
        if end > start and piece_end - start > MAX_CHUNK_CHARS:
            chunks.append(text[start:end])
            start = piece_start
        elif end == start:
            start = piece_start
        end = piece_end
    if end > start:
        chunks.append(text[start:end])
    return chunks


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Places of paragraphs, or of parts of those that are too long."""
    start = 0
    breaks = [(m.start(), m.end()) for m in _PARAGRAPH_BREAK.finditer(text)]
    for end, following in [*breaks, (len(text), len(text))]:
        if end - start <= MAX_CHUNK_CHARS:
            yield from _stripped(text, start, end)
        else:
            yield from _parts(text, start, end)
        start = following


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    # A part runs up to the next sentence, so that list marks between sentences are kept.
    starts = [start + span.start for span in split_sentences(text[start:end])][1:]
    for cut in [*starts, end]:
        while cut - start > MAX_CHUNK_CHARS:
            space = text.rfind(" ", start + MAX_CHUNK_CHARS // 2, start + MAX_CHUNK_CHARS)
            middle = space if space > 0 else start + MAX_CHUNK_CHARS
            yield from _stripped(text, start, middle)
            start = middle
        yield from _stripped(text, start, cut)
        start = cut


def _stripped(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    end = start + len(piece.strip())
    if end > start:
        yield start, end
