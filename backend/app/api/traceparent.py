"""The trace that a request belongs to."""

from collections.abc import AsyncGenerator
from typing import Annotated

from fastapi import Depends, Request

from app.platform.telemetry.spans import span
from app.platform.trace_context import (
    TRACEPARENT,
    current_traceparent,
    enter_trace,
    parse_traceparent,
)


async def take_traceparent(request: Request) -> AsyncGenerator[str | None]:
    """That of the request, for its model calls too, or where spans are exported that of its own
    span. Never refuses a request: the header is set by proxies and instrumentations, of which its
    sender need not know."""
    enter_trace(parse_traceparent(request.headers.getlist(TRACEPARENT)))
    route = request.scope["route"].path
    attributes = {"http.request.method": request.method, "http.route": route}
    with span(f"{request.method} {route}", "server", attributes):
        yield current_traceparent()


TraceParent = Annotated[str | None, Depends(take_traceparent)]
