"""The base of a process's asyncio loops, each of which runs in a thread of its own."""

import asyncio
import enum
import threading
import uuid
from abc import ABC, abstractmethod
from collections.abc import Coroutine, Sequence
from concurrent.futures import Future
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, TypeVar

import uvloop

from app.platform.heartbeat import heartbeat

Result = TypeVar("Result")


class LoopStopping(Exception):
    """The process is about to end; what is not claimed yet is left to another one."""


class TaskState(enum.StrEnum):
    """Celery's names of the states in which a task can end."""

    SUCCESS = "SUCCESS"
    RETRY = "RETRY"
    FAILURE = "FAILURE"


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """What Flower shows of a task that has ended.

    line: what came of its ids, with the reason where the state is not SUCCESS. retries: failed
    tries so far, where it is RETRY: a later message leads to the next one.
    """

    line: str
    state: TaskState = TaskState.SUCCESS
    retries: int = 0


class LoopThread(ABC):
    """A loop from its start to the end of its process."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._loop = uvloop.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._resources = AsyncExitStack()
        self._drained: Future[None] | None = None
        self._stopping = False

    @abstractmethod
    async def _open(self) -> None:
        """Opens connections; `_resources` closes them."""

    @abstractmethod
    async def _drain(self, grace: float) -> None:
        """Returns when nothing is held any more; releases what has not ended after `grace`
        seconds."""

    def start(self) -> None:
        """Returns when it works. PostgreSQL need not be there yet."""
        self._thread.start()
        self._beating = self._call(heartbeat.keep(self._name))
        self._call(self._open()).result(timeout=30)

    def begin_stop(self, grace: float = 0) -> None:
        """Claims nothing more, and drains. Returns at once: it is called from a signal handler."""
        self._stopping = True
        self._drained = self._call(self._drain(grace))

    def close(self) -> None:
        """Waits for the end of `begin_stop`, then frees connections and the thread."""
        if self._drained is None:
            self.begin_stop()
        self._call(self._close()).result(timeout=15)
        self._beating.cancel()
        self._call(asyncio.sleep(0)).result(timeout=5)  # the turn in which it ends
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=5)
        if not self._thread.is_alive():
            self._loop.close()

    async def _close(self) -> None:
        if self._drained is not None:
            await asyncio.wrap_future(self._drained)
        await self._resources.aclose()

    def _call(self, coroutine: Coroutine[Any, Any, Result]) -> Future[Result]:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)


class IdLoop(LoopThread):
    """Celery's pool hands it ids; what it claims of them runs on the loop, side by side.

    While the loop stops it claims nothing: ids that are handed to it then are unpublished, so that
    the dispatcher publishes them to another process at once.
    """

    @abstractmethod
    async def _run(self, ids: Sequence[uuid.UUID]) -> TaskOutcome:
        """Works on `ids`. Returns what came of them."""

    def submit(self, ids: Sequence[uuid.UUID]) -> Future[TaskOutcome]:
        """Works on what can be claimed of `ids` and has room. Done when each of them has ended or
        was released, or after the time limit of a task, and then the work goes on all the same.
        Thread-safe."""
        return self._call(self._run(ids))
