"""Serves the figures of this process to Prometheus."""

import logging
from collections.abc import Callable, Mapping
from wsgiref.simple_server import WSGIServer

from prometheus_client import start_http_server

from app.platform.settings import Settings
from app.platform.telemetry.metrics import LOOP_SILENCE, REGISTRY, model_label, name_process

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
    name_process(process)
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
