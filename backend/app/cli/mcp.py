"""`searchqa mcp`: the Model Context Protocol over stdio."""

import asyncio
import time
from collections.abc import Callable

import httpx

from app.cli.language import _
from app.cli.server import address_and_token
from app.platform.errors import SetupError

# Of tokens of fifteen minutes.
_KEPT_SECONDS = 600


class _Kept:
    """A token, renewed before it expires."""

    def __init__(self, make: Callable[[], str]) -> None:
        self._make = make
        self._token = ""
        self._until = 0.0

    def token(self) -> str:
        if time.monotonic() >= self._until:
            self._token, self._until = self._make(), time.monotonic() + _KEPT_SECONDS
        return self._token


def mcp() -> None:
    """Serve SearchQA's tools to a coding agent over stdio (Model Context Protocol).

    Agents start it themselves: name this command in their settings. It calls the API at
    SEARCHQA_URL with SEARCHQA_TOKEN, else of the stack on the data folder. What the token may not
    write is refused.

    Examples:

    searchqa mcp

    claude mcp add searchqa -- searchqa mcp
    """
    try:
        from app.integrations.mcp.api_calls import ApiCalls
        from app.integrations.mcp.server import make_server
    except ImportError:
        raise SetupError(_("Install the extra first: pip install 'searchqa[mcp]'.")) from None
    url, token = address_and_token()
    kept = _Kept(token) if callable(token) else None

    def sign(request: httpx.Request) -> httpx.Request:
        request.headers["Authorization"] = f"Bearer {kept.token() if kept else token}"
        return request

    async def serve() -> None:
        async with httpx.AsyncClient(base_url=url, timeout=90, auth=sign) as client:
            await make_server(ApiCalls(lambda _: client)).run_stdio_async()

    asyncio.run(serve())
