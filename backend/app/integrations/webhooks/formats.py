"""The formats in which an event is sent, by name: JSON, Slack and OTLP."""

import enum
import hashlib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from pydantic_core import to_json

from app.integrations.webhooks.events import Format, Message
from app.integrations.webhooks.slack import SlackFormat

# Rises when a field changes its meaning or goes; new fields may come without.
VERSION = 1


class FormatName(enum.StrEnum):
    JSON = "json"
    SLACK = "slack"
    OTLP = "otlp"


class JsonFormat(Format):
    """As Standard Webhooks proposes: type, timestamp and data."""

    def write(self, message: Message) -> bytes:
        data: dict[str, Any] = dict(message.data)
        if message.link is not None:
            data["link"] = message.link
        if message.content is not None:
            data["content"] = message.content
        timestamp = message.at.astimezone(UTC).isoformat(timespec="milliseconds")
        event = {
            "type": message.event,
            "timestamp": timestamp.replace("+00:00", "Z"),
            "version": VERSION,
            "data": data,
        }
        return to_json(event)


_SCOPE = {"name": "searchqa"}
_RESOURCE = {"attributes": [{"key": "service.name", "value": {"stringValue": "searchqa"}}]}
_EVENT = "gen_ai.evaluation.result"
_INTERNAL, _OK, _ERROR = 1, 1, 2
_SAMPLED = 1
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class OtlpFormat(Format):
    """An ExportTraceServiceRequest in JSON, to be sent to a collector's /v1/traces. Events of
    verdicts belong to the trace of their answer, where it has one; all others have a trace of
    their own, which their id gives. Partial success still took the request, and asks not to send it
    again."""

    def write(self, message: Message) -> bytes:
        scope = {"scope": _SCOPE, "spans": [_span(message)]}
        return to_json({"resourceSpans": [{"resource": _RESOURCE, "scopeSpans": [scope]}]})


def _span(message: Message) -> dict[str, Any]:
    """The ids follow from the event's: a collector that gets it twice can drop one."""
    data = message.data
    trace_id, parent_id = _trace_and_parent(message)
    nanoseconds = str((message.at - _EPOCH) // _MICROSECOND * 1_000)
    failed = message.event == "verdict.failed"
    return {
        "traceId": trace_id,
        "spanId": hashlib.sha256(message.id.bytes).hexdigest()[:16],
        **({"parentSpanId": parent_id} if parent_id else {}),
        "flags": _SAMPLED,
        "name": f"searchqa {message.event}",
        "kind": _INTERNAL,
        "startTimeUnixNano": nanoseconds,
        "endTimeUnixNano": nanoseconds,
        "attributes": _attributes(
            {
                "openinference.span.kind": "EVALUATOR",
                **{f"searchqa.{name}": value for name, value in data.items()},
                "searchqa.link": message.link,
            }
        ),
        "events": [
            {"name": _EVENT, "timeUnixNano": nanoseconds, "attributes": _attributes(score)}
            for score in _scores(data)
        ],
        "status": {"code": _ERROR if failed else _OK},
    }


_MICROSECOND = datetime.resolution


def _trace_and_parent(message: Message) -> tuple[str, str]:
    """Ids of the trace and of the parent. What is stored of a traceparent is valid."""
    if message.traceparent is None:
        return message.id.hex, ""
    _, trace_id, parent_id, _ = message.traceparent.split("-")
    return trace_id, parent_id


def _scores(data: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """By the conventions of GenAI: a value from 0 to 1 each, and the confidence as a label."""
    for name in ("correctness", "utility"):
        if isinstance(value := data.get(name), int | float):
            yield {"gen_ai.evaluation.name": name, "gen_ai.evaluation.score.value": float(value)}
    for name, score in (data.get("criteria") or {}).items():
        yield {
            "gen_ai.evaluation.name": name,
            "gen_ai.evaluation.score.value": score["value"],
            "gen_ai.evaluation.score.label": score["label"],
        }
    if confidence := data.get("confidence"):
        yield {
            "gen_ai.evaluation.name": "confidence",
            "gen_ai.evaluation.score.label": confidence,
            "gen_ai.evaluation.explanation": data.get("summary"),
        }


def _attributes(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Attributes of plain types; None and nested values are left out."""
    return [
        {"key": name, "value": value}
        for name, each in values.items()
        if (value := _any_value(each)) is not None
    ]


def _any_value(value: object) -> dict[str, Any] | None:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case str():
            return {"stringValue": value}
        case _:
            return None


FORMATS: Mapping[FormatName, Format] = {
    FormatName.JSON: JsonFormat(),
    FormatName.SLACK: SlackFormat(),
    FormatName.OTLP: OtlpFormat(),
}
