"""OpenTelemetry spans from a request to its verdict, and the caller's place in its trace by the W3C
Trace Context recommendation.

Until `start_spans` is called, `span` costs a microsecond and nothing of OpenTelemetry is imported.

A traceparent is `00-<trace id: 32 hex digits>-<span id: 16>-<flags: 2>`. It comes with a request,
is stored with the answer, and goes on with each call to a model server, so that their logs and the
caller's traces can be joined; it is that of a span that is exported. `tracestate` is dropped: it is
what the caller's vendor of tracing writes for itself, and neither the database nor a model server
has a use for it.
"""

import logging
import re
import secrets
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import TYPE_CHECKING, Literal, Protocol

from app.platform.errors import SetupError
from app.platform.settings import Settings

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span, Tracer


TRACEPARENT = "traceparent"

# A version after 00 may add fields behind a dash; the first four keep their places.
_FIELDS = re.compile(
    r"(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?",
    re.ASCII,
)
_SAMPLED, _RANDOM_ID = 0b01, 0b10

_current: ContextVar[str | None] = ContextVar("traceparent", default=None)
# Whether its span is one that this process exports.
_exported: ContextVar[bool] = ContextVar("exported", default=False)


def parse_traceparent(values: Sequence[str]) -> str | None:
    """The one traceparent among the values of that header, in version 00. None where there is
    none, more than one, or one that is not valid: the request counts as untraced then."""
    found = _FIELDS.fullmatch(values[0].strip(" \t")) if len(values) == 1 else None
    if found is None:
        return None
    version, trace_id, span_id, flags, more = found.groups()
    if version == "00" and more is not None:
        return None
    # Of a later version only the first flag is known to mean the same.
    known = int(flags, 16) & (_SAMPLED | _RANDOM_ID if version == "00" else _SAMPLED)
    return f"00-{trace_id}-{span_id}-{known:02x}"


def enter_trace(traceparent: str | None, *, exported: bool = False) -> None:
    """Model calls that the running task makes from now on belong to this trace, or to none; so do
    those of tasks that it creates. traceparent: as parse_traceparent returns it. exported: it names
    a span of this process."""
    _current.set(traceparent)
    _exported.set(exported)


def current_traceparent() -> str | None:
    """What `enter_trace` was given last."""
    return _current.get()


def in_exported_span() -> bool:
    """Whether this process exports the span of `current_traceparent`."""
    return _exported.get()


def child_traceparent() -> str | None:
    """For one call made now: the span that is exported for it, or else the current trace and its
    flags with a span id of the call's own. None outside of a trace: a trace id that only the callee
    knows joins nothing."""
    current = _current.get()
    if current is None or _exported.get():
        return current
    span_id = secrets.token_hex(8)
    return f"{current[:36]}{span_id}{current[52:]}"


Value = str | bool | int | float
Kind = Literal["internal", "server", "client", "producer", "consumer"]

# A collector that is away must not hold up a process that stops.
FLUSH_SECONDS = 2.0


class Recording(Protocol):
    """A span while it is open."""

    def set_attributes(self, attributes: Mapping[str, Value]) -> None: ...


class _Nothing:
    def set_attributes(self, attributes: Mapping[str, Value]) -> None:
        """No span is recorded."""


# Shared by all who open it: a generator for each would cost more than the rest of a span.
UNRECORDED: AbstractContextManager[Recording] = nullcontext(_Nothing())


class _Exporting:
    """The tracer of this process, and whether spans hold texts."""

    def __init__(self, provider: "TracerProvider", *, content: bool) -> None:
        self.provider = provider
        self.tracer: Tracer = provider.get_tracer("searchqa")
        self.content = content


_exporting: _Exporting | None = None


