"""Everything at once, by chance but with a seed; and the same without the dispatcher, which must
lose: a suite that cannot see a loss proves nothing."""

import asyncio
import uuid
from dataclasses import replace
from functools import partial

import httpx
import pytest
from harness import ANSWER, HOST, open_stack
from storm import Forecast, Storm, calm
from vital_signs import watched

from app.operations.embedded.ports import free_port
from cases import eventually

SHORT = Forecast(seed=20_250_117, rounds=20)
LONG = Forecast(seed=20_250_118, rounds=100, longest_lull=1.0)
# Chaos alone must not use up the tries of an answer. A worker stays frozen for some rounds. On a
# busy machine they last longer than a heartbeat may be silent, and a thawed worker ends itself.
SETTINGS = {"max_attempts": 20, "heartbeat_limit": 600}
UNLIMITED = {"rate_limit": "100000/minute", "rate_limit_writes": "100000/minute"}
# Seen was 1.02: what an allocator keeps after a burst. A tenth is a burst on another machine; what
# leaks more than that in two minutes would not live for a day.
MAX_GROWTH = 1.1


@pytest.mark.slow_fault
async def test_nothing_is_lost(open_, holds):
    stack = await open_(**SETTINGS)
    await stack.start(workers=3, dispatchers=2, isolated=True)
    storm = Storm(stack, SHORT)
    await storm.rage()

    tally = await holds(stack, "chaos: all of these by chance", runs=SHORT.rounds)

    assert tally.answers == SHORT.answers
    assert storm.ended_by_themselves() == []


@pytest.mark.slow_fault
async def test_control_without_a_dispatcher_answers_are_lost(open_, holds, note):
    stack = await open_(**SETTINGS)
    await stack.start(workers=3, dispatchers=0, isolated=True)
    await Storm(stack, SHORT).rage()
    await eventually(lambda: calm(stack))

    lossy = await stack.tally("control: the same chaos without a dispatcher")

    assert lossy.lost > 0, "this chaos harms nobody: it cannot show that the dispatcher helps"
    note(replace(lossy, runs=SHORT.rounds))
    await stack.start(workers=0)
    healed = await holds(stack, "control: a dispatcher started afterwards")
    assert healed.answers == lossy.answers


@pytest.mark.slow_fault
async def test_nothing_is_lost_and_nothing_grows_in_minutes(postgres, new_folder, holds, remark):
    async with open_stack(new_folder, postgres.url, **SETTINGS, **UNLIMITED) as stack:
        spared = [await stack.start_api(port := free_port(HOST)), *await stack.start(isolated=True)]
        await stack.start(workers=3)
        async with await stack.api_client(port) as client, watched(stack) as signs:
            post = partial(post_stubbornly, client)
            storm = Storm(stack, LONG, postgres=postgres, spared=spared, post=post)
            await storm.rage()
            fault = "chaos for minutes: PostgreSQL crashed and workers stopped, too"
            tally = await holds(stack, fault, runs=LONG.rounds)
            await eventually(lambda: calm(stack))

        assert tally.answers == LONG.answers, "an answer that was sent twice is one answer"
        assert storm.ended_by_themselves() == []
        remark(signs.summary(spared))
        for process in spared:
            early, late = signs.early_and_late(process)
            assert late < MAX_GROWTH * early, process.name


async def post_stubbornly(client: httpx.AsyncClient, count: int) -> None:
    """Posts answers at once, each again under its key for as long as the API cannot take it."""

    async def post() -> None:
        key = {"Idempotency-Key": uuid.uuid4().hex}

        async def accepted() -> bool:
            reply = await client.post("/qa-evaluations", json=ANSWER, headers=key)
            assert reply.is_success or reply.is_server_error, reply.text
            return reply.is_success

        await eventually(accepted)

    await asyncio.gather(*(post() for _ in range(count)))
