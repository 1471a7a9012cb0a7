"""Calls of functions in child processes, killed at their limits, and the pools of this process."""

import asyncio
import atexit
import contextlib
import pickle
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from time import monotonic
from typing import TypeVar, TypeVarTuple, cast

from app.platform.processes.calls import (
    Call,
    Limits,
    MemoryLimitExceeded,
    OutOfMemory,
    ProcessDied,
    Raised,
    Result,
    TimeLimitExceeded,
)
from app.platform.processes.forker import Child, Forker
from app.platform.processes.system import usable_cores
from app.platform.processes.turns import Turns, Waiting
from app.platform.settings import get_settings

Given = TypeVarTuple("Given")
Value = TypeVar("Value")

# A wait that took this many times its limit was a pause of the whole machine or container: the
# child has been paused too.
_PAUSED = 1.5


class ChildrenBusy(Exception):
    """No child became free within the time that the caller could wait."""


class BoundedProcesses:
    """Up to `processes` children, each forked when it is first needed and replaced when it was
    ended. Each has a thread here that waits for it, so calls may come from any event loop. Calls
    that wait for a child are served by Turns."""

    def __init__(self, forker: Forker, processes: int, name: str = "bounded") -> None:
        self._forker = forker
        self._threads = ThreadPoolExecutor(processes, thread_name_prefix=name)
        self._turns = Turns(processes)
        self._mine = threading.local()
        self._has_forked = False
        self._warming = False

    async def run(
        self,
        limits: Limits,
        function: Callable[[*Given], Value],
        *arguments: *Given,
        max_wait: float | None = None,
    ) -> Value:
        """What the function of a module gives for arguments that can be pickled, or raises.

        max_wait: seconds that the call may wait for a free child, which do not count as its time.
        Raises TimeLimitExceeded, MemoryLimitExceeded and ProcessDied, each for this very call, and
        ChildrenBusy. When the caller is cancelled, a call that has begun runs to its end or its
        limit.
        """
        call = Waiting(partial(self._call, limits, function, arguments))
        self._turns.add(call)
        self._threads.submit(self._serve)
        if max_wait is None:
            return cast("Value", await asyncio.wrap_future(call.future))
        timer = asyncio.get_running_loop().call_later(max_wait, self._give_up, call)
        try:
            return cast("Value", await asyncio.wrap_future(call.future))
        finally:
            timer.cancel()

    def _give_up(self, call: Waiting) -> None:
        if self._turns.withdraw(call) and not call.future.done():
            call.future.set_exception(ChildrenBusy())

    def _serve(self) -> None:
        """Makes calls while any may begin, which may be others than the one that asked for it."""
        while call := self._turns.take():
            begun = monotonic()
            try:
                if call.future.set_running_or_notify_cancel():
                    _settle(call)
            finally:
                self._turns.end(call, monotonic() - begun)

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
        self._turns.cancel()
        self._forker.close()

    def _call(
        self, limits: Limits, function: Callable[[*Given], Value], arguments: tuple[*Given]
    ) -> Value:
        name = (function.__module__, function.__qualname__)
        call = Call(*name, arguments, limits.megabytes, limits.cpu_seconds)
        child = self._send(call)
        if not _answers_within(limits.seconds, child):
            self._end(child)
            raise TimeLimitExceeded(limits)
        try:
            reply = pickle.loads(child.connection.recv_bytes())  # noqa: S301  our own process
        except (EOFError, OSError):
            code = self._end(child)
            if code == -signal.SIGPROF:
                raise TimeLimitExceeded(limits) from None
            raise ProcessDied(_how(code)) from None
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


def _settle(call: Waiting) -> None:
    try:
        call.future.set_result(call.work())
    except BaseException as error:  # noqa: BLE001  it belongs to the caller
        call.future.set_exception(error)


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


# Without a setting.
QUICK_LIMITS = Limits(seconds=10, megabytes=1024)
IMPORT_LIMITS = Limits(seconds=120, megabytes=1024)
_MAX_QUICK = 8
_IMPORTS = 2
_TRACES = 2
# Loads the Korean model without threads, which would not survive the fork.
WARM = ("app.text.morphemes:warm_up_to_fork",)


@lru_cache(maxsize=1)
def _forker() -> Forker:
    atexit.register(close_lanes)
    return Forker(WARM, get_settings().stack.fork_server)


@lru_cache(maxsize=1)
def quick_lane() -> BoundedProcesses:
    """For calls that take milliseconds, and are waited for: one child for each core, and two at
    least, of which one is kept for short calls."""
    return BoundedProcesses(_forker(), max(2, min(usable_cores(), _MAX_QUICK)), "quick")


@lru_cache(maxsize=1)
def import_lane() -> BoundedProcesses:
    """For files of notes and questions, which take seconds."""
    return BoundedProcesses(_forker(), _IMPORTS, "import")


@lru_cache(maxsize=1)
def trace_lane() -> BoundedProcesses:
    """For spans of other applications, whose exporters give up after some seconds."""
    return BoundedProcesses(_forker(), _TRACES, "traces")


def close_lanes() -> None:
    """Ends the children of this process; what they do now is abandoned."""
    for lane in (quick_lane, import_lane, trace_lane):
        if lane.cache_info().currsize:
            lane().close()
            lane.cache_clear()
    _forker.cache_clear()
