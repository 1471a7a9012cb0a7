"""Refuses bodies that are too large before they fill the memory.

FastAPI's own limit answers in plain text; this one answers with a problem document.
"""

from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.problems import preferred_language, problem


class BodyLimit:
    """ASGI middleware. `limits` gives bytes for single paths, `default` for all others."""

    def __init__(self, app: ASGIApp, *, default: int, limits: Mapping[str, int]) -> None:
        self._app = app
        self._default = default
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = self._limits.get(scope["path"], self._default)
        detail = _detail(Request(scope), limit)
        announced = Headers(scope=scope).get("content-length", "0")
        if announced.isdecimal() and int(announced) > limit:
            await problem(413, "payload-too-large", detail)(scope, receive, send)
            return
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > limit:
                raise HTTPException(413, detail)
            return message

        await self._app(scope, counted, send)


def _detail(request: Request, limit: int) -> str:
    megabytes = limit // 2**20
    if preferred_language(request) == "ko":
        return f"본문은 최대 {megabytes} MB입니다. 나누어 보내세요."
    return f"The body may have {megabytes} MB at most; send less at once."
