"""Processes that are killed at each step of a batch: nothing is lost, handed in or paid twice."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from batch_deaths import CREATED, STEPS, run_until_death
from batch_world import (
    ANTHROPIC,
    OPENAI,
    all_ended,
    all_judged,
    batch_settings,
    batching,
    rows_for_batches,
    stub_with_batches,
)
from stub_server import StubServer
from verdict_world import World

pytestmark = pytest.mark.slow

PATIENCE = 60.0
ROWS = 5
# Each answer is another one, so that no two of them ask the same.
DEGREES = range(90, 90 + ROWS)


@pytest.fixture
async def stub() -> AsyncIterator[StubServer]:
    async with stub_with_batches() as stub:
        yield stub


async def killed_at(step: str, world: World, stub: StubServer) -> None:
    """A process goes on with the batch as far as the step. Its job is given to the next one as if
    it were the first that died at it."""
    given = batch_settings(stub)
    code = await asyncio.to_thread(run_until_death, step, world.url, given, within=PATIENCE)
    assert code == -9, step
    await world.rows("UPDATE jobs SET lease_until = now() WHERE status = 'running'")
    await world.jobs.reap()
    await world.rows("UPDATE jobs SET crashes = 0")


@pytest.mark.parametrize(
    ("judge", "steps"),
    [
        (OPENAI, STEPS),
        # What the vendors do not share.
        (ANTHROPIC, ("before the batch is created", *CREATED)),
    ],
)
async def test_a_batch_survives_a_death_at_each_of_its_steps(world, stub, judge, steps):
    ids = []
    for degree in DEGREES:
        ids += await rows_for_batches(
            world, 1, judge, answer=f"변성은 {degree}도에서 합니다. [노트 1]"
        )
    assert stub.batches

    for step in steps:
        await killed_at(step, world, stub)
    async with batching(world, **batch_settings(stub)):
        rows = await all_judged(world, ids)
        (batch,) = await all_ended(world)

    assert [row["status"] for row in rows] == ["succeeded"] * ROWS, "none is lost"
    assert not any(row["degraded"] for row in rows)
    found = stub.batches.stats()
    assert (found["submitted"], found["submitted_twice"]) == (ROWS, 0)
    assert (found["paid"], found["paid_twice"], found["prompts_paid_twice"]) == (ROWS, 0, 0)
    assert stub.count == 0, "and none by a call"
    assert (batch["state"], batch["stored"], batch["dropped"]) == ("ended", ROWS, 0)
    calls = await world.rows("SELECT * FROM judge_calls")
    assert sorted(call["evaluation_id"] for call in calls) == sorted(ids)
    assert sum(call["cost_usd"] for call in calls) == batch["cost_usd"]