def start_spans(settings: Settings, service: str) -> None:
    """From now on this process exports its spans by OTLP over HTTP, as the OTEL_* variables say.
    Call it after the fork. service: the part of SearchQA, as `api`. Raises SetupError when the
    extra is not installed."""
    global _exporting
    if not settings.telemetry.otel_traces or _exporting is not None:
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import OTELResourceDetector, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise SetupError(
            "SEARCHQA_OTEL_TRACES needs OpenTelemetry: install searchqa[otel], or unset it."
        ) from error
    named = {"service.name": f"searchqa-{service}", "service.namespace": "searchqa"}
    # OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES go over these.
    resource = Resource.create(named).merge(OTELResourceDetector().detect())
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    # Each try to reach a collector that is away would be a line; that spans were lost is one still.
    logging.getLogger("opentelemetry").setLevel(logging.ERROR)
    _exporting = _Exporting(provider, content=settings.telemetry.otel_content)


def stop_spans() -> None:
    """Exports what is left, for FLUSH_SECONDS at most."""
    global _exporting
    if _exporting is None:
        return
    ended, _exporting = _exporting, None
    # The SDK waits 30 s for its exporter.
    flushing = threading.Thread(target=ended.provider.shutdown, name="spans", daemon=True)
    flushing.start()
    flushing.join(FLUSH_SECONDS)


def spans_are_exported() -> bool:
    """Whether it is worth while to work out what a span is to hold."""
    return _exporting is not None


def content_is_recorded() -> bool:
    """Whether spans may hold what users and notes say."""
    return _exporting is not None and _exporting.content


def span(
    name: str, kind: Kind = "internal", attributes: Mapping[str, Value] | None = None
) -> AbstractContextManager[Recording]:
    """A span around a block; what the block does belongs to it. Of an error only the type is
    recorded, because messages may repeat what a server said."""
    return UNRECORDED if _exporting is None else _recorded(name, kind, attributes)


@contextmanager
def _recorded(
    name: str, kind: Kind, attributes: Mapping[str, Value] | None
) -> Generator[Recording]:
    before, exported = current_traceparent(), in_exported_span()
    recording = _start(name, kind, attributes)
    enter_trace(_traceparent(recording), exported=True)
    try:
        yield recording
    except BaseException as error:
        _fail(recording, type(error).__name__)
        raise
    finally:
        # Set rather than reset: a stream may be closed in another context than it began in.
        enter_trace(before, exported=exported)
        recording.end()


def past_span(
    name: str,
    seconds: float,
    kind: Kind = "internal",
    attributes: Mapping[str, Value] | None = None,
    *,
    traceparent: str | None = None,
) -> None:
    """A span that took so long and ends now, of the present trace or of `traceparent`'s."""
    if _exporting is None:
        return
    begun = time.time_ns() - int(seconds * 1e9)
    _start(name, kind, attributes, traceparent=traceparent, start_time=begun).end()


def _start(
    name: str,
    kind: Kind,
    attributes: Mapping[str, Value] | None,
    *,
    traceparent: str | None = None,
    start_time: int | None = None,
) -> "Span":
    from opentelemetry.trace import SpanKind

    assert _exporting is not None
    return _exporting.tracer.start_span(
        name,
        context=_parent(traceparent or current_traceparent()),
        kind=SpanKind[kind.upper()],
        attributes=attributes,
        start_time=start_time,
        record_exception=False,
    )


def _parent(traceparent: str | None) -> "Context":
    """An empty context, or one with the span of that traceparent."""
    from opentelemetry.context import Context
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

    if traceparent is None:
        return Context()
    _, trace_id, span_id, flags = traceparent.split("-")
    parent = SpanContext(
        int(trace_id, 16), int(span_id, 16), is_remote=True, trace_flags=TraceFlags(int(flags, 16))
    )
    return set_span_in_context(NonRecordingSpan(parent), Context())


def _traceparent(recording: "Span") -> str:
    context = recording.get_span_context()
    return f"00-{context.trace_id:032x}-{context.span_id:016x}-{context.trace_flags & 3:02x}"


def _fail(recording: "Span", error_type: str) -> None:
    from opentelemetry.trace import StatusCode

    recording.set_attribute("error.type", error_type)
    recording.set_status(StatusCode.ERROR)
