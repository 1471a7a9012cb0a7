"""Workers that are killed, frozen, poisoned, stopped, or woken far too often."""

import asyncio
import json
from collections.abc import Mapping
from functools import partial

import pytest
from harness import LONG_LEASE, Stack, customized

from app.operations.embedded import parts
from app.operations.embedded.supervisor import Part
from app.platform.settings import Settings
from cases import eventually
from judge_replies import VERDICT, by_request, schema_name, well
from stub_server import Exchange, hang, status

HELD = 104


def signals_itself(
    signal: str, before: str, number: int, settings: Settings, environment: Mapping[str, str]
) -> Part:
    """A worker that sends itself the signal before this method of BatchedLifecycle begins."""
    given = {"SIGNAL": signal, "SIGNAL_BEFORE": before}
    return parts.worker(number, settings, customized("signalled_worker", environment) | given)


async def stored_replies(stack: Stack) -> int:
    return len(await stack.world.rows("SELECT id FROM judge_calls WHERE content IS NOT NULL"))


def count_asked(stack: Stack, schema: str) -> int:
    return sum(schema_name(request.json) == schema for request in stack.judge.requests)


@pytest.mark.slow_fault
async def test_killed_between_claim_and_call(open_, holds):
    """A second attempt reads the stored replies before it calls; there it is caught."""
    stack = await open_(**LONG_LEASE)
    worker, _ = await stack.start(worker=partial(signals_itself, "SIGKILL", "load_replies"))
    stack.judge.script(*[status(429, retry_after="0")] * 2)
    (id_,) = await stack.answer()
    await worker.killed_itself()
    row = await stack.world.row(id_)
    assert (row["status"], row["attempt"]) == ("running", 2)
    await stack.start(dispatchers=0)

    await holds(stack, "worker killed between claim and call")

    assert stack.judge.count == 4, "two were refused, two answered"
    row = await stack.world.row(id_)
    assert (row["status"], row["attempt"], row["crashes"]) == ("succeeded", 3, 1)


@pytest.mark.slow_fault
async def test_killed_during_a_call_after_the_other_was_stored(open_, holds):
    stack = await open_(**LONG_LEASE)
    worker, _ = await stack.start()
    stack.judge.default = by_request(claims=hang())
    (id_,) = await stack.answer()
    await eventually(lambda: stored_replies(stack))
    await stack.judge.until_in_flight(1)
    worker.kill()
    stack.judge.default = well()
    await stack.start(dispatchers=0)

    await holds(stack, "worker killed during a call, another reply stored")

    assert count_asked(stack, VERDICT) == 1, "its reply was stored and is not paid for again"
    assert stack.judge.count == 3
    row = await stack.world.row(id_)
    assert (row["status"], row["attempt"], row["crashes"]) == ("succeeded", 2, 1)


@pytest.mark.slow_fault
async def test_killed_after_its_replies_were_stored(open_, holds):
    stack = await open_(**LONG_LEASE)
    worker, _ = await stack.start(worker=partial(signals_itself, "SIGKILL", "record"))
    (id_,) = await stack.answer()
    await worker.killed_itself()
    assert await stored_replies(stack) == 2
    await stack.start(dispatchers=0)

    await holds(stack, "worker killed after replies were stored, before recording")

    assert stack.judge.count == 2, "nothing is paid for twice"
    row = await stack.world.row(id_)
    assert (row["status"], row["attempt"], row["crashes"]) == ("succeeded", 2, 1)


@pytest.mark.slow_fault
async def test_a_zombie_cannot_write(open_, holds):
    stack = await open_(**LONG_LEASE)
    zombie, _ = await stack.start(worker=partial(signals_itself, "SIGSTOP", "record"))
    (id_,) = await stack.answer()
    await zombie.froze_itself()
    assert await stored_replies(stack) == 2
    await stack.start(dispatchers=0)
    await stack.settle()
    before = await stack.world.row(id_)
    zombie.thaw()
    await zombie.logged("attempt 1 had lost its lease")

    await holds(stack, "worker frozen past its lease with a verdict in hand, then woken")

    assert stack.judge.count == 2
    assert before["attempt"] == 2
    assert await stack.world.row(id_) == before
    assert await stack.world.events(id_) == [
        *("queued", "running", "retrying", "running", "succeeded")
    ]


