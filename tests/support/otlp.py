"""Spans by OTLP, and a collector that receives them."""

import itertools
import secrets
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

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


class ExportedSpan(NamedTuple):
    """Ids in hexadecimal digits; parent is "" for the root of a trace that began here."""

    service: str
    name: str
    trace_id: str
    id: str
    parent: str
    attributes: dict[str, Any]
    failed: bool


class Collector(ThreadingHTTPServer):
    """Listens on a free port of the loopback interface."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.spans: list[ExportedSpan] = []
        self.bodies: list[bytes] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def take(self, body: bytes) -> None:
        self.bodies.append(body)
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            service = _values(resource.resource.attributes)["service.name"]
            for scope in resource.scope_spans:
                self.spans += [_exported(service, span) for span in scope.spans]


@contextmanager
def collector() -> Iterator[Collector]:
    with Collector() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        self.server.take(self.rfile.read(int(self.headers["content-length"])))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing goes to the output of the tests."""


def _exported(service: str, span: Any) -> ExportedSpan:
    return ExportedSpan(
        service,
        span.name,
        span.trace_id.hex(),
        span.span_id.hex(),
        span.parent_span_id.hex(),
        _values(span.attributes),
        failed=span.status.code == span.status.STATUS_CODE_ERROR,
    )


def _values(attributes: Any) -> dict[str, Any]:
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in attributes}
