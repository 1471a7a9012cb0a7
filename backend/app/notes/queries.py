"""The SQL of searching notes."""

import datetime as dt
import unicodedata
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, Select, delete, func, select, text
from sqlalchemy.dialects.postgresql import insert as pg_insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.notes.hits import ChunkHit, SearchHit
from app.notes.keys import Place
from app.notes.models import Note, Notebook, NoteChunk
from app.platform.db.statements import SqlFile, load_sql

_SQL = SqlFile(__package__, "queries", scored=load_sql(__package__, "scored"))
_BEST_NOTES = text(_SQL("best_notes"))
_BEST_CHUNKS = text(_SQL("best_chunks"))


async def best_notes(session: AsyncSession, **parameters: Any) -> list[SearchHit]:
    """The best chunk of each note."""
    found = await session.execute(_BEST_NOTES, parameters)
    return [SearchHit.from_row(row) for row in found.mappings()]


async def best_chunks(session: AsyncSession, **parameters: Any) -> list[ChunkHit]:
    """Several of one note may be among them."""
    found = await session.execute(_BEST_CHUNKS, parameters)
    return [ChunkHit.from_row(row) for row in found.mappings()]


_TERM_SAMPLE = text(load_sql(__package__, "term_sample"))
# A sample says how frequent a term is that this many of its chunks hold.
_MIN_SAMPLE_HITS = 16
# Share of the smallest sample, 64 to 256 chunks.
_COMMON = 1 / 6


@dataclass(frozen=True, slots=True)
class TermSample:
    """How frequent keys are in a place of `size` chunks, which of them are too common to be looked
    up in a sample, and how many chunks of the sample have which of the others, by their places in
    the list. Each chunk of the sample stands for `share` chunks."""

    size: float
    mean_length: float
    share: int
    frequencies: Sequence[float]
    common: Sequence[bool]
    chunks: Mapping[frozenset[int], int]


async def term_sample(
    session: AsyncSession, place: Place, keys: Sequence[str], *, are_terms: bool = False
) -> TermSample:
    """keys: queries over keys. are_terms: each is the key of a term."""
    given = {
        "workspace_id": place.workspace_id,
        "notebook_id": place.notebook_id,
        "keys": [key.removesuffix("'") for key in keys] if are_terms else keys,
        "samples": place.term_limits if are_terms else place.limits,
        "few": _MIN_SAMPLE_HITS,
        "common": _COMMON,
    }
    row = (await session.execute(_TERM_SAMPLE, given)).one()
    return TermSample(
        row.size,
        row.mean_length or 1.0,
        4**row.sample,
        [float(found) for found in row.frequencies],
        row.common,
        {frozenset(number - 1 for number in numbers): n for numbers, n in row.held or ()},
    )


# Notes that are read for one question.
_MAX_SCANNED_NOTES = 2_000
_IS_LARGE = text(_SQL("is_large"))
_NOTES_OF_CATEGORY = text(load_sql(__package__, "notes_of_category"))
_NOTES_WITH_WORD = text(load_sql(__package__, "notes_with_word"))


@dataclass(frozen=True, slots=True)
class Category:
    """A category of notes; a subcategory of it unless that is None."""

    name: str
    subcategory: str | None


async def is_large(session: AsyncSession, place: Place, category: Category) -> bool:
    """Whether both the category and the notebook, where there is one, have too many notes to read
    them all for one question."""
    given = {
        "workspace_id": place.workspace_id,
        "notebook_id": place.notebook_id,
        "category": category.name,
        "subcategory": category.subcategory,
        "most": _MAX_SCANNED_NOTES,
    }
    return bool(await session.scalar(_IS_LARGE, given))


async def notes_of_category(
    session: AsyncSession,
    place: Place,
    category: Category,
    words: Sequence[str],
    limit: int,
    *,
    among: str | None = None,
) -> list[SearchHit]:
    """Whole notes of the category; those that hold most of the words first. among: a query over the
    keys of chunks, without which all of them are read."""
    given = {
        "workspace_id": place.workspace_id,
        "notebook_id": place.notebook_id,
        "category": category.name,
        "subcategory": category.subcategory,
        "words": words,
        "wanted": among,
        "limit": limit,
    }
    found = await session.execute(_NOTES_OF_CATEGORY, given)
    return [SearchHit.from_row(row) for row in found.mappings()]


async def notes_with_word(
    session: AsyncSession, place: Place, word: str, limit: int
) -> list[SearchHit]:
    """Whole notes that hold the word, also as a part of another (of more than 4,000 chunks only as
    the beginning of one); those with the word in their title come first."""
    given = {
        "workspace_id": place.workspace_id,
        "notebook_id": place.notebook_id,
        "word": word,
        "beginning": place.within(place.beginning(word.lower())),
        "limit": limit,
    }
    found = await session.execute(_NOTES_WITH_WORD, given)
    return [SearchHit.from_row(row) for row in found.mappings()]


