"""`/mcp`, the Model Context Protocol over HTTP, and the documentation as text."""

import asyncio
import json
from typing import TYPE_CHECKING, Any, cast

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import PlainTextResponse
from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.auth import Reader
from app.api.problems import MEDIA_TYPE as PROBLEM
from app.integrations.mcp.documentation import llms_full_txt, llms_txt
from app.platform.errors import NotFound

if TYPE_CHECKING:
    from mcp.server.mcpserver import Context
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

# Of JSON-RPC.
INTERNAL_ERROR = -32603
router = APIRouter(include_in_schema=False)
# What a tool's call of the API takes over from the request that asked for it.
_PASSED_ON = ("authorization", "accept-language", "traceparent")


@router.get("/llms.txt", response_class=PlainTextResponse)
async def read_llms_txt() -> str:
    return llms_txt()


@router.get("/llms-full.txt", response_class=PlainTextResponse)
async def read_llms_full_txt() -> str:
    return llms_full_txt()


class ProtocolErrors:
    """ASGI middleware: what is refused at /mcp becomes an error of JSON-RPC, whose words agents are
    shown; of a problem document they see nothing."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != "/mcp":
            await self._app(scope, receive, send)
            return
        refused: Message | None = None

        async def translated(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message["headers"])
                if headers.get("content-type") == PROBLEM:
                    refused = message
                    return
            elif refused is not None:
                problem = json.loads(message["body"])
                error = {"code": INTERNAL_ERROR, "message": problem["detail"], "data": problem}
                body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
                headers = MutableHeaders(raw=refused["headers"])
                headers.update(
                    {"content-type": "application/json", "content-length": str(len(body))}
                )
                await send(refused)
                message["body"] = body
            await send(message)

        await self._app(scope, receive, translated)


class _Handed(Response):
    """Lets the protocol's own server answer."""

    def __init__(self, manager: "StreamableHTTPSessionManager") -> None:
        super().__init__()
        self._manager = manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._manager.handle_request(scope, receive, send)


@router.post("/mcp")
async def serve_mcp(request: Request, _: Reader) -> Response:
    """Raises NotFound where the extra `mcp` is not installed."""
    sessions: MCPSessions = request.app.state.mcp
    return _Handed(await sessions.manager())


class MCPSessions:
    """The protocol's server, imported and started at its first request: most processes get none.
    Requests keep no session, so that any process of the API answers them.

    public_url: where readers find the pages, when a proxy does not pass its name on.
    """

    def __init__(self, app: FastAPI, public_url: str | None) -> None:
        self._app = app
        self._public_url = public_url
        self._starting = asyncio.Lock()
        self._ended = asyncio.Event()
        self._manager: StreamableHTTPSessionManager | None = None
        self._serving: asyncio.Task[None] | None = None

    async def manager(self) -> "StreamableHTTPSessionManager":
        """Raises NotFound where the extra is not installed."""
        async with self._starting:
            if self._manager is None:
                # Half a second of imports, during which others are served.
                await asyncio.to_thread(_load)
                started = asyncio.Event()
                self._manager = self._make()
                # A task group has to be left by the task that entered it.
                self._serving = asyncio.create_task(self._serve(self._manager, started))
                await started.wait()
        return self._manager

    async def close(self) -> None:
        self._ended.set()
        if self._serving is not None:
            await self._serving

    async def _serve(self, manager: "StreamableHTTPSessionManager", started: asyncio.Event) -> None:
        async with manager.run():
            started.set()
            await self._ended.wait()

    def _make(self) -> "StreamableHTTPSessionManager":
        import httpx
        from mcp.server.transport_security import TransportSecuritySettings

        from app.integrations.mcp.server import ApiCalls, make_server

        def client_of(context: "Context[Any, Any]") -> httpx.AsyncClient:
            asked = cast("Request", context.request_context.request)
            # The caller's own address: without authentication only this machine is served.
            caller = (asked.client.host, asked.client.port) if asked.client else ("", 0)
            return httpx.AsyncClient(
                transport=httpx.ASGITransport(app=self._app, client=caller),
                base_url=str(asked.base_url),
                headers={name: asked.headers[name] for name in _PASSED_ON if name in asked.headers},
            )

        server = make_server(ApiCalls(client_of, public_url=self._public_url))
        # Who asks is known by then; names of hosts are the proxy's matter.
        open_to_all = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        server.streamable_http_app(
            json_response=True, stateless_http=True, transport_security=open_to_all
        )
        return server.session_manager


def _load() -> None:
    """Raises NotFound where the extra is not installed."""
    try:
        import app.integrations.mcp.server  # noqa: F401
    except ImportError:
        raise NotFound.worded("mcp-not-installed") from None
