"""`python -m app.platform.processes.fork_server - MODULE[:FUNCTION]…`: a process with one thread
that imports the modules, calls the functions, and then forks children as it is asked to on its
standard input, a socket; with the path of a SOCKET in the place of `-`, one such process for each
that connects there.

What it has loaded the children share by copy-on-write: the parts of a stack the 1,500 modules that
all import, and those that read texts the Korean model, which is loaded when the first connects. A
process with threads must not fork (a lock that another thread holds stays locked in the child):
this one has none but that of OpenBLAS, which ends it before each fork.
"""

import contextlib
import gc
import importlib
import os
import signal
import socket
import sys
from collections.abc import Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import recv_handle
from pathlib import Path
from typing import Any

from app.platform.processes.calls import End, Ended, Fork, Forked, Ping, Ready, Start
from app.platform.processes.system import die_with, reachable

_IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main() -> None:
    where, *names = sys.argv[1:]
    if where != "-":
        _share(Path(where), names)
    control: Connection[Any, Any] = Connection(os.dup(0))
    with Path(os.devnull).open() as nothing:
        os.dup2(nothing.fileno(), 0)
    obey(control, names)


def _share(path: Path, names: Sequence[str]) -> None:
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
        _load(names)
        names = ()
        parent = os.getpid()
        if os.fork():
            client.close()
            continue
        listener.close()
        die_with(parent)
        obey(Connection(client.detach()))
        os._exit(0)


def _load(names: Sequence[str]) -> None:
    # A collection would look at all that is loaded, and stays; one in a child would write to, and
    # so copy, the pages that it shares.
    gc.disable()
    for name in names:
        _call(name)
    gc.freeze()
    gc.enable()


def _call(name: str, *arguments: object) -> None:
    module, _, function = name.partition(":")
    loaded = importlib.import_module(module)
    if function:
        getattr(loaded, function)(*arguments)


def obey(control: "Connection[Any, Any]", names: Sequence[str] = ()) -> None:
    """Returns when the other end is closed and the children have been ended."""
    # Those who stop a stack stop its parts one by one; and a worker that is asked to stop still
    # judges what it holds: its children end when it does.
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)
    _load(names)
    server = _ForkServer(control)
    with contextlib.suppress(EOFError, OSError):
        server.serve()
    server.close()


class _ForkServer:
    def __init__(self, control: "Connection[Any, Any]") -> None:
        self._control = control
        self._children: set[int] = set()
        self._wake_reader, self._wake_writer = os.pipe()
        for end in (self._wake_reader, self._wake_writer):
            os.set_blocking(end, False)

    def serve(self) -> None:
        """Raises EOFError when the other end is closed."""
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wake_writer)
        self._control.send(Ready(os.getpid()))
        while True:
            ready = wait([self._control, self._wake_reader])
            if self._wake_reader in ready:
                os.read(self._wake_reader, 4096)
                self._reap()
            if self._control in ready:
                self._take(self._control.recv())

    def _take(self, command: object) -> None:
        if isinstance(command, Ping):
            self._control.send(command)
        elif isinstance(command, Start):
            sys.path[:] = command.path
            os.nice(max(command.niceness - os.nice(0), 0))
        elif isinstance(command, End) and command.pid in self._children:
            os.kill(command.pid, signal.SIGKILL)
        elif isinstance(command, Fork):
            self._fork(command, recv_handle(self._control))

    def _fork(self, command: Fork, handle: int) -> None:
        with contextlib.suppress(ImportError):  # the child itself reports what is missing
            for name in (command.main.partition(":")[0], *command.modules):
                importlib.import_module(name)
        gc.collect()
        gc.freeze()
        parent = os.getpid()
        if pid := os.fork():
            os.close(handle)
            self._children.add(pid)
            self._control.send(Forked(pid))
            return
        code = 1
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for end in (self._wake_reader, self._wake_writer):
                os.close(end)
            self._control.close()
            die_with(parent)
            _call(command.main, Connection(handle))
        except SystemExit as ended:
            code = int(ended.code or 0)
        finally:
            os._exit(code)

    def _reap(self) -> None:
        """Children are reaped here only, so that none of these pids is another process's."""
        with contextlib.suppress(ChildProcessError):
            while (reaped := os.waitpid(-1, os.WNOHANG))[0]:
                pid, status = reaped
                self._children.discard(pid)
                self._control.send(Ended(pid, os.waitstatus_to_exitcode(status)))

    def close(self) -> None:
        for pid in self._children:
            os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    main()
