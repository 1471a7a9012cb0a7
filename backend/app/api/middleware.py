"""Middleware: body limit, CORS, security headers, and problem documents for internal errors."""

import base64
import hashlib
import logging
import re
import traceback
from collections.abc import Collection, Iterator, Mapping
from http import HTTPStatus

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.problems import preferred_language, problem
from app.platform.errors import error_text
from app.platform.metrics import INTERNAL_ERRORS


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
    return error_text("body-too-large", preferred_language(request), megabytes=limit // 2**20)


# Pages that are traced send the last two with every request.
_REQUEST_HEADERS = ("Authorization", "Content-Type", "Idempotency-Key", "If-None-Match",
                    "Last-Event-ID", "traceparent", "tracestate")  # fmt: skip
_RESPONSE_HEADERS = ("ETag", "Location", "Retry-After", "Server-Timing", "X-Data-Age")
_PREFLIGHT_SECONDS = 600


class _CORSWithTiming(CORSMiddleware):
    """Browsers keep the times of a request, Server-Timing among them, from other origins' pages
    unless the response names theirs."""

    @staticmethod
    def allow_explicit_origin(headers: MutableHeaders, origin: str) -> None:
        CORSMiddleware.allow_explicit_origin(headers, origin)
        headers["Timing-Allow-Origin"] = origin


def add_cors(app: FastAPI, origins: Collection[str]) -> None:
    """origins: each as a browser sends it, `https://notes.example.com`."""
    app.add_middleware(
        _CORSWithTiming,
        allow_origins=sorted(origins),
        allow_methods=["GET", "POST", "DELETE"],
        allow_headers=_REQUEST_HEADERS,
        allow_credentials=False,
        expose_headers=_RESPONSE_HEADERS,
        max_age=_PREFLIGHT_SECONDS,
    )


NOTHING_ELSE = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

_DEFAULTS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": f"default-src 'none'; {NOTHING_ELSE}",
    # Answers and verdicts are private; a route whose response may be kept says so itself.
    "Cache-Control": "no-store",
}

_SCRIPT = re.compile(r"""<script src=["']([^"']+)["']""")
_STYLE = re.compile(r"""<link [^>]*rel=["']stylesheet["'] href=["']([^"']+)["']""")
_ICON = re.compile(r"""<link [^>]*rel=["']shortcut icon["'] href=["']([^"']+)["']""")
_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


class SecurityHeaders:
    """ASGI middleware. What a route has set stays as it is."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _DEFAULTS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, secured)


def policy_of_page(html: str) -> str:
    """The Content-Security-Policy that lets one page of ours load the scripts, the styles and
    the icon that it names, run the scripts that it holds, and ask this server; nothing else."""
    hashes = (hashlib.sha256(script.encode()).digest() for script in _INLINE_SCRIPT.findall(html))
    inline = (f"'sha256-{base64.b64encode(digest).decode()}'" for digest in hashes)
    scripts = " ".join([*_SCRIPT.findall(html), *inline])
    # Swagger sets styles on its elements and draws its icons from data: addresses.
    styles = " ".join([*_STYLE.findall(html), "'unsafe-inline'"])
    images = " ".join([*_ICON.findall(html), "data:"])
    return (
        f"default-src 'none'; script-src {scripts}; style-src {styles}; img-src {images}; "
        f"connect-src 'self'; {NOTHING_ELSE}"
    )


logger = logging.getLogger(__name__)


class InternalErrors:
    """ASGI middleware. A response that had begun breaks off, which ends its connection."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except ClientDisconnect:
            return  # in the middle of its body; nobody waits for an answer
        except Exception as error:  # noqa: BLE001  whatever it was, the caller gets an answer
            INTERNAL_ERRORS.inc()
            logger.error("%s failed: %s", scope["method"], "\n".join(_places(error)))  # noqa: TRY400  the message stays out
            if not begun:
                detail = error_text("internal-error", preferred_language(Request(scope)))
                response = problem(HTTPStatus.INTERNAL_SERVER_ERROR, "internal-error", detail)
                await response(scope, receive, send)


def _places(error: BaseException) -> Iterator[str]:
    """Kind and stack of an error, then of what it is made of and came from, each once."""
    waiting = [error]
    seen: set[int] = set()
    while waiting:
        error = waiting.pop(0)
        if id(error) in seen:
            continue
        seen.add(id(error))
        yield f"{type(error).__module__}.{type(error).__qualname__}"
        yield "".join(traceback.format_tb(error.__traceback__)).rstrip()
        inner = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
        sources = (error.__cause__, error.__context__)
        waiting += [*inner, *(source for source in sources if source is not None)]
