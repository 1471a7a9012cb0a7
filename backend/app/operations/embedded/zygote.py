"""SearchQA's own processes as forks of one that has imported what they need: how we ask for them,
and what a fork becomes."""

import asyncio
import contextlib
import ctypes
import logging
import os
import runpy
import signal
import socket
import sys
import traceback
import warnings
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from pathlib import Path
from typing import Any

from app.operations.embedded.process import Child, Program, Spawn, output_pipe, spawn
from app.platform.processes.calls import Ended, Fork, Forked, Ping, Ready

_PYTHON = (sys.executable, "-m")

PING_SECONDS = 5.0
# Pings without a reply after which it is killed.
MAX_UNANSWERED = 3

# The pid of a fork, and its exit code once it has ended.
_Started = tuple[int, asyncio.Future[int]]


class Zygote:
    """Starts programs `python -m …` as forks. All others, and once the zygote has died all of them,
    are started as programs of their own. The forks end when the zygote does."""

    def __init__(self, control: "Connection[Any, Any]", pid: int) -> None:
        self._control: Connection[Any, Any] | None = control
        self._pid = pid
        self._loop = asyncio.get_running_loop()
        self._ready: asyncio.Future[None] = self._loop.create_future()
        # None where the zygote died instead.
        self._starting: deque[asyncio.Future[_Started | None]] = deque()
        self._running: dict[int, asyncio.Future[int]] = {}
        self._unanswered = 0
        self._loop.add_reader(control.fileno(), self._read)

    async def spawn(self, program: Program) -> Child:
        """As `app.operations.embedded.process.spawn`."""
        if tuple(program.command[:2]) == _PYTHON and not program.user and not program.stdin:
            await asyncio.shield(self._ready)
            async with output_pipe() as (output, writing):
                started = await self._fork(program, writing)
            if started:
                return Child(*started, output)
        return await spawn(program)

    async def _fork(self, program: Program, writing: int) -> _Started | None:
        """None where the zygote has died, or dies now."""
        if self._control is None:
            return None
        self._request(self._control, program, writing)
        self._starting.append(starting := self._loop.create_future())
        return await asyncio.shield(starting)

    def _request(self, control: "Connection[Any, Any]", program: Program, writing: int) -> None:
        _, _, module, *arguments = program.command
        cwd = None if program.cwd is None else str(program.cwd)
        environment = dict(program.environment)
        forked = ForkedProgram(module, arguments, environment, cwd)
        ours, its = socket.socketpair()
        # It may have died a moment ago: `_read` sees to that.
        with Connection(ours.detach()) as connection, contextlib.suppress(OSError):
            with its:  # closed here before it is written to, which could not fail otherwise
                control.send(Fork("app.operations.embedded.zygote:run"))
                send_handle(control, its.fileno(), self._pid)
            connection.send(forked)
            send_handle(connection, writing, self._pid)

    async def until_hung(self) -> None:
        """Returns when the zygote has died or hangs. A machine that slept counts as one ping."""
        await asyncio.shield(self._ready)
        while self._control is not None and self._unanswered < MAX_UNANSWERED:
            self._unanswered += 1
            with contextlib.suppress(OSError):  # it has just died
                self._control.send(Ping())
            await asyncio.sleep(PING_SECONDS)

    @property
    def is_alive(self) -> bool:
        return self._control is not None

    def _read(self) -> None:
        try:
            while self._control is not None and self._control.poll():
                self._take(self._control.recv())
        except (EOFError, OSError):
            self.close()

    def _take(self, message: object) -> None:
        self._unanswered = 0
        if isinstance(message, Ready):
            self._ready.set_result(None)
        elif isinstance(message, Forked):
            self._running[message.pid] = ended = self._loop.create_future()
            self._starting.popleft().set_result((message.pid, ended))
        elif isinstance(message, Ended):
            self._running.pop(message.pid).set_result(message.code)

    def close(self) -> None:
        """Closing the socket ends the zygote, and the kernel its forks."""
        if self._control is None:
            return
        self._loop.remove_reader(self._control.fileno())
        self._control.close()
        self._control = None
        if not self._ready.done():
            self._ready.set_result(None)
        for starting in self._starting:
            starting.set_result(None)
        for ended in self._running.values():
            ended.set_result(-signal.SIGKILL)


