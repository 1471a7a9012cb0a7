"""The span of one attempt at a verdict, in the trace of its answer."""

from collections.abc import Generator
from contextlib import contextmanager

from app.platform.telemetry.spans import (
    NO_SPAN,
    Recording,
    Value,
    past_span,
    span,
    spans_are_exported,
)
from app.platform.trace_context import enter_trace
from app.verdicts.lifecycle.outcome import Lease


@contextmanager
def attempt_span(lease: Lease, *, claiming: float) -> Generator[Recording]:
    """Around judging and recording. The running task joins the trace of the answer, whether spans
    are exported or not. claiming: the seconds that the claim took, which comes first and tells
    whose trace it is."""
    enter_trace(lease.traceparent)
    if not spans_are_exported():
        yield NO_SPAN
        return
    attributes: dict[str, Value] = {
        "searchqa.evaluation.id": str(lease.id),
        "searchqa.attempt": lease.attempt,
        "searchqa.judge": lease.judge_model,
    }
    with span("judge answer", "consumer", attributes) as recording:
        past_span("claim", claiming)
        yield recording
