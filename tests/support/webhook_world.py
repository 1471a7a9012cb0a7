"""Webhooks of a test's database, and receivers of them."""

import asyncio
import json
import ssl
import uuid
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from app.integrations.webhooks.delivering import Deliverer
from app.integrations.webhooks.outbox import Outbox
from app.integrations.webhooks.sending import Sender
from app.integrations.webhooks.service import add_webhook
from app.integrations.webhooks.views import WebhookCreated
from app.platform.settings import Settings
from app.workspaces.service import ensure_workspace
from app.workspaces.tokens import DEFAULT_WORKSPACE
from cases import TIMEOUT_SECONDS
from verdict_world import World, settings, verdict


@dataclass(frozen=True)
class Hook:
    """A request as it arrived; header names are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


Behaviour = Callable[[asyncio.StreamWriter], Awaitable[None]]


def reply(status: int = 200, body: bytes = b"ok", **headers: str) -> Behaviour:
    async def send(writer: asyncio.StreamWriter) -> None:
        lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        await writer.drain()

    return send


async def hang(writer: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


def _drip(head: bytes, piece: bytes) -> Behaviour:
    async def send(writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        while True:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0.05)

    return send


# Never comes to the end of its headers.
drip_head = _drip(b"HTTP/1.1 200 OK\r\n", b"X-Drip: 1\r\n")
# Says 200, and never comes to the end of its body.
drip_body = _drip(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n", b"x")


async def flood(writer: asyncio.StreamWriter) -> None:
    """A body without an end, as fast as it is taken."""
    writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        writer.write(b"y" * 65_536)
        await writer.drain()


async def reset(writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()


@dataclass
class HookReceiver:
    """Answers by `default` after the behaviours given to `script` are used up."""

    default: Behaviour = field(default_factory=reply)
    port: int = 0
    hooks: list[Hook] = field(default_factory=list)
    _scripted: deque[Behaviour] = field(default_factory=deque)
    _arrived: asyncio.Condition = field(default_factory=asyncio.Condition)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    def script(self, *behaviours: Behaviour) -> None:
        self._scripted.extend(behaviours)

    async def until_count(self, count: int) -> None:
        async with self._arrived, asyncio.timeout(TIMEOUT_SECONDS):
            await self._arrived.wait_for(lambda: len(self.hooks) >= count)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            first, *lines = head.strip().split("\r\n")
            parted = (line.partition(": ") for line in lines)
            headers = {name.lower(): value for name, _, value in parted}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            behaviour = self._scripted.popleft() if self._scripted else self.default
            async with self._arrived:
                self.hooks.append(Hook(first.split()[1], headers, body))
                self._arrived.notify_all()
            await behaviour(writer)
        writer.close()


@asynccontextmanager
async def hook_receiver(
    default: Behaviour | None = None, *, tls: ssl.SSLContext | None = None
) -> AsyncIterator[HookReceiver]:
    receiver = HookReceiver(default or reply())
    serving: set[asyncio.Task[Any]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        serving.add(task)
        try:
            await receiver.serve(reader, writer)
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            serving.discard(task)

    server = await asyncio.start_server(connected, "127.0.0.1", 0, ssl=tls)
    receiver.port = server.sockets[0].getsockname()[1]
    try:
        yield receiver
    finally:
        server.close()
        for task in list(serving):
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)


LOOPBACK = "127.0.0.0/8"
VERDICTS = ["verdict.succeeded", "verdict.failed"]


def hook_settings(**changes: object) -> Settings:
    return settings(**{"webhook_allowed_networks": LOOPBACK, "webhook_timeout": 5} | changes)


async def add_hook(
    world: World, url: str, *, workspace: str = DEFAULT_WORKSPACE, **changes: object
) -> WebhookCreated:
    values: dict[str, object] = {
        "name": "hook",
        "url": url,
        "format": "json",
        "lang": "ko",
        "events": VERDICTS,
        "include_content": False,
        "backlog_minutes": 10,
        "thresholds": [],
        "enabled": True,
    }
    async with world.sessions.begin() as session:
        workspace_id = await ensure_workspace(session, workspace)
        return await add_webhook(session, workspace_id, values | changes, hook_settings())


async def judge(world: World, id_: uuid.UUID, outcome: object | None = None) -> None:
    (lease,) = await world.lifecycle.claim([id_])
    assert await world.lifecycle.record([(lease, outcome or verdict())]) == {id_}  # type: ignore[list-item]


async def deliver_due(world: World, **changes: object) -> list[dict[str, Any]]:
    """Sends what is due, once, and returns all deliveries, the oldest first."""
    given = hook_settings(**changes)
    sender = Sender(given)
    outbox, deliverer = Outbox(world.pool, given), Deliverer(sender, given)
    try:
        claimed = await outbox.claim(100, {})
        attempts = await asyncio.gather(*map(deliverer.deliver, claimed))
        for delivery, attempt in zip(claimed, attempts, strict=True):
            assert await outbox.record(delivery, attempt)
    finally:
        await sender.aclose()
    return await deliveries(world)


async def deliveries(world: World) -> list[dict[str, Any]]:
    return await world.rows("SELECT * FROM webhook_deliveries ORDER BY id")


async def make_due(world: World) -> None:
    """The time of the next try has come."""
    await world.rows("UPDATE webhook_deliveries SET run_at = now() WHERE status = 'pending'")


async def the_hook(world: World) -> dict[str, Any]:
    (row,) = await world.rows("SELECT * FROM webhooks")
    return row
