"""Turns an imported note into the rows that are stored for it."""

import hashlib
import json
import re
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from app.notes import keys
from app.notes.importers import ImportedNote
from app.platform.ids import new_id
from app.text.language import detect_language
from app.text.morphemes import search_terms_of_many
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


# Part of every content hash: raise it when chunks or terms are made in another way, and the
# next import makes them anew.
_INDEX_VERSION = 1


def content_hash(note: ImportedNote) -> str:
    """Differs whenever anything that is stored for the note differs."""
    parts = (
        *(_INDEX_VERSION, note.title, note.content_text),
        *(note.category, note.subcategory, note.tags),
    )
    return hashlib.sha256(json.dumps(parts, ensure_ascii=True).encode()).hexdigest()


@dataclass(frozen=True)
class IndexedNote:
    """Values of a row of `notes`, and of the rows of `note_chunks` without their place and
    note."""

    note: dict[str, Any]
    chunks: list[dict[str, Any]]


def index_notes(
    notes: Sequence[ImportedNote], workspace_id: uuid.UUID, notebook_id: uuid.UUID
) -> list[IndexedNote]:
    """Slow for many notes (about a millisecond for each): call it off the event loop and
    outside of a transaction. A note without content has one empty chunk, found by its title."""
    owner = {"workspace_id": workspace_id, "notebook_id": notebook_id}
    chunks = [split_chunks(note.content_text) or [""] for note in notes]
    texts = [
        f"{note.title}\n{part}" for note, parts in zip(notes, chunks, strict=True) for part in parts
    ]
    terms = iter(search_terms_of_many(texts))
    indexed = []
    for note, parts in zip(notes, chunks, strict=True):
        rows = []
        for position, part in enumerate(parts):
            found = next(terms)
            rows.append(
                {
                    "id": new_id(),
                    "position": position,
                    "content": part,
                    "terms": keys.tsvector(found),
                    "length": len(found),
                }
            )
        indexed.append(IndexedNote({**owner, **_note_row(note)}, rows))
    return indexed


def _note_row(note: ImportedNote) -> dict[str, Any]:
    return {
        "id": new_id(),
        "source_key": note.source_key,
        "title": note.title,
        "content_text": note.content_text,
        "content_hash": content_hash(note),
        "lang": detect_language(f"{note.title}\n{note.content_text}"),
        "category": note.category,
        "subcategory": note.subcategory,
        "tags": note.tags,
    }
