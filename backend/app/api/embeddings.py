"""Vectors of notes: how many there are, and making those that lack."""

import uuid
from dataclasses import asdict

from fastapi import APIRouter
from pydantic import BaseModel

from app.api.openapi import conflict
from app.api.services import ServicesDep
from app.api.sessions import ReadAccess, WriteAccess
from app.notes.embedding import Coverage, coverage, enqueue_embedding
from app.notes.vectors import embedding_model
from app.platform.errors import Conflict

router = APIRouter(prefix="/embeddings", tags=["notes"])


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


@router.get("", response_model=EmbeddingsRead)
async def read_embeddings(access: ReadAccess, services: ServicesDep) -> Coverage:
    """How many passages of the notes have a vector."""
    return await coverage(access.session, access.workspace_id, embedding_model(services.settings))


@router.post("", status_code=202, responses=conflict("No embedding model is configured."))
async def start_embedding(access: WriteAccess, services: ServicesDep) -> EmbeddingStarted:
    """Makes the vectors that lack, as a job; the one under way if there is one."""
    model = embedding_model(services.settings)
    if model is None:
        raise Conflict(
            "No embedding model is configured; set SEARCHQA_EMBEDDING_MODEL and start again.",
            ko="임베딩 모델이 설정되지 않았습니다. SEARCHQA_EMBEDDING_MODEL을 설정하고 다시"
            " 시작하세요.",
            code="no-embedding-model",
        )
    found = await coverage(access.session, access.workspace_id, model)
    job_id = None
    if not found.complete:
        job_id = await enqueue_embedding(access.session, access.workspace_id, model)
    return EmbeddingStarted(**asdict(found), job_id=job_id)
