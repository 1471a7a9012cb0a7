"""Reads the body of one request: unpacks it up to a limit, decodes it, keeps what is of use.

It is called in a child process: a body may be made to take long.
"""

import gzip
import re
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO

from app.integrations.traces.conventions import read_span
from app.integrations.traces.spans import Batch, RawSpan, SentSpan, batches
from app.integrations.traces.wire import Unreadable, read_json, read_protobuf
from app.platform.errors import PayloadTooLarge
from app.text.redaction import Redactor

# Before and after unpacking; what the exporters of OpenTelemetry send at most.
MAX_BODY_BYTES = 64 * 2**20
MAX_SPANS = 100_000
# Of one trace in one request and in all; more would be a loop rather than an answer.
MAX_SPANS_PER_TRACE = 5_000
_TRACE_ID = re.compile(r"[0-9a-f]{32}")
_SPAN_ID = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Body:
    """As it was sent; in protobuf unless it is JSON."""

    sent: bytes
    is_json: bool = False
    is_gzip: bool = False


@dataclass(frozen=True, slots=True)
class ReadSpans:
    """One request, ready to be stored. cut: texts that were shortened. rejected: spans that were
    not kept; why: the reason of the first of them."""

    batches: Sequence[Batch] = ()
    kept: int = 0
    cut: int = 0
    rejected: int = 0
    why: str = ""


def read_spans(body: Body, redactor: Redactor | None = None) -> ReadSpans:
    """redactor: None where the workspace does not have texts redacted. Spans without valid ids and
    those beyond a limit are counted as rejected. Raises Unreadable for what is no request,
    PayloadTooLarge for one that unpacks to more than MAX_BODY_BYTES."""
    plain = _unpacked(body.sent) if body.is_gzip else body.sent
    spans: list[SentSpan] = []
    of_trace: Counter[str] = Counter()
    rejected, why = 0, ""
    for raw in (read_json if body.is_json else read_protobuf)(plain):
        refusal = _refusal(raw, len(spans), of_trace)
        if refusal:
            rejected, why = rejected + 1, why or refusal
            continue
        of_trace[raw.trace_id] += 1
        span = read_span(raw)
        if redactor:
            span = replace(span, content=span.content.redacted(redactor))
        spans.append(span)
    cut = sum(span.content.cut for span in spans)
    return ReadSpans(tuple(batches(spans)), len(spans), cut, rejected, why)


def _refusal(raw: RawSpan, kept: int, of_trace: Counter[str]) -> str:
    """Empty for a span that is kept."""
    if kept >= MAX_SPANS:
        return f"a request may hold {MAX_SPANS:,} spans; send smaller batches"
    if not _TRACE_ID.fullmatch(raw.trace_id) or not raw.trace_id.strip("0"):
        return "a traceId must be 16 bytes, not all zero"
    if not _SPAN_ID.fullmatch(raw.span_id) or not raw.span_id.strip("0"):
        return "a spanId must be 8 bytes, not all zero"
    if raw.parent_id and not _SPAN_ID.fullmatch(raw.parent_id):
        return "a parentSpanId must be 8 bytes or empty"
    if of_trace[raw.trace_id] >= MAX_SPANS_PER_TRACE:
        return TOO_MUCH_OF_A_TRACE
    return ""


TOO_MUCH_OF_A_TRACE = f"a trace may hold {MAX_SPANS_PER_TRACE:,} spans, with 16 MB of text"


def _unpacked(body: bytes) -> bytes:
    """Raises Unreadable, PayloadTooLarge."""
    try:
        with gzip.GzipFile(fileobj=BytesIO(body)) as file:
            unpacked = file.read(MAX_BODY_BYTES + 1)
    except EOFError as error:
        raise Unreadable("The body ends in the middle of its gzip data.") from error
    except (OSError, zlib.error) as error:
        raise Unreadable("The body is not gzip, as its Content-Encoding says.") from error
    if len(unpacked) > MAX_BODY_BYTES:
        megabytes = MAX_BODY_BYTES // 2**20
        raise PayloadTooLarge.worded("unpacks-to-too-much", megabytes=megabytes)
    return unpacked
