"""Child processes that end with this one, the account of PostgreSQL, and a log of all of them."""

import asyncio
import contextlib
import itertools
import os
import pwd
import signal
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple, TextIO

from app.platform.errors import SetupError
from app.platform.processes.system import die_with

# What third-party servers get of the environment: neither keys nor passwords.
_PLAIN = frozenset({"PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR"})


def server_environment() -> dict[str, str]:
    """The environment for PostgreSQL and Redis."""
    kept = {name: value for name, value in os.environ.items() if name in _PLAIN}
    return kept | {name: value for name, value in os.environ.items() if name.startswith("LC_")}


_MAX_LINE_CHARS = 32_768


@dataclass(frozen=True)
class Program:
    """A program to run.

    stdin: given to the program on its standard input, for what must not appear in its arguments.
    user: the account to run as, None for our own.
    orphan_signal: what Linux sends it when this process dies, however it dies.
    """

    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    stdin: bytes = b""
    user: str | None = None
    cwd: Path | None = None
    orphan_signal: signal.Signals = signal.SIGKILL


class Output(NamedTuple):
    """The output of a program, and its transport to close."""

    reader: asyncio.StreamReader
    transport: asyncio.BaseTransport


class Child:
    """A running program. ended: its exit code, once it has ended: minus the signal's number if a
    signal ended it."""

    def __init__(self, pid: int, ended: asyncio.Future[int], output: Output) -> None:
        self.pid = pid
        self._ended = ended
        self._output = output

    async def wait(self) -> int:
        """Its exit code, see above."""
        return await asyncio.shield(self._ended)

    async def lines(self) -> AsyncIterator[str]:
        """Its output, line by line, until it and its children have closed their output. A
        line longer than 32,768 bytes arrives in pieces."""
        rest = b""
        while chunk := await self._output.reader.read(_MAX_LINE_CHARS):
            *complete, rest = (rest + chunk).split(b"\n")
            for line in complete:
                yield line.decode(errors="replace").rstrip("\r")
            if len(rest) >= _MAX_LINE_CHARS:
                yield rest.decode(errors="replace")
                rest = b""
        if rest:
            yield rest.decode(errors="replace")

    def close_output(self) -> None:
        """Reads no more of it, though children that outlive the program may still write."""
        self._output.transport.close()

    def kill(self) -> None:
        """Ends it and what it started, at once."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self._signal(signal.SIGKILL)  # a fork may not have a group of its own yet

    def _signal(self, number: signal.Signals) -> None:
        if not self._ended.done():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    async def stop(self, stop_signal: signal.Signals, grace: float) -> bool:
        """Asks it to end, waits, and after `grace` seconds kills it. True if it ended by
        itself."""
        self._signal(stop_signal)
        try:
            await asyncio.wait_for(self.wait(), grace)
        except TimeoutError:
            self.kill()
            await self.wait()
            return False
        return True


def _before_program(orphan_signal: signal.Signals) -> Callable[[], None] | None:
    """The call that a child makes before it becomes the program; only Linux has it."""
    if sys.platform != "linux":
        return None
    return partial(die_with, os.getpid(), orphan_signal)


@contextlib.asynccontextmanager
async def output_pipe() -> AsyncIterator[tuple[Output, int]]:
    """A stream, and the end that the program writes to, which is closed here at the end of the
    block. After an error the stream is closed too."""
    reading, writing = os.pipe()
    output = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(output), os.fdopen(reading, "rb", buffering=0)
    )
    try:
        yield Output(output, transport), writing
    except BaseException:
        transport.close()
        raise
    finally:
        os.close(writing)


async def spawn(program: Program, *, stdin: int | None = None) -> Child:
    """Starts the program in a session of its own, so that a Ctrl-C in the terminal reaches only
    us and we decide who stops when. Its two outputs come as one stream, through a pipe of our
    own: asyncio's would hide the end of a program as long as a child of it holds the pipe.

    stdin: a file descriptor in the place of `program.stdin`. Raises SetupError if there is no such
    program."""
    if stdin is None:
        stdin = asyncio.subprocess.PIPE if program.stdin else asyncio.subprocess.DEVNULL
    async with output_pipe() as (output, writing):
        try:
            process = await asyncio.create_subprocess_exec(
                *program.command,
                env=program.environment,
                cwd=program.cwd,
                user=program.user,
                group=pwd.getpwnam(program.user).pw_gid if program.user else None,
                extra_groups=[] if program.user else None,
                stdin=stdin,
                stdout=writing,
                stderr=writing,
                start_new_session=True,
                preexec_fn=_before_program(program.orphan_signal),
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise SetupError(f"{program.command[0]} cannot be started: {error}.") from error
    if process.stdin is not None:
        process.stdin.write(program.stdin)
        process.stdin.close()
    return Child(process.pid, asyncio.ensure_future(process.wait()), output)


Spawn = Callable[[Program], Awaitable[Child]]


async def run_to_end(program: Program) -> tuple[int, str]:
    """Runs a program to its end; gives its exit code and its output. If we are cancelled
    meanwhile, it is killed."""
    child = await spawn(program)
    try:
        output = "\n".join([line async for line in child.lines()])
        return await child.wait(), output
    finally:
        child.kill()
        await child.wait()
        child.close_output()


def last_line(output: str) -> str:
    """The line that most likely names the error, fit for a sentence."""
    return output.strip().rpartition("\n")[2].rstrip(".") or "it said nothing"


async def ensure(user: str) -> None:
    """Makes the system account if it is missing. Raises SetupError if that fails."""
    try:
        pwd.getpwnam(user)
    except KeyError:
        command = ["useradd", "--system", "--no-create-home", "--user-group"]
        code, output = await run_to_end(Program([*command, "--shell", "/usr/sbin/nologin", user]))
        if code != 0:
            raise SetupError(
                f"PostgreSQL does not run as root, and user {user!r} could not be made"
                f" ({last_line(output)}): run searchqa as another user, or set DATABASE_URL."
            ) from None


def uid_of(user: str | None) -> int:
    """The id of the account, ours for None."""
    return pwd.getpwnam(user).pw_uid if user else os.geteuid()


def make_private_dir(path: Path, user: str | None) -> None:
    """A folder that only the account can enter. Raises SetupError if it is of another."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    uid = uid_of(user)
    if path.stat().st_uid == os.geteuid() != uid:
        os.chown(path, uid, pwd.getpwuid(uid).pw_gid)
    if path.stat().st_uid != uid or stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise SetupError(
            f"{path} must belong to user id {uid} alone: remove it or correct its mode."
        )


