"""Liveness, readiness and figures for Prometheus."""

from collections.abc import Sequence

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from app.ai_router.limits.states import limit_families
from app.api.services import ServicesDep
from app.api.sessions import ReadAccess
from app.platform.db.session import is_reachable
from app.platform.db.write_probe import Storage
from app.verdicts.reading.queries import STATUS_COUNTS

router = APIRouter(tags=["operation"])


class _Collected(Collector):
    """What was read before."""

    def __init__(self, families: Sequence[GaugeMetricFamily]) -> None:
        self._families = families

    def collect(self) -> Sequence[GaugeMetricFamily]:
        return self._families


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


@router.get(
    "/readyz",
    responses={503: {"description": "PostgreSQL takes no writes.", "model": dict[str, str]}},
)
async def readyz(services: ServicesDep, response: Response) -> dict[str, str]:
    """The process can store answers: PostgreSQL answers, and has taken a write within the last
    seconds. Redis is left out: without it answers still work. `verdicts` says whether they come:
    `stuck`, `slow_judge`, `judge_paused`, `no_worker`, …, as on the System page."""
    storage = Storage.UNREACHABLE
    if await is_reachable(services.sessions):
        storage = await services.write_probe.storage()
    if storage is Storage.OK:
        health = await services.health.health()
        return {"status": "ok", "postgresql": "ok", "verdicts": health.condition}
    response.status_code = 503
    return {"status": "unavailable", "postgresql": storage.value}


@router.get(
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
