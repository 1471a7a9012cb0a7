"""The real parts of the stack and the stub judge, each started by hand so that what it costs can be
read."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from app.operations.embedded.ports import free_port
from app.operations.embedded.postgres import EmbeddedPostgres
from app.operations.embedded.process import Child, Program, spawn
from app.operations.embedded.redis import EmbeddedRedis
from app.operations.embedded.supervisor import Part
from app.platform.db.migrate import migrate
from app.platform.settings import Settings

STUB = Path(__file__).with_name("stub_judge.py")
MODEL = "openai:gpt-4o-mini"

_TICKS = os.sysconf("SC_CLK_TCK")
_READY_SECONDS = 60
_WORTH_SAYING = ("WARNING", "ERROR", "CRITICAL", "FATAL", "Traceback")
# Redis says it at each start, for the saving to disk that ours does not do.
_OF_THE_MACHINE = "Memory overcommit"


@dataclass(frozen=True)
class Servers:
    """PostgreSQL and Redis with their pids, migrated and empty."""

    database_url: str
    redis_url: str
    postgres: int
    redis: int


@dataclass(frozen=True)
class Stub:
    """The judge, in a process of its own; see stub_judge.py."""

    url: str
    client: httpx.AsyncClient
    pid: int

    @property
    def base_url(self) -> str:
        return self.base_url_of("ours")

    def base_url_of(self, shape: str) -> str:
        """Where the replies have the shape that this client reads."""
        return f"{self.url}/{shape}/v1"

    async def set_latency(self, median: float, sigma: float = 0) -> None:
        """Seconds; lognormal unless sigma is 0. All counts start again."""
        await self.client.get(f"/set?median={median}&sigma={sigma}")

    async def stats(self) -> Mapping[str, float]:
        """Its counts since the latency was set."""
        stats: Mapping[str, float] = (await self.client.get("/stats")).json()
        return stats

    async def replied(self, mark: int) -> float:
        """When (CLOCK_MONOTONIC) the request with this mark was answered."""
        return float((await self.client.get(f"/replied?{mark}")).json())


@asynccontextmanager
async def running(part: Part, *, until: str | None = None) -> AsyncIterator[int]:
    """The pid of the part once it is ready, or has said `until`. What it says above INFO goes to
    stderr."""
    child = await spawn(part.program)
    said = asyncio.Event()
    copying = asyncio.create_task(_copy_warnings(part.name, child, until, said))
    try:
        async with asyncio.timeout(_READY_SECONDS):
            while part.ready and not await part.ready():  # noqa: ASYNC110  another program's state
                await asyncio.sleep(0.02)
            if until:
                await said.wait()
        yield child.pid
    finally:
        await child.stop(part.stop_signal, part.grace)
        child.kill()
        await copying


async def _copy_warnings(name: str, child: Child, until: str | None, said: asyncio.Event) -> None:
    async for line in child.lines():
        if until and until in line:
            said.set()
        if any(level in line for level in _WORTH_SAYING) and _OF_THE_MACHINE not in line:
            print(f"{name}: {line}", file=sys.stderr)


@asynccontextmanager
async def servers(folder: Path) -> AsyncIterator[Servers]:
    """A new PostgreSQL and a new Redis, as `searchqa up` starts them."""
    postgres, redis = EmbeddedPostgres(folder), EmbeddedRedis(folder)
    await postgres.prepare()
    async with AsyncExitStack() as stack:
        postgres_pid = await stack.enter_async_context(running(postgres.part()))
        redis_pid = await stack.enter_async_context(running(redis.part()))
        await postgres.create_database()
        await asyncio.to_thread(migrate, postgres.database_url)
        yield Servers(postgres.database_url, redis.redis_url, postgres_pid, redis_pid)


@asynccontextmanager
async def stub_judge(latency: float = 0) -> AsyncIterator[Stub]:
    port = free_port("127.0.0.1")
    url = f"http://127.0.0.1:{port}"
    async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=10) as client:

        async def answers() -> bool:
            try:
                return (await client.get("/stats")).is_success
            except httpx.HTTPError:
                return False

        command = [sys.executable, str(STUB), "--port", str(port)]
        async with running(Part("stub", Program(command), ready=answers)) as pid:
            stub = Stub(url, client, pid)
            await stub.set_latency(latency)
            yield stub


def settings(servers: Servers, stub: Stub, **changes: object) -> Settings:
    """What the processes of a measurement are given. One judge call an answer, unless changed."""
    given: dict[str, Any] = {
        "database_url": servers.database_url,
        "redis_url": servers.redis_url,
        "openai_base_url": stub.base_url,
        "judge_model": MODEL,
        "quality_gate": False,
        "phases": (),
        "auth": False,
        # All answers are alike, and each is to be judged.
        "reuse_replies_hours": 0,
    }
    return Settings(_env_file=None, **given | changes)


def environment(settings: Settings) -> dict[str, str]:
    """The settings as variables for a child process."""
    return {
        **os.environ,
        "PYTHONUNBUFFERED": "1",
        "DATABASE_URL": settings.database.url or "",
        "REDIS_URL": settings.redis.url or "",
        "OPENAI_BASE_URL": settings.models.openai_base_url,
        "OPENAI_API_KEY": "stub",
        "SEARCHQA_JUDGE_MODEL": settings.judge.model,
        "SEARCHQA_QUALITY_GATE": str(settings.evaluation.quality_gate).lower(),
        "SEARCHQA_PHASES": ",".join(settings.evaluation.phases) or "off",
        "SEARCHQA_AUTH": "false",
        "SEARCHQA_RATE_LIMIT": "off",
        "SEARCHQA_RATE_LIMIT_WRITES": "off",
        "SEARCHQA_LOG_LEVEL": settings.telemetry.log_level,
        "SEARCHQA_MAX_IN_FLIGHT": str(settings.worker.max_in_flight),
        "SEARCHQA_DISPATCH_BATCH": str(settings.worker.dispatch_batch),
        "SEARCHQA_REUSE_REPLIES_HOURS": str(settings.judge.reuse_replies_hours),
    }


def cpu_seconds(pids: Iterable[int]) -> float:
    """User and system time of the processes and all their children, dead ones included."""
    ticks = 0
    for pid in _with_children(pids):
        with suppress(FileNotFoundError, ProcessLookupError):
            # Fields 14 and 15 (its own ticks), 16 and 17 (those of children waited for).
            ticks += sum(map(int, _stat(pid)[11:15]))
    return ticks / _TICKS


def memory_mb(pids: Iterable[int]) -> float:
    """Of the processes and their children; a page that several share counts once."""
    kilobytes = 0
    for one in _with_children(pids):
        with suppress(FileNotFoundError, ProcessLookupError):
            lines = Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()
            kilobytes += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return kilobytes / 1024


def _with_children(pids: Iterable[int]) -> list[int]:
    own = set(pids)
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError):
            pid = int(entry.name)
            if pid in own or int(_stat(pid)[1]) in own:
                found.append(pid)
    return found


def _stat(pid: int) -> list[str]:
    """The fields of its stat file from the third on: state, parent, …"""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
