"""Transactions that overlap and commit in another order than they began in. No reader misses an
event of them, and none waits for them longer than a second."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from harness import HOST, LONG_LEASE, MODEL, Stack
from readers import EventReader, StoredEvent, listening, stored_events

from app.operations.embedded.ports import free_port
from app.platform.db.pool import Pool, create_pool, transaction_in_workspace
from app.verdicts.lifecycle.service import _insert
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from cases import eventually
from verdict_world import finished_answer, settings

SLOW = 3
QUICK = 5


@asynccontextmanager
async def answer_until_commit(stack: Stack, pool: Pool) -> AsyncIterator[None]:
    """Commits at the end. The transaction may stay open for as long as the test likes, unlike
    those of our processes."""
    workspace_id = await stack.world.workspace()
    policy = EvaluationPolicy.from_settings(settings(judge_model=MODEL))
    async with transaction_in_workspace(pool, workspace_id) as connection:
        await connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        await _insert(connection, policy, finished_answer(workspace_id))
        yield


@pytest.mark.slow_fault
async def test_commits_out_of_order(open_, holds):
    """Every order of three commits, while others are judged. What the open transactions hold back
    is delivered early, and theirs when they commit: each event once. In the first round the API
    dies while all three are open; who comes back then may hear again what it heard meanwhile."""
    stack = await open_(**LONG_LEASE)
    port = free_port(HOST)
    api, _ = await asyncio.gather(stack.start_api(port), stack.start())
    orders = list(itertools.permutations(range(SLOW)))
    # Of the five that were judged before the API died.
    judged = 3 * QUICK
    async with create_pool(stack.world.url) as pool, listening(stack, port, 3) as readers:
        for order in orders:
            async with AsyncExitStack() as opened:
                slow = [await opened.enter_async_context(AsyncExitStack()) for _ in range(SLOW)]
                for one in slow:
                    await one.enter_async_context(answer_until_commit(stack, pool))
                await stack.answer(QUICK)
                await stack.settle()
                await eventually(lambda: nothing_is_missed(stack, readers))
                if order == orders[0]:
                    api.kill()
                    await stack.start_api(port)
                    await come_back(readers)
                    await eventually(lambda: all_repeated(readers, judged))
                assert await all_repeated(readers, judged), "and not once more"
                for number in order:
                    await slow[number].aclose()
            await stack.settle()
            await eventually(lambda: nothing_is_missed(stack, readers))

        fault = f"{SLOW} transactions commit in every order while others begin and end"
        await holds(stack, fault, runs=len(orders))

        expected = await stored_events(stack)
        assert len(expected) == len(orders) * (SLOW + QUICK) * 3
        for reader in readers:
            assert changes(reader.received) == changes(expected)
        assert await all_repeated(readers, judged)


async def all_repeated(readers: Sequence[EventReader], events: int) -> bool:
    """Whether each reader has heard so many again."""
    return all(len(reader.received) - len(changes(reader.received)) == events for reader in readers)


def changes(events: Sequence[StoredEvent]) -> set[tuple[str, str]]:
    """What happened; each of it happens once to an evaluation here."""
    return {(event.evaluation_id, event.status) for event in events}


async def nothing_is_missed(stack: Stack, readers: Sequence[EventReader]) -> bool:
    expected = changes(await stored_events(stack))
    return all(expected <= changes(reader.received) for reader in readers)


async def come_back(readers: Sequence[EventReader]) -> None:
    for reader in readers:
        await reader.ended()
        await (await reader.connect()).listen()
