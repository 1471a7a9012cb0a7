"""Calls to models in figures: how many, how long, tokens and cost."""

from collections.abc import Generator
from contextlib import contextmanager
from functools import lru_cache
from time import perf_counter
from typing import NamedTuple

from prometheus_client import Counter, Histogram

from app.ai_router.types import ChatResponse, ModelName
from app.platform.errors import ProviderError
from app.platform.metrics import (
    MODEL_CALL_SECONDS,
    MODEL_CALLS,
    MODEL_COST,
    MODEL_TOKENS,
    error_label,
    model_label,
)

OK = "ok"
BATCHED = "batched"
BATCHED_FAILED = "batched_failed"
# Hung up, or out of time.
CUT_OFF = "cut_off"


class _Figures(NamedTuple):
    """Of one model. Looking them up by their labels costs more than counting."""

    answered: Counter
    seconds: Histogram
    prompt: Counter
    completion: Counter
    cached: Counter
    cost: Counter


@lru_cache(maxsize=256)
def _figures_of(model: str) -> _Figures:
    label = model_label(model)
    return _Figures(
        MODEL_CALLS.labels(label, OK),
        MODEL_CALL_SECONDS.labels(label),
        MODEL_TOKENS.labels(label, "prompt"),
        MODEL_TOKENS.labels(label, "completion"),
        MODEL_TOKENS.labels(label, "cached"),
        MODEL_COST.labels(label),
    )


@contextmanager
def counted_call(model: ModelName) -> Generator[None]:
    """Around one call: counts its end and its time."""
    figures, began = _figures_of(str(model)), perf_counter()
    try:
        yield
    except ProviderError as error:
        MODEL_CALLS.labels(model_label(str(model)), error_label(error)).inc()
        raise
    except BaseException:
        MODEL_CALLS.labels(model_label(str(model)), CUT_OFF).inc()
        raise
    else:
        figures.answered.inc()
    finally:
        figures.seconds.observe(perf_counter() - began)


def count_usage(model: ModelName, reply: ChatResponse) -> None:
    """What a reply took, as far as its server says."""
    figures = _figures_of(str(model))
    figures.prompt.inc(reply.prompt_tokens or 0)
    figures.completion.inc(reply.completion_tokens or 0)
    if reply.cached_tokens:
        figures.cached.inc(reply.cached_tokens)
    if reply.cost_usd:
        figures.cost.inc(float(reply.cost_usd))


def count_batched(model: ModelName, reply: ChatResponse | None, *, failed: bool) -> None:
    """A line of a batch that was read."""
    end = BATCHED_FAILED if failed else BATCHED
    MODEL_CALLS.labels(model_label(str(model)), end).inc()
    if reply:
        count_usage(model, reply)