def closed_folder(path: Path, user: str) -> Path | None:
    """The first folder on the way to the path, itself included, that the account may not enter, by
    its mode; None where it may enter all."""
    account = pwd.getpwnam(user)
    for folder in reversed([path, *path.parents]):
        found = folder.stat()
        if found.st_uid == account.pw_uid:
            needed = stat.S_IXUSR
        elif found.st_gid == account.pw_gid:
            needed = stat.S_IXGRP
        else:
            needed = stat.S_IXOTH
        if not found.st_mode & needed:
            return folder
    return None


_COLOURS = (36, 33, 32, 35, 34, 96, 93, 92, 95, 94)
_NAME_WIDTH = 10


class PrefixedLog:
    """Writes `api        | …` lines to a text stream, coloured by name on a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._coloured = stream.isatty()
        self._next_colour = itertools.cycle(_COLOURS)
        self._colours: dict[str, int] = {}

    def __call__(self, name: str, line: str) -> None:
        """One write per line, so that lines of two processes never mix."""
        prefix = f"{name:<{_NAME_WIDTH}} | "
        if self._coloured:
            colour = self._colours.get(name)
            if colour is None:
                colour = self._colours[name] = next(self._next_colour)
            prefix = f"\x1b[{colour}m{prefix}\x1b[0m"
        self._stream.write(f"{prefix}{line}\n")
        self._stream.flush()
