"""Webhooks in a test's own process: added by the service, delivered as a worker delivers them."""

import asyncio
import uuid
from typing import Any

from app.integrations.webhooks.delivering import Deliverer
from app.integrations.webhooks.outbox import Outbox
from app.integrations.webhooks.sending import Resolve, Sender
from app.integrations.webhooks.service import add_webhook
from app.integrations.webhooks.views import WebhookCreated
from app.platform.settings import Settings
from app.workspaces.service import ensure_workspace
from app.workspaces.tokens import DEFAULT_WORKSPACE
from verdict_world import World, settings, verdict

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


async def deliver_due(
    world: World, *, resolve: Resolve | None = None, **changes: object
) -> list[dict[str, Any]]:
    """Sends what is due, once, and returns all deliveries, the oldest first."""
    given = hook_settings(**changes)
    sender = Sender(given, resolve)
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
