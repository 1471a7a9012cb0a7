"""What the database knows, in figures for Prometheus: backlogs of all workspaces. The dispatchers
export it, because their role sees all rows; each of them the same."""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from concurrent.futures import TimeoutError as FutureTimeoutError
from time import monotonic

import psycopg
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from psycopg_pool import PoolTimeout

from app.ai_router.limits.states import LimitStates, limit_families
from app.integrations.webhooks.outbox import DELIVERY_BACKLOG
from app.platform.db.pool import Pool, fetch
from app.platform.jobs.status import JOBS_SQL
from app.platform.metrics import REGISTRY, model_label
from app.platform.settings import Settings
from app.verdicts.lifecycle.queries import Backlog, read_backlog

logger = logging.getLogger(__name__)

# Prometheus gives up after ten seconds by default.
READ_SECONDS = 8.0
# Several scrapers within this time cause one reading.
CACHE_SECONDS = 5.0

_JUDGE = ("queue", "judge_model")
_FAMILIES: dict[str, tuple[str, Sequence[str]]] = {
    "database_up": ("1 where PostgreSQL gave these figures, else 0", ()),
    "due_rows": ("Verdicts that may be claimed now, up to 50,000", _JUDGE),
    "oldest_due_seconds": ("Time for which the oldest of them has been due", _JUDGE),
    "running_rows": ("Verdicts that workers hold", _JUDGE),
    "expired_leases": ("Those of them whose lease has ended", _JUDGE),
    "judge_paused": ("1 for a judge that is paused while verdicts of it wait", ("judge_model",)),
    "jobs": ("Jobs that wait or run", ("kind", "state")),
    "oldest_due_job_seconds": ("Time for which the oldest waiting job has been due", ("kind",)),
    "webhook_deliveries_due": ("Deliveries that are due", ()),
    "webhook_oldest_due_seconds": ("Time for which the oldest of them has been due", ()),
    "webhooks_disabled": ("Webhooks that were switched off because of their receivers", ()),
    "database_connections": ("Connections of the PostgreSQL server", ()),
    "database_connections_limit": ("max_connections of the server", ()),
    "database_size_bytes": ("Size of the database", ()),
}
# Connections of all databases, how many may be open, and the size of this database in bytes.
SERVER_STATE = b"""
SELECT (SELECT sum(numbackends)::int FROM pg_stat_database),
    current_setting('max_connections')::int, pg_database_size(current_database())
"""
_JOB_BACKLOG = JOBS_SQL("job_backlog").encode()
Families = dict[str, GaugeMetricFamily]


def empty_families() -> Families:
    """By name without prefix, each without a value."""
    return {
        name: GaugeMetricFamily(f"searchqa_{name}", documentation, labels=labels)
        for name, (documentation, labels) in _FAMILIES.items()
    }


class DatabaseFigures(Collector):
    """Reads them when Prometheus asks, on the loop that made it."""

    def __init__(self, pool: Pool, settings: Settings) -> None:
        self._pool = pool
        # With a broker of another kind a dispatcher need not know Redis, where limits are shared.
        redis_url = settings.redis.url
        self._limits = LimitStates(settings.judge.limits, redis_url) if redis_url else None
        self._loop = asyncio.get_running_loop()
        self._last: tuple[float, list[GaugeMetricFamily]] | None = None
        self._reading = asyncio.Lock()
        REGISTRY.register(self)

    def describe(self) -> Iterable[GaugeMetricFamily]:
        return [*empty_families().values(), *limit_families(())]

    def collect(self) -> Iterable[GaugeMetricFamily]:
        """Called by the thread that serves a scrape."""
        reading = asyncio.run_coroutine_threadsafe(self.read(), self._loop)
        try:
            return reading.result(READ_SECONDS)
        except FutureTimeoutError:
            reading.cancel()
            return _unavailable("it took too long")

    async def read(self) -> list[GaugeMetricFamily]:
        """Of the last seconds. Never raises psycopg.Error: a database that is away is a figure."""
        async with self._reading:
            if self._last is None or monotonic() - self._last[0] > CACHE_SECONDS:
                self._last = (monotonic(), await self._read_now())
            return self._last[1]

    async def aclose(self) -> None:
        REGISTRY.unregister(self)
        if self._limits:
            await self._limits.aclose()

    async def _read_now(self) -> list[GaugeMetricFamily]:
        limits = limit_families(await self._limits.read()) if self._limits else []
        try:
            families = empty_families()
            _add_verdicts(families, await read_backlog(self._pool))
            _add_jobs(families, await fetch(self._pool, _JOB_BACKLOG))
            [deliveries] = await fetch(self._pool, DELIVERY_BACKLOG)
            [server] = await fetch(self._pool, SERVER_STATE)
        except (psycopg.Error, PoolTimeout) as error:
            return [*_unavailable(str(error)), *limits]
        names = (
            *("webhook_deliveries_due", "webhook_oldest_due_seconds", "webhooks_disabled"),
            *("database_connections", "database_connections_limit", "database_size_bytes"),
        )
        for name, value in zip(names, (*deliveries, *server), strict=True):
            families[name].add_metric([], value or 0)
        families["database_up"].add_metric([], 1)
        return [*families.values(), *limits]


def _unavailable(reason: str) -> list[GaugeMetricFamily]:
    logger.warning("Metrics lack the figures of PostgreSQL (%s)", reason)
    family = empty_families()["database_up"]
    family.add_metric([], 0)
    return [family]


def _add_verdicts(families: Families, backlogs: Sequence[Backlog]) -> None:
    """Judges that share a label are added up, and the oldest row is that of all of them."""
    sums: dict[tuple[str, str], tuple[int, float, int, int]] = {}
    for one in backlogs:
        key = (one.queue.value, model_label(one.judge_model))
        due, oldest, running, expired = sums.get(key, (0, 0.0, 0, 0))
        sums[key] = (
            due + one.due,
            max(oldest, one.oldest_seconds or 0),
            running + one.running,
            expired + one.expired,
        )
    names = ("due_rows", "oldest_due_seconds", "running_rows", "expired_leases")
    for labels, values in sums.items():
        for name, value in zip(names, values, strict=True):
            families[name].add_metric(labels, value)
    for judge in sorted({model_label(one.judge_model) for one in backlogs if one.paused}):
        families["judge_paused"].add_metric([judge], 1)


def _add_jobs(families: Families, rows: Iterable[Sequence[object]]) -> None:
    oldest: dict[str, float] = {}
    for kind, state, count, seconds in rows:
        families["jobs"].add_metric([str(kind), str(state)], float(str(count)))
        oldest[str(kind)] = max(oldest.get(str(kind), 0), float(str(seconds or 0)))
    for kind, seconds in oldest.items():
        families["oldest_due_job_seconds"].add_metric([kind], seconds)