async def get_or_create_notebook(
    session: AsyncSession, workspace_id: uuid.UUID, name: str
) -> Notebook:
    # One that was named by macOS before names were composed is not made again.
    names = (name, unicodedata.normalize("NFD", name))
    wanted = (
        select(Notebook)
        .where(Notebook.workspace_id == workspace_id, Notebook.name.in_(names))
        .order_by(Notebook.name != name)
        .limit(1)
    )
    if (found := await session.scalar(wanted)) is None:
        row = pg_insert(Notebook).values(workspace_id=workspace_id, name=name)
        await session.execute(row.on_conflict_do_nothing())
        found = (await session.scalars(wanted)).one()
    return found


async def notebooks(
    session: AsyncSession, workspace_id: uuid.UUID
) -> Sequence[Row[uuid.UUID, str, dt.datetime, int]]:
    """Rows (id, name, created_at, notes), by name."""
    statement = (
        select(Notebook.id, Notebook.name, Notebook.created_at, func.count(Note.id).label("notes"))
        .outerjoin(Note, Note.notebook_id == Notebook.id)
        .where(Notebook.workspace_id == workspace_id)
        .group_by(Notebook.id)
        .order_by(Notebook.name)
    )
    return (await session.execute(statement)).all()


def notes_after(
    workspace_id: uuid.UUID,
    *,
    notebook_id: uuid.UUID | None,
    title: str | None,
    after: uuid.UUID | None,
    limit: int,
) -> Select[Note]:
    statement = select(Note).where(Note.workspace_id == workspace_id)
    if title:
        statement = statement.where(func.strpos(func.lower(Note.title), func.lower(title)) > 0)
    if notebook_id:
        statement = statement.where(Note.notebook_id == notebook_id)
    if after:
        statement = statement.where(Note.id > after)
    return statement.order_by(Note.id).limit(limit)


async def stored_hashes(
    session: AsyncSession, notebook_id: uuid.UUID, source_keys: Sequence[str]
) -> dict[str, str]:
    rows = await session.execute(
        select(Note.source_key, Note.content_hash).where(
            Note.notebook_id == notebook_id, Note.source_key.in_(source_keys)
        )
    )
    return {row.source_key: row.content_hash for row in rows}


async def upsert_notes(
    session: AsyncSession, rows: Sequence[dict[str, Any]]
) -> dict[str, uuid.UUID]:
    """Ids by source key of the notes that are new or changed. A note that another import has
    stored alike in the meantime is not among them."""
    statement = pg_insert(Note)
    values = {
        name: statement.excluded[name]
        for name in rows[0]
        if name not in {"id", "workspace_id", "notebook_id", "source_key"}
    }
    upsert = statement.on_conflict_do_update(
        index_elements=[Note.notebook_id, Note.source_key],
        set_={**values, "updated_at": func.now()},
        where=Note.content_hash != statement.excluded.content_hash,
    ).returning(Note.source_key, Note.id)
    result = await session.execute(upsert, rows)
    return {row.source_key: row.id for row in result}


_ADD_CHUNKS = text(_SQL("add_chunks"))
_OF_CHUNK = ("id", "note_id", "position", "content", "terms", "length")


async def replace_chunks(
    session: AsyncSession,
    place: Place,
    note_ids: Sequence[uuid.UUID],
    rows: Sequence[dict[str, Any]],
) -> None:
    """rows: by column, without the place."""
    await session.execute(delete(NoteChunk).where(NoteChunk.note_id.in_(note_ids)))
    given = {name: [row[name] for row in rows] for name in _OF_CHUNK}
    where = {"workspace_id": place.workspace_id, "notebook_id": place.notebook_id}
    await session.execute(_ADD_CHUNKS, where | given)


async def terms_of_chunks(
    session: AsyncSession, workspace_id: uuid.UUID, note_id: uuid.UUID, limit: int
) -> list[list[str]]:
    """Of the first chunks of a note."""
    statement = (
        select(func.tsvector_to_array(NoteChunk.terms))
        .where(NoteChunk.workspace_id == workspace_id, NoteChunk.note_id == note_id)
        .order_by(NoteChunk.position)
        .limit(limit)
    )
    return list(await session.scalars(statement))


async def beginnings(
    session: AsyncSession, workspace_id: uuid.UUID, note_ids: Sequence[uuid.UUID], chars: int
) -> Sequence[Row[uuid.UUID, str, str]]:
    """Rows (id, title, content) of notes, cut to so many characters."""
    content = func.left(Note.content_text, chars).label("content")
    statement = select(Note.id, Note.title, content)
    statement = statement.where(Note.workspace_id == workspace_id, Note.id.in_(note_ids))
    return (await session.execute(statement)).all()
