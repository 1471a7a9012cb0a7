"""The real parts of the stack, each started by hand so that its CPU time can be read."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from app.db.migrate import migrate
from app.embedded.ports import free_port
from app.embedded.postgres import EmbeddedPostgres
from app.embedded.process import Child, Program, spawn
from app.embedded.redis import EmbeddedRedis
from app.embedded.supervisor import Part
from app.settings import Settings

STUB = Path(__file__).parent.parent / "tests" / "stub_server.py"
MODEL = "openai:gpt-4o-mini"

_TICKS = os.sysconf("SC_CLK_TCK")
_READY_SECONDS = 60


@dataclass(frozen=True)
class Servers:
    """PostgreSQL and Redis with their pids, migrated and empty."""

    database_url: str
    redis_url: str
    postgres: int
    redis: int


@dataclass(frozen=True)
class Stub:
    """A model server of fixed latency, in a process of its own."""

    base_url: str
    client: httpx.AsyncClient

    async def stats(self) -> Mapping[str, float]:
        """Its counts so far, and when (CLOCK_MONOTONIC) the last reply left."""
        stats: Mapping[str, float] = (await self.client.get("/stats")).json()
        return stats


@asynccontextmanager
async def running(part: Part) -> AsyncIterator[int]:
    """The pid of the part once it is ready. What it says above INFO goes to stderr."""
    child = await spawn(part.program)
    copying = asyncio.create_task(_copy_warnings(part.name, child))
    try:
        async with asyncio.timeout(_READY_SECONDS):
            while part.ready and not await part.ready():  # noqa: ASYNC110  another program's state
                await asyncio.sleep(0.05)
        yield child.pid
    finally:
        await child.stop(part.stop_signal, part.grace)
        child.kill()
        await copying


async def _copy_warnings(name: str, child: Child) -> None:
    async for line in child.lines():
        if any(level in line for level in ("WARNING", "ERROR", "CRITICAL", "FATAL", "Traceback")):
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
async def stub_judge(latency: float) -> AsyncIterator[Stub]:
    port = free_port("127.0.0.1")
    base_url = f"http://127.0.0.1:{port}/v1"
    command = [sys.executable, str(STUB), "--port", str(port), "--latency", str(latency)]
    async with httpx.AsyncClient(base_url=base_url, trust_env=False, timeout=10) as client:

        async def answers() -> bool:
            try:
                return (await client.get("/stats")).is_success
            except httpx.HTTPError:
                return False

        async with running(Part("stub", Program(command), ready=answers)):
            yield Stub(base_url, client)


def settings(servers: Servers, stub: Stub, **changes: object) -> Settings:
    """What the processes of a measurement are given. One judge call an answer."""
    return Settings(
        _env_file=None,
        database_url=servers.database_url,
        redis_url=servers.redis_url,
        openai_base_url=stub.base_url,
        judge_model=MODEL,
        quality_gate=False,
        phases=(),
        auth=False,
        **changes,
    )


def environment(settings: Settings) -> dict[str, str]:
    """The settings as variables for a child process."""
    return {
        **os.environ,
        "PYTHONUNBUFFERED": "1",
        "DATABASE_URL": settings.database_url or "",
        "REDIS_URL": settings.redis_url or "",
        "OPENAI_BASE_URL": settings.openai_base_url,
        "OPENAI_API_KEY": "stub",
        "SEARCHQA_JUDGE_MODEL": settings.judge_model,
        "SEARCHQA_QUALITY_GATE": "false",
        "SEARCHQA_PHASES": "off",
        "SEARCHQA_AUTH": "false",
        "SEARCHQA_LOG_LEVEL": settings.log_level,
        "SEARCHQA_MAX_IN_FLIGHT": str(settings.max_in_flight),
        "SEARCHQA_DISPATCH_BATCH": str(settings.dispatch_batch),
    }


def cpu_seconds(pids: Iterable[int]) -> float:
    """User and system time of the processes and all their children, dead ones included."""
    own = set(pids)
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            pid, _, rest = stat.read_text().partition(" (")
        except (FileNotFoundError, ProcessLookupError):
            continue
        # Fields 4 (parent), 14 and 15 (its own ticks), 16 and 17 (those of children waited for).
        fields = rest.rpartition(")")[2].split()
        if int(pid) in own or int(fields[1]) in own:
            total += sum(map(int, fields[11:15]))
    return total / _TICKS
