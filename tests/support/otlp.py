"""Spans of other applications, as exporters send them."""

import itertools
import secrets
from collections.abc import Iterable, Mapping
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

PROTOBUF = {"Content-Type": "application/x-protobuf"}
NOTE = "PCR 변성은 95도에서 30초 동안 한다."
QUESTION = "PCR 변성은 몇 도에서 하나요?"
ANSWER = "변성은 95도에서 합니다. [노트 1]"
_clock = itertools.count(1_700_000_000_000_000_000)


def new_trace() -> bytes:
    return secrets.token_bytes(16)


def span(
    trace: bytes,
    attributes: Mapping[str, Any],
    *,
    parent: Span | bytes | None = None,
    span_id: bytes | None = None,
    start: int | None = None,
    name: str = "span",
) -> Span:
    """A span that begins after those that were made before it."""
    made = Span(
        trace_id=trace,
        span_id=span_id or secrets.token_bytes(8),
        parent_span_id=parent.span_id if isinstance(parent, Span) else parent or b"",
        name=name,
        start_time_unix_nano=next(_clock) if start is None else start,
    )
    for key, value in attributes.items():
        given = made.attributes.add(key=key).value
        match value:
            case bool():
                given.bool_value = value
            case int():
                given.int_value = value
            case float():
                given.double_value = value
            case _:
                given.string_value = value
    return made


def request(spans: Iterable[Span], service: str = "notes-app") -> bytes:
    body = ExportTraceServiceRequest()
    resource = body.resource_spans.add()
    resource.resource.attributes.add(key="service.name").value.string_value = service
    resource.scope_spans.add().spans.extend(spans)
    return body.SerializeToString()


def kind(name: str, **attributes: Any) -> dict[str, Any]:
    """Attributes of OpenInference; `input_value` is `input.value`."""
    named = {key.replace("_value", ".value"): value for key, value in attributes.items()}
    return {"openinference.span.kind": name, **named}


def documents(*texts: str) -> dict[str, Any]:
    return {
        f"retrieval.documents.{index}.document.content": text for index, text in enumerate(texts)
    }


def answered_trace(
    trace: bytes | None = None, *, question: str = QUESTION, answer: str = ANSWER
) -> list[Span]:
    """A chain with its retriever and its model: chain, retriever, model."""
    trace = trace or new_trace()
    chain = span(trace, kind("CHAIN", input_value=question, output_value=answer), name="ask")
    retriever = span(trace, kind("RETRIEVER", input_value=question) | documents(NOTE), parent=chain)
    model = span(
        trace,
        kind("LLM", input_value=f"{NOTE}\n{question}", output_value=answer)
        | {"llm.model_name": "gpt-4o-mini", "llm.token_count.prompt": 40},
        parent=chain,
    )
    return [chain, retriever, model]
