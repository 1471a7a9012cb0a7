"""The rows of timeline.sql."""

import datetime as dt
from typing import Annotated

from pydantic import BaseModel, BeforeValidator

from app.ai_router.types import Lang
from app.verdicts.status import Status


class StoredEvent(BaseModel):
    at: dt.datetime
    status: Status
    attempt: int | None
    reason: str | None
    delivered_at: dt.datetime | None


class StoredCall(BaseModel):
    at: dt.datetime
    attempt: int
    model: str
    elapsed_ms: float | None
    purpose: str | None
    re_ask: bool | None
    batched: bool
    error: str | None
    discarded: bool
    cascade_step: int | None
    retry_after: str | None


class StoredBatch(BaseModel):
    attempt: int
    collected_at: dt.datetime
    submitted_at: dt.datetime | None
    ended_at: dt.datetime | None


class StoredStep(BaseModel):
    attempt: int
    model: str
    judge_ms: float | None


def _none_as_empty(rows: object) -> object:
    return [] if rows is None else rows


class StoredTimes(BaseModel):
    now: dt.datetime
    status: Status
    reason: str | None
    attempt: int
    judge_model: str
    created_at: dt.datetime
    started_at: dt.datetime | None
    finished_at: dt.datetime | None
    judge_ms: float | None
    from_cache: bool
    evaluators: tuple[str, ...]
    judge_prompt: str | None
    calls_counted_after: int
    is_first: bool
    origin: str
    answered_at: dt.datetime
    search_method: str | None
    search_ms: float | None
    first_chunk_ms: float | None
    latency_ms: float | None
    lang: Lang
    answer_model: str | None
    answer_chars: int
    events: Annotated[list[StoredEvent], BeforeValidator(_none_as_empty)]
    calls: Annotated[list[StoredCall], BeforeValidator(_none_as_empty)]
    batches: Annotated[list[StoredBatch], BeforeValidator(_none_as_empty)]
    steps: Annotated[list[StoredStep], BeforeValidator(_none_as_empty)]
