"""Attempts at verdicts, as figures, spans and Flower show them."""

from collections import Counter as Counts
from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from typing import NamedTuple

from prometheus_client import Counter, Histogram

from app.platform.metrics import ATTEMPTS, VERDICT_LATENCY, model_label
from app.platform.spans import (
    UNRECORDED,
    Recording,
    Value,
    enter_trace,
    past_span,
    span,
    spans_are_exported,
)
from app.verdicts.lifecycle.outcome import (
    Failure,
    Fallback,
    Lease,
    NextStep,
    Outcome,
    Pause,
    Release,
    Retry,
    Verdict,
)
from worker.loop_thread import TaskOutcome, TaskState

# The attempt had lost its lease, and nothing was recorded.
LOST = "lost"
# The rules judged in the place of a judge that failed.
DEGRADED = "degraded"
RELEASED = "released"
NOT_CLAIMABLE = "not claimable"
# Characters of a reason in Flower, which keeps thousands of tasks in memory.
MAX_REASON_CHARS = 300
_ENDS: dict[type[Outcome], str] = {
    Verdict: "judged",
    Retry: "to be tried again",
    Fallback: "left to another judge",
    Failure: "failed",
    Pause: "waiting for a paused judge",
    Release: RELEASED,
    NextStep: "left to the next judge",
}


class End(NamedTuple):
    """How the attempt at one evaluation ended.

    failed: why its judge was given up; retried: why it is judged again; both None where the judge
    did not fail. tries: failed tries, this one included.
    """

    what: str
    failed: str | None = None
    retried: str | None = None
    tries: int = 0


def end_of(lease: Lease, outcome: Outcome) -> End:
    """What Flower shows of a recorded outcome."""
    what, tries = _ENDS[type(outcome)], lease.tries + 1
    match outcome:
        case Verdict(degraded_because=str(reason)):
            return End("judged by rules instead", failed=reason)
        case Failure(error=reason):
            return End(what, failed=reason)
        case Retry(error=reason) | Fallback(because=reason) | Pause(reason=reason):
            return End(what, retried=reason, tries=tries)
    return End(what)


def summarize(ends: Sequence[End]) -> TaskOutcome:
    """The outcome of a task, by those of its ids: FAILURE where a judge was given up for one of
    them, else RETRY where one is judged again, each with the reason of the first such id."""
    counted = Counts(end.what for end in ends)
    line = ", ".join(f"{count} {what}" for what, count in counted.most_common())
    if failed := [end.failed for end in ends if end.failed is not None]:
        return TaskOutcome(f"{line}: {failed[0][:MAX_REASON_CHARS]}", TaskState.FAILURE)
    if retried := [end.retried for end in ends if end.retried is not None]:
        reason, tries = retried[0][:MAX_REASON_CHARS], max(end.tries for end in ends)
        return TaskOutcome(f"{line}: {reason}", TaskState.RETRY, tries)
    return TaskOutcome(line)


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


def attempt_span(lease: Lease, *, claiming: float) -> AbstractContextManager[Recording]:
    """The span of one attempt, around judging and recording, in the trace of its answer. The
    running task joins that trace whether spans are exported or not. claiming: seconds that the
    claim took, before which the trace was not known."""
    enter_trace(lease.traceparent)
    return _recorded(lease, claiming) if spans_are_exported() else UNRECORDED


@contextmanager
def _recorded(lease: Lease, claiming: float) -> Generator[Recording]:
    attributes: dict[str, Value] = {
        "searchqa.evaluation.id": str(lease.id),
        "searchqa.attempt": lease.attempt,
        "searchqa.judge": lease.judge_model,
    }
    with span("judge answer", "consumer", attributes) as recording:
        past_span("claim", claiming)
        yield recording
