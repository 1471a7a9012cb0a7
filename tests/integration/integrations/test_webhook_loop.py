"""The worker that delivers: nothing is lost with it, and no receiver holds up the others."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from app.integrations.webhooks.sending import Sender
from cases import eventually
from verdict_world import World, store_answers, verdict
from webhook_world import add_hook, deliveries, hang, hook_receiver, hook_settings, make_due, reply
from worker.webhook_loop import WebhookLoop

# A worker that delivers webhooks of the database that is named, to be killed.
WORKER = """
import sys, threading
from webhook_world import hook_settings
from worker.webhook_loop import WebhookLoop

WebhookLoop(hook_settings(webhook_timeout=60), sys.argv[1]).start()
threading.Event().wait()
"""


@asynccontextmanager
async def delivering(world: World, **changes: object) -> AsyncIterator[WebhookLoop]:
    loop = WebhookLoop(hook_settings(**changes), world.url)
    await asyncio.to_thread(loop.start)
    try:
        yield loop
    finally:
        await asyncio.to_thread(loop.close)


async def judged(world: World, count: int) -> None:
    answers = await store_answers(world, count)
    leases = await world.lifecycle.claim([each.evaluation_id for each in answers])
    await world.lifecycle.record([(lease, verdict()) for lease in leases])


async def wait_for_statuses(world: World, holds: Callable[[list[str]], bool]) -> None:
    await eventually(
        lambda: deliveries(world), when=lambda found: holds([row["status"] for row in found])
    )


async def test_a_receiver_that_hangs_holds_up_nobody_else(world):
    async with hook_receiver(hang) as stuck, hook_receiver() as quick:
        slow = await add_hook(world, stuck.url, name="stuck")
        await add_hook(world, quick.url, name="quick")
        await judged(world, 12)
        async with delivering(world, webhook_timeout=60):
            await quick.until_count(12)
            await stuck.until_count(4)
            await wait_for_statuses(world, lambda statuses: statuses.count("delivered") == 12)

            assert len(stuck.hooks) == 4, "its share"
    # The worker stopped, and gave back what it held.
    rows = [row for row in await deliveries(world) if row["webhook_id"] == slow.id]
    assert all(row["status"] == "pending" and row["lease_until"] is None for row in rows)
    assert {row["tries"] for row in rows} == {0}


async def test_nothing_is_lost_when_a_worker_is_killed(world):
    async with hook_receiver(reply()) as receiver:
        # It answers some, and the worker is killed while it waits for others.
        receiver.script(*[reply()] * 6, *[hang] * 4)
        await add_hook(world, receiver.url)
        await judged(world, 20)
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", WORKER, world.url),
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        try:
            await receiver.until_count(10)
        finally:
            child.kill()
            await child.wait()
        # The leases of the dead worker have ended.
        await make_due(world)
        async with delivering(world):
            await wait_for_statuses(world, lambda statuses: set(statuses) == {"delivered"})

    message_ids = {row["id"]: f"msg_{row['id'].hex}" for row in await deliveries(world)}
    arrived = [hook.headers["webhook-id"] for hook in receiver.hooks]
    assert len(message_ids) == 20
    assert set(arrived) == set(message_ids.values()), "each at least once"
    assert len(arrived) <= 24, "and only those that were under way twice"


async def test_a_mistake_of_ours_is_a_failed_try(world, monkeypatch):
    async def mistaken(*_: object) -> None:
        raise OverflowError

    monkeypatch.setattr(Sender, "post", mistaken)
    await add_hook(world, "https://hooks.example/")
    await judged(world, 1)
    async with delivering(world):
        await eventually(lambda: deliveries(world), when=lambda found: found[0]["log"])

    (row,) = await world.rows("SELECT *, run_at > now() AS later FROM webhook_deliveries")
    assert (row["status"], row["tries"], row["later"]) == ("pending", 1, True)
    assert [attempt["code"] for attempt in row["log"]] == ["internal_error"]
