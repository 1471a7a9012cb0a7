"""The pools of connections of this process in figures."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from app.platform.telemetry.metrics import REGISTRY


class PoolState(NamedTuple):
    """Connections that are open, lent and allowed; callers that wait for one; callers that had
    to leave without one since the process started."""

    open: int
    in_use: int
    limit: int
    waiting: int = 0
    timeouts: int = 0


_GAUGES = {
    "connections": "Connections that are open",
    "in_use": "Connections that are lent",
    "limit": "Connections that may be open",
    "waiting": "Callers that wait for a connection",
}
_TIMEOUTS = ("searchqa_pool_timeouts", "Callers that got no connection in time")
Family = GaugeMetricFamily | CounterMetricFamily
_Read = Callable[[Any], PoolState]


class _Pools(Collector):
    def __init__(self) -> None:
        self._watched: WeakKeyDictionary[object, tuple[str, _Read]] = WeakKeyDictionary()
        REGISTRY.register(self)

    def watch(self, pool: object, name: str, read: _Read) -> None:
        self._watched[pool] = (name, read)

    def describe(self) -> Iterable[Family]:
        families: list[Family] = [
            GaugeMetricFamily(f"searchqa_pool_{name}", documentation, labels=["pool"])
            for name, documentation in _GAUGES.items()
        ]
        families.append(CounterMetricFamily(*_TIMEOUTS, labels=["pool"]))
        return families

    def collect(self) -> Iterable[Family]:
        families = list(self.describe())
        sums: defaultdict[str, list[int]] = defaultdict(lambda: [0] * len(families))
        for pool, (name, read) in list(self._watched.items()):
            sums[name] = [a + b for a, b in zip(sums[name], read(pool), strict=True)]
        for name, figures in sums.items():
            for family, figure in zip(families, figures, strict=True):
                family.add_metric([name], figure)
        return families


_pools = _Pools()


def watch_pool(pool: object, name: str, read: _Read) -> None:
    """Has the pool among the figures for as long as it lives. name: what it is for, one of ours;
    read: gives its state, in another thread than those that use it."""
    _pools.watch(pool, name, read)
