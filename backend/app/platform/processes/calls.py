"""A child process that answers calls of functions, under a limit of memory."""

import contextlib
import importlib
import os
import pickle
import resource
import signal
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from app.platform.errors import SearchQAError

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
