"""OTLP requests in protobuf and in JSON, as spans.

JSON differs from protobuf's own mapping: ids are hex, enums are numbers, and 64-bit integers are
numbers or strings. Unknown fields are ignored in both.
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from google.protobuf.message import DecodeError
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span, SpanFlags

from app.integrations.traces.conventions import WANTED as OF_ANSWERS
from app.integrations.traces.spans import RawSpan, Value
from app.platform.errors import RequestError

# Prefixes of the conventions that are read; other attributes are not even converted.
WANTED = (
    *("openinference.", "input.", "output.", "llm.", "retrieval.", "reranker.", "embedding."),
    *("gen_ai.", "traceloop.", "db.query.result", *OF_ANSWERS),
)
_VECTOR = ".vector"
_MAX_DEPTH = 12
_MAX_ITEMS = 1_000
_REMOTE = (
    SpanFlags.SPAN_FLAGS_CONTEXT_HAS_IS_REMOTE_MASK | SpanFlags.SPAN_FLAGS_CONTEXT_IS_REMOTE_MASK
)
MAX_NAME_CHARS = 200


class Unreadable(RequestError):
    """The body is no ExportTraceServiceRequest. Exporters log the message, in English."""


def read_protobuf(body: bytes) -> Iterator[RawSpan]:
    """Raises Unreadable at the first step."""
    request = ExportTraceServiceRequest()
    try:
        request.ParseFromString(body)
    except DecodeError as error:
        raise Unreadable("The body is not an ExportTraceServiceRequest in protobuf.") from error
    for resource in request.resource_spans:
        about = resource.resource.attributes
        service = _service((kv.key, kv.value.string_value) for kv in about)
        common = _protobuf_attributes(about)
        for scope in resource.scope_spans:
            for span in scope.spans:
                yield _from_protobuf(span, service, common)


def _from_protobuf(span: Span, service: str, common: Mapping[str, Value]) -> RawSpan:
    """common: attributes of its resource."""
    return RawSpan(
        trace_id=span.trace_id.hex(),
        span_id=span.span_id.hex(),
        parent_id=_parent(span.parent_span_id.hex()),
        name=span.name[:MAX_NAME_CHARS],
        start=span.start_time_unix_nano,
        is_root=_is_root(_parent(span.parent_span_id.hex()), span.flags),
        service=service,
        attributes={**common, **_protobuf_attributes(span.attributes)},
        events=[(event.name, _protobuf_attributes(event.attributes)) for event in span.events],
    )


def _protobuf_attributes(pairs: Iterable[KeyValue]) -> dict[str, Value]:
    return {kv.key: _protobuf_value(kv.value) for kv in pairs if _is_wanted(kv.key)}


def _protobuf_value(value: AnyValue, depth: int = 0) -> Value:
    which = value.WhichOneof("value")
    if which in {"string_value", "bool_value", "int_value"}:
        plain: str | bool | int = getattr(value, which)
        return plain
    if which == "double_value":
        return _finite(value.double_value)
    if depth >= _MAX_DEPTH:
        return None
    if which == "array_value":
        return [_protobuf_value(each, depth + 1) for each in value.array_value.values[:_MAX_ITEMS]]
    if which == "kvlist_value":
        pairs = value.kvlist_value.values[:_MAX_ITEMS]
        return {kv.key: _protobuf_value(kv.value, depth + 1) for kv in pairs}
    return None


def read_json(body: bytes) -> Iterator[RawSpan]:
    """Raises Unreadable, at the latest at the span that is no object."""
    try:
        request = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Unreadable("The body is not JSON in UTF-8.") from error
    if not isinstance(request, dict):
        raise Unreadable("The body is not an object with `resourceSpans`.")
    for resource in _objects(request, "resourceSpans"):
        about = resource.get("resource")
        owner = about if isinstance(about, dict) else {}
        service = _service(
            (kv.get("key"), _inner(kv.get("value"), "stringValue"))
            for kv in _objects(owner, "attributes")
        )
        common = _json_attributes(owner)
        for scope in _objects(resource, "scopeSpans"):
            for span in _objects(scope, "spans"):
                yield _from_json(span, service, common)


def _objects(owner: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    found = owner.get(name)
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise Unreadable(f"`{name}` is not a list of objects.")
    return found


def _inner(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, dict) else None


def _from_json(span: Mapping[str, Any], service: str, common: Mapping[str, Value]) -> RawSpan:
    parent = _parent(_id(span.get("parentSpanId")))
    name = span.get("name")
    return RawSpan(
        trace_id=_id(span.get("traceId")),
        span_id=_id(span.get("spanId")),
        parent_id=parent,
        name=name[:MAX_NAME_CHARS] if isinstance(name, str) else "",
        start=_integer(span.get("startTimeUnixNano")) or 0,
        is_root=_is_root(parent, _integer(span.get("flags")) or 0),
        service=service,
        attributes={**common, **_json_attributes(span)},
        events=[
            (str(event.get("name", "")), _json_attributes(event))
            for event in _objects(span, "events")
        ],
    )


def _id(value: object) -> str:
    """As it was sent, which the caller checks; empty for what is no text."""
    return value.lower() if isinstance(value, str) else ""


def _integer(value: object) -> int | None:
    """64 bits, as a number or as a string."""
    if isinstance(value, str) and len(value) <= 20 and value.isascii():
        try:
            value = int(value)
        except ValueError:
            return None
    ok = isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**64
    return value if ok and isinstance(value, int) else None


def _json_attributes(owner: Mapping[str, Any]) -> dict[str, Value]:
    return {
        kv["key"]: _json_value(kv.get("value"))
        for kv in _objects(owner, "attributes")
        if isinstance(kv.get("key"), str) and _is_wanted(kv["key"])
    }


def _json_value(value: object, depth: int = 0) -> Value:
    if not isinstance(value, dict) or len(value) != 1 or depth >= _MAX_DEPTH:
        return None
    ((which, inner),) = value.items()
    read = _JSON_VALUES.get(which)
    return read(inner, depth) if read else None


def _items(inner: object) -> list[Any]:
    values = _inner(inner, "values")
    return values[:_MAX_ITEMS] if isinstance(values, list) else []


def _json_array(inner: object, depth: int) -> Value:
    return [_json_value(each, depth + 1) for each in _items(inner)]


def _json_pairs(inner: object, depth: int) -> Value:
    return {
        kv["key"]: _json_value(kv.get("value"), depth + 1)
        for kv in _items(inner)
        if isinstance(kv, dict) and isinstance(kv.get("key"), str)
    }


def _json_double(inner: object, _: int) -> Value:
    number = isinstance(inner, int | float) and not isinstance(inner, bool)
    return _finite(inner) if number and isinstance(inner, int | float) else None


_JSON_VALUES: Mapping[str, Callable[[object, int], Value]] = {
    "stringValue": lambda inner, _: inner if isinstance(inner, str) else None,
    "boolValue": lambda inner, _: inner if isinstance(inner, bool) else None,
    "intValue": lambda inner, _: _integer(inner),
    "doubleValue": _json_double,
    "arrayValue": _json_array,
    "kvlistValue": _json_pairs,
}


def _finite(value: float) -> float | None:
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def _is_wanted(key: str) -> bool:
    return key.startswith(WANTED) and not key.endswith(_VECTOR)


def _parent(parent_id: str) -> str:
    """Empty for the zeros that some senders write for no parent."""
    return parent_id if parent_id.strip("0") else ""


def _is_root(parent_id: str, flags: int) -> bool:
    return not parent_id or flags & _REMOTE == _REMOTE


def _service(attributes: Iterable[tuple[object, object]]) -> str:
    for key, value in attributes:
        if key == "service.name" and isinstance(value, str):
            return value[:MAX_NAME_CHARS]
    return ""
