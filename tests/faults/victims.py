"""What a test may kill, freeze, flush and crash."""

import asyncio
import contextlib
import os
import signal
import subprocess
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

import psycopg
import redis

from app.operations.embedded.postgres import EmbeddedPostgres
from app.operations.embedded.supervisor import Part, RestartPolicy, Supervisor
from app.platform.db.migrate import migrate
from app.platform.db.pool import Pool
from cases import eventually
from servers import redis_server

STOP_SECONDS = 10


class Process:
    """A program in a session of its own, its output in a file."""

    def __init__(self, part: Part, folder: Path) -> None:
        self.name = part.name
        self._log = folder / f"{part.name}-{uuid.uuid4().hex[:8]}.log"
        with self._log.open("wb") as log:
            self.popen = subprocess.Popen(
                part.program.command,
                env=part.program.environment,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @property
    def log(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace")

    @property
    def alive(self) -> bool:
        return self.popen.poll() is None

    async def logged(self, text: str) -> None:
        async def found() -> bool:
            assert self.alive or text in self.log, f"{self.name} ended: {self.log}"
            return text in self.log

        await eventually(found)

    async def killed_itself(self) -> None:
        async def ended() -> bool:
            return not self.alive

        await eventually(ended)
        assert self.popen.returncode == -signal.SIGKILL, f"{self.name} ended: {self.log}"

    async def froze_itself(self) -> None:
        async def stopped() -> bool:
            return _state_and_session(self.popen.pid)[0] == "T"

        await eventually(stopped)

    def kill(self) -> None:
        self.popen.kill()
        self.popen.wait()

    def freeze(self) -> None:
        self.popen.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.popen.send_signal(signal.SIGCONT)

    async def stop(self) -> None:
        """SIGTERM. Killed, and AssertionError, if it takes longer than STOP_SECONDS to end."""
        self.thaw()
        self.popen.terminate()
        try:
            await asyncio.to_thread(self.popen.wait, STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"{self.name} did not stop: {self.log}") from None


class Redis:
    """A redis-server that keeps its port through its deaths."""

    name = "Redis"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port: int | None = None
        self._running = ExitStack()
        self.start()

    def start(self) -> None:
        self.url = self._running.enter_context(redis_server(self._folder, port=self._port))
        self.client = self._running.enter_context(redis.Redis.from_url(self.url))
        self._port = self.client.connection_pool.connection_kwargs["port"]
        self._pid = self.client.info("server")["process_id"]

    def kill(self) -> None:
        os.kill(self._pid, signal.SIGKILL)
        self._running.close()

    def freeze(self) -> None:
        os.kill(self._pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.kill(self._pid, signal.SIGCONT)

    def count(self, queue: str) -> int:
        """Messages that no worker has fetched."""
        return int(self.client.llen(queue))

    def flush(self) -> None:
        """Loses all that it holds."""
        self.client.flushall()

    def close(self) -> None:
        self._running.close()


class Postgres:
    """A server with a migrated database of its own, started again when it crashes."""

    def __init__(self, folder: Path) -> None:
        self._server = EmbeddedPostgres(folder)
        self._pid_file = folder / "postgres" / "postmaster.pid"
        self.url = self._server.database_url

    @asynccontextmanager
    async def running(self, *, down: float = 0.5) -> AsyncIterator[None]:
        """down: how many seconds it is away after a crash."""
        # A storm crashes it every few seconds, and it must not be given up for that.
        policy = RestartPolicy(first_delay=down, quick=0.5)
        supervisor = Supervisor(lambda *_: None, policy)
        await self._server.prepare()
        try:
            await supervisor.start([self.part()])
            await self._server.create_database()
            await asyncio.to_thread(migrate, self.url)
            yield
        finally:
            await supervisor.stop()

    def part(self) -> Part:
        return self._server.part()

    @property
    def pid(self) -> int:
        return int(self._pid_file.read_text().splitlines()[0])

    async def crash(self) -> None:
        """An immediate stop: no checkpoint, every session cut. Returns when the next server has
        begun to recover from the log."""
        await self._replaced(signal.SIGQUIT)

    async def restart(self) -> None:
        """The same in order: sessions are cut, but what they have done is in the data files."""
        await self._replaced(signal.SIGINT)

    async def _replaced(self, number: signal.Signals) -> None:
        ended = self.pid
        os.kill(ended, number)

        async def another() -> bool:
            with contextlib.suppress(FileNotFoundError, IndexError, ValueError):
                return self.pid != ended
            return False

        await eventually(another)

    def cut_down(self) -> None:
        """As `crash`, but returns at once."""
        os.kill(self.pid, signal.SIGQUIT)


async def is_back(pool: Pool) -> bool:
    """Whether PostgreSQL can be asked again."""
    try:
        await pool.check()
        async with pool.connection() as connection:
            await connection.execute("SELECT 1")
    except psycopg.OperationalError:
        return False
    return True


def sessions_of_processes() -> Iterator[tuple[int, int]]:
    """Every living process of this machine: its pid and the session it belongs to."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                state, session = _state_and_session(pid := int(entry.name))
                if state != "Z":
                    yield pid, session


def _state_and_session(pid: int) -> tuple[str, int]:
    stat = Path(f"/proc/{pid}/stat").read_text()
    state, _, _, session = stat.rpartition(")")[2].split()[:4]
    return state, int(session)
