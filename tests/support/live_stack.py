"""A `searchqa up` in a process of its own, and what a user does with it from outside."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, NamedTuple, TypeVar

import httpx
import psycopg
from psycopg.rows import dict_row
from sqlalchemy.ext.asyncio import AsyncSession

import warm_commands
from app.cli.stack import in_database
from app.operations.embedded.data_dir import StackInfo, running_stack
from app.workspaces.service import ANYBODY, create_login_code, create_token, ensure_workspace
from app.workspaces.tokens import DEFAULT_WORKSPACE, Scope
from cases import TIMEOUT_SECONDS, eventually
from postgres_server import copy_into

SEARCHQA = Path(sys.executable).with_name("searchqa")
FLOWER_AUTH = ("operator", "flower-password")
STOP_SECONDS = 10

Found = TypeVar("Found")

NOTES = {
    "notebook": "실험실",
    "notes": [
        {"title": "PCR 조건", "content": "PCR 변성은 95도에서 30초 동안 한다."},
        {"title": "배양기", "content": "배양기는 37도, 이산화탄소 5퍼센트로 맞춘다."},
    ],
}


class Ran(NamedTuple):
    """A command that has ended."""

    code: int
    out: str
    err: str


@dataclass
class LiveStack:
    """`info` says where it is; `folder` is its own, with `data` and the log of `up` in it."""

    folder: Path
    process: subprocess.Popen[bytes]
    info: StackInfo
    environment: Mapping[str, str]

    @property
    def log(self) -> str:
        return (self.folder / "up.log").read_text(encoding="utf-8")

    async def logged(self, text: str, *, after: int = 0) -> None:
        """Waits until the log holds `text` after its first `after` characters."""

        async def found() -> bool:
            return text in self.log[after:]

        await eventually(found)

    async def run(self, *arguments: str, **environment: str) -> Ran:
        """`searchqa …` in the stack's folder, in a process that need not import it."""
        given = {**self.environment, **environment}
        with NamedTemporaryFile() as out, NamedTemporaryFile() as err:
            code = await asyncio.to_thread(
                *(warm_commands.run, arguments, given, self.folder, out.name, err.name),
                within=TIMEOUT_SECONDS,
            )
            return Ran(code, out.read().decode(), err.read().decode())

    async def typed(self, *arguments: str, **environment: str) -> Ran:
        """As `run`, with the program that somebody types."""
        process = await asyncio.create_subprocess_exec(
            *(SEARCHQA, *arguments),
            env={**self.environment, **environment},
            cwd=self.folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await asyncio.wait_for(process.communicate(), TIMEOUT_SECONDS)
        return Ran(process.returncode or 0, out.decode(), err.decode())

    async def succeed(self, *arguments: str, **environment: str) -> str:
        """As `run`, for a command that must end with code 0; gives its output."""
        ran = await self.run(*arguments, **environment)
        assert ran.code == 0, f"{arguments}: {ran.err or ran.out}"
        return ran.out

    async def rows(self, query: str, *parameters: object) -> list[dict[str, Any]]:
        async with await psycopg.AsyncConnection.connect(
            self.info.database_url, row_factory=dict_row
        ) as connection:
            return await (await connection.execute(query.encode(), parameters)).fetchall()

    async def token(self, workspace: str = DEFAULT_WORKSPACE) -> str:
        """With all scopes, for a workspace that comes to be where there is none."""

        async def make(session: AsyncSession) -> str:
            workspace_id = await ensure_workspace(session, workspace)
            return (await create_token(session, workspace_id, name="test"))[1]

        return await asyncio.to_thread(in_database, self.info.database_url, make)

    async def login_link(self, workspace: str, name: str = ANYBODY) -> str:
        """As `searchqa login --operator --name` prints it for the default workspace."""

        async def make(session: AsyncSession) -> str:
            workspace_id = await ensure_workspace(session, workspace)
            return await create_login_code(session, workspace_id, name, frozenset(Scope))

        code = await asyncio.to_thread(in_database, self.info.database_url, make)
        return f"{self.info.api_url}/login?code={code}"

    def client(self, token: str | None = None) -> httpx.AsyncClient:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return httpx.AsyncClient(
            base_url=self.info.api_url, headers=headers, timeout=TIMEOUT_SECONDS, trust_env=False
        )

    def flower(self, auth: tuple[str, str] | None = FLOWER_AUTH) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            base_url=self.info.flower_url or "", auth=auth, timeout=TIMEOUT_SECONDS, trust_env=False
        )

    def processes(self) -> dict[int, str]:
        """The command line of `up` and of every process below it, by pid."""
        parents = dict(_parents())
        mine = {self.process.pid}
        while more := {pid for pid, parent in parents.items() if parent in mine} - mine:
            mine |= more
        return {pid: command for pid in mine if (command := _command(pid))}

    def part(self, command: str) -> int:
        """The pid of the one part whose command line holds `command`."""
        parents = dict(_parents())
        children = {pid for pid, parent in parents.items() if parent == self.process.pid}
        zygotes = {pid for pid in children if "fork_server - " in _command(pid)}
        children |= {pid for pid, parent in parents.items() if parent in zygotes}
        (pid,) = [pid for pid in children - zygotes if command in _command(pid)]
        return pid

    def stop(self) -> list[str]:
        """SIGTERM; the processes it left behind. Killed, and AssertionError, if it takes longer
        than STOP_SECONDS to end."""
        before = self.processes()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"It did not stop: {self.log}") from None
        return [command for pid, command in before.items() if _command(pid) == command]


def _parents() -> Iterator[tuple[int, int]]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
                if state != "Z":
                    yield int(entry.name), int(parent)


def _command(pid: int) -> str:
    """Its arguments; "" when it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


def user_environment(data_dir: Path, **environment: str) -> dict[str, str]:
    """This process's environment with the data folder and settings that a user has exported."""
    return {
        **os.environ,
        "SEARCHQA_DATA_DIR": str(data_dir),
        "SEARCHQA_FLOWER_BASIC_AUTH": ":".join(FLOWER_AUTH),
        "SEARCHQA_LIVE_WORKERS": "1",
        **environment,
    }


def start(folder: Path, *arguments: str, **environment: str) -> LiveStack:
    """`searchqa up` on free ports, once it is ready."""
    folder.mkdir()
    data_dir = folder / "data"
    given = user_environment(data_dir, **environment)
    if "DATABASE_URL" not in given:
        copy_into(data_dir, folder.parent)
    with (folder / "up.log").open("w") as log:
        process = subprocess.Popen(
            [SEARCHQA, "up", "--port", "0", "--flower-port", "0", *arguments],
            env=given,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while (info := running_stack(data_dir)) is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.05)
        if process.returncode is not None or time.monotonic() > deadline:
            process.kill()
            process.wait()
            raise AssertionError(f"it did not start: {(folder / 'up.log').read_text()}")
    return LiveStack(folder, process, info, given)


@contextlib.contextmanager
def live_stack(folder: Path, *arguments: str, **environment: str) -> Iterator[LiveStack]:
    """A ready stack; each must stop in time and leave nothing behind."""
    stack = start(folder, *arguments, **environment)
    try:
        yield stack
    finally:
        if stack.process.poll() is None:
            assert stack.stop() == []


async def open_with_notes(stack: LiveStack, workspace: str = DEFAULT_WORKSPACE) -> str:
    """A token with all scopes, for a workspace that has the notes."""
    token = await stack.token(workspace)
    async with stack.client(token) as client:
        (await client.post("/notes/import", json=NOTES)).raise_for_status()
    return token
