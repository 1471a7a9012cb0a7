"""Calls of functions in child processes: limits, errors, messages (of a fork server too), and the
child that answers them under a limit of memory."""

import contextlib
import importlib
import os
import pickle
import resource
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from app.platform.errors import RequestError, SearchQAError


@dataclass(frozen=True, slots=True)
class Limits:
    """seconds: wall clock from the moment the child begins. megabytes: of memory beyond what the
    child holds when the call begins, and of all that it keeps between calls; enforced on Linux
    only. cpu_seconds: CPU time of the child, for calls that a busy machine may delay."""

    seconds: float
    megabytes: int
    cpu_seconds: float | None = None


class LimitExceeded(RequestError):
    """The call was ended before it gave a result, for what it was given. `what` says how, to stand
    behind a subject: "took longer than 10 s"."""

    status = 422
    code = "limit-exceeded"

    def __init__(self, what: str, *, ko: str) -> None:
        super().__init__(
            f"Processing this text {what}; shorten or split it and try again.",
            ko=f"이 텍스트를 {ko} 줄이거나 나누어 다시 시도하세요.",
        )
        self.what = what


class TimeLimitExceeded(LimitExceeded):
    """The child was killed."""

    def __init__(self, limits: Limits) -> None:
        seconds = limits.cpu_seconds or limits.seconds
        ko = f"처리하는 데 {seconds:g}초가 넘게 걸렸습니다."
        super().__init__(f"took longer than {seconds:g} s", ko=ko)


class MemoryLimitExceeded(LimitExceeded):
    """The child asked for more memory than it may have."""

    def __init__(self, limits: Limits) -> None:
        ko = f"처리하려면 메모리가 {limits.megabytes:,}MB보다 많이 필요합니다."
        super().__init__(f"needed more than {limits.megabytes:,} MB of memory", ko=ko)


class ProcessDied(LimitExceeded):
    """The child died: a crash of native code, or the kernel was out of memory."""

    def __init__(self, how: str) -> None:
        super().__init__(f"ended its process ({how})", ko=f"처리하던 프로세스가 끝났습니다({how}).")


@dataclass(frozen=True, slots=True)
class Ready:
    """The first message of a fork server: what it shares is loaded."""

    pid: int


@dataclass(frozen=True, slots=True)
class Start:
    """What its children have of the process that they work for: where modules are found, and its
    niceness. Without a reply."""

    path: Sequence[str]
    niceness: int


@dataclass(frozen=True, slots=True)
class Fork:
    """A file descriptor follows, of a socket. The child calls `main`, as `module:function`, with
    its connection. `modules` are imported first, so that all later children share them. The reply
    is `Forked`, and `Ended` follows when the child has ended."""

    main: str
    modules: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Forked:
    pid: int


@dataclass(frozen=True, slots=True)
class End:
    """Kills the child."""

    pid: int


@dataclass(frozen=True, slots=True)
class Ended:
    """code: as `subprocess` gives it, minus the signal's number if a signal ended it."""

    pid: int
    code: int


@dataclass(frozen=True, slots=True)
class Ping:
    """The reply is the same: the fork server works."""


_MEGABYTE = 1024 * 1024
# The kernel ends the process with the highest score first when memory runs out.
_OOM_SCORE = 500


@dataclass(frozen=True, slots=True)
class Call:
    """A function, by name, with its arguments."""

    module: str
    function: str
    arguments: tuple[Any, ...]
    megabytes: int
    cpu_seconds: float | None


@dataclass(frozen=True, slots=True)
class Result:
    value: Any


@dataclass(frozen=True, slots=True)
class Raised:
    error: BaseException


@dataclass(frozen=True, slots=True)
class OutOfMemory:
    """The child is not to be used any further."""


def serve(connection: "Connection[Any, Any]") -> None:
    """Returns when the other end is closed."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(_OOM_SCORE))
    memory = _Memory()
    while True:
        try:
            request = connection.recv_bytes()
        except (EOFError, OSError):
            return
        connection.send_bytes(_reply(request, memory))


class _Memory:
    """What a child may hold. What earlier calls left behind does not count against the next one,
    as long as it is no more than the largest of them was allowed."""

    def __init__(self) -> None:
        self._begun_with = _data_bytes()
        self._largest = 0

    def limit(self, megabytes: int) -> None:
        held = _data_bytes()
        if self._begun_with is None or held is None:
            return
        self._largest = max(self._largest, megabytes)
        most = self._begun_with + self._largest * _MEGABYTE
        limit = min(held + megabytes * _MEGABYTE, most)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, resource.RLIM_INFINITY))


def _reply(request: bytes, memory: _Memory) -> bytes:
    try:
        call: Call = pickle.loads(request)  # noqa: S301  our own process wrote it
        memory.limit(call.megabytes)
        # Its signal ends the process.
        signal.setitimer(signal.ITIMER_PROF, call.cpu_seconds or 0)
        return pickle.dumps(_answer(call), pickle.HIGHEST_PROTOCOL)
    except MemoryError:
        return pickle.dumps(OutOfMemory())
    except Exception as error:  # noqa: BLE001  a result that cannot be pickled
        return pickle.dumps(Raised(TypeError(f"The result cannot be sent: {error!r}")))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _answer(call: Call) -> Result | Raised | OutOfMemory:
    try:
        module = importlib.import_module(call.module)
        function: Callable[..., Any] = getattr(module, call.function)
        return Result(function(*call.arguments))
    except MemoryError:
        return OutOfMemory()
    except Exception as error:  # noqa: BLE001  it belongs to the caller
        if not isinstance(error, SearchQAError):
            error.add_note("In the child process:\n" + traceback.format_exc())
        return Raised(error)


def _data_bytes() -> int | None:
    """What RLIMIT_DATA counts, None where the system does not report it."""
    if sys.platform != "linux":
        return None
    # Fields of proc_pid_statm(5): the sixth is data and stack, in pages.
    pages = int(Path("/proc/self/statm").read_text().split()[5])
    return pages * os.sysconf("SC_PAGE_SIZE")
