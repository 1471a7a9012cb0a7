"""Celery's pool for tasks that wait: none of them holds a thread.

A task of this pool hands its work to an asyncio loop and returns the Future of its outcome. When
the work is done, its end is reported to Celery in Celery's own thread, so that Flower shows how
long the work took and what came of it.
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
from celery.worker.request import Request
from celery.worker.state import task_ready
from vine import promise

from worker.batched_lifecycle import PAUSED
from worker.loop_thread import TaskOutcome, TaskState

logger = logging.getLogger(__name__)


class AsyncPool(BasePool):  # type: ignore[misc]  # celery ships no types
    """`limit` is how many messages the process holds, which cost memory alone."""

    signal_safe = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._hub: Any = None
        self._in_hand = 0
        self._idle_since = monotonic()
        self._done: deque[Callable[[], None]] = deque()
        self._some_done = threading.Event()
        self._reporting = promise(self._report_done)

    @property
    def num_processes(self) -> int:
        """Messages that Celery may hold (`worker_disable_prefetch`): none are fetched while
        PostgreSQL is unreachable, so that another process judges what they name."""
        return 0 if PAUSED.is_set() else int(self.limit)

    @property
    def idle_seconds(self) -> float:
        """Since the last work ended, or the start; 0 while there is some in hand."""
        return 0.0 if self._in_hand else monotonic() - self._idle_since

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
        future: Future[TaskOutcome]
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
        future: Future[TaskOutcome],
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
            self._idle_since = monotonic()
            try:
                report()
            except Exception:
                logger.exception("Celery did not take the end of a task")


class _Unsuccessful(Exception):
    """Carries the outcome of a task in RETRY or FAILURE to its request."""

    def __init__(self, outcome: TaskOutcome) -> None:
        super().__init__(outcome.line)
        self.outcome = outcome


def _report(
    task: str,
    runtime: float,
    callback: Callable[..., None] | None,
    future: Future[TaskOutcome],
) -> None:
    """Gives what Celery's tracer gives: whether it failed, with what or why, and the seconds."""
    result: tuple[int, Any, float]
    error = future.exception()
    if error is not None:
        logger.error("Task %s failed", task, exc_info=error)
        result = (1, _failure(error), runtime)
    elif (outcome := future.result()).state is TaskState.SUCCESS:
        result = (0, outcome.line, runtime)
    else:
        result = (1, _failure(_Unsuccessful(outcome)), runtime)
    if callback:
        callback(result)


def _failure(error: BaseException) -> ExceptionInfo:
    try:
        raise error
    except BaseException:  # noqa: BLE001  ExceptionInfo reads the one that is handled
        failure = ExceptionInfo()
    failure.exception = error  # rather than billiard's wrapper for another process
    # All callers of one statement get the same error. Its traceback grows each time that it is
    # raised, and a copy of it for each of them would take a gigabyte.
    error.__traceback__ = None
    return failure


class TaskRequest(Request):  # type: ignore[misc]
    """A request whose state in Flower is RETRY or FAILURE where a judge failed, not our code."""

    def on_failure(self, exc_info: Any, *args: Any, **kwargs: Any) -> Any:
        """Sends the event with the plain reason, and logs nothing: the loop has."""
        error = exc_info.exception
        if not isinstance(error, _Unsuccessful):
            return super().on_failure(exc_info, *args, **kwargs)
        task_ready(self)
        outcome = error.outcome
        shown = {"exception": outcome.line, "traceback": ""}
        if outcome.state is TaskState.RETRY:
            self.send_event("task-retried", **shown, retries=outcome.retries)
        else:
            self.send_event("task-failed", **shown)
        return None
