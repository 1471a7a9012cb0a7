"""Prometheus metrics that a process counts itself, the server that exports them, and how long the
parts of one answer took.

Labels are bounded: models by `model_label`, all others by enumerations of ours. No label is an id
of a workspace or text of a user. Metrics of the database: `worker/database_metrics.py`."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from time import perf_counter
from wsgiref.simple_server import WSGIServer

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    start_http_server,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from app.platform.errors import ProviderError, Throttled
from app.platform.settings import Settings

# A second series for each one, which nobody reads.
disable_created_metrics()  # type: ignore[no-untyped-call]
REGISTRY = CollectorRegistry()
# CPU, memory and open files, by the names that all Prometheus clients use.
ProcessCollector(registry=REGISTRY)

# Workspaces may name models of their own: this many have labels of their own.
MAX_MODELS = 50
OTHER = "other"
_LATENCIES = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600)
_SHORT = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

_models: set[str] = set()


def model_label(model: str) -> str:
    """The model's name; OTHER for one that is first seen after MAX_MODELS others."""
    if model in _models:
        return model
    if len(_models) >= MAX_MODELS:
        return OTHER
    _models.add(model)
    return model


class ReadGauge(Collector):
    """A gauge whose values are read when Prometheus asks for them, by the thread that serves it.
    `source`: gives them by the values of the labels; None until the process has such values."""

    def __init__(self, name: str, documentation: str, labels: tuple[str, ...] = ()) -> None:
        self._about = (name, documentation)
        self._labels = labels
        self.source: Callable[[], Mapping[tuple[str, ...], float]] | None = None
        REGISTRY.register(self)

    def describe(self) -> Iterable[GaugeMetricFamily]:
        return [GaugeMetricFamily(*self._about, labels=self._labels)]

    def collect(self) -> Iterable[GaugeMetricFamily]:
        [family] = self.describe()
        for values, figure in self.source().items() if self.source else ():
            family.add_metric(values, figure)
        return [family]


def _counter(name: str, documentation: str, *labels: str) -> Counter:
    return Counter(f"searchqa_{name}", documentation, labels, registry=REGISTRY)


def _histogram(
    name: str, documentation: str, *labels: str, buckets: tuple[float, ...]
) -> Histogram:
    return Histogram(f"searchqa_{name}", documentation, labels, buckets=buckets, registry=REGISTRY)


def _gauge(name: str, documentation: str, *labels: str) -> Gauge:
    return Gauge(f"searchqa_{name}", documentation, labels, registry=REGISTRY)


# Every process
BUILD = _gauge("build_info", "1, with the release and the part of SearchQA", "version", "process")
LOOP_SILENCE = ReadGauge(
    "searchqa_loop_silence_seconds", "Time since an event loop last turned", ("loop",)
)
PUBLISH_FAILURES = _counter("publish_failures", "Messages that the broker did not confirm")

# The API
ANSWERS = _counter("answers", "Answers stored, by the state that their verdict began in", "status")
INTERNAL_ERRORS = _counter("internal_errors", "Requests that failed on our side")
EVENT_LAG = _histogram(
    "event_lag_seconds", "From an event of a verdict to its delivery to readers", buckets=_SHORT
)
EVENTS_SILENCE = ReadGauge(
    "searchqa_events_silence_seconds", "Time since new events were last looked for"
)
EVENT_SUBSCRIBERS = ReadGauge("searchqa_event_subscribers", "Streams that readers have open")

# Workers
VERDICT_LATENCY = _histogram(
    *("verdict_latency_seconds", "From the stored answer to its final state"),
    *("queue", "judge_model"),
    buckets=_LATENCIES,
)
ATTEMPTS = _counter(
    "attempts", "Attempts at a verdict, by what came of them", "judge_model", "outcome"
)
JUDGE_ERRORS = _counter(
    "judge_errors", "Attempts that the judge's errors ended, by class", "judge_model", "error"
)
IN_FLIGHT = ReadGauge(
    "searchqa_verdicts_in_flight", "Verdicts that are being judged", ("judge_model",)
)
WAITING = ReadGauge(
    "searchqa_verdicts_waiting", "Verdicts that wait in the worker for a place or an allowance"
)
JOBS_ENDED = _counter("jobs_ended", "Attempts at jobs, by what came of them", "kind", "outcome")
WEBHOOK_ATTEMPTS = _counter(
    "webhook_attempts", "Deliveries that were tried: delivered, again or failed", "outcome"
)

