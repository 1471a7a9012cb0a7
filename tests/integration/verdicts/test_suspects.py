"""Who is suspected when a worker dies, who is isolated, and who is acquitted."""

import asyncio
import uuid
from collections.abc import Sequence

from app.platform.broker import Queue
from app.verdicts.lifecycle.lifecycle import VerdictLifecycle
from verdict_world import World, answers, settings, verdict
from worker.judge_loop import JudgeLoop

HELD = 104


async def die_holding(world: World, ids: Sequence[uuid.UUID]) -> None:
    """A new worker claims these and dies; their leases end one by one."""
    worker = VerdictLifecycle(world.pool, settings())
    assert len(await worker.claim(ids)) == len(ids)
    for part in (ids[:1], ids[1:]):
        await world.rows("UPDATE qa_evaluations SET run_at = now() WHERE id = ANY(%s)", list(part))
        assert await world.lifecycle.reap() == len(part)


async def queues(world: World, ids: Sequence[uuid.UUID]) -> list[str]:
    return [(await world.row(id_))["queue"] for id_ in ids]


async def test_a_hundred_that_died_together_twice_are_not_isolated(world):
    ids = await answers(world, HELD)
    for _ in range(2):
        await die_holding(world, ids)

    rows = await world.rows("SELECT DISTINCT queue, crashes, status FROM qa_evaluations")
    assert rows == [{"queue": "live", "crashes": 2, "status": "retrying"}]


async def test_what_the_worker_had_not_claimed_is_not_suspect(world):
    judged, waiting = await answers(world, 2)
    await die_holding(world, [judged])

    assert (await world.row(waiting))["crashes"] == 0
    rows = await world.rows("SELECT evaluation_id, share FROM crash_suspects")
    assert rows == [{"evaluation_id": judged, "share": 1.0}]


async def test_a_row_that_dies_with_different_company_is_found(world):
    poison, *others = await answers(world, 10)
    await die_holding(world, [poison, others[0]])
    await die_holding(world, [poison, others[1]])

    assert await queues(world, [poison, *others[:2]]) == ["isolated", "live", "live"]


async def test_the_most_suspicious_is_taken_first(world):
    ids = await answers(world, 6)
    for _ in range(2):
        await die_holding(world, ids[:2])
        await die_holding(world, ids[2:3])
    assert await queues(world, ids[:3]) == ["isolated"] * 3

    assert await world.lifecycle.take_due(Queue.ISOLATED, 1) == [ids[2]]


async def test_one_that_kills_alone_clears_the_others(world):
    poison, friend, *others = await answers(world, 4)
    for _ in range(2):
        await die_holding(world, [poison, friend])
    await die_holding(world, others)
    assert await queues(world, [poison, friend]) == ["isolated", "isolated"]
    await world.lifecycle.take_due(Queue.ISOLATED, 2)

    await die_holding(world, [poison])

    row = await world.row(friend)
    assert (row["queue"], row["crashes"], row["enqueued_at"]) == ("live", 0, None)
    assert (await world.row(poison))["queue"] == "isolated"
    assert [(await world.row(id_))["crashes"] for id_ in others] == [1, 1], "another death"


async def test_a_row_that_always_dies_in_company_comes_to_its_end_all_the_same(world):
    ids = await answers(world, HELD)
    poison, *others = ids
    deaths = 0
    while await queues(world, [poison]) == ["live"]:
        await die_holding(world, ids)
        deaths += 1
    while (await world.row(poison))["status"] != "failed":
        await die_holding(world, [poison])
        deaths += 1

    assert deaths == 8
    rows = await world.rows(
        "SELECT DISTINCT queue, crashes, status FROM qa_evaluations WHERE id = ANY(%s)", others
    )
    assert rows == [{"queue": "live", "crashes": 0, "status": "retrying"}], "acquitted at once"
    assert "8 times" in (await world.row(poison))["error"]


async def test_a_worker_claims_rows_of_its_own_queues_only(world):
    suspect, innocent = await answers(world, 2)
    for _ in range(2):
        await die_holding(world, [suspect])
    loops = [
        JudgeLoop(settings(), world.url, queues={queue}) for queue in (Queue.LIVE, Queue.ISOLATED)
    ]
    for loop in loops:
        await asyncio.to_thread(loop.start)
    try:
        for loop, judged in zip(loops, (innocent, suspect), strict=True):
            await asyncio.wrap_future(loop.submit([suspect, innocent]))
            rows = await world.rows("SELECT id FROM qa_evaluations WHERE status = 'succeeded'")
            assert judged in {row["id"] for row in rows}
            assert len(rows) == 1 + (judged == suspect)
    finally:
        for loop in loops:
            await asyncio.to_thread(loop.close)


async def test_one_suspect_at_a_time_is_published(world):
    """The others wait for what becomes of it; see Dispatcher."""
    ids = await answers(world, 3)
    for id_ in ids:
        for _ in range(2):
            await die_holding(world, [id_])

    (first,) = await world.lifecycle.take_due(Queue.ISOLATED, 1)
    (claim,) = await world.lifecycle.claim([first], [Queue.ISOLATED])
    await world.lifecycle.record([(claim, verdict())])

    assert (await world.row(first))["status"] == "succeeded"
    assert await queues(world, ids) == ["isolated"] * 3
