"""`searchqa mcp`: the Model Context Protocol over stdio."""

import asyncio

import httpx
from searchqa_client.settings import Bearer

from app.cli.language import _
from app.cli.server import address_and_token
from app.platform.db.actor import user_agent
from app.platform.errors import SetupError


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

    async def serve() -> None:
        headers = {"User-Agent": user_agent()}
        async with httpx.AsyncClient(
            base_url=url, timeout=90, auth=Bearer(token), headers=headers
        ) as client:
            await make_server(ApiCalls(lambda _: client)).run_stdio_async()

    asyncio.run(serve())
