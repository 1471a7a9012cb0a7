"""Progress of a run or a job as server-sent events: polled once for all its readers."""

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from typing import Protocol

from fastapi.sse import ServerSentEvent

from app.platform.db.pool import end_task
from app.platform.errors import NotFound

logger = logging.getLogger(__name__)

POLL_SECONDS = 0.5


class _Ends(Protocol):
    @property
    def final(self) -> bool: ...


class State(Protocol):
    """A view of a run or a job."""

    @property
    def status(self) -> _Ends: ...

    def model_dump_json(self) -> str: ...


Look = Callable[[], Awaitable[State]]


def state_id(state: State) -> str:
    """The same for the same state, in whichever process."""
    return hashlib.sha256(state.model_dump_json().encode()).hexdigest()[:16]


def progress_event(state: State) -> ServerSentEvent:
    """`event: progress`: the whole state."""
    return ServerSentEvent(event="progress", raw_data=state.model_dump_json(), id=state_id(state))


class ProgressReader:
    """The latest state whenever there is a newer one; a slow reader skips those in between."""

    def __init__(self) -> None:
        self._state: State | None = None
        self._news = asyncio.Event()

    def offer(self, state: State) -> None:
        self._state = state
        self._news.set()

    def close(self) -> None:
        """Ends the iteration."""
        self._state = None
        self._news.set()

    def __aiter__(self) -> AsyncIterator[State]:
        return self

    async def __anext__(self) -> State:
        await self._news.wait()
        self._news.clear()
        if self._state is None:
            raise StopAsyncIteration
        return self._state


class _Watch:
    """Polls while there are readers and the state is not final."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self.readers: set[ProgressReader] = set()
        self.state: State | None = None
        self.task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while True:
            try:
                state = await self._look()
            except NotFound:
                break
            except Exception:
                # Streams outlive a PostgreSQL outage.
                logger.exception("Progress cannot be read; trying again")
            else:
                if state != self.state:
                    self.state = state
                    for reader in self.readers:
                        reader.offer(state)
                if state.status.final:
                    return
            await asyncio.sleep(POLL_SECONDS)
        for reader in self.readers:
            reader.close()


class ProgressHub:
    """The watches of this process, one for each run or job that has readers."""

    def __init__(self) -> None:
        self._watches: dict[Hashable, _Watch] = {}

    @asynccontextmanager
    async def watching(self, key: Hashable, look: Look) -> AsyncIterator[ProgressReader]:
        """key: names what is looked at, its workspace included. look: raises NotFound when it is
        gone, which ends the reading."""
        watch = self._watches.get(key)
        if watch is None or watch.task.done():
            watch = self._watches[key] = _Watch(look)
        reader = ProgressReader()
        watch.readers.add(reader)
        if watch.state is not None:
            reader.offer(watch.state)
        try:
            yield reader
        finally:
            watch.readers.discard(reader)
            if not watch.readers:
                # First, so that no reader joins a watch that is about to end.
                if self._watches.get(key) is watch:
                    del self._watches[key]
                await end_task(watch.task)

    async def stop(self) -> None:
        for watch in self._watches.values():
            await end_task(watch.task)
            for reader in watch.readers:
                reader.close()
