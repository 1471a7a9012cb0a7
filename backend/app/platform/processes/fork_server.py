"""`python -m app.platform.processes.fork_server FD`: the single-threaded process that forks the
children of one process; with `SOCKET MODULE:FUNCTION…` in the place of FD, those of a whole stack.

A process with threads must not fork: a lock that another thread holds stays locked in the child.
This one has no other threads, has loaded what all children need, and shares it with them by
copy-on-write. It obeys the commands that arrive on the socket FD, and ends with all children when
the other end is closed. At the path SOCKET it forks a process that obeys so for each that connects:
the Korean model is loaded once for all processes of a stack, when the first of them connects.
"""

import contextlib
import gc
import importlib
import os
import pickle
import resource
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle
from pathlib import Path
from typing import Any

from app.platform.errors import SearchQAError
from app.platform.processes.limits import Call, End, Fork, OutOfMemory, Raised, Result, Start
from app.platform.processes.system import die_with, reachable

_MEGABYTE = 1024 * 1024
# The kernel ends the process with the highest score first when memory runs out.
_OOM_SCORE = 500


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


_IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main() -> None:
    where, *warm = sys.argv[1:]
    if where.isdigit():
        obey(Connection(int(where)))
    else:
        _share(Path(where), warm)


def _share(path: Path, warm: Sequence[str]) -> None:
    making = path.with_name(f"{path.name}.new")
    making.unlink(missing_ok=True)
    os.umask(0o077)  # what comes over the socket is unpickled
    listener = socket.socket(socket.AF_UNIX)
    with reachable(making) as name:
        listener.bind(name)
    listener.listen()
    making.rename(path)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps the fork servers
    while True:
        client, _ = listener.accept()
        warm_up(warm)
        warm = ()
        gc.collect()
        gc.freeze()
        parent = os.getpid()
        if os.fork():
            client.close()
            continue
        listener.close()
        die_with(parent)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        control = Connection(client.detach())
        control.send(os.getpid())
        obey(control)
        os._exit(0)


def obey(control: "Connection[Any, Any]") -> None:
    """Returns when the other end is closed and the children have been ended."""
    # A worker that is asked to stop still judges what it holds; its children end when it does.
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)
    children: set[int] = set()
    try:
        _obey(control, children)
    except (EOFError, OSError):
        pass
    finally:
        for pid in children:
            _end(pid)


def _obey(control: "Connection[Any, Any]", children: set[int]) -> None:
    while True:
        command = control.recv()
        if isinstance(command, Start):
            sys.path[:] = command.path
            os.nice(max(command.niceness - os.nice(0), 0))
            warm_up(command.warm)
        elif isinstance(command, Fork):
            with contextlib.suppress(ImportError):  # the call itself reports what is missing
                importlib.import_module(command.module)
            pid = _fork(control)
            children.add(pid)
            control.send(pid)
        elif isinstance(command, End):
            children.discard(command.pid)
            control.send(_end(command.pid))


def warm_up(names: Sequence[str]) -> None:
    """Imports each `module`, and calls each `module:function`."""
    for name in names:
        module, _, function = name.partition(":")
        loaded = importlib.import_module(module)
        if function:
            getattr(loaded, function)()


def _fork(control: "Connection[Any, Any]") -> int:
    handle = recv_handle(control)
    # A collection in a child would write to, and so copy, the pages of every shared object.
    gc.collect()
    gc.freeze()
    parent = os.getpid()
    pid = os.fork()
    if pid:
        os.close(handle)
        return pid
    try:
        control.close()
        die_with(parent)
        serve(Connection(handle))
    finally:
        os._exit(1)


def _end(pid: int) -> int:
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    main()
