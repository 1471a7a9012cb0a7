"""The caller's place in its trace, by the W3C Trace Context recommendation.

A traceparent is `00-<trace id: 32 hex digits>-<span id: 16>-<flags: 2>`. It comes with a request,
is stored with the answer, and goes on with each call to a model server, so that their logs and the
caller's traces can be joined. `tracestate` is dropped: it is what the caller's vendor of tracing
writes for itself, and neither the database nor a model server has a use for it.
"""

import re
import secrets
from collections.abc import Sequence
from contextvars import ContextVar

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
    a span of this process, see `app.platform.spans`."""
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
