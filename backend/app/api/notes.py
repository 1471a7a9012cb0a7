"""Notebooks, notes and their embeddings: list, read, import, delete, embed."""

import uuid
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import PurePath
from typing import Annotated

from fastapi import APIRouter, Form, Query, Response, UploadFile
from pydantic import BaseModel

from app.api import schemas
from app.api.auth import Writer
from app.api.openapi import conflict, not_found
from app.api.parameters import After, Limit
from app.api.services import Services, ServicesDep, import_limits
from app.api.sessions import ReadAccess, WriteAccess
from app.notes import service
from app.notes.embedding import Coverage, coverage, enqueue_embedding
from app.notes.importers import ImportedNote, read_upload
from app.notes.models import Note
from app.notes.samples import LABORATORY, sample_notes
from app.notes.vectors import embedding_model
from app.platform.errors import Conflict
from app.quality.analytics.note_quality import (
    NoteConflicts,
    NoteQuality,
    note_conflicts,
    note_quality,
)
from app.workspaces.service import Principal

router = APIRouter(tags=["notes"])

# A notebook of some thousand notes with its attachments left out.
IMPORT_FILE_PATH = "/notes/import/file"
MAX_IMPORT_BYTES = 64 * 1024 * 1024


@router.get("/notebooks", response_model=list[schemas.NotebookRead])
async def list_notebooks(access: ReadAccess) -> list[service.NotebookSummary]:
    """All notebooks, by name."""
    return await service.list_notebooks(*access.workspace)


@router.post("/notebooks", status_code=201, response_model=schemas.NotebookRead)
async def create_notebook(
    body: schemas.NotebookCreate, access: WriteAccess
) -> service.NotebookSummary:
    """The notebook of that name, made if it is not there."""
    notebook = await service.get_or_create_notebook(*access.workspace, body.name)
    summaries = await service.list_notebooks(*access.workspace)
    return next(summary for summary in summaries if summary.id == notebook.id)


@router.get("/notes")
async def list_notes(
    access: ReadAccess,
    notebook_id: uuid.UUID | None = None,
    title: Annotated[str | None, Query(max_length=200, pattern=schemas.NO_NUL)] = None,
    after: After = None,
    limit: Limit = 50,
) -> schemas.NotePage:
    """Oldest first. `title` is a part of the title, in capitals or not; `after` is the `next` of
    the page before."""
    notes = await service.list_notes(
        *access.workspace, notebook_id=notebook_id, title=title, after=after, limit=limit + 1
    )
    items = [schemas.NoteSummary.model_validate(note, from_attributes=True) for note in notes]
    return schemas.NotePage.of(items, limit)


@router.get(
    "/notes/{note_id}",
    response_model=schemas.NoteRead,
    responses=not_found("There is no such note."),
)
async def read_note(note_id: uuid.UUID, access: ReadAccess) -> Note:
    """One note with its text."""
    return await service.get_note(*access.workspace, note_id)


@router.get("/notes/{note_id}/quality", responses=not_found("There is no such note."))
async def read_note_quality(
    note_id: uuid.UUID,
    access: ReadAccess,
    days: Annotated[int, Query(ge=1, le=366)] = 90,
    tz: Annotated[str, Query(max_length=100)] = "UTC",
) -> NoteQuality:
    """How the answers fared that were given this note."""
    return await note_quality(*access.workspace, note_id, days=days, tz=tz)


@router.get("/notes/{note_id}/conflicts", responses=not_found("There is no such note."))
async def read_note_conflicts(note_id: uuid.UUID, access: ReadAccess) -> NoteConflicts:
    """What other notes may say otherwise, and which have nearly the same text, found by rules
    among the notes that share most words with this one."""
    return await note_conflicts(*access.workspace, note_id)


@router.delete("/notes/{note_id}", status_code=204, responses=not_found("There is no such note."))
async def delete_note(note_id: uuid.UUID, access: WriteAccess) -> Response:
    """Removes a note and its passages from search. Answers that were given from it, and their
    verdicts, keep the text they were given."""
    await service.delete_note(*access.workspace, note_id)
    return Response(status_code=204)


@router.post("/notes/import", response_model=schemas.ImportRead)
async def import_notes(
    body: schemas.NotesImport, principal: Writer, services: ServicesDep
) -> service.ImportReport:
    """Stores notes; those that are stored already are updated or left as they are."""
    notes = [
        ImportedNote(
            source_key=note.source_key or note.title,
            title=note.title,
            content_text=note.content,
            category=note.category,
            subcategory=note.subcategory,
            tags=note.tags,
        )
        for note in body.notes
    ]
    return await _import(notes, body.notebook, principal, services)


@router.post(IMPORT_FILE_PATH, response_model=schemas.ImportRead)
async def import_file(
    file: UploadFile,
    principal: Writer,
    services: ServicesDep,
    notebook: Annotated[str, Form(min_length=1, max_length=service.MAX_NAME_CHARS)] = "가져온 노트",
) -> service.ImportReport:
    """A Note Station archive (.nsx), JSON lines (.jsonl) or one Markdown file (.md). A file with
    a mistake stores nothing."""
    name = PurePath(file.filename or "").name
    notes = await read_upload(name, file.file, import_limits(services.settings))
    return await _import(notes, notebook, principal, services)


@router.post("/sample-notes", response_model=schemas.ImportRead)
async def import_samples(principal: Writer, services: ServicesDep) -> service.ImportReport:
    """Stores notes to try SearchQA with, of a made-up laboratory in Korean and English, in the
    notebook `laboratory`."""
    return await _import(sample_notes(), LABORATORY, principal, services)


async def _import(
    notes: Iterable[ImportedNote], notebook: str, principal: Principal, services: Services
) -> service.ImportReport:
    embed_by = embedding_model(services.settings)
    return await service.import_notes(
        services.sessions, principal.workspace_id, notes, notebook=notebook, embed_by=embed_by
    )


embedding_router = APIRouter(prefix="/embeddings", tags=["notes"])


class EmbeddingsRead(BaseModel):
    """`chunks` are the passages of the notes; `embedded` of them have a vector of `model`, and
    `refused` are those that it does not take. `model` is null where notes are found by words
    alone."""

    model: str | None
    chunks: int
    embedded: int
    refused: int


class EmbeddingStarted(EmbeddingsRead):
    """`job_id` is that of the job that makes what lacks; null where nothing does."""

    job_id: uuid.UUID | None


@embedding_router.get("", response_model=EmbeddingsRead)
async def read_embeddings(access: ReadAccess, services: ServicesDep) -> Coverage:
    """How many passages of the notes have a vector."""
    return await coverage(*access.workspace, embedding_model(services.settings))


@embedding_router.post("", status_code=202, responses=conflict("No embedding model is configured."))
async def start_embedding(access: WriteAccess, services: ServicesDep) -> EmbeddingStarted:
    """Makes the vectors that lack, as a job; the one under way if there is one."""
    model = embedding_model(services.settings)
    if model is None:
        raise Conflict.worded("no-embedding-model")
    found = await coverage(*access.workspace, model)
    job_id = None
    if not found.complete:
        job_id = await enqueue_embedding(*access.workspace, model)
    return EmbeddingStarted(**asdict(found), job_id=job_id)
