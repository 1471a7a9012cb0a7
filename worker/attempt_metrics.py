"""What became of attempts at verdicts, in figures."""

from functools import lru_cache

from prometheus_client import Counter, Histogram

from app.platform.telemetry.metrics import ATTEMPTS, VERDICT_LATENCY, model_label
from app.verdicts.lifecycle.outcome import Failure, Lease, Outcome, Verdict

# The attempt had lost its lease, and nothing was recorded.
LOST = "lost"
# The rules stood in for the judge.
DEGRADED = "degraded"


def count_attempt(lease: Lease, outcome: Outcome, seconds: float, *, recorded: bool) -> None:
    """seconds: since the row was claimed."""
    end = type(outcome).__name__.lower()
    if not recorded:
        end = LOST
    elif isinstance(outcome, Verdict) and outcome.degraded_because is not None:
        end = DEGRADED
    _attempts(lease.judge_model, end).inc()
    if recorded and isinstance(outcome, Verdict | Failure):
        _latency(lease.queue, lease.judge_model).observe(lease.age + seconds)


@lru_cache(maxsize=256)
def _attempts(judge_model: str, end: str) -> Counter:
    return ATTEMPTS.labels(model_label(judge_model), end)


@lru_cache(maxsize=256)
def _latency(queue: str, judge_model: str) -> Histogram:
    return VERDICT_LATENCY.labels(queue, model_label(judge_model))
