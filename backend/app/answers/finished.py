"""A finished answer on its way into the database."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from app.ai_router.types import Lang


@dataclass(frozen=True, slots=True)
class AnswerSource:
    """A note as the model was given it. note_id is None for notes that another application sent;
    score is the retrieval score where there was a search."""

    title: str
    content: str
    note_id: uuid.UUID | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True)
class FinishedAnswer:
    """`from_notes`: the answer was meant to come from notes, whether or not any were found."""

    workspace_id: uuid.UUID
    question: str
    answer: str
    lang: Lang
    feature: str
    origin: str
    from_notes: bool
    sources: Sequence[AnswerSource] = ()
    provider: str | None = None
    model: str | None = None
    search_method: str | None = None
    latency_ms: float | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    idempotency_key: str | None = None
    request_hash: str | None = None
