"""Reports each process and its work every few seconds.

Reports go to PostgreSQL, not to Redis: an outage of Redis must not look as if all workers had died.
"""

import asyncio
import enum
import json
import logging
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from importlib.metadata import version

import psycopg

from app.notes.vector_indexes import Unindexed
from app.platform.db.pool import Pool, end_task, execute
from app.platform.db.statements import SqlFile
from app.platform.ids import new_id
from app.platform.settings import Settings
from app.verdicts.lifecycle.queries import Backlog

_SQL = SqlFile(__package__, "queries")
_ENTER = _SQL("enter").encode()
_BEAT = _SQL("beat").encode()
_LEAVE = _SQL("leave").encode()
_DELETE_SILENT = _SQL("delete_silent").encode()

logger = logging.getLogger(__name__)

BEAT_SECONDS = 3.0
# After a failure, so that an outage of PostgreSQL does not outlast itself here.
RETRY_SECONDS = 1.0
# How long a process that was killed stays listed.
LISTED_SECONDS = 300.0
_LEAVE_SECONDS = 1.0


class ProcessKind(enum.StrEnum):
    """What a process does."""

    API = "api"
    WORKER = "worker"
    DISPATCHER = "dispatcher"


@dataclass(frozen=True, slots=True)
class Report:
    """The work of a process. in_flight: verdicts that it is judging. claims: seconds since the
    last claim for each judge. ticked_seconds: since the last complete sweep of a dispatcher;
    backlog: what it has read of the queues, backlog_age seconds ago; unindexed: large workspaces
    without their index of vectors."""

    in_flight: int = 0
    claims: Mapping[str, float] = field(default_factory=dict)
    ticked_seconds: float | None = None
    backlog: Sequence[Backlog] | None = None
    backlog_age: float = 0.0
    unindexed: Unindexed | None = None


async def nothing_to_report() -> Report:
    """Of a process that only lives."""
    return Report()


@asynccontextmanager
async def present(
    pool: Pool,
    settings: Settings,
    kind: ProcessKind,
    *,
    queues: Collection[str] = (),
    report: Callable[[], Awaitable[Report]] = nothing_to_report,
) -> AsyncIterator[None]:
    """The process is listed until the block ends. PostgreSQL need not be there. queues: those
    that it serves."""
    about = {
        "id": new_id(),
        "kind": kind,
        "hostname": socket.gethostname(),
        "pid": os.getpid(),
        "release": version("searchqa"),
        "queues": sorted(queues),
        "timeout": settings.stack.process_timeout_seconds,
    }
    beating = asyncio.create_task(_keep(pool, about, report))
    try:
        yield
    finally:
        await end_task(beating)
        with suppress(psycopg.Error, TimeoutError):
            async with asyncio.timeout(_LEAVE_SECONDS):
                await execute(pool, _LEAVE, {"id": about["id"]})


async def _keep(
    pool: Pool, about: Mapping[str, object], report: Callable[[], Awaitable[Report]]
) -> None:
    failing = False
    while True:
        try:
            await _beat(pool, about, await report())
            if failing:
                logger.info("This process is listed in PostgreSQL again")
            failing, pause = False, BEAT_SECONDS
        except psycopg.Error as error:
            if not failing:
                logger.warning("This process cannot be listed in PostgreSQL (%s)", error)
            failing, pause = True, RETRY_SECONDS
        await asyncio.sleep(pause)


async def _beat(pool: Pool, about: Mapping[str, object], report: Report) -> None:
    backlog, unindexed = report.backlog, report.unindexed
    doing = {
        "in_flight": report.in_flight,
        "claims": json.dumps(dict(report.claims)),
        "ticked": report.ticked_seconds,
        "backlog": None
        if backlog is None
        else json.dumps([asdict(one.aged(report.backlog_age)) for one in backlog]),
        "unindexed": unindexed and json.dumps(asdict(unindexed)),
    }
    if await execute(pool, _BEAT, {**about, **doing}):
        return
    # Nobody reads a process that is listed and has reported nothing.
    async with pool.connection() as connection, connection.transaction():
        await connection.execute(_ENTER, about)
        await connection.execute(_BEAT, {**about, **doing})


async def delete_silent(pool: Pool) -> bool:
    """Deletes rows of processes that were killed and are listed no more. A step of the dispatcher;
    False, because nothing is left."""
    await execute(pool, _DELETE_SILENT, {"seconds": LISTED_SECONDS})
    return False
