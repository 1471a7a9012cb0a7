"""The HTTP API by its paths, for calls that have no method of their own."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from math import inf
from typing import IO, Any

import httpx

from searchqa_client._async.transport import AsyncTransport
from searchqa_client.errors import UnexpectedReply
from searchqa_client.requests import Request, json_body, query
from searchqa_client.sse import ServerEvent

_MAX_PAGE = 200
_EVENT_STREAM = {"Accept": "text/event-stream"}


class AsyncApi:
    """Any call by its method and path (`/docs` of a server lists them), as plain JSON.

    Requests are sent once; only event streams are resumed. Parameters that are None are left out,
    and a list is one parameter for each of its items.
    """

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(self, path: str, **params: object) -> Any:
        """The JSON of the reply."""
        return await self._json(Request("GET", path, params=query(params)))

    async def items(self, path: str, limit: float = inf, **params: object) -> list[dict[str, Any]]:
        """The first `limit` items of a list, over as many of its pages as that takes."""
        found: list[dict[str, Any]] = []
        after: str | None = None
        while len(found) < limit:
            size = int(min(_MAX_PAGE, limit - len(found)))
            page = await self.get(path, **params, limit=size, after=after)
            found += page["items"]
            after = page["next"]
            if after is None:
                break
        return found

    async def post(self, path: str, body: object = None) -> Any:
        return await self._json(_with_body("POST", path, body))

    async def put(self, path: str, body: object, *, if_match: str | None = None) -> Any:
        """if_match: the ETag of the version to replace."""
        return await self._json(_with_body("PUT", path, body, if_match=if_match))

    async def patch(self, path: str, body: object) -> Any:
        return await self._json(_with_body("PATCH", path, body))

    async def delete(self, path: str) -> None:
        await self._json(Request("DELETE", path))

    async def post_form(
        self,
        path: str,
        fields: Mapping[str, object],
        file: tuple[str, bytes | IO[bytes]] | None = None,
    ) -> Any:
        """A form with a file under the name that is given with it."""
        files = {"file": file} if file else None
        return await self._json(Request("POST", path, form=query(fields), files=files))

    async def send(self, request: Request) -> httpx.Response:
        """The response of success, whose body is not read yet; the caller closes it."""
        return await self._transport.send_once(request, streamed=True)

    def pieces(self, path: str, **params: object) -> AsyncGenerator[bytes, None]:
        """The body as it arrives, however large. Raises TimedOut when it is cut off."""
        return self._transport.pieces(Request("GET", path, params=query(params)))

    def events(self, path: str, body: object = None) -> AsyncGenerator[ServerEvent, None]:
        """The events of one connection, until the server ends it."""
        request = _with_body("POST", path, body, headers=_EVENT_STREAM)
        return self._transport.events(request, lambda event: event)

    def follow(
        self, path: str, is_last: Callable[[ServerEvent], bool] = lambda _: False
    ) -> AsyncGenerator[ServerEvent, None]:
        """The events of as many connections as it takes, each event once. Ends when the server ends
        a stream that contained the last one."""
        return self._transport.follow(path, None, is_last, lambda event: event)

    async def _json(self, request: Request) -> Any:
        response = await self._transport.send_once(request)
        if not response.content:
            return None
        try:
            return response.json()
        except ValueError:
            raise UnexpectedReply(
                f"{response.url.copy_with(query=None)} answered something other than JSON; check"
                " that SEARCHQA_URL names a SearchQA server."
            ) from None


def _with_body(
    method: str,
    path: str,
    body: object,
    *,
    if_match: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Request:
    given = dict(headers or {}) | ({"If-Match": if_match} if if_match else {})
    content = None if body is None else json_body(body)
    return Request(method, path, headers=given, content=content, repeatable=False)
