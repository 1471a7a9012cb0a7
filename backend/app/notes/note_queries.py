"""The SQL of storing notes and of reading them back."""

import datetime as dt
import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, Select, delete, func, select, text
from sqlalchemy.dialects.postgresql import insert as pg_insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.notes.keys import Place
from app.notes.models import Note, Notebook, NoteChunk


async def get_or_create_notebook(
    session: AsyncSession, workspace_id: uuid.UUID, name: str
) -> Notebook:
    wanted = select(Notebook).where(Notebook.workspace_id == workspace_id, Notebook.name == name)
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


def one_notebook(workspace_id: uuid.UUID, notebook_id: uuid.UUID) -> Select[Notebook]:
    return select(Notebook).where(Notebook.workspace_id == workspace_id, Notebook.id == notebook_id)


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


def one_note(workspace_id: uuid.UUID, note_id: uuid.UUID) -> Select[Note]:
    return select(Note).where(Note.workspace_id == workspace_id, Note.id == note_id)


async def delete_note(session: AsyncSession, workspace_id: uuid.UUID, note_id: uuid.UUID) -> bool:
    """False if there is no such note. Its chunks and their vectors go with it."""
    deleted = await session.execute(
        delete(Note).where(Note.workspace_id == workspace_id, Note.id == note_id).returning(Note.id)
    )
    return deleted.scalar() is not None


async def stored_hashes(
    session: AsyncSession, notebook_id: uuid.UUID, source_keys: Sequence[str]
) -> dict[str, str]:
    rows = await session.execute(
        select(Note.source_key, Note.content_hash).where(
            Note.notebook_id == notebook_id,
            Note.source_key.in_(source_keys),
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


# One statement: for each row one of its own would cost a round trip, and the trigger's.
_ADD_CHUNKS = text("""
INSERT INTO note_chunks (workspace_id, notebook_id, id, note_id, position, content, terms, length)
SELECT :workspace_id, :notebook_id, id, note_id, position, content, CAST(terms AS tsvector), length
FROM unnest(CAST(:id AS uuid[]), CAST(:note_id AS uuid[]), CAST(:position AS integer[]),
            CAST(:content AS text[]), CAST(:terms AS text[]), CAST(:length AS integer[]))
    AS given (id, note_id, position, content, terms, length)
""")
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
