"""Server-sent events as they arrive."""

import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx


@dataclass(frozen=True)
class Event:
    """`data` is parsed JSON, but for `[DONE]`; `id` is None when the server gave none."""

    name: str
    data: Any
    id: str | None


@contextlib.asynccontextmanager
async def events(
    client: httpx.AsyncClient,
    path: str,
    *,
    method: str = "GET",
    body: Any = None,
    last_id: str | None = None,
) -> AsyncIterator[AsyncIterator[Event]]:
    """The events of one connection until the server ends it."""
    headers = {"Last-Event-ID": last_id} if last_id else {}
    async with client.stream(method, path, json=body, headers=headers) as response:
        if not response.is_success:
            await response.aread()
        assert response.is_success, response.text
        yield _read(response)


async def all_events(
    client: httpx.AsyncClient, path: str, *, last_id: str | None = None
) -> list[Event]:
    """For a stream that ends by itself."""
    async with events(client, path, last_id=last_id) as stream:
        return [event async for event in stream]


async def _read(response: httpx.Response) -> AsyncIterator[Event]:
    fields: dict[str, str] = {}
    async for line in response.aiter_lines():
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
            continue
        if "data" in fields:
            data = fields["data"]
            yield Event(
                fields.get("event", "message"),
                data if data == "[DONE]" else json.loads(data),
                fields.get("id"),
            )
        fields = {}
