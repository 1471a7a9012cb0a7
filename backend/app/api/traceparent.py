"""The trace that a request belongs to."""

from typing import Annotated

from fastapi import Depends, Request

from app.trace_context import TRACEPARENT, enter_trace, parse_traceparent


async def take_traceparent(request: Request) -> str | None:
    """That of the request, for its model calls too. Never refuses a request: the header is set by
    proxies and instrumentations, of which its sender need not know."""
    traceparent = parse_traceparent(request.headers.getlist(TRACEPARENT))
    enter_trace(traceparent)
    return traceparent


TraceParent = Annotated[str | None, Depends(take_traceparent)]
