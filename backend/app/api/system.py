"""Health, readiness and metrics of the installation; details for operators."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from typing import Self

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from pydantic import BaseModel

from app.ai_router.limits.states import limit_families
from app.api.auth import Operator
from app.api.services import ServicesDep
from app.api.sessions import ReadAccess
from app.operations.embedded.data_dir import is_announced
from app.operations.system.diagnosis import Condition, SystemProblem, diagnose, last_backlog, lives
from app.operations.system.presence import ProcessKind
from app.operations.system.processes import Process, TableSize, read_database
from app.platform.db.replica import Storage
from app.platform.db.session import is_reachable
from app.quality.rejudging.service import Waiting, count_waiting
from app.verdicts.lifecycle.queries import Backlog
from app.verdicts.policy.service import policy_of
from app.verdicts.reading.queries import STATUS_COUNTS

router = APIRouter(prefix="/system", tags=["operation"])


class SystemHealth(BaseModel):
    """`delayed`: verdicts come late, or will. waiting: answers of the workspace without a verdict,
    counted up to 10,000 and only while verdicts are delayed; stranded: those of them that wait for
    a paused judge which the policy does not name."""

    condition: Condition
    delayed: bool
    waiting: int
    stranded: int


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
    def from_process(cls, process: Process, *, lives: bool) -> Self:
        about = {"lives": lives, "in_flight": process.in_flight if lives else 0}
        claimed = min(process.claim_seconds.values(), default=None)
        return cls.model_validate(asdict(process) | about | {"claim_seconds": claimed})


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
async def read_system_health(access: ReadAccess, services: ServicesDep) -> SystemHealth:
    """Whether verdicts come in time, for the banner of all pages. What is wrong is in
    `GET /system`."""
    health = await services.health.health()
    waiting = Waiting(0, 0)
    if health.delayed:
        policy = await policy_of(*access.workspace, services.settings)
        waiting = await count_waiting(*access.workspace, policy)
    return SystemHealth(
        condition=health.condition,
        delayed=health.delayed,
        waiting=waiting.answers,
        stranded=waiting.stranded,
    )


@router.get("")
async def read_system(_: Operator, services: ServicesDep) -> SystemRead:
    """What waits and where, which processes live, and what the database holds, of all workspaces.
    Takes the scope `operator`."""
    seen = await services.health.observe()
    redis = await services.judge_limits.redis_version()
    database = await read_database(services.pool)
    health = diagnose(seen, services.settings)
    living = {process.id for process in seen.processes if lives(process, services.settings)}
    served = [process for process in seen.processes if process.id in living]
    backlog = last_backlog(served)
    return SystemRead(
        condition=health.condition,
        problems=list(health.problems),
        queues=None if backlog is None else list(backlog),
        processes=[
            ProcessRead.from_process(process, lives=process.id in living)
            for process in seen.processes
            if process.id in living or not _replaced(process, served)
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


def _replaced(silent: Process, living: Sequence[Process]) -> bool:
    """Whether another one does the same on its host."""
    place = (silent.kind, silent.hostname, silent.queues)
    return any((other.kind, other.hostname, other.queues) == place for other in living)


health_router = APIRouter(tags=["operation"])


class _Collected(Collector):
    """What was read before."""

    def __init__(self, families: Sequence[GaugeMetricFamily]) -> None:
        self._families = families

    def collect(self) -> Sequence[GaugeMetricFamily]:
        return self._families


@health_router.get("/healthz")
async def healthz() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


@health_router.get(
    "/readyz",
    responses={
        503: {
            "description": "PostgreSQL takes no writes, or the stack is starting.",
            "model": dict[str, str],
        }
    },
)
async def readyz(services: ServicesDep, response: Response) -> dict[str, str]:
    """The process can store answers: PostgreSQL answers, and has taken a write within the last
    seconds. Redis is left out: without it answers still work. `verdicts` says whether they come:
    `ok`, `delayed`, `stopped` or `unknown`; why, the System page tells those who may see it. A
    stack that is starting is not ready before commands find it."""
    stack = services.settings.stack
    # `searchqa up` started this process and has not announced its stack yet.
    if stack.fork_server is not None and not is_announced(stack.data_dir):
        response.status_code = 503
        return {"status": "starting"}
    storage = Storage.UNREACHABLE
    if await is_reachable(services.sessions):
        storage = await services.write_probe.storage()
    if storage is Storage.OK:
        health = await services.health.health()
        verdicts = _COMING.get(health.condition, "stopped")
        return {"status": "ok", "postgresql": "ok", "verdicts": verdicts}
    response.status_code = 503
    return {"status": "unavailable", "postgresql": storage.value}


# Everybody may ask, and what is wrong with the judge is nobody else's business.
_COMING: Mapping[Condition, str] = {
    Condition.OK: "ok",
    Condition.UNINDEXED: "ok",
    Condition.MODEL_ENDING: "ok",
    Condition.JUDGE_PAUSED: "delayed",
    Condition.SLOW_JUDGE: "delayed",
    Condition.UNKNOWN: "unknown",
}


@health_router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def metrics(access: ReadAccess, services: ServicesDep) -> Response:
    """Verdicts of the token's workspace by status, the age of the oldest unfinished one, and the
    limits of judges that all workspaces share."""
    registry = CollectorRegistry()
    count = Gauge("searchqa_evaluations", "Evaluations by status", ["status"], registry=registry)
    oldest = Gauge(
        "searchqa_oldest_unfinished_seconds",
        "Age of the oldest evaluation that has no final state",
        registry=registry,
    )
    found = await access.session.execute(STATUS_COUNTS, {"workspace_id": access.workspace_id})
    rows = found.all()
    for row in rows:
        count.labels(row.status).set(row.evaluations)
    oldest.set(max((row.oldest_unfinished or 0 for row in rows), default=0))
    registry.register(_Collected(limit_families(await services.judge_limits.read())))
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)
