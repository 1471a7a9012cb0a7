"""Rows for batches, and the processes that collect, hand in, read and judge them."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from app.platform.db.pool import end_task
from app.quality.rejudging.queries import Judge
from app.quality.rejudging.service import add
from app.verdicts.batches.collecting import Collecting
from app.verdicts.batches.job import judge_batch
from app.verdicts.batches.queries import BATCH_JOB
from app.verdicts.policy.judge_prices import JudgePrices
from cases import eventually
from judge_replies import VERDICT, good_reply
from stub_batches import Plan, StubBatches
from stub_behaviours import Json, answer
from stub_server import StubServer
from verdict_world import World, set_policy, settings, store_answers, verdict
from workers import TICK, jobs_done, judged

OPENAI, ANTHROPIC = "openai:gpt-4o-mini", "anthropic:claude-haiku-4-5"
FAST = {"batch_collect_seconds": 0.05, "batch_poll_seconds": 0.05}


def judge_says(body: Json) -> str:
    """A good reply to a request of either vendor. Anthropic's are read as OpenAI's."""
    if not body["messages"]:  # of nobody
        return "{}"
    if "output_config" not in body:
        return good_reply(body)
    system = "".join(block["text"] for block in body["system"])
    messages = [{"role": "system", "content": system}, *body["messages"]]
    schema = {"json_schema": {"name": VERDICT}}
    return good_reply({"messages": messages, "response_format": schema})


def stub_with_batches(**plan: object) -> StubServer:
    """A judge that replies well, to calls and in batches."""
    return StubServer(answer(judge_says), batches=StubBatches(Plan(**plan), content=judge_says))


def batch_settings(stub: StubServer, **changes: object) -> dict[str, object]:
    """Settings under which both vendors are the stub, and nothing takes long."""
    addresses = {"openai_base_url": stub.base_url, "anthropic_base_url": stub.base_url}
    keys = {"openai_api_key": "a", "anthropic_api_key": "b"}
    return addresses | keys | FAST | changes


async def rows_for_batches(
    world: World, count: int, judge: str = OPENAI, *, hours: int = 24, **answer: object
) -> list[uuid.UUID]:
    """Answers that rules have judged and that the judge is to judge again, in a batch. Returns the
    ids of the second evaluations."""
    provider = judge.partition(":")[0]
    chosen = settings(openai_api_key="a", anthropic_api_key="b")
    policy = {"judge_model": judge, "bulk_by": "batch", "batch_hours": hours}
    await set_policy(world, chosen, **policy)
    assert provider in {"openai", "anthropic"}
    new = await store_answers(world, count, **answer)
    leases = await world.lifecycle.claim([one.evaluation_id for one in new])
    by_rules = verdict(0.7, provider="offline", model="rules", prompt_version="rules-1")
    await world.lifecycle.record([(lease, by_rules) for lease in leases])
    by = Judge.asked_for(judge, None, chosen)
    asked = [by.row(one.answer_id, ("search_qa",)) for one in new]
    async with world.sessions.begin() as session:
        added = await add(session, asked, JudgePrices(chosen))
    return [one.id for one in added]


@asynccontextmanager
async def collecting(world: World, **changes: object) -> AsyncIterator[None]:
    """What the dispatcher does about batches."""
    step = Collecting(world.pool, world.jobs, settings(**changes)).step

    async def run() -> None:
        while True:
            await step()
            await asyncio.sleep(TICK)

    running = asyncio.create_task(run())
    try:
        yield
    finally:
        await end_task(running)


@asynccontextmanager
async def batching(world: World, **changes: object) -> AsyncIterator[None]:
    """All that works on batches and their rows."""
    async with (
        collecting(world, **changes),
        jobs_done(world, {BATCH_JOB: judge_batch}, **changes),
        judged(world, **changes),
    ):
        yield


async def all_judged(world: World, ids: list[uuid.UUID]) -> list[dict[str, Any]]:
    """The rows, once each has ended."""

    async def ended() -> list[dict[str, Any]]:
        rows = await world.rows("SELECT * FROM qa_evaluations WHERE id = ANY(%s)", ids)
        return rows if all(row["finished_at"] for row in rows) else []

    return list(await eventually(ended))


async def all_ended(world: World) -> list[dict[str, Any]]:
    """The batches, the oldest first, once there are some and none is at work."""

    async def ended() -> list[dict[str, Any]]:
        rows = await world.rows("SELECT * FROM judge_batches ORDER BY id")
        return rows if all(row["finished_at"] for row in rows) else []

    return list(await eventually(ended))


async def put_batch(world: World, workspace_id: uuid.UUID) -> uuid.UUID:
    """A batch without a row."""
    (batch,) = await world.rows(
        "INSERT INTO judge_batches (id, workspace_id, judge_model, state, deadline_at)"
        " VALUES (gen_random_uuid(), %s, 'openai:stub', 'collecting', now()) RETURNING id",
        workspace_id,
    )
    return batch["id"]
