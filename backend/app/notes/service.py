"""Notebooks and notes: storing what importers read, and reading it back."""

import datetime as dt
import hashlib
import unicodedata
import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sqlalchemy.ext.asyncio import AsyncSession

from app.notes import queries
from app.notes.embedding import enqueue_embedding
from app.notes.importers import ImportedNote
from app.notes.indexing import content_hash, index_notes
from app.notes.keys import Place
from app.notes.models import Note, Notebook
from app.platform.db.owned_queries import delete_one, row_of
from app.platform.db.session import Sessions, in_workspace
from app.platform.db.statements import storable
from app.platform.errors import InvalidRequest, NotFound, no_such
from app.platform.processes.pool import IMPORT_LIMITS, import_lane

MAX_NOTE_CHARS = 1_000_000
# Of a notebook, and of the title of a note.
MAX_NAME_CHARS = 500
# An entry of an index may have 2,704 bytes.
MAX_KEY_BYTES = 2_000
_KEY_START = 100
# One transaction stores so many notes: well within the statement timeout.
_BATCH = 200


@dataclass(frozen=True)
class NotebookSummary:
    id: uuid.UUID
    name: str
    created_at: dt.datetime
    notes: int


@dataclass(frozen=True)
class ImportReport:
    """How many notes were new, changed, and already stored as they are."""

    created: int
    updated: int
    unchanged: int


async def get_or_create_notebook(
    session: AsyncSession, workspace_id: uuid.UUID, name: str
) -> Notebook:
    """The workspace's notebook of that name. Raises InvalidRequest for an empty or long name."""
    name = _name(name)
    if not 0 < len(name) <= MAX_NAME_CHARS:
        raise InvalidRequest.worded("notebook-name-length", most=MAX_NAME_CHARS)
    return await queries.get_or_create_notebook(session, workspace_id, name)


async def get_notebook(
    session: AsyncSession, workspace_id: uuid.UUID, notebook_id: uuid.UUID
) -> Notebook:
    """Raises NotFound, also for a notebook of another workspace: a foreign key would take it."""
    notebook = await row_of(session, Notebook, workspace_id, notebook_id)
    if notebook is None:
        raise no_such("notebook", "노트북이", "/notebooks")
    return notebook


async def list_notebooks(session: AsyncSession, workspace_id: uuid.UUID) -> list[NotebookSummary]:
    """All notebooks of the workspace, by name."""
    rows = await queries.notebooks(session, workspace_id)
    return [NotebookSummary(row.id, row.name, row.created_at, row.notes) for row in rows]


async def list_notes(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    *,
    notebook_id: uuid.UUID | None = None,
    title: str | None = None,
    after: uuid.UUID | None = None,
    limit: int = 50,
) -> Sequence[Note]:
    """At most `limit` notes whose title holds `title`, oldest first, beginning behind the note
    `after`."""
    if title:
        title = unicodedata.normalize("NFC", title)
    wanted = queries.notes_after(
        workspace_id, notebook_id=notebook_id, title=title, after=after, limit=limit
    )
    return (await session.scalars(wanted)).all()


async def get_note(session: AsyncSession, workspace_id: uuid.UUID, note_id: uuid.UUID) -> Note:
    """Raises NotFound, also for a note of another workspace."""
    note = await row_of(session, Note, workspace_id, note_id)
    if note is None:
        raise NotFound.worded("no-such-note")
    return note


async def delete_note(session: AsyncSession, workspace_id: uuid.UUID, note_id: uuid.UUID) -> None:
    """Removes a note from search, with its chunks and their vectors. Stored answers keep the text
    that they were given. Raises NotFound, also for a note of another workspace."""
    if not await delete_one(session, Note, workspace_id, note_id):
        raise NotFound.worded("no-such-note")


