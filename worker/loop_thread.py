"""An asyncio loop in a thread of its own."""

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from celery.exceptions import Reject

from app.heartbeat import heartbeat

Result = TypeVar("Result")


class LoopStopping(Reject):  # type: ignore[misc]  # celery ships no types
    """The process is about to end: the message goes back to its queue, for another one."""

    def __init__(self) -> None:
        super().__init__("the worker stops", requeue=True)


class LoopThread:
    """Where the calls of a process run, side by side, for the threads that hand them over."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()
        self._beating = self.submit(heartbeat.keep(self._name))

    def submit(self, coroutine: Coroutine[Any, Any, Result]) -> Future[Result]:
        """Runs it on the loop; to be called from another thread."""
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def stop(self) -> None:
        """Ends the thread, and the loop with it; what still runs on it is abandoned."""
        self._beating.cancel()
        self.submit(asyncio.sleep(0)).result(timeout=5)  # the turn in which it ends
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=5)
        if not self._thread.is_alive():
            self._loop.close()
