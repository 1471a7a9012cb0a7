"""Celery's pool for tasks that wait: none of them holds a thread.

A task of this pool hands its work to an asyncio loop and returns the Future of its outcome, one
line of text. When the work is done, its end is reported to Celery in Celery's own thread: the
message is acknowledged then, and Flower shows how long the work took and what came of it.
"""

import logging
import os
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from time import monotonic
from typing import Any

from billiard.einfo import ExceptionInfo
from celery.concurrency.base import BasePool
from celery.exceptions import Reject
from vine import promise

logger = logging.getLogger(__name__)


class AsyncPool(BasePool):  # type: ignore[misc]  # celery ships no types
    """`limit` is how many messages the process holds, which cost memory alone."""

    signal_safe = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._hub: Any = None
        self._in_hand = 0
        self._done: deque[Callable[[], None]] = deque()
        self._some_done = threading.Event()
        self._reporting = promise(self._report_done)

    def register_with_event_loop(self, loop: Any) -> None:
        self._hub = loop

    def on_apply(
        self,
        target: Callable[..., Any],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
        callback: Callable[..., None] | None = None,
        accept_callback: Callable[..., None] | None = None,
        **_: object,
    ) -> None:
        """Instead of `target`, which runs a task to its end, the task itself is called."""
        name, task_id, request = args[:3]
        started = monotonic()
        if accept_callback:
            accept_callback(os.getpid(), started)
        self._in_hand += 1
        future: Future[str]
        try:
            future = self.app.tasks[name].run(*request["args"], **request["kwargs"])
        except Exception as error:  # noqa: BLE001  reported to Celery
            future = Future()
            future.set_exception(error)
        future.add_done_callback(partial(self._note, f"{name}[{task_id}]", started, callback))

    def on_stop(self) -> None:
        """Waits for all that is in hand; the hub's loop has ended."""
        while self._in_hand:
            self._some_done.wait()
            self._report_done()

    def _get_info(self) -> dict[str, Any]:
        return {**super()._get_info(), "in-hand": self._in_hand}

    def _note(
        self,
        task: str,
        started: float,
        callback: Callable[..., None] | None,
        future: Future[str],
    ) -> None:
        """In whatever thread the work has ended."""
        self._done.append(partial(_report, task, monotonic() - started, callback, future))
        self._some_done.set()
        if self._hub is not None:
            self._hub.call_soon(self._reporting)

    def _report_done(self) -> None:
        self._some_done.clear()
        while self._done:
            report = self._done.popleft()
            self._in_hand -= 1
            try:
                report()
            except Exception:
                logger.exception("Celery did not take the end of a task")


def _report(
    task: str, runtime: float, callback: Callable[..., None] | None, future: Future[str]
) -> None:
    """Gives what Celery's tracer gives: whether it failed, with what or why, and the seconds."""
    try:
        result = (0, future.result(), runtime)
    except Exception as error:
        if not isinstance(error, Reject):
            logger.exception("Task %s failed", task)
        failure = ExceptionInfo()
        failure.exception = error  # rather than billiard's wrapper for another process
        # All who wait for one statement get the same error. Its traceback grows each time that it
        # is raised, and a copy of it for each of them would take a gigabyte.
        error.__traceback__ = None
        result = (1, failure, runtime)
    if callback:
        callback(result)