# Processes that call models: workers, and the API for answers
MODEL_CALLS = _counter("model_calls", "Calls to models: ok or the class of error", "model", "end")
MODEL_CALL_SECONDS = _histogram(
    "model_call_seconds", "Time that calls to models took", "model", buckets=_LATENCIES
)
MODEL_TOKENS = _counter("model_tokens", "Tokens: prompt, completion, cached", "model", "kind")
MODEL_COST = _counter("model_cost_dollars", "Cost of calls to models, where it is known", "model")

# The dispatcher
TICK_SECONDS = _histogram("dispatcher_tick_seconds", "Time that sweeps took", buckets=_SHORT)
LAST_TICK = ReadGauge(
    "searchqa_dispatcher_last_tick_timestamp_seconds", "When the last sweep succeeded"
)
STEP_FAILURES = _counter(
    "dispatcher_step_failures", "Sweeps and periodic steps that failed", "cause"
)
PUBLISHED = _counter("published", "Ids published because they were due", "task", "queue")
REAPED = _counter("reaped", "Verdicts and jobs taken back from workers that died", "task")
QUEUE_MESSAGES = _gauge("queue_messages", "Messages that no worker has fetched yet", "queue")
UNINDEXED = ReadGauge(
    "searchqa_unindexed_workspaces", "Large workspaces without an index of their vectors"
)


def error_label(error: ProviderError) -> str:
    """Its class, as it is stored; refusals for limits have a class of their own."""
    return "throttled" if isinstance(error, Throttled) else error.kind


logger = logging.getLogger(__name__)

_serving: list[WSGIServer] = []


def serve_metrics(
    settings: Settings, process: str, silences: Callable[[], Mapping[tuple[str, ...], float]]
) -> None:
    """From now on `SEARCHQA_METRICS_PORT` answers with the figures of this process, if it is set.
    Call it after the fork. process: the part of SearchQA, as `api`; silences: how long ago each of
    its event loops turned. A port that cannot be listened on is logged: verdicts matter more than
    figures, and Prometheus misses the target."""
    if settings.telemetry.metrics_port is None or _serving:
        return
    host, port = settings.telemetry.metrics_host, settings.telemetry.metrics_port
    BUILD.labels(version("searchqa"), process).set(1)
    LOOP_SILENCE.source = silences
    # It keeps its place however many others there are.
    model_label(settings.judge.model)
    try:
        server, _ = start_http_server(port, host, REGISTRY)
    except OSError as error:
        logger.error(  # noqa: TRY400  the reason says it all
            "Port %d on %s cannot serve metrics (%s): choose another with SEARCHQA_METRICS_PORT.",
            *(port, host, error.strerror),
        )
        return
    _serving.append(server)


def stop_metrics() -> None:
    """Closes the port. Returns when no more requests are taken."""
    while _serving:
        server = _serving.pop()
        server.shutdown()
        server.server_close()


@dataclass(frozen=True, slots=True)
class Timings:
    """`milliseconds` by part, in the order in which they ended: `reword` a question that has turns
    before it, `search` the notes, `first_chunk`
    of a stream and the whole of it or of the answer, `generate`, both from the call to the model,
    and `store`. A part that has not ended is not there."""

    milliseconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def measure(self, part: str) -> Iterator[None]:
        """The part is what is done inside, also where that fails."""
        start = perf_counter()
        try:
            yield
        finally:
            self.record(part, start)

    def record(self, part: str, start: float) -> None:
        """start: of `perf_counter`."""
        self.milliseconds[part] = (perf_counter() - start) * 1000
