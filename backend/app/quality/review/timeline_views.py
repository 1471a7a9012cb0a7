"""The timeline from question to verdict as readers get it."""

import datetime as dt
from typing import Literal

from pydantic import BaseModel, ConfigDict

from app.ai_router.types import Lang
from app.verdicts.status import Status

SpanKind = Literal[
    "search", "generate", "queue", "wait", "batch", "attempt", "call", "record", "deliver"
]
Unknown = Literal["search", "generate", "history", "calls", "deliver"]


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
    events: list[StoredEvent]
    calls: list[StoredCall]
    batches: list[StoredBatch]
    steps: list[StoredStep]


class SpanView(BaseModel):
    """A part of the way to a verdict. start: null where it is not known when it began, which then
    stands in the timeline's `unknown` too. duration_ms: null while it lasts (`open`), for a moment,
    and where it is not known.

    queue and wait: until a worker claims the row, for `reason`. batch: in a batch of the judge's
    provider, `for_batch` until it was handed in, `in_batch` from then on. attempt: from claim to
    record, of which the judge took `judge_ms`; it ended with `status`. call: to a judge, for
    `purpose`, see JudgeCallView. record: the moment of the verdict or failure. deliver: from then
    until the first reader's stream was sent it. first_chunk_ms: until the model's first words."""

    # Readers get every field, also those that have nothing to say of this kind.
    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    kind: SpanKind
    start: dt.datetime | None
    duration_ms: float | None
    open: bool = False
    attempt: int | None = None
    model: str | None = None
    status: Status | None = None
    reason: str | None = None
    purpose: str | None = None
    re_ask: bool = False
    batched: bool = False
    cascade_step: int | None = None
    retry_after: str | None = None
    discarded: bool = False
    error: str | None = None
    judge_ms: float | None = None
    first_chunk_ms: float | None = None

    @property
    def end(self) -> dt.datetime | None:
        if self.start is None or self.duration_ms is None:
            return self.start
        return self.start + dt.timedelta(milliseconds=self.duration_ms)


class AwaitedCalls(BaseModel):
    """Calls that a verdict of its present judge takes at most, those that ask again left out, and
    to how many of them a reply has come."""

    purpose: str
    calls: int
    answered: int


class TimelineView(BaseModel):
    """Spans in the order in which they began. now, start and end are of PostgreSQL's clock; end is
    `now` while the verdict is not final. from_cache: a reply was one to an identical request for
    another answer, for which no call was made. awaited: empty where no model is asked, and when
    nothing is waited for. unknown: what is not stored of this verdict."""

    now: dt.datetime
    start: dt.datetime
    end: dt.datetime
    status: Status
    judged_again: bool
    from_cache: bool
    spans: list[SpanView]
    awaited: list[AwaitedCalls]
    unknown: list[Unknown]
