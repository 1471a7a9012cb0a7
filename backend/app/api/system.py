"""How the installation is doing: in short for everybody, in detail for operators."""

import datetime as dt
from importlib.metadata import version
from typing import Self

from fastapi import APIRouter
from pydantic import BaseModel

from app.api.auth import Operator, Reader
from app.api.services import ServicesDep
from app.operations.system.diagnosis import Condition, SystemProblem, diagnose, last_backlog, lives
from app.operations.system.presence import ProcessKind
from app.operations.system.processes import Process, TableSize, read_database
from app.verdicts.reading.backlog_queries import Backlog

router = APIRouter(prefix="/system", tags=["operation"])


class SystemHealth(BaseModel):
    """`delayed`: verdicts come late, or will."""

    condition: Condition
    delayed: bool


class ProcessRead(BaseModel):
    """seen_seconds: since its last report. lives: whether that was lately. in_flight: verdicts
    that a worker is judging. claim_seconds: since a worker's last claim; tick_seconds: since a
    dispatcher's last complete sweep."""

    kind: ProcessKind
    hostname: str
    pid: int
    release: str
    queues: list[str]
    started_at: dt.datetime
    seen_seconds: float
    lives: bool
    in_flight: int
    claim_seconds: float | None
    tick_seconds: float | None

    @classmethod
    def of(cls, process: Process, *, lives: bool) -> Self:
        return cls(
            kind=process.kind,
            hostname=process.hostname,
            pid=process.pid,
            release=process.release,
            queues=list(process.queues),
            started_at=process.started_at,
            seen_seconds=process.seen_seconds,
            lives=lives,
            in_flight=process.in_flight if lives else 0,
            claim_seconds=min(process.claim_seconds.values(), default=None),
            tick_seconds=process.tick_seconds,
        )


class Versions(BaseModel):
    """schema_revision: the last migration. redis: null while it is unreachable."""

    release: str
    schema_revision: str
    postgresql: str
    redis: str | None


class SystemRead(BaseModel):
    """problems: the most severe first. queues: null while no dispatcher reports them. tables: the
    largest, with what is in their indexes."""

    condition: Condition
    problems: list[SystemProblem]
    queues: list[Backlog] | None
    processes: list[ProcessRead]
    database_bytes: int
    tables: list[TableSize]
    versions: Versions


@router.get("/health")
async def read_system_health(_: Reader, services: ServicesDep) -> SystemHealth:
    """Whether verdicts come in time, for the banner of all pages. What is wrong is in
    `GET /system`."""
    health = await services.health.health()
    return SystemHealth(condition=health.condition, delayed=health.delayed)


@router.get("")
async def read_system(_: Operator, services: ServicesDep) -> SystemRead:
    """What waits and where, which processes live, and what the database holds, of all workspaces.
    Takes the scope `operator`."""
    seen = await services.health.observe()
    redis = await services.judge_limits.redis_version()
    database = await read_database(services.pool)
    health = diagnose(seen, services.settings)
    living = {process.id for process in seen.processes if lives(process, services.settings)}
    backlog = last_backlog([process for process in seen.processes if process.id in living])
    return SystemRead(
        condition=health.condition,
        problems=list(health.problems),
        queues=None if backlog is None else list(backlog),
        processes=[
            ProcessRead.of(process, lives=process.id in living) for process in seen.processes
        ],
        database_bytes=database.total_bytes,
        tables=database.tables,
        versions=Versions(
            release=version("searchqa"),
            schema_revision=database.schema,
            postgresql=database.server_version,
            redis=redis,
        ),
    )
