"""Our end of the fork server: starts it, and has it fork and end children."""

import contextlib
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.reduction import send_handle
from pathlib import Path
from typing import Any

from app.platform.processes.calls import End, Ended, Fork, Forked, ProcessDied, Ready, Start
from app.platform.processes.system import connect

# Seconds: the fork server may have to load the Korean model on a busy machine.
_REPLIES_WITHIN = 60.0
_CALLS = "app.platform.processes.calls:serve"
# Ends of the names of variables.
_SECRETS = (
    *("_KEY", "_TOKEN", "_PASSWORD", "_AUTH", "_HEADERS"),
    *("DATABASE_URL", "DATABASE_DIRECT_URL", "DATABASE_READ_URL", "REDIS_URL", "BROKER_URL"),
)


@dataclass(frozen=True, slots=True)
class Child:
    """A process that waits for calls on `connection`."""

    pid: int
    connection: "Connection[Any, Any]"
    server: int


def without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """What reads texts of strangers needs no key, password or address of a server."""
    return {name: value for name, value in environment.items() if not name.endswith(_SECRETS)}


class Forker:
    """The fork server of this process, started when the first child is wanted and again when it
    died. Thread-safe. warm: what it loads, see `fork_server`. shared: the socket of the one that
    forks the fork servers of a stack; where none listens, this process starts one of its own."""

    def __init__(self, warm: Sequence[str] = (), shared: Path | None = None) -> None:
        self._warm = tuple(warm)
        self._shared = shared
        self._lock = threading.Lock()
        self._own: subprocess.Popen[bytes] | None = None
        self._connecting: socket.socket | None = None
        self._control: Connection[Any, Any] | None = None
        self._pid = 0
        self._exit_codes: dict[int, int] = {}
        self._closed = False

    def fork(self, module: str) -> Child:
        """A new child that has `module`. Raises ProcessDied when the fork server does not work."""
        ours, its = socket.socketpair()
        with ours, its, self._lock:
            try:
                control = self._started()
                control.send(Fork(_CALLS, [module]))
                send_handle(control, its.fileno(), self._pid)
                while not isinstance(reply := self._reply(control), Forked):
                    pass
            except (EOFError, OSError) as error:
                self._stop()
                raise ProcessDied(f"the fork server failed: {error}") from error
            return Child(reply.pid, Connection(ours.detach()), self._pid)

    def end(self, child: Child) -> int | None:
        """Kills the child. Its exit code, None when the fork server died and it with it."""
        child.connection.close()
        with self._lock:
            if self._control is None or self._pid != child.server:
                return None
            try:
                self._control.send(End(child.pid))
                while child.pid not in self._exit_codes:
                    self._reply(self._control)
                return self._exit_codes.pop(child.pid)
            except (EOFError, OSError):
                self._stop()
                return None

    def close(self) -> None:
        """Ends the fork server and all children."""
        self._closed = True
        # A fork under way holds the lock, for as long as loading takes.
        if (own := self._own) is not None:
            own.kill()
        if (connecting := self._connecting) is not None:
            with contextlib.suppress(OSError):
                connecting.shutdown(socket.SHUT_RDWR)
        with self._lock:
            self._stop()

    def _started(self) -> "Connection[Any, Any]":
        if self._control is None:
            self._control = self._connected() or self._start_own()
            self._control.send(Start([str(Path.cwd()), *sys.path], os.nice(0)))
        return self._control

    def _connected(self) -> "Connection[Any, Any] | None":
        """A fork server that shares what those of other processes have; None where there is
        none."""
        if self._shared is None:
            return None
        try:
            with connect(self._shared) as client:
                self._connecting = client
                control: Connection[Any, Any] = Connection(os.dup(client.fileno()))
                self._reply(control)
        except (EOFError, OSError):
            if self._closed:
                raise
            return None
        finally:
            self._connecting = None
        return control

    def _start_own(self) -> "Connection[Any, Any]":
        ours, its = socket.socketpair()
        with ours, its:
            self._own = subprocess.Popen(  # noqa: S603  our own program
                [sys.executable, "-m", "app.platform.processes.fork_server", "-", *self._warm],
                stdin=its.fileno(),
                env=without_secrets(os.environ),
            )
            return Connection(ours.detach())

    def _reply(self, control: "Connection[Any, Any]") -> object:
        if not control.poll(_REPLIES_WITHIN):
            raise OSError(f"no reply within {_REPLIES_WITHIN:g} s")
        message = control.recv()
        if isinstance(message, Ended):
            self._exit_codes[message.pid] = message.code
        elif isinstance(message, Ready):
            self._pid = message.pid
        return message

    def _stop(self) -> None:
        """Closing the socket is what ends it; killing it ends the children too, by the kernel."""
        if self._control is not None:
            self._control.close()
        if self._own is not None:
            with contextlib.suppress(ProcessLookupError):
                self._own.kill()
            self._own.wait()
        self._control = self._own = None
        self._exit_codes.clear()
