"""The statements of the hot path, coalesced and retried through an outage of PostgreSQL."""

import asyncio
import logging
import threading
import uuid
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial
from itertools import chain, repeat
from typing import Generic, TypeVar

import psycopg
from psycopg.errors import QueryCanceled
from psycopg_pool import PoolTimeout

from app.ai_router.types import ChatResponse
from app.platform.broker import Queue
from app.platform.db.pool import end_task
from app.verdicts.lifecycle.lifecycle import ReplyKey, StoredCall, VerdictLifecycle
from app.verdicts.lifecycle.outcome import Failure, Lease, Outcome
from worker.allowances import PendingRow, pending_row

logger = logging.getLogger(__name__)

Result = TypeVar("Result")

DATABASE_RETRY_SECONDS = (0.1, 0.5, 1.0, 2.0, 4.0)
# While an absence lasts. The dispatcher waits longer than this before it takes rows back.
OUTAGE_RETRY_SECONDS = 2.0
# SQLSTATEs of a server that cannot work: connections broken or refused, shutdown, start, a full
# disk.
_AWAY = ("08", "57P01", "57P02", "57P03", "53100", "53300")


def is_away(error: psycopg.Error) -> bool:
    """Whether PostgreSQL is unavailable, as opposed to a refused statement. An error without a
    SQLSTATE never reached the server."""
    return error.sqlstate is None or error.sqlstate.startswith(_AWAY)


async def retry_on_disconnect(
    statement: Callable[[], Awaitable[Result]],
    *,
    holding: Callable[[], bool] = lambda: False,
    on_away: Callable[[], None] = lambda: None,
) -> Result:
    """Repeats a statement through a short outage of PostgreSQL, or through one of any length while
    `holding`: what it writes is paid for. Then it also waits for a table that is locked for
    minutes, as by VACUUM FULL. Every statement is guarded, so one that had arrived after all
    changes nothing the second time. on_away: called at each failure for which the server is
    away."""
    tried = 0
    for seconds in chain(DATABASE_RETRY_SECONDS, repeat(OUTAGE_RETRY_SECONDS)):
        try:
            return await statement()
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            tried += 1
            if is_away(error):
                on_away()
            may_pass = is_away(error) or isinstance(error, QueryCanceled)
            if tried > len(DATABASE_RETRY_SECONDS) and not (holding() and may_pass):
                raise
            logger.warning("PostgreSQL did not take a statement (%s); trying again", error)
        await asyncio.sleep(seconds)
    raise AssertionError  # the loop has no end of its own


# Set while none are fetched; followed by the thread of Celery's consumer.
PAUSED = threading.Event()
# A link that drops everything shows as a statement without an end, until TCP gives up after ten
# seconds. No statement of the hot path takes this long.
SLOW_SECONDS = 3.0
PING_SECONDS = 0.5


class FetchingPause:
    """From the first sign that PostgreSQL is away until `ping` returns. For one event loop."""

    def __init__(self, ping: Callable[[], Awaitable[None]]) -> None:
        self._ping = ping
        self._pinging: asyncio.Task[None] | None = None

    async def watch(
        self,
        statement: Callable[[], Awaitable[Result]],
        *,
        holding: Callable[[], bool] = lambda: False,
    ) -> Result:
        """As `retry_on_disconnect`."""
        slow = asyncio.get_running_loop().call_later(SLOW_SECONDS, self.begin)
        try:
            return await retry_on_disconnect(statement, holding=holding, on_away=self.begin)
        finally:
            slow.cancel()

    def begin(self) -> None:
        if self._pinging is None:
            PAUSED.set()
            self._pinging = asyncio.create_task(self._until_back())

    async def aclose(self) -> None:
        if self._pinging is not None:
            await end_task(self._pinging)
            PAUSED.clear()  # it may not have begun

    async def _until_back(self) -> None:
        logger.warning("PostgreSQL does not reply in time; fetching no messages until it does")
        try:
            while not await self._is_back():  # noqa: ASYNC110  a server has no event
                await asyncio.sleep(PING_SECONDS)
        finally:
            PAUSED.clear()
            self._pinging = None

    async def _is_back(self) -> bool:
        try:
            await self._ping()
        except (psycopg.Error, OSError):
            return False
        return True


Item = TypeVar("Item")

# After so long a pause an item is one of few.
MIN_PAUSE_SECONDS = 0.02


class Coalescer(Generic[Item, Result]):
    """Collects items for a few milliseconds and handles them together.

    flush: takes the items in order and returns one result for each, or raises for all.
    window: seconds that a batch fills, but for the first after a pause: nothing comes behind it.
    alone_after: errors that one item may cause for all; after them each is flushed alone.
    While one flush runs the next batch fills, so batches grow with the load.
    A caller that is cancelled does not take its item back: what is written stays written.
    """

    def __init__(
        self,
        flush: Callable[[Sequence[Item]], Awaitable[Sequence[Result]]],
        *,
        window: float = 0.003,
        largest: int = 500,
        alone_after: tuple[type[Exception], ...] = (),
    ) -> None:
        self._flush = flush
        self._window = window
        self._largest = largest
        self._alone_after = alone_after
        self._waiting: list[tuple[Item, asyncio.Future[Result]]] = []
        self._running: asyncio.Task[None] | None = None
        self._ended_at = float("-inf")

    async def submit(self, item: Item) -> Result:
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, future))
        if self._running is None:
            self._running = asyncio.create_task(self._run())
        return await future

    async def _run(self) -> None:
        clock = asyncio.get_running_loop().time
        try:
            while self._waiting:
                if len(self._waiting) < self._largest:
                    paused = clock() - self._ended_at > MIN_PAUSE_SECONDS
                    await asyncio.sleep(0 if paused else self._window)
                batch = self._waiting[: self._largest]
                del self._waiting[: self._largest]
                await self._handle(batch)
                self._ended_at = clock()
        finally:
            self._running = None

    async def _handle(self, batch: list[tuple[Item, asyncio.Future[Result]]]) -> None:
        try:
            results = await self._flush([item for item, _ in batch])
        except Exception as error:  # noqa: BLE001  whatever it is belongs to the callers
            if len(batch) > 1 and isinstance(error, self._alone_after):
                for one in batch:
                    await self._handle([one])
                return
            for _, future in batch:
                if not future.done():
                    future.set_exception(error)
            return
        for (_, future), result in zip(batch, results, strict=True):
            if not future.done():
                future.set_result(result)


