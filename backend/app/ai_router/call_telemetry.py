"""Metrics and OpenTelemetry spans of calls to models."""

from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from time import perf_counter
from typing import Literal, NamedTuple

from prometheus_client import Counter, Histogram
from pydantic_core import to_json

from app.ai_router.types import OFFLINE, ChatRequest, ChatResponse, Message, ModelName
from app.platform.errors import ProviderError
from app.platform.metrics import (
    MODEL_CALL_SECONDS,
    MODEL_CALLS,
    MODEL_COST,
    MODEL_TOKENS,
    error_label,
    model_label,
)
from app.platform.spans import Recording, Value, content_is_recorded, span, spans_are_exported

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


class CallSpan:
    """The open span of one call, None where spans are not exported."""

    def __init__(self, recording: Recording | None) -> None:
        self._recording = recording

    def ended(self, reply: ChatResponse) -> None:
        """What came of it: the model that replied, its tokens, and the cost in dollars if known."""
        if self._recording is None:
            return
        known: dict[str, Value | None] = {
            "gen_ai.response.model": reply.model,
            "gen_ai.usage.input_tokens": reply.prompt_tokens,
            "gen_ai.usage.output_tokens": reply.completion_tokens,
            "gen_ai.usage.cache_read.input_tokens": reply.cached_tokens or None,
            "searchqa.cost_usd": None if reply.cost_usd is None else float(reply.cost_usd),
        }
        if content_is_recorded():
            known["gen_ai.output.messages"] = _as_json([Message("assistant", reply.content)])
        self._recording.set_attributes(
            {name: value for name, value in known.items() if value is not None}
        )


_UNRECORDED = nullcontext(CallSpan(None))


def chat_span(model: ModelName, request: ChatRequest) -> AbstractContextManager[CallSpan]:
    """Around one call. Messages are recorded where `SEARCHQA_OTEL_CONTENT` says so."""
    return _recorded(model, request) if spans_are_exported() else _UNRECORDED


@contextmanager
def _recorded(model: ModelName, request: ChatRequest) -> Generator[CallSpan]:
    attributes: dict[str, Value] = {
        **_of_model("chat", model),
        "gen_ai.request.temperature": request.temperature,
        "gen_ai.request.max_tokens": request.max_tokens,
    }
    if request.purpose:
        attributes["searchqa.purpose"] = request.purpose
    if content_is_recorded():
        attributes["gen_ai.input.messages"] = _as_json(request.messages)
    with span(f"chat {model.model}", _kind(model), attributes) as recording:
        yield CallSpan(recording)


@contextmanager
def embeddings_span(model: ModelName, texts: int) -> Generator[None]:
    """Around one request for vectors of so many texts."""
    attributes = {**_of_model("embeddings", model), "searchqa.texts": texts}
    with span(f"embeddings {model.model}", _kind(model), attributes):
        yield


def _of_model(operation: str, model: ModelName) -> dict[str, Value]:
    return {
        "gen_ai.operation.name": operation,
        "gen_ai.provider.name": model.provider,
        "gen_ai.request.model": model.model,
    }


def _kind(model: ModelName) -> Literal["client", "internal"]:
    return "internal" if model.provider == OFFLINE else "client"


def _as_json(messages: Sequence[Message]) -> str:
    parts = [
        {"role": one.role, "parts": [{"type": "text", "content": one.content}]} for one in messages
    ]
    return to_json(parts, inf_nan_mode="null").decode()
