"""Calls of functions in child processes that are killed when they take too long."""

import asyncio
import contextlib
import pickle
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import TypeVar, TypeVarTuple

from app.platform.processes.forker import Child, Forker
from app.platform.processes.limits import (
    Limits,
    MemoryLimitExceeded,
    ProcessDied,
    TimeLimitExceeded,
)
from app.platform.processes.messages import Call, OutOfMemory, Raised, Result

Given = TypeVarTuple("Given")
Value = TypeVar("Value")

# A wait that took this many times its limit was a pause of the whole machine or container: the
# child has been paused too.
_PAUSED = 1.5


class BoundedProcesses:
    """Up to `processes` children, each forked when it is first needed and replaced when it was
    ended. Each has a thread here that waits for it, so calls may come from any event loop."""

    def __init__(self, forker: Forker, processes: int, name: str = "bounded") -> None:
        self._forker = forker
        self._threads = ThreadPoolExecutor(processes, thread_name_prefix=name)
        self._mine = threading.local()
        self._has_forked = False
        self._warming = False

    async def run(
        self, limits: Limits, function: Callable[[*Given], Value], *arguments: *Given
    ) -> Value:
        """What the function of a module gives for arguments that can be pickled, or raises.

        Raises TimeLimitExceeded, MemoryLimitExceeded and ProcessDied, each for this very call.
        The time spent waiting for a free child does not count. When the caller is cancelled, a
        call that has begun runs to its end or its limit.
        """
        return await asyncio.wrap_future(
            self._threads.submit(self._call, limits, function, arguments)
        )

    def warm_up(self, module: str) -> None:
        """Forks the first child in the background, with what the functions of `module` need, if
        this has not been asked for."""
        if not self._warming:
            self._warming = True
            self._threads.submit(self._prepare, module)

    async def ready(self, module: str) -> None:
        """Returns when the first child was forked, for callers who limit how long they wait for
        a free one: on a busy machine loading the Korean model takes seconds."""
        if not self._has_forked:
            await asyncio.wrap_future(self._threads.submit(self._prepare, module))

    def close(self) -> None:
        """Ends the children, and with them what they do."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._forker.close()

    def _call(
        self, limits: Limits, function: Callable[[*Given], Value], arguments: tuple[*Given]
    ) -> Value:
        call = Call(function.__module__, function.__qualname__, arguments, limits.megabytes)
        child = self._send(call)
        if not _answers_within(limits.seconds, child):
            self._end(child)
            raise TimeLimitExceeded(limits)
        try:
            reply = pickle.loads(child.connection.recv_bytes())  # noqa: S301  our own process
        except (EOFError, OSError):
            raise ProcessDied(_how(self._end(child))) from None
        if isinstance(reply, OutOfMemory):
            self._end(child)
            raise MemoryLimitExceeded(limits)
        if isinstance(reply, Raised):
            raise reply.error
        assert isinstance(reply, Result)
        value: Value = reply.value
        return value

    def _send(self, call: Call) -> Child:
        """The child that has got the call: this thread's own, or a new one where that died while
        it had nothing to do."""
        request = pickle.dumps(call, pickle.HIGHEST_PROTOCOL)
        child: Child | None = getattr(self._mine, "child", None)
        if child is not None:
            try:
                child.connection.send_bytes(request)
            except OSError:
                self._end(child)
            else:
                return child
        child = self._forked(call.module)
        try:
            child.connection.send_bytes(request)
        except OSError:
            raise ProcessDied(_how(self._end(child))) from None
        return child

    def _prepare(self, module: str) -> None:
        if not self._has_forked and getattr(self._mine, "child", None) is None:
            with contextlib.suppress(ProcessDied):  # the first call tries again and raises
                self._forked(module)

    def _forked(self, module: str) -> Child:
        child = self._mine.child = self._forker.fork(module)
        self._has_forked = True
        return child

    def _end(self, child: Child) -> int | None:
        self._mine.child = None
        return self._forker.end(child)


def _answers_within(seconds: float, child: Child) -> bool:
    while True:
        begun = monotonic()
        if child.connection.poll(seconds):
            return True
        if monotonic() - begun < _PAUSED * seconds + 1:
            return False


def _how(code: int | None) -> str:
    if code is None:
        return "killed"
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