# One row with a value that the table refuses must not take its neighbours with it.
ROW_ERRORS = (psycopg.DataError, psycopg.IntegrityError)
# Two workers have each recorded a verdict that is to count for the same answer.
_TAKEN_PLACE = "uq_qa_evaluations_current"


class BatchedLifecycle:
    """Claims, replies and records of all tasks of a process, made one statement each for a few
    milliseconds' worth of them. Replies and outcomes are held until PostgreSQL is back.

    queues: served by this process; rows of other queues are not claimed. limited: gives the judges
    whose calls are limited.
    look: the group of a row; None when it does not wait to be judged.
    claim: None when another process holds the row, or it is done.
    save_reply: returns when the reply is committed.
    unpublish: of a row that this process does not claim, so that it is published again at once.
    find_reply: the reply that an identical request of the workspace had lately, or None.
    """

    def __init__(
        self,
        lifecycle: VerdictLifecycle,
        queues: Collection[str] = frozenset(Queue),
        limited: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self._lifecycle = lifecycle
        self._limited = limited
        self._queues = tuple(queues)
        self._holding = True
        self._fetching = FetchingPause(lifecycle.ping)
        self.look = Coalescer(self._look).submit
        self.claim = Coalescer(self._claim).submit
        self.save_reply = Coalescer(self._save_replies, alone_after=ROW_ERRORS).submit
        self.find_reply = Coalescer(self._find_replies).submit
        self.unpublish = Coalescer(self._unpublish).submit
        self._submit_record = Coalescer(self._record, alone_after=ROW_ERRORS).submit

    def stop_retrying(self) -> None:
        """Waits no longer for an unreachable PostgreSQL: the process stops."""
        self._holding = False

    async def aclose(self) -> None:
        await self._fetching.aclose()

    async def load_replies(self, lease: Lease) -> dict[str, ChatResponse]:
        """See VerdictLifecycle.load_replies."""
        return await self._fetching.watch(lambda: self._lifecycle.load_replies(lease))

    async def record(self, lease: Lease, outcome: Outcome) -> bool:
        """False when the lease was lost. An outcome that the table refuses is recorded
        as a failure."""
        try:
            return await self._submit_record((lease, outcome))
        except ROW_ERRORS as error:
            if error.diag.constraint_name == _TAKEN_PLACE:
                # The other one is committed; only a statement that begins now sees it.
                return await self.record(lease, outcome)
            logger.exception("The outcome of evaluation %s could not be stored", lease.id)
            refused = Failure(f"Internal error: {type(error).__name__} while storing the verdict.")
            return await self._submit_record((lease, refused))

    async def _look(self, ids: Sequence[uuid.UUID]) -> list[PendingRow | None]:
        look = partial(self._lifecycle.waiting, ids, self._limited())
        found = {row.id: pending_row(row) for row in await self._fetching.watch(look)}
        return [found.get(id_) for id_ in ids]

    async def _claim(self, ids: Sequence[uuid.UUID]) -> list[Lease | None]:
        claimed = await self._fetching.watch(lambda: self._lifecycle.claim(ids, self._queues))
        leases = {lease.id: lease for lease in claimed}
        # The same id may stand twice in a batch, delivered by two messages: one of them gets it.
        return [leases.pop(id_, None) for id_ in ids]

    async def _unpublish(self, ids: Sequence[uuid.UUID]) -> list[None]:
        """While the process stops: not tried again, since the rows are published later anyway."""
        try:
            await self._lifecycle.unpublish(ids)
        except (psycopg.Error, PoolTimeout) as error:
            logger.warning("%d unclaimed rows are published again later (%s)", len(ids), error)
        return [None] * len(ids)

    async def _save_replies(self, calls: Sequence[StoredCall]) -> list[None]:
        await self._fetching.watch(lambda: self._lifecycle.save_replies(calls), holding=self._holds)
        return [None] * len(calls)

    async def _find_replies(self, requests: Sequence[ReplyKey]) -> list[ChatResponse | None]:
        found = await self._fetching.watch(lambda: self._lifecycle.find_replies(requests))
        return [found.get(request) for request in requests]

    async def _record(self, outcomes: Sequence[tuple[Lease, Outcome]]) -> list[bool]:
        record = partial(self._lifecycle.record, outcomes)
        written = await self._fetching.watch(record, holding=self._holds)
        return [lease.id in written for lease, _ in outcomes]

    def _holds(self) -> bool:
        return self._holding
