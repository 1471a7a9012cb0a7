"""Calls of the HTTP API for the tools, and what of a reply an agent is shown."""

import asyncio
import uuid
from collections.abc import Callable, Collection, Mapping
from time import monotonic
from typing import Any

import httpx
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from app.verdicts.status import FINAL

# Of a text in a result, and of a list.
MAX_TEXT = 600
MAX_ITEMS = 20
# Rules need no second, models many.
_FIRST_PAUSE_SECONDS, _MAX_PAUSE_SECONDS = 0.25, 4.0
# Of a verdict: what an agent can do nothing with.
_OMITTED = {
    *("attempt", "cascade", "evaluators", "policy_version", "prompt_tokens", "completion_tokens"),
    *("queue_ms", "judge_ms", "started_at", "next_attempt_at", "from_cache", "cost_usd", "search"),
    *("created_at", "current_id", "provider", "model", "start", "end", "position", "quality"),
}


class ApiCalls:
    """client_of: that of the API for a call of a tool, with the token of its asker. public_url:
    where readers find the pages, by default where the client calls."""

    def __init__(
        self, client_of: Callable[[Context], httpx.AsyncClient], *, public_url: str | None = None
    ) -> None:
        self._client_of = client_of
        self._public_url = public_url

    def link(self, context: Context, path: str) -> str:
        address = self._public_url or str(self._client_of(context).base_url)
        return f"{address.rstrip('/')}/ui{path}"

    async def get(
        self, context: Context, path: str, params: Mapping[str, object] | None = None
    ) -> Any:
        """Raises ToolError in the API's words. None is left out of params."""
        given = {name: value for name, value in (params or {}).items() if value is not None}
        return await self._send(context, "GET", path, params=given)

    async def post(self, context: Context, path: str, body: Mapping[str, object]) -> Any:
        """Raises ToolError in the API's words."""
        return await self._send(context, "POST", path, json=body)

    async def _send(self, context: Context, method: str, path: str, **content: Any) -> Any:
        try:
            response = await self._client_of(context).request(method, path, **content)
        except httpx.HTTPError as error:
            raise ToolError(f"SearchQA cannot be reached: {error}") from error
        if response.is_success:
            return response.json() if response.content else None
        raise ToolError(_words(response))

    async def verdict(
        self, context: Context, evaluation_id: uuid.UUID, *, wait: float
    ) -> dict[str, Any]:
        """The verdict in short, as it stands when it is final or after `wait` seconds."""
        path = f"/qa-evaluations/{evaluation_id}"
        until, pause = monotonic() + wait, _FIRST_PAUSE_SECONDS
        while (found := await self.get(context, path))["status"] not in FINAL:
            if (left := until - monotonic()) <= 0:
                break
            await asyncio.sleep(min(pause, left))
            pause = min(2 * pause, _MAX_PAUSE_SECONDS)
        link = self.link(context, f"/evaluations/{evaluation_id}")
        return {**shortened(found), "link": link}


def _words(response: httpx.Response) -> str:
    """What a problem document says."""
    try:
        found = response.json()
        detail = str(found["detail"])
        errors = "; ".join(str(each) for each in found.get("errors", ()))
    except (ValueError, KeyError, TypeError):
        return f"SearchQA answered {response.status_code}."
    return f"{detail} {errors}".strip()


def shortened(value: Any, omitted: Collection[str] = _OMITTED) -> Any:
    """The value without what is null or empty, and keys that are `omitted` because they say nothing
    to an agent; texts and lists are cut."""
    match value:
        case dict():
            kept = {k: shortened(each, omitted) for k, each in value.items() if k not in omitted}
            return {key: each for key, each in kept.items() if each not in (None, "", [], {})}
        case list():
            return [shortened(each, omitted) for each in value[:MAX_ITEMS]]
        case str() if len(value) > MAX_TEXT:
            return f"{value[:MAX_TEXT]}…"
    return value
