"""The timeline from question to verdict, by stored times.

Moments are of PostgreSQL's clock: when a transaction began that stored something. What the search,
the model and each call took was measured by the process that waited for it, so that such a span
ends when its result was stored and begins that much earlier. Nothing is estimated.
"""

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest
from typing import Literal

from pydantic import BaseModel, ConfigDict

from app.ai_router.types import Lang
from app.judges.answer_parts import parts_needed
from app.judges.estimate import verdict_calls
from app.judges.judge_names import takes_prompts
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


# Answered here; of others it is not known when they were.
_OWN_ORIGINS = frozenset({"chat", "stream"})


def timeline_of(stored: StoredTimes) -> TimelineView:
    spans = sorted(
        [*_answering(stored), *_states(stored), *_batches(stored), *_calls(stored)],
        key=lambda span: span.start or stored.answered_at,
    )
    ends = [end for span in spans if (end := span.end)]
    starts = [span.start for span in spans if span.start]
    return TimelineView(
        now=stored.now,
        start=min(starts, default=stored.created_at),
        end=max(ends, default=stored.created_at) if stored.status.final else stored.now,
        status=stored.status,
        judged_again=not stored.is_first,
        from_cache=stored.from_cache,
        spans=spans,
        awaited=_awaited(stored),
        unknown=list(_unknown(stored, spans)),
    )


def _answering(stored: StoredTimes) -> Iterator[SpanView]:
    """The search and the model, of which the answer's first verdict alone has the moments."""
    if not stored.is_first or stored.latency_ms is None:
        return
    if stored.origin not in _OWN_ORIGINS:
        yield SpanView(
            kind="generate", start=None, duration_ms=stored.latency_ms, model=stored.answer_model
        )
        return
    asked = stored.answered_at - dt.timedelta(milliseconds=stored.latency_ms)
    if stored.search_ms is not None:
        began = asked - dt.timedelta(milliseconds=stored.search_ms)
        yield SpanView(
            kind="search", start=began, duration_ms=stored.search_ms, reason=stored.search_method
        )
    yield SpanView(
        kind="generate",
        start=asked,
        duration_ms=stored.latency_ms,
        first_chunk_ms=stored.first_chunk_ms,
        model=stored.answer_model,
    )


def _states(stored: StoredTimes) -> Iterator[SpanView]:
    events = _without_repeats(stored.events)
    if _is_thinned(stored):
        yield from _thinned(stored)
    for event, following in zip_longest(events, events[1:]):
        if event.status.final:
            yield from _ended(event)
            continue
        until = following.at if following else stored.now
        lasted = None if following is None else _milliseconds(event.at, until)
        if event.status is Status.RUNNING:
            ended_as = following.status if following else None
            yield _attempt(stored, event, lasted, ended_as)
        else:
            first = event is events[0]
            reason = event.reason if following else stored.reason
            yield SpanView(
                kind="queue" if first else "wait",
                start=event.at,
                duration_ms=lasted,
                open=following is None,
                status=event.status,
                reason=reason,
            )


def _without_repeats(events: Sequence[StoredEvent]) -> list[StoredEvent]:
    """A final verdict that another one replaces has its event once more."""
    kept = list(events[:1])
    kept += [
        event
        for before, event in pairwise(events)
        if not (before.status.final and event.status is before.status)
    ]
    return kept


def _attempt(
    stored: StoredTimes, event: StoredEvent, lasted: float | None, ended_as: Status | None
) -> SpanView:
    number = event.attempt
    step = next((each for each in stored.steps if each.attempt == number), None)
    models = _models_of_attempts(stored)
    judge_ms = step.judge_ms if step else None
    if ended_as is Status.SUCCEEDED and number == stored.attempt:
        judge_ms = stored.judge_ms
    return SpanView(
        kind="attempt",
        start=event.at,
        duration_ms=lasted,
        open=ended_as is None,
        attempt=number,
        model=models.get(number) if number is not None else None,
        status=ended_as,
        judge_ms=judge_ms,
    )