@pytest.mark.parametrize("workers", [2, pytest.param(8, marks=pytest.mark.slow_fault)])
async def test_one_id_is_delivered_ten_times(open_, holds, workers):
    # As long as the task's limit allows: calls are counted, and nothing ends by a lease here.
    stack = await open_(judge_deadline=18, judge_lease=29.5)
    starting = asyncio.create_task(stack.start(workers=workers, dispatchers=2))
    ids = await stack.answer(10, publish=False)
    for _ in range(10):
        await stack.publish(ids)
    await starting

    fault = f"10 ids delivered ten times each, 2 dispatchers, {workers} workers"
    await holds(stack, fault, runs=10)

    assert stack.judge.count == 20
    rows = await stack.world.rows("SELECT DISTINCT attempt FROM qa_evaluations")
    assert rows == [{"attempt": 1}]


@pytest.mark.slow_fault
async def test_a_row_that_kills_its_worker(open_, holds):
    """Dead workers are replaced, as a supervisor does. Leases are moved to their end rather than
    waited for."""
    stack = await open_()
    killed: list[str] = []

    async def kill_who_asks(exchange: Exchange) -> None:
        if "독이 든 질문" in json.dumps(exchange.request.json, ensure_ascii=False):
            worker = stack.asking(exchange.request.headers["authorization"])
            killed.append(worker.name.partition("-")[0])
            worker.kill()
        else:
            await well()(exchange)

    stack.judge.default = kill_who_asks
    await stack.start(isolated=True)
    (poison,) = await stack.answer(question="독이 든 질문")
    for place, death in enumerate(("worker", "worker", "isolated", "isolated"), start=1):
        await eventually(lambda count=place: deaths(killed, count))
        assert killed[-1] == death
        await stack.answer(5)
        await stack.world.expire_lease(poison)
        isolated = death == "isolated"
        await stack.start(workers=not isolated, dispatchers=0, isolated=isolated)

    tally = await holds(stack, "a row that kills its process, among 20 others", runs=4)

    assert len(killed) == 4
    assert (tally.verdicts, tally.failed) == (20, 1)
    row = await stack.world.row(poison)
    assert (row["status"], row["crashes"]) == ("failed", 4)
    assert "Quarantined" in row["error"]


@pytest.mark.slow_fault
async def test_killed_twice_with_a_hundred_calls_in_flight(open_, holds, remark):
    """None of them is to blame. Leases are moved to their end rather than waited for."""
    # So much time that a slow machine has all calls in flight before any is cut off.
    stack = await open_(judge_deadline=60, judge_lease=71, task_time_limit=80)
    stack.judge.default = hang()
    worker, *_ = await stack.start(isolated=True)
    ids = await stack.answer(HELD)
    for death in (1, 2):
        await eventually(lambda count=2 * HELD * death: called_at_least(stack, count))
        worker.kill()
        (worker,) = await stack.start(dispatchers=0)
        if death == 2:
            stack.judge.default = well()
        for id_ in ids:
            await stack.world.expire_lease(id_)

    await holds(stack, f"worker killed twice with {HELD} answers at the judge", runs=2)

    keys = [request.headers["authorization"] for request in stack.judge.requests]
    isolated = sum(key.endswith("isolated") for key in keys)
    remark(f"Of {HELD} answers that two workers died with, {isolated} were judged in isolation.")
    assert isolated == 0
    rows = await stack.world.rows("SELECT DISTINCT status, queue, crashes FROM qa_evaluations")
    assert rows == [{"status": "succeeded", "queue": "live", "crashes": 2}]


async def called_at_least(stack: Stack, count: int) -> bool:
    return stack.judge.count >= count


async def deaths(killed: list[str], count: int) -> bool:
    return len(killed) >= count


@pytest.mark.slow_fault
async def test_stopped_with_fifty_in_flight(open_, holds):
    stack = await open_(**LONG_LEASE | {"stop_grace": 1})
    worker, _ = await stack.start()
    stack.judge.default = hang()
    await stack.answer(50)
    await stack.judge.until_in_flight(100)
    await worker.stop()
    given_back = await stack.unfinished()
    stack.judge.default = well()
    await stack.start(dispatchers=0)

    await holds(stack, "SIGTERM with 50 in flight")
    assert {row["status"] for row in given_back} == {"queued"}, "none waits for its lease"
    rows = await stack.world.rows("SELECT DISTINCT crashes, tries FROM qa_evaluations")
    assert rows == [{"crashes": 0, "tries": 0}]
