"""Turns an imported note into the rows that are stored for it."""

import hashlib
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.notes import lexemes
from app.notes.chunking import split_chunks
from app.notes.importers import ImportedNote
from app.platform.ids import new_id
from app.text.language import detect_language
from app.text.morphemes import search_terms_of_many

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
                    "terms": lexemes.tsvector(found),
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