def _models_of_attempts(stored: StoredTimes) -> Mapping[int, str]:
    return {
        stored.attempt: stored.judge_model,
        **{call.attempt: call.model for call in stored.calls},
        **{step.attempt: step.model for step in stored.steps},
    }


def _ended(event: StoredEvent) -> Iterator[SpanView]:
    yield SpanView(
        kind="record",
        start=event.at,
        duration_ms=None,
        attempt=event.attempt,
        status=event.status,
        reason=event.reason,
    )
    if event.delivered_at is not None:
        lasted = _milliseconds(event.at, event.delivered_at)
        yield SpanView(kind="deliver", start=event.at, duration_ms=lasted)


def _is_thinned(stored: StoredTimes) -> bool:
    """Whether retention has deleted the events before the last."""
    return stored.started_at is not None and all(event.status.final for event in stored.events)


def _thinned(stored: StoredTimes) -> Iterator[SpanView]:
    """Spans of the row itself: the first claim, and the end of the last attempt."""
    if stored.started_at is None:
        return
    waited = _milliseconds(stored.created_at, stored.started_at)
    yield SpanView(kind="queue", start=stored.created_at, duration_ms=waited)
    if stored.finished_at is not None and stored.attempt == 1:
        yield SpanView(
            kind="attempt",
            start=stored.started_at,
            duration_ms=_milliseconds(stored.started_at, stored.finished_at),
            attempt=1,
            model=stored.judge_model,
            status=stored.status,
            judge_ms=stored.judge_ms,
        )


def _batches(stored: StoredTimes) -> Iterator[SpanView]:
    for batch in stored.batches:
        for reason, start, end in (
            ("for_batch", batch.collected_at, batch.submitted_at or batch.ended_at),
            ("in_batch", batch.submitted_at, batch.ended_at),
        ):
            if start is not None:
                yield SpanView(
                    kind="batch",
                    start=start,
                    duration_ms=_milliseconds(start, end) if end else None,
                    open=end is None,
                    attempt=batch.attempt,
                    reason=reason,
                )


def _calls(stored: StoredTimes) -> Iterator[SpanView]:
    for call in stored.calls:
        took = dt.timedelta(milliseconds=call.elapsed_ms or 0)
        yield SpanView(
            kind="call",
            start=call.at - took,
            duration_ms=call.elapsed_ms,
            re_ask=call.re_ask or False,
            **call.model_dump(exclude={"at", "elapsed_ms", "re_ask"}),
        )


def _awaited(stored: StoredTimes) -> list[AwaitedCalls]:
    if stored.status.final or not takes_prompts(stored.judge_model):
        return []
    parts = parts_needed(stored.answer_chars)
    wanted: Counter[str] = Counter()
    for each in verdict_calls(stored.evaluators, stored.lang, stored.judge_prompt):
        wanted[each.purpose] += each.times(parts)
    answered = Counter(
        call.purpose
        for call in stored.calls
        if call.model == stored.judge_model
        and call.attempt > stored.calls_counted_after
        and call.error is None
        and not call.discarded
        and not call.re_ask
    )
    return [
        AwaitedCalls(purpose=purpose, calls=calls, answered=min(calls, answered[purpose]))
        for purpose, calls in wanted.items()
    ]


def _unknown(stored: StoredTimes, spans: Sequence[SpanView]) -> Iterator[Unknown]:
    own = stored.origin in _OWN_ORIGINS
    if stored.is_first:
        searched = stored.search_method is not None or not own
        if searched and not any(span.kind == "search" for span in spans):
            yield "search"
        if not any(span.kind == "generate" and span.start for span in spans):
            yield "generate"
    if _is_thinned(stored):
        yield "history"
    if any(call.elapsed_ms is None and not call.batched for call in stored.calls):
        yield "calls"
    ended = stored.status in {Status.SUCCEEDED, Status.FAILED}
    if ended and not any(span.kind == "deliver" for span in spans):
        yield "deliver"


def _milliseconds(start: dt.datetime, end: dt.datetime) -> float:
    return (end - start) / dt.timedelta(milliseconds=1)
