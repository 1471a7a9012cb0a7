"""Verdicts as server-sent events."""

import asyncio
import dataclasses
import json
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import psycopg
from fastapi.sse import ServerSentEvent

from app.api.services import Services
from app.db.session import in_workspace
from app.errors import NotFound
from app.jobs.status import JobStatus
from app.refine.service import refinement_view
from app.verdicts.reading.events import (
    BEGINNING,
    END,
    REPLAY_PAGE,
    Cursor,
    Subscription,
    VerdictEvent,
    replay,
)
from app.verdicts.reading.views import EvaluationView, view_of
from app.verdicts.status import Status, WaitReason
from app.workspaces.service import Principal

# While nothing is heard of an evaluation, it is looked for this often (seconds).
FORGOTTEN_CHECK = 15.0
# They end when somebody mends the judge, and at midnight.
_LONG_WAITS = frozenset({WaitReason.JUDGE_PAUSED, WaitReason.BUDGET_SPENT})


def sse(event: str | None, data: Mapping[str, Any]) -> ServerSentEvent:
    """One event with its data as JSON, Korean letters as they are."""
    return ServerSentEvent(event=event, raw_data=json.dumps(data, ensure_ascii=False))


async def load(
    services: Services, workspace_id: uuid.UUID, id_: uuid.UUID
) -> EvaluationView | None:
    """See `view_of`."""
    return await view_of(services.pool, workspace_id, id_)


@asynccontextmanager
async def _subscribed(
    services: Services, principal: Principal, evaluation_id: uuid.UUID | None = None
) -> AsyncIterator[Subscription]:
    """A subscription that ends with the token that opened it."""
    async with services.hub.subscribe(principal.workspace_id, evaluation_id) as subscription:
        with services.tokens.watching(principal.token_id, subscription.close):
            yield subscription


def state_event(view: EvaluationView) -> ServerSentEvent:
    """`event: evaluation`: where the verdict stands, and where to read on."""
    data = {
        "id": str(view.id),
        "answer_id": str(view.answer_id),
        "status": view.status,
        "reason": view.reason,
        "error": view.error,
        "poll": f"/qa-evaluations/{view.id}",
        "events": f"/qa-evaluations/{view.id}/events",
    }
    return sse("evaluation", data)


def not_stored_event() -> ServerSentEvent:
    """The same for an answer that the database did not take: there will be no verdict."""
    nothing = dict.fromkeys(("id", "answer_id", "reason", "error", "poll", "events"))
    return sse("evaluation", nothing | {"status": "not_stored"})


def verdict_events(view: EvaluationView) -> list[ServerSentEvent]:
    """`event: quality`, `event: qa_evaluation`, `event: feedback`: those that were run."""
    events = []
    about = {"evaluation_id": str(view.id), "degraded": view.degraded}
    results = {
        "quality": view.quality,
        "qa_evaluation": view.qa_evaluation,
        "feedback": view.feedback,
    }
    for name, result in results.items():
        if result is not None:
            events.append(sse(name, result.model_dump(mode="json") | about))
    return events


async def wait_for_verdict(
    services: Services, principal: Principal, evaluation_id: uuid.UUID
) -> AsyncIterator[ServerSentEvent]:
    """For the end of an answer's stream: the state, then the verdict when it comes. After the
    stated wait, or when the judge is paused or today's budget spent, the state is told once more
    and the client goes on with poll or events."""
    workspace_id = principal.workspace_id
    async with _subscribed(services, principal, evaluation_id) as subscription:
        view = await load(services, workspace_id, evaluation_id)
        if view is None:
            return
        yield state_event(view)
        if not _settled(view):
            settled = None
            try:
                async with asyncio.timeout(services.settings.stream_wait):
                    settled = await _until_settled(services, subscription)
            except TimeoutError:
                pass
            if subscription.closed:
                return
            view = settled or await load(services, workspace_id, evaluation_id) or view
            if view.status is not Status.SUCCEEDED:
                yield state_event(view)
        for event in verdict_events(view):
            yield event


def _settled(view: EvaluationView) -> bool:
    """Whether there is nothing to wait for within seconds."""
    return view.status.final or view.reason in _LONG_WAITS


async def _until_settled(services: Services, subscription: Subscription) -> EvaluationView | None:
    """The verdict once it is; None when it was forgotten."""
    async for event in subscription:
        if event.status is Status.RUNNING or event.refinement_id:
            continue
        view = await services.views.at(event)
        if view is None or _settled(view):
            return view
    return None


async def follow_evaluation(
    services: Services, principal: Principal, evaluation_id: uuid.UUID, after: Cursor | None
) -> AsyncIterator[ServerSentEvent]:
    """Every change of one verdict until it is final, and of the improvement of its answer.
    Starts with the present state, or with what has happened since `after`."""
    async with _subscribed(services, principal, evaluation_id) as subscription:
        view = await load(services, principal.workspace_id, evaluation_id)
        if view is None:
            return
        if after is None:
            for shown in await _present(services, subscription, view):
                yield shown
        # All events of a final verdict stand in the table; the hub may not have come to the
        # last one yet.
        final = view.settled
        parts = [_past(services, subscription, after, until=END if final else subscription.since)]
        if not final:
            parts.append(_coming_until_forgotten(services, subscription, view.id, after))
        async for event in _chain(*parts):
            if event.resume_after and event.status.final:
                event = await _at_its_end(services, principal, event)
            async for shown in _loaded(services, event):
                yield shown
            if event.status.final and await _is_over(services, principal, event):
                return


