"""A child process that answers calls of functions, under a limit of memory."""

import contextlib
import importlib
import os
import pickle
import resource
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
    begun_with = _data_bytes()
    while True:
        try:
            request = connection.recv_bytes()
        except (EOFError, OSError):
            return
        connection.send_bytes(_reply(request, begun_with))


def _reply(request: bytes, begun_with: int | None) -> bytes:
    try:
        return pickle.dumps(_answer(pickle.loads(request), begun_with), pickle.HIGHEST_PROTOCOL)  # noqa: S301  our own process wrote it
    except MemoryError:
        return pickle.dumps(OutOfMemory())
    except Exception as error:  # noqa: BLE001  a result that cannot be pickled
        return pickle.dumps(Raised(TypeError(f"The result cannot be sent: {error!r}")))


def _answer(call: Call, begun_with: int | None) -> Result | Raised | OutOfMemory:
    if begun_with is not None:
        most = begun_with + call.megabytes * _MEGABYTE
        resource.setrlimit(resource.RLIMIT_DATA, (most, resource.RLIM_INFINITY))
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
