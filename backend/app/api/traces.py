"""Traces of other applications by OTLP/HTTP, and what has become of them."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from app.api.auth import Reader, Writer
from app.api.openapi import RETRY_AFTER, TEXT_HEADER
from app.api.otlp import JSON, PROTOBUF, OtlpRoute, media_type, success
from app.api.problems import TRY_AGAIN
from app.api.services import ServicesDep
from app.integrations.traces.body import MAX_BODY_BYTES, Body, read_spans
from app.integrations.traces.grouping import Outcome
from app.integrations.traces.intake import TracesSummary, store_spans, summary
from app.platform.db.session import in_workspace
from app.platform.errors import PayloadTooLarge, RequestError
from app.platform.processes.calls import LimitExceeded, Limits, ProcessDied
from app.platform.processes.pool import trace_lane
from app.platform.processes.turns import Share, charged_to
from app.verdicts.policy.queries import redactor_in

INTAKE_PATH = "/v1/traces"
MAX_REQUEST_BYTES = MAX_BODY_BYTES
READ_SECONDS = 30
# Reading more takes a second and longer.
LONG_BODY_BYTES = 2**20

router = APIRouter(tags=["traces"])
intake = APIRouter(tags=["traces"], route_class=OtlpRoute)


class UnsupportedMedia(RequestError):
    status = 415
    code = "unsupported-media-type"


class NotRead(RequestError):
    """For no fault of the spans."""

    status = 503
    code = "spans-not-read"
    headers = TRY_AGAIN


def _encodings(schema: dict[str, Any]) -> dict[str, Any]:
    return {JSON: {"schema": schema}, PROTOBUF: {"schema": {"type": "string", "format": "binary"}}}


_STATUS = _encodings(
    {"type": "object", "properties": {"code": {"type": "integer"}, "message": {"type": "string"}}}
)
_PARTIAL = _encodings(
    {
        "type": "object",
        "properties": {
            "partialSuccess": {
                "type": "object",
                "properties": {
                    "rejectedSpans": {"type": "string"},
                    "errorMessage": {"type": "string"},
                },
            }
        },
    }
)
_FAILURES: dict[int | str, dict[str, Any]] = {
    400: {"description": "The body is no ExportTraceServiceRequest; it is not to be sent again."},
    401: {
        "description": "No token, or one that is wrong, expired or revoked.",
        "headers": {"WWW-Authenticate": TEXT_HEADER},
    },
    403: {"description": "The token lacks the scope."},
    413: {"description": "The body is too large, or takes too long to read."},
    415: {"description": "Neither protobuf nor JSON, or packed by something else than gzip."},
    429: {"description": "Too many requests, or too much at once.", "headers": RETRY_AFTER},
    503: {"description": "The database or the reader of spans is away.", "headers": RETRY_AFTER},
}
_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"description": "What was not rejected is stored.", "content": _PARTIAL},
    **{status: {**failure, "content": _STATUS} for status, failure in _FAILURES.items()},
}


@intake.post(
    INTAKE_PATH,
    responses=_RESPONSES,
    response_class=Response,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": _encodings({"type": "object", "additionalProperties": True}),
        }
    },
)
async def export_traces(request: Request, principal: Writer, services: ServicesDep) -> Response:
    """Takes spans by OTLP/HTTP: protobuf or JSON, plain or gzip. Spans of OpenInference and of the
    GenAI conventions become answers, which are judged, once their trace is complete. Spans that
    were sent before change nothing."""
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    kind = media_type(request)
    if kind not in {PROTOBUF, JSON} or encoding not in {"identity", "gzip", ""}:
        raise UnsupportedMedia.worded("unsupported-media-type", protobuf=PROTOBUF, json=JSON)
    limits = Limits(READ_SECONDS, services.settings.texts.memory_limit_megabytes)
    async with in_workspace(services.sessions, principal.workspace_id) as session:
        redactor = await redactor_in(session, principal.workspace_id)
    async with services.spans.body(request, principal.workspace_id) as body:
        try:
            with charged_to(Share(principal.workspace_id, len(body) > LONG_BODY_BYTES)):
                sent = Body(body, kind == JSON, encoding == "gzip")
                read = await trace_lane().run(limits, read_spans, sent, redactor)
        except ProcessDied as error:
            raise NotRead.worded("spans-not-read", problem=error.what) from error
        except LimitExceeded as error:
            raise PayloadTooLarge.worded("spans-unread", problem=error.what) from error
        async with services.spans.storing(principal.workspace_id):
            stored = await store_spans(
                services.pool, services.settings, principal.workspace_id, read
            )
    return success(request, stored.rejected, stored.why)


@router.get("/traces/summary")
async def traces_summary(
    principal: Reader,
    services: ServicesDep,
    days: Annotated[int, Query(ge=1, le=365)] = 7,
    outcome: Outcome | None = None,
    limit: Annotated[int, Query(ge=0, le=100)] = 10,
) -> TracesSummary:
    """What has become of traces: counts of the last `days` days (UTC), today included, and the
    newest traces, of one outcome if one is named."""
    return await summary(
        services.pool, principal.workspace_id, days=days, outcome=outcome, limit=limit
    )
