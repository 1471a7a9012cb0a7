"""The limits of judges as figures for Prometheus."""

from collections.abc import Sequence

from prometheus_client import CollectorRegistry, Gauge

from app.ai_router.limits.states import LimitState

# Models with a limit, by name; each is a label.
MAX_MODELS = 100


def add_judge_limits(registry: CollectorRegistry, states: Sequence[LimitState]) -> None:
    """Gauges by judge; one without a value is left out, as all but the limits that are set are
    while Redis is away."""

    def gauge(name: str, documentation: str) -> Gauge:
        return Gauge(f"searchqa_judge_{name}", documentation, ["judge_model"], registry=registry)

    requests = gauge("requests_per_minute_limit", "Requests a minute in force, set or stated")
    tokens = gauge("tokens_per_minute_limit", "Tokens a minute in force, set or stated")
    max_in_flight = gauge("in_flight_limit", "Calls in flight that are allowed")
    allowance = gauge("limit_allowance_ratio", "Share of the limits that is used at present")
    in_flight = gauge("in_flight", "Calls in flight of all workers, where they are limited")
    waiting = gauge("waiting", "Verdicts and calls of jobs that wait for their allowance")
    held = gauge("held_seconds", "Seconds for which nothing is asked after a refusal")
    for state in states[:MAX_MODELS]:
        values = (
            (requests, state.limit.requests),
            (tokens, state.limit.tokens),
            (max_in_flight, state.limit.in_flight),
            (allowance, state.allowance),
            (in_flight, state.in_flight),
            (waiting, state.waiting),
            (held, None if state.allowance is None else state.held_seconds),
        )
        for figure, value in values:
            if value is not None:
                figure.labels(state.model).set(value)
