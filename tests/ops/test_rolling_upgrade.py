"""The release before and this one side by side on the new schema, while answers flow."""

import asyncio
import os
import re
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import psycopg
import pytest
from harness import HOST, LONG_LEASE, Stack
from victims import eventually

from api_client import NOTES, QUESTION
from app.operations.embedded import parts
from app.operations.embedded.ports import free_port
from app.operations.embedded.supervisor import Part
from app.platform.db.address import newest
from app.platform.db.migrate import migrate
from migration_lint import RELEASED
from servers import database_url

ROOT = Path(__file__).parents[2]
# Answers that each pair of releases gives before the next step, to so many who ask at once.
ANSWERS, READERS = 60, 4


def git(*arguments: str) -> bytes:
    done = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True)
    return done.stdout if done.returncode == 0 else b""


def migrations_of(commit: str) -> list[str]:
    listed = git("ls-tree", "--name-only", commit, "migrations/versions/").decode().split()
    return sorted(Path(name).stem for name in listed if Path(name).name[0].isdigit())


@pytest.fixture(scope="session")
def release_before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The code of the last version that CHANGELOG.md names. Its dependencies are today's."""
    headings = re.findall(
        r"^## \d+\.\d+\.\d+ .*", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE
    )
    cut = git("log", "--format=%H", f"-S{headings[0]}", "--", "CHANGELOG.md").decode().split()
    code = git("archive", cut[-1], "backend", "worker", "migrations") if cut else b""
    if not code:
        pytest.skip(f"the history of the code is not here as far as {headings[0]!r}")
    assert migrations_of(cut[-1])[-1].startswith(RELEASED), "RELEASED is of another release"
    folder = tmp_path_factory.mktemp("before")
    subprocess.run(["tar", "-x", "-C", folder], input=code, check=True)
    return folder


def release_environment(release: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """The environment of a process with the code of that release."""
    return {**environment, "PYTHONPATH": f"{release / 'backend'}{os.pathsep}{release}"}


def made_by(release: Path, make: Callable[..., Part]) -> Callable[..., Part]:
    def made(*arguments: object) -> Part:
        part = make(*arguments)
        environment = release_environment(release, part.program.environment)
        return replace(part, program=replace(part.program, environment=environment))

    return made


def run(release: Path, address: str, code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=release_environment(release, os.environ) | {"DATABASE_URL": address},
        cwd=release,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.stdout.strip()


@pytest.fixture
def clean_database_url(postgres_url: str, release_before: Path) -> Iterator[str]:
    """A database as the release before has made it."""
    name = f"test_{uuid.uuid4().hex}"
    address = database_url(postgres_url, name)
    with psycopg.connect(postgres_url, autocommit=True) as opened:
        opened.execute(f"CREATE DATABASE {name}".encode())
        try:
            run(
                release_before,
                address,
                f"from app.platform.db.migrate import migrate; migrate({address!r})",
            )
            yield address
        finally:
            opened.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


class Readers:
    """They ask without a pause, each API in turn. given: answers that they got."""

    def __init__(self, token: str) -> None:
        self._headers = {"Authorization": f"Bearer {token}"}
        self.clients: dict[int, httpx.AsyncClient] = {}
        self.given = 0

    def add(self, port: int) -> httpx.AsyncClient:
        self.clients[port] = httpx.AsyncClient(
            base_url=f"http://{HOST}:{port}", headers=self._headers, trust_env=False, timeout=30
        )
        return self.clients[port]

    @asynccontextmanager
    async def asking(self) -> AsyncIterator[None]:
        stopping = asyncio.Event()

        async def ask() -> None:
            while not stopping.is_set():
                for client in list(self.clients.values()):
                    reply = await client.post("/ai/chat", json=QUESTION)
                    assert reply.status_code == 200, reply.text
                    self.given += 1

        async with asyncio.TaskGroup() as group:
            for _ in range(READERS):
                group.create_task(ask())
            yield
            stopping.set()

    async def more(self) -> None:
        """Returns when ANSWERS more were given."""
        enough = self.given + ANSWERS

        async def enough_given() -> bool:
            return self.given >= enough

        await eventually(enough_given)


def schema_of(address: str) -> str:
    with psycopg.connect(address) as opened:
        [(version,)] = opened.execute("SELECT version_num FROM alembic_version").fetchall()
    return str(version)


async def test_one_release_replaces_the_other(open_, holds, release_before, clean_database_url):
    assert schema_of(clean_database_url) == RELEASED
    stack: Stack = await open_(**LONG_LEASE | {"rate_limit_writes": "off"})
    token = run(
        release_before,
        clean_database_url,
        "import sys; from app.cli import main; sys.argv[1:] = ['token', 'create', 'a']; main()",
    )
    old, new = free_port(HOST), free_port(HOST)
    readers = Readers(token)
    old_api = await stack.start_api(old, api=made_by(release_before, parts.api))
    old_processes = await stack.start(
        worker=made_by(release_before, parts.worker),
        dispatcher=made_by(release_before, parts.dispatcher),
    )
    assert (await readers.add(old).post("/notes/import", json=NOTES)).is_success

    async with readers.asking():
        await readers.more()
        await asyncio.to_thread(migrate, clean_database_url)
        await readers.more()
        new_processes = await stack.start()
        new_api = await stack.start_api(new)
        readers.add(new)
        await readers.more()
        for process in old_processes:
            await process.stop()
        await readers.more()
        leaving = readers.clients.pop(old)
        await readers.more()
    await leaving.aclose()
    await old_api.stop()
    await readers.clients[new].aclose()

    assert schema_of(clean_database_url) == newest()
    tally = await holds(stack, f"upgrade from the last release, schema {RELEASED}, under load")
    assert tally.answers == tally.verdicts == readers.given
    assert tally.degraded == 0
    assert new_api.alive
    assert all(process.alive for process in new_processes)
    for process in (old_api, *old_processes):
        assert "Traceback" not in process.log
