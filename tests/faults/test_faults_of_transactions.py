"""Transactions that overlap and commit in another order than they began in. An event is told when
no older transaction is open, so a reader never skips one."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from harness import HOST, MODEL, PATIENT, Stack
from readers import EventReader, all_heard, listening, told
from victims import eventually

from app.db.pool import Pool, create_pool, transaction_in_workspace
from app.embedded.ports import free_port
from app.verdicts.policy import EvaluationPolicy
from app.verdicts.service import _insert
from app.workspaces.service import ensure_workspace
from conftest import Holds, OpenStack
from verdicts import finished_answer, settings

SLOW = 3
QUICK = 5


@asynccontextmanager
async def answer_until_commit(stack: Stack, pool: Pool) -> AsyncIterator[None]:
    """Commits at the end. The transaction may stay open for as long as the test likes, unlike
    those of our processes."""
    async with stack.world.sessions.begin() as session:
        workspace_id = await ensure_workspace(session)
    policy = EvaluationPolicy.from_settings(settings(judge_model=MODEL))
    async with transaction_in_workspace(pool, workspace_id) as connection:
        await connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        await _insert(connection, policy, finished_answer(workspace_id))
        yield


@pytest.mark.slow_fault
async def test_commits_out_of_order(open_: OpenStack, holds: Holds) -> None:
    """Every order of three commits. In the first round the API dies while all three are open."""
    stack = await open_(**PATIENT)
    port = free_port(HOST)
    api, _ = await asyncio.gather(stack.start_api(port), stack.start())
    orders = list(itertools.permutations(range(SLOW)))
    async with create_pool(stack.world.url) as pool, listening(stack, port, 3) as readers:
        for order in orders:
            async with AsyncExitStack() as opened:
                slow = [await opened.enter_async_context(AsyncExitStack()) for _ in range(SLOW)]
                before = await told(stack)
                for one in slow:
                    await one.enter_async_context(answer_until_commit(stack, pool))
                await stack.answer(QUICK)
                judged = len(before) + 3 * QUICK
                await eventually(lambda judged=judged: happened(stack, judged))
                for reader in readers:
                    assert reader.heard == before, "no newer event is told"
                if order == orders[0]:
                    api.kill()
                    await stack.start_api(port)
                    await come_back(readers)
                for number in order:
                    await slow[number].aclose()
            await stack.settle()
            await all_heard(stack, readers)

        fault = f"{SLOW} transactions commit in every order while others begin and end"
        await holds(stack, fault, runs=len(orders))

        expected = await all_heard(stack, readers)
        assert len(expected) == len(orders) * (SLOW + QUICK) * 3
        for reader in readers:
            assert reader.heard == expected


async def come_back(readers: Sequence[EventReader]) -> None:
    for reader in readers:
        await reader.ended()
        await (await reader.connect()).listen()


async def happened(stack: Stack, events: int) -> bool:
    """Whether so many events are in the table, told or not."""
    return len(await told(stack)) == events