@contextlib.asynccontextmanager
async def forking(
    modules: Sequence[str], environment: Mapping[str, str], log: Callable[[str, str], None]
) -> AsyncIterator[Spawn]:
    """Starts programs while the block lasts, as `Zygote.spawn`. environment: of the zygote,
    which begins to import the modules now; a fork has that of its program."""
    if sys.platform != "linux":  # macOS must not fork what has loaded its frameworks
        yield spawn
        return
    ours, its = socket.socketpair()
    with its:
        command = [*_PYTHON, "app.platform.processes.fork_server", "-", *modules]
        child = await spawn(Program(command, environment), stdin=its.fileno())
    zygote = Zygote(Connection(ours.detach()), child.pid)
    copying = asyncio.create_task(_copy_output(child, log))
    watching = asyncio.create_task(_end_hung(zygote, child, log))
    try:
        yield zygote.spawn
    finally:
        watching.cancel()
        zygote.close()
        child.kill()
        await child.wait()
        copying.cancel()


async def _end_hung(zygote: Zygote, child: Child, log: Callable[[str, str], None]) -> None:
    """Kills a zygote that does not answer, and the kernel its forks: they start again as programs
    of their own. While it hangs, nobody learns of the end of a fork."""
    await zygote.until_hung()
    if zygote.is_alive:
        log("stack", "the process that starts the parts does not answer; killing it and its forks")
        child.kill()
        await child.wait()
        zygote.close()


async def _copy_output(child: Child, log: Callable[[str, str], None]) -> None:
    """It says something only when it fails."""
    async for line in child.lines():
        log("stack", line)


@dataclass(frozen=True, slots=True)
class ForkedProgram:
    """The program `python -m module arguments…`; the file descriptor of its output follows. The
    fork itself receives it: its environment may hold keys, which no other fork inherits."""

    module: str
    arguments: Sequence[str]
    environment: Mapping[str, str]
    cwd: str | None


def run(connection: "Connection[Any, Any]") -> None:
    """Its modules are not taken apart at its end, as in children of multiprocessing: that would
    copy every page that it shares. Raises SystemExit."""
    with connection:
        program: ForkedProgram = connection.recv()
        output = recv_handle(connection)
    _become(program, output)
    code = 0
    # That a program is imported already is what it is forked for.
    warnings.filterwarnings("ignore", category=RuntimeWarning, module="runpy")
    try:
        runpy.run_module(program.module, run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        if isinstance(ended.code, str):
            sys.stderr.write(f"{ended.code}\n")
    except BaseException:  # noqa: BLE001  as the interpreter: reported, and the end of the process
        code = 1
        traceback.print_exc()
    finally:
        logging.shutdown()
        sys.stdout.flush()
        sys.stderr.flush()
    sys.exit(code)


def _become(program: ForkedProgram, output: int) -> None:
    """Makes this fork what a program started by `app.operations.embedded.process.spawn` would
    be."""
    os.setsid()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for standard in (1, 2):
        os.dup2(output, standard)
    os.close(output)
    os.environ.clear()
    os.environ.update(program.environment)
    if program.cwd is not None:
        os.chdir(program.cwd)
    sys.argv = [program.module, *program.arguments]
    _show_command([sys.executable, "-m", *sys.argv])


def _show_command(command: list[str]) -> None:
    """Sets the command that `ps` shows: writes it into the memory in which the kernel put arguments
    and environment (man 5 proc, arg_start to env_end), as PostgreSQL and setproctitle do. Python
    holds a copy of its arguments, and `os.environ` was set anew."""
    fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    start, arguments_end, _, end = (int(field) for field in fields[45:49])
    if not start:  # not every kernel says it: gVisor's does not
        return
    shown = " ".join(command).encode()[: end - start - 1]
    # Behind a last byte that is not zero the kernel reads on, to the next zero.
    shown = shown.ljust(arguments_end - start)
    ctypes.memset(start, 0, end - start)
    ctypes.memmove(start, shown, len(shown))
