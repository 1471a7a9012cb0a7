"""A finished answer on its way into the database."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.ai_router.types import Lang
from app.platform.ids import new_id
from app.text.evidence import Evidence


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
    """`from_notes`: the answer was meant to come from notes, whether or not any were found. id is
    that of the row it becomes.

    notebook_id is the one notebook that was searched, None for all; events and evidence are those
    of the search; profile and slots describe the asker. search_ms: what the search took;
    first_chunk_ms, latency_ms: what the model took until its first words and its last. traceparent:
    of the request that brought the answer, as `app.platform.trace_context.parse_traceparent`
    returns it.
    """

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
    notebook_id: uuid.UUID | None = None
    search_method: str | None = None
    events: Sequence[str] = ()
    evidence: Sequence[Evidence] = ()
    profile: str | None = None
    slots: Mapping[str, Any] | None = None
    search_ms: float | None = None
    first_chunk_ms: float | None = None
    latency_ms: float | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    idempotency_key: str | None = None
    request_hash: str | None = None
    traceparent: str | None = None
    id: uuid.UUID = field(default_factory=new_id)
