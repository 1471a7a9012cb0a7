"""The limits of judges as figures for Prometheus."""

from collections.abc import Sequence

from prometheus_client.core import GaugeMetricFamily

from app.ai_router.limits.states import LimitState

# Models with a limit, by name; each is a label.
MAX_MODELS = 100

_DOCUMENTED = {
    "requests_per_minute_limit": "Requests a minute in force, set or stated",
    "tokens_per_minute_limit": "Tokens a minute in force, set or stated",
    "in_flight_limit": "Calls in flight that are allowed",
    "limit_allowance_ratio": "Share of the limits that is used at present",
    "in_flight": "Calls in flight of all workers, where they are limited",
    "waiting": "Verdicts and calls of jobs that wait for their allowance",
    "held_seconds": "Seconds for which nothing is asked after a refusal",
}


def limit_families(states: Sequence[LimitState]) -> list[GaugeMetricFamily]:
    """Gauges by judge; a figure without a value is left out, as all but the limits that are set are
    while Redis is away."""
    families = [
        GaugeMetricFamily(f"searchqa_judge_{name}", documentation, labels=["judge_model"])
        for name, documentation in _DOCUMENTED.items()
    ]
    for state in states[:MAX_MODELS]:
        limit, known = state.limit, state.allowance is not None
        values = (
            *(limit.requests, limit.tokens, limit.in_flight),
            *(state.allowance, state.in_flight, state.waiting),
            state.held_seconds if known else None,
        )
        for family, value in zip(families, values, strict=True):
            if value is not None:
                family.add_metric([state.model], value)
    return families