async def follow_workspace(
    services: Services, principal: Principal, after: Cursor | None
) -> AsyncIterator[ServerSentEvent]:
    """Every change of every verdict of the workspace, without end."""
    async with _subscribed(services, principal) as subscription:
        past = _past(services, subscription, after, until=subscription.since)
        async for event in _chain(past, _coming(subscription, after)):
            async for shown in _loaded(services, event):
                yield shown


async def has_more(
    services: Services, principal: Principal, evaluation_id: uuid.UUID, after: Cursor
) -> bool:
    """Whether anything happened to the verdict since `after`."""
    async with _subscribed(services, principal, evaluation_id) as subscription:
        async for _ in _past(services, subscription, after, until=END):
            return True
    return False


async def _is_over(services: Services, principal: Principal, event: VerdictEvent) -> bool:
    """Whether the event was the last of its evaluation, and nothing more is to come."""
    id_ = event.evaluation_id
    # In this order: once it is settled, all of its events are in the table.
    view = await load(services, principal.workspace_id, id_)
    if view is not None and not view.settled:
        return False
    return not await has_more(services, principal, id_, event.cursor)


async def _at_its_end(
    services: Services, principal: Principal, event: VerdictEvent
) -> VerdictEvent:
    """An event that was delivered early; if it is the last of its evaluation, with its own id,
    which tells a client that comes back with it that it has heard all."""
    over = await _is_over(services, principal, event)
    return dataclasses.replace(event, resume_after=None) if over else event


async def _loaded(services: Services, event: VerdictEvent) -> AsyncIterator[ServerSentEvent]:
    if event.refinement_id:
        shown = await _refinement_events(
            services, event.workspace_id, event.refinement_id, event.status
        )
    else:
        view = await services.views.at(event)
        shown = _evaluation_events(view, event.status) if view else []
    for each in _with_cursor(shown, event.place):
        yield each


async def _present(
    services: Services, subscription: Subscription, view: EvaluationView
) -> list[ServerSentEvent]:
    """The verdict and the improvement of its answer as they stand now: who comes late must not
    miss a better answer. Of a settled verdict, the id is that of its last event."""
    place = subscription.since
    if view.settled:
        async for event in _past(services, subscription, BEGINNING, until=END):
            place = max(place, event.cursor)
    shown = _evaluation_events(view, view.status)
    if newest := view.refinement:
        shown += await _refinement_events(
            services, subscription.workspace_id, newest.id, newest.status
        )
    return _with_cursor(shown, place)


async def _refinement_events(
    services: Services,
    workspace_id: uuid.UUID,
    refinement_id: uuid.UUID,
    status: Status | JobStatus,
) -> list[ServerSentEvent]:
    """`event: refinement`: how far it is; with its end, and only if there is a better answer,
    `event: refined_answer` offers that. None of them when it was forgotten."""
    async with in_workspace(services.sessions, workspace_id) as session:
        try:
            view = await refinement_view(session, workspace_id, refinement_id)
        except NotFound:
            return []
    state = view.model_dump(mode="json", exclude={"iterations"}) | {"status": status}
    shown = [sse("refinement", state)]
    if status.final and (better := view.better):
        offer = better.model_dump(mode="json", include={"answer", "overall_score", "documents"})
        about = {"evaluation_id": str(view.evaluation_id), "refinement_id": str(view.id)}
        shown.append(sse("refined_answer", about | offer | {"lift": view.lift}))
    return shown


def _evaluation_events(view: EvaluationView, status: Status | JobStatus) -> list[ServerSentEvent]:
    """The status at the event, and the verdict if that was its coming."""
    shown = [state_event(view.model_copy(update={"status": status}))]
    return shown + verdict_events(view) if status.final else shown


def _with_cursor(shown: list[ServerSentEvent], cursor: Cursor) -> list[ServerSentEvent]:
    """Only the last of them has the cursor: a reader cut off in their midst comes back to all."""
    if not shown:
        return []
    return [*shown[:-1], shown[-1].model_copy(update={"id": str(cursor)})]


async def _past(
    services: Services, subscription: Subscription, after: Cursor | None, *, until: Cursor
) -> AsyncIterator[VerdictEvent]:
    """Events in (after, until], and those delivered early before the subscription; none without
    `after`."""
    early = subscription.seen is not None
    while after is not None and (after < until or early) and not subscription.closed:
        async with in_workspace(services.sessions, subscription.workspace_id) as session:
            page = await replay(session, subscription, after=after, until=until)
        for event in page:
            yield event
        after = page[-1].cursor if len(page) == REPLAY_PAGE else None


async def _coming(subscription: Subscription, after: Cursor | None) -> AsyncIterator[VerdictEvent]:
    async for event in subscription:
        if after is None or event.cursor > after:
            yield event


async def _coming_until_forgotten(
    services: Services, subscription: Subscription, evaluation_id: uuid.UUID, after: Cursor | None
) -> AsyncIterator[VerdictEvent]:
    """The same of one evaluation. With a forgotten one its events go, so that none tells of it."""
    while True:
        try:
            async with asyncio.timeout(FORGOTTEN_CHECK):
                event = await anext(subscription)
        except StopAsyncIteration:
            return
        except TimeoutError:
            if await _is_forgotten(services, subscription.workspace_id, evaluation_id):
                return
            continue
        if after is None or event.cursor > after:
            yield event


async def _is_forgotten(
    services: Services, workspace_id: uuid.UUID, evaluation_id: uuid.UUID
) -> bool:
    try:
        return await load(services, workspace_id, evaluation_id) is None
    except psycopg.Error:
        # Streams outlive a PostgreSQL that is away.
        return False


async def _chain(*parts: AsyncIterator[VerdictEvent]) -> AsyncIterator[VerdictEvent]:
    for part in parts:
        async for event in part:
            yield event