async def import_notes(
    sessions: Sessions,
    workspace_id: uuid.UUID,
    notes: Iterable[ImportedNote],
    *,
    notebook: str,
    embed_by: str | None = None,
) -> ImportReport:
    """Stores notes, each in its own notebook or else in `notebook`; importing them again only
    touches what has changed.

    Every note is checked before the first is stored. Text is analysed with no transaction
    open; each batch of 200 notes is one transaction, so an import that is cut off is completed
    by importing again. embed_by: the model whose vectors a job then makes of what has changed.
    Raises InvalidRequest naming the note for a note that is too long and
    for two notes with one key.
    """
    by_notebook: dict[str, list[ImportedNote]] = {}
    for note in notes:
        by_notebook.setdefault(note.notebook or notebook, []).append(_checked(note))
    for name, members in by_notebook.items():
        _refuse_duplicates(name, members)
    outcome: Counter[str] = Counter()
    for name, members in by_notebook.items():
        async with in_workspace(sessions, workspace_id) as session, session.begin():
            notebook_id = (await get_or_create_notebook(session, workspace_id, name)).id
        # In one order everywhere, so that two imports at once never wait for each other.
        members.sort(key=lambda note: _keys(note)[0])
        for start in range(0, len(members), _BATCH):
            batch = members[start : start + _BATCH]
            outcome += await _store(sessions, workspace_id, notebook_id, batch, embed_by)
    return ImportReport(outcome["created"], outcome["updated"], outcome["unchanged"])


async def _store(
    sessions: Sessions,
    workspace_id: uuid.UUID,
    notebook_id: uuid.UUID,
    batch: Sequence[ImportedNote],
    embed_by: str | None,
) -> Counter[str]:
    async with in_workspace(sessions, workspace_id) as session:
        known = await queries.stored_hashes(
            session, notebook_id, [key for note in batch for key in _keys(note)]
        )
    batch = [
        replace(note, source_key=next((key for key in _keys(note) if key in known), _keys(note)[0]))
        for note in batch
    ]
    changed = [note for note in batch if known.get(note.source_key) != content_hash(note)]
    if not changed:
        return Counter(unchanged=len(batch))
    indexed = await import_lane().run(
        IMPORT_LIMITS, index_notes, changed, workspace_id, notebook_id
    )
    async with in_workspace(sessions, workspace_id) as session, session.begin():
        ids = await queries.upsert_notes(session, [each.note for each in indexed])
        rows = [
            {**chunk, "note_id": ids[each.note["source_key"]]}
            for each in indexed
            if each.note["source_key"] in ids
            for chunk in each.chunks
        ]
        if rows:
            place = Place(workspace_id, notebook_id)
            await queries.replace_chunks(session, place, list(ids.values()), rows)
            if embed_by:
                await enqueue_embedding(session, workspace_id, embed_by)
    updated = len(ids.keys() & known.keys())
    return Counter(created=len(ids) - updated, updated=updated, unchanged=len(batch) - len(ids))


def _name(written: str) -> str:
    """As people type it: in the names of files macOS takes syllables and accents apart."""
    return unicodedata.normalize("NFC", storable(written)).strip()


def _keys(note: ImportedNote) -> list[str]:
    """The key to store a new note by, then those by which a release that did not compose names may
    have stored it."""
    name = storable(note.source_key)
    composed, apart = (unicodedata.normalize(form, name) for form in ("NFC", "NFD"))
    return list(map(_key, dict.fromkeys((composed, name, apart))))


def _key(name: str) -> str:
    """The name, or one as unique for a name that PostgreSQL's index cannot hold."""
    if len(name.encode()) <= MAX_KEY_BYTES:
        return name
    return f"{name[:_KEY_START]}…{hashlib.sha256(name.encode()).hexdigest()}"


def _checked(note: ImportedNote) -> ImportedNote:
    if len(note.content_text) > MAX_NOTE_CHARS:
        raise InvalidRequest.worded(
            "note-too-long",
            note=note.source_key[:_KEY_START],
            characters=len(note.content_text),
            most=MAX_NOTE_CHARS,
        )
    return replace(
        note,
        title=_name(note.title)[:MAX_NAME_CHARS],
        content_text=storable(note.content_text).strip(),
        category=_name(note.category) if note.category else None,
        subcategory=_name(note.subcategory) if note.subcategory else None,
        tags=[_name(tag) for tag in note.tags],
    )


def _refuse_duplicates(notebook: str, notes: Sequence[ImportedNote]) -> None:
    [(key, count)] = Counter(_keys(note)[0] for note in notes).most_common(1)
    if count > 1:
        raise InvalidRequest.worded(
            "note-ids-alike", count=count, notebook=notebook, key=key[:_KEY_START]
        )
