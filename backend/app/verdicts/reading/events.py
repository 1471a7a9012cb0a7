"""Verdict events in a gapless order, and what one reader gets of them.

A serial id alone would lose events, because id 3 can commit before id 2. The cursor is
(transaction id, id), and an event is delivered when no older transaction is open, or when one has
been open for too long (`held_back.py`).
"""

import asyncio
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import NamedTuple, Self

from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.errors import InvalidRequest
from app.platform.jobs.status import JobStatus
from app.verdicts.reading import queries
from app.verdicts.status import Status

# A reader this far behind is disconnected; it resumes with Last-Event-ID from the table.
SUBSCRIBER_BACKLOG = 1000
REPLAY_PAGE = 500


class Cursor(NamedTuple):
    """A place between events; written `xid-id` in SSE ids."""

    xid: int
    id: int

    def __str__(self) -> str:
        return f"{self.xid}-{self.id}"

    @classmethod
    def parse(cls, written: str) -> Self:
        """Raises InvalidRequest."""
        xid, _, id_ = written.partition("-")
        if not (xid.isascii() and xid.isdecimal() and id_.isascii() and id_.isdecimal()):
            raise InvalidRequest.worded("last-event-id-malformed")
        cursor = cls(int(xid), int(id_))
        if max(cursor) >= 2**63:
            raise InvalidRequest.worded("last-event-id-out-of-range")
        return cursor


# Before every event, and later than every one.
BEGINNING = Cursor(0, 0)
END = Cursor(2**63 - 1, 2**63 - 1)


@dataclass(frozen=True, slots=True)
class VerdictEvent:
    """A change of a verdict, or with a refinement_id of the job that improves its answer.

    resume_after: of an event that was delivered before the events it comes after were settled,
    the cursor up to which all are: who continues there misses nothing, and hears it again.
    """

    cursor: Cursor
    workspace_id: uuid.UUID
    evaluation_id: uuid.UUID
    status: Status | JobStatus
    refinement_id: uuid.UUID | None = None
    resume_after: Cursor | None = None

    @classmethod
    def from_row(
        cls,
        cursor: Cursor,
        workspace_id: uuid.UUID,
        evaluation_id: uuid.UUID,
        status: str,
        refinement_id: uuid.UUID | None,
        resume_after: Cursor | None = None,
    ) -> Self:
        """Raises ValueError for a status that is not known."""
        known = JobStatus(status) if refinement_id else Status(status)
        return cls(cursor, workspace_id, evaluation_id, known, refinement_id, resume_after)

    @property
    def place(self) -> Cursor:
        """Where a reader continues that has had this event."""
        return self.resume_after or self.cursor


class Subscription:
    """Events of one workspace, or of one evaluation, from the moment of subscribing on.

    Iteration ends when the reader has fallen too far behind or the hub closes. What came before is
    up to the cursor `since`, and what is visible in the snapshot `seen`.
    """

    def __init__(
        self,
        since: Cursor,
        workspace_id: uuid.UUID,
        evaluation_id: uuid.UUID | None,
        seen: str | None = None,
    ) -> None:
        self.since = since
        self.seen = seen
        self.workspace_id = workspace_id
        self.evaluation_id = evaluation_id
        self.closed = False
        self._events: asyncio.Queue[VerdictEvent | None] = asyncio.Queue(SUBSCRIBER_BACKLOG + 1)

    def offer(self, event: VerdictEvent) -> bool:
        """Returns whether the event is on its way to the reader."""
        if event.workspace_id != self.workspace_id:
            return False
        if self.evaluation_id not in {None, event.evaluation_id}:
            return False
        if self._events.qsize() < SUBSCRIBER_BACKLOG:
            self._events.put_nowait(event)
            return True
        if not self._events.full():
            self._events.put_nowait(None)
        return False

    def close(self) -> None:
        """Ends the iteration; what is waiting in it is not delivered any more."""
        self.closed = True
        if not self._events.full():
            self._events.put_nowait(None)

    def __aiter__(self) -> AsyncIterator[VerdictEvent]:
        return self

    async def __anext__(self) -> VerdictEvent:
        event = await self._events.get()
        if event is None or self.closed:
            raise StopAsyncIteration
        return event


async def replay(
    session: AsyncSession, subscription: Subscription, *, after: Cursor, until: Cursor
) -> list[VerdictEvent]:
    """One page of a subscription's events, oldest first: in (after, until], and newer ones that
    were delivered early before it subscribed."""
    rows = await session.execute(
        queries.REPLAY,
        {
            "workspace_id": subscription.workspace_id,
            "evaluation_id": subscription.evaluation_id,
            "after_xid": str(after.xid),
            "after_id": after.id,
            "until_xid": str(until.xid),
            "until_id": until.id,
            "seen": subscription.seen,
            "limit": REPLAY_PAGE,
        },
    )
    return [
        VerdictEvent.from_row(
            Cursor(row.xid, row.id),
            row.workspace_id,
            row.evaluation_id,
            row.status,
            row.refinement_id,
            until if (row.xid, row.id) > until else None,
        )
        for row in rows
    ]
