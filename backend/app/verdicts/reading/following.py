"""Follows verdicts from a cursor without a gap; each view is loaded once for all readers."""

import asyncio
import dataclasses
import uuid
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import psycopg

from app.platform.db.pool import Pool, end_task
from app.platform.db.session import Sessions, in_workspace
from app.platform.jobs.status import JobStatus
from app.verdicts.reading import queries
from app.verdicts.reading.event_hub import EventHub
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
from app.workspaces.service import Principal, TokenWatch

# Readers of one event come one after the other, because each writes to its connection first.
KEPT_SECONDS = 1.0


class SharedViews:
    """Verdicts as they stood when their event was first asked for."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._loads: dict[Cursor, asyncio.Task[EvaluationView | None]] = {}

    async def at(self, event: VerdictEvent) -> EvaluationView | None:
        """The verdict that the event is about, at the event or up to KEPT_SECONDS ago; None when
        it was deleted. Raises what the database raises."""
        loading = self._loads.get(event.cursor)
        if loading is None:
            loading = asyncio.create_task(self._load(event))
            loading.add_done_callback(_retrieve_error)
            self._loads[event.cursor] = loading
        # A reader that leaves does not cancel the load for the others.
        return await asyncio.shield(loading)

    async def stop(self) -> None:
        """Cancels the loads whose readers have left: a connection returned after the pool is
        closed would leak."""
        for loading in list(self._loads.values()):
            await end_task(loading)

    async def _load(self, event: VerdictEvent) -> EvaluationView | None:
        try:
            view = await view_of(self._pool, event.workspace_id, event.evaluation_id)
        except BaseException:
            del self._loads[event.cursor]
            raise
        asyncio.get_running_loop().call_later(KEPT_SECONDS, self._loads.pop, event.cursor)
        return view


def _retrieve_error(loading: asyncio.Task[EvaluationView | None]) -> None:
    """Whose readers have all left raises to nobody."""
    if not loading.cancelled():
        loading.exception()


# How often a silent stream checks whether its evaluation was deleted.
DELETED_CHECK_SECONDS = 15.0
# They end when somebody mends the judge, and at midnight.
_LONG_WAITS = frozenset({WaitReason.JUDGE_PAUSED, WaitReason.BUDGET_SPENT})


@dataclass(frozen=True, slots=True)
class Change:
    """A verdict with its status at the event, the refinement of its answer by id and status, or
    both. place: where a reader continues that has had it."""

    place: Cursor
    verdict: EvaluationView | None = None
    refinement: tuple[uuid.UUID, JobStatus] | None = None


def is_settled(view: EvaluationView) -> bool:
    """Whether there is nothing to wait for within seconds."""
    return view.status.final or view.reason in _LONG_WAITS


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictFollower:
    """Streams of verdicts for principals: each of its own workspace, until its token ends."""

    sessions: Sessions
    pool: Pool
    hub: EventHub
    views: SharedViews
    tokens: TokenWatch

    async def wait(
        self, principal: Principal, evaluation_id: uuid.UUID, seconds: float
    ) -> AsyncIterator[EvaluationView]:
        """The verdict as it stands and, if it is not settled, once more when it is or after
        `seconds`."""
        async with self._subscribed(principal, evaluation_id) as subscription:
            workspace_id = principal.workspace_id
            view = await view_of(self.pool, workspace_id, evaluation_id)
            if view is None:
                return
            yield view
            if is_settled(view):
                return
            settled = None
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    settled = await self._until_settled(subscription)
            if not subscription.closed:
                yield settled or await view_of(self.pool, workspace_id, evaluation_id) or view

    async def follow_evaluation(
        self, principal: Principal, evaluation_id: uuid.UUID, after: Cursor | None
    ) -> AsyncGenerator[Change]:
        """Every change of one verdict until it is final, and of the refinement of its answer.
        Starts with the present state, or with what has happened since `after`."""
        async with self._subscribed(principal, evaluation_id) as subscription:
            view = await view_of(self.pool, principal.workspace_id, evaluation_id)
            if view is None:
                return
            if after is None:
                yield await self._present(subscription, view)
            # All events of a settled verdict are in the table; the hub may not have read the last
            # one yet.
            if view.settled:
                events = self._past(subscription, after, until=END)
            else:
                events = self._past_and_coming(subscription, after)
            async for event in events:
                final = event.status.final
                if event.resume_after and final and await self._is_over(event, principal):
                    # With its own id a client that comes back has heard all.
                    event = dataclasses.replace(event, resume_after=None)
                if change := await self._change(event):
                    yield change
                if final and await self._is_over(event, principal):
                    return

    async def follow_workspace(
        self, principal: Principal, after: Cursor | None
    ) -> AsyncIterator[Change]:
        """Every change of every verdict of the workspace, without end."""
        async with self._subscribed(principal) as subscription:
            async for event in self._past_and_coming(subscription, after):
                if change := await self._change(event):
                    yield change

    async def has_more(self, principal: Principal, evaluation_id: uuid.UUID, after: Cursor) -> bool:
        """Whether anything happened to the verdict since `after`."""
        async with self._subscribed(principal, evaluation_id) as subscription:
            async for _ in self._past(subscription, after, until=END):
                return True
        return False

    @asynccontextmanager
    async def _subscribed(
        self, principal: Principal, evaluation_id: uuid.UUID | None = None
    ) -> AsyncIterator[Subscription]:
        """A subscription that ends with the token that opened it."""
        async with self.hub.subscribe(principal.workspace_id, evaluation_id) as subscription:
            with self.tokens.watching(principal.token_id, subscription.close):
                yield subscription

    async def _until_settled(self, subscription: Subscription) -> EvaluationView | None:
        """The verdict once it is; None when it was deleted."""
        async for event in subscription:
            if event.status is Status.RUNNING or event.refinement_id:
                continue
            view = await self.views.at(event)
            if view is None or is_settled(view):
                return view
        return None

    async def _present(self, subscription: Subscription, view: EvaluationView) -> Change:
        """The verdict and the refinement of its answer as they stand now: who comes late must not
        miss a better answer. The place in a settled verdict is its last event."""
        place = subscription.since
        if view.settled:
            async for event in self._past(subscription, BEGINNING, until=END):
                place = max(place, event.cursor)
        newest = view.refinement
        return Change(place, view, (newest.id, newest.status) if newest else None)

    async def _change(self, event: VerdictEvent) -> Change | None:
        """None when the verdict was deleted."""
        if event.refinement_id:
            refinement = (event.refinement_id, JobStatus(event.status))
            return Change(event.place, refinement=refinement)
        view = await self.views.at(event)
        if view is None:
            return None
        return Change(event.place, view.model_copy(update={"status": event.status}))

    async def _is_over(self, event: VerdictEvent, principal: Principal) -> bool:
        """Whether the event was the last of its evaluation, and nothing more is to come."""
        id_ = event.evaluation_id
        # In this order: once it is settled, all of its events are in the table.
        view = await view_of(self.pool, event.workspace_id, id_)
        if view is not None and not view.settled:
            return False
        return not await self.has_more(principal, id_, event.cursor)

    async def _past_and_coming(
        self, subscription: Subscription, after: Cursor | None
    ) -> AsyncIterator[VerdictEvent]:
        after = await self._place(subscription, after)
        async for event in self._past(subscription, after, until=subscription.since):
            yield event
        async for event in self._coming(subscription, after):
            yield event

    async def _past(
        self, subscription: Subscription, after: Cursor | None, *, until: Cursor
    ) -> AsyncIterator[VerdictEvent]:
        """Events in (after, until], and those delivered early before the subscription; none
        without `after`."""
        after = await self._place(subscription, after) or after
        early = subscription.seen is not None
        while after is not None and (after < until or early) and not subscription.closed:
            async with in_workspace(self.sessions, subscription.workspace_id) as session:
                page = await replay(session, subscription, after=after, until=until)
            for event in page:
                yield event
            after = page[-1].cursor if len(page) == REPLAY_PAGE else None

    async def _place(self, subscription: Subscription, after: Cursor | None) -> Cursor | None:
        """Where who has had `after` goes on; None where nothing came since the database was
        restored."""
        if after is None or after <= subscription.since:
            return after
        given = {"workspace_id": subscription.workspace_id, "xid": str(after.xid), "id": after.id}
        given["evaluation_id"] = subscription.evaluation_id
        async with in_workspace(self.sessions, subscription.workspace_id) as session:
            row = (await session.execute(queries.PLACE, given)).one_or_none()
        if row is None:
            return after
        return None if row.xid is None else Cursor(row.xid, row.id)

    async def _coming(
        self, subscription: Subscription, after: Cursor | None
    ) -> AsyncIterator[VerdictEvent]:
        """Live events. Those of one evaluation end when it is deleted, which has no event: its
        events are deleted with it."""
        check = DELETED_CHECK_SECONDS if subscription.evaluation_id else None
        while True:
            try:
                async with asyncio.timeout(check):
                    event = await anext(subscription)
            except StopAsyncIteration:
                return
            except TimeoutError:
                if await self._is_deleted(subscription):
                    return
                continue
            if after is None or event.cursor > after:
                yield event

    async def _is_deleted(self, subscription: Subscription) -> bool:
        id_ = subscription.evaluation_id
        assert id_ is not None
        try:
            return await view_of(self.pool, subscription.workspace_id, id_) is None
        except psycopg.Error:
            # Streams outlive a PostgreSQL outage.
            return False
