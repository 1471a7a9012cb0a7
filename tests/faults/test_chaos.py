"""Everything at once, by chance but with a seed; and the same without the dispatcher, which must
lose: a suite that cannot see a loss proves nothing."""

import asyncio
import random
from collections.abc import Awaitable, Callable

import pytest
from harness import APPLICATION, Stack
from victims import Process, eventually

from conftest import Holds, Note, OpenStack
from judge_replies import good_reply
from stub_server import answer, cut_json, hang, html, reset, status

SEED = 20_250_117
ROUNDS = 20
ANSWERS_PER_ROUND = 10
# Chaos alone must not use up the tries of an answer.
SETTINGS = {"max_attempts": 20}

Act = Callable[[], Awaitable[None]]


class Storm:
    """Does one thing after the other to a stack while answers arrive."""

    def __init__(self, stack: Stack, *, dispatchers: int) -> None:
        self._stack = stack
        self._random = random.Random(SEED)
        self._dispatchers = dispatchers
        self._thaw: list[Process] = []
        stack.judge.default = answer(good_reply, latency=0.1)

    async def rage(self) -> None:
        await self._stack.start(workers=3, dispatchers=self._dispatchers, isolated=True)
        acts: list[Act] = [
            *(self._kill_worker, self._freeze_worker, self._flush, self._restart_redis),
            *(self._freeze_redis, self._kill_dispatcher, self._break_judge, self._cut_database),
        ]
        for number in range(ROUNDS):
            await self._stack.answer(ANSWERS_PER_ROUND)
            # Each comes up; which one meets which state of the work is left to chance.
            await acts[number % len(acts)]()
            await asyncio.sleep(self._random.uniform(0, 0.3))
            if number % len(acts) == len(acts) - 1:
                self._random.shuffle(acts)
        for process in self._thaw:
            process.thaw()

    def _victim(self, kind: str) -> Process:
        return self._random.choice(
            [p for p in self._stack.processes if p.alive and p.name.startswith(kind)]
        )

    async def _kill_worker(self) -> None:
        self._victim("worker").kill()
        await self._stack.start(dispatchers=0)

    async def _freeze_worker(self) -> None:
        """Until the next one is frozen, or the storm is over."""
        for process in self._thaw:
            process.thaw()
        self._thaw = [self._victim("worker")]
        self._thaw[0].freeze()

    async def _flush(self) -> None:
        self._stack.redis.client.flushall()

    async def _restart_redis(self) -> None:
        await asyncio.to_thread(self._stack.redis.kill)
        await asyncio.to_thread(self._stack.redis.start)

    async def _freeze_redis(self) -> None:
        self._stack.redis.freeze()
        await asyncio.sleep(self._random.uniform(1, 3))
        self._stack.redis.thaw()

    async def _kill_dispatcher(self) -> None:
        if self._dispatchers:
            self._victim("dispatcher").kill()
            await self._stack.start(workers=0)

    async def _break_judge(self) -> None:
        ways = [status(500), status(429), reset(), cut_json(), hang(), html()]
        self._stack.judge.script(*self._random.choices(ways, k=15))

    async def _cut_database(self) -> None:
        """Ends the sessions of workers and dispatchers."""
        await self._stack.world.rows(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND application_name = %s",
            APPLICATION,
        )


@pytest.mark.slow_fault
async def test_nothing_is_lost(open_: OpenStack, holds: Holds) -> None:
    stack = await open_(**SETTINGS)
    await Storm(stack, dispatchers=2).rage()

    tally = await holds(stack, "chaos: all of these by chance")

    assert tally.answers == ROUNDS * ANSWERS_PER_ROUND


@pytest.mark.slow_fault
async def test_control_without_a_dispatcher_answers_are_lost(
    open_: OpenStack, holds: Holds, note: Note
) -> None:
    stack = await open_(**SETTINGS)
    await Storm(stack, dispatchers=0).rage()
    await eventually(lambda: calm(stack), within=90)

    lossy = await stack.tally("control: the same chaos without a dispatcher")

    assert lossy.lost > 0, "this chaos harms nobody: it cannot show that the dispatcher helps"
    note(lossy)
    await stack.start(workers=0)
    healed = await holds(stack, "control: a dispatcher started afterwards")
    assert healed.answers == lossy.answers


async def calm(stack: Stack) -> bool:
    """Whether no message is left and nobody works."""
    client = stack.redis.client
    if client.llen("live") or client.hlen("unacked"):
        return False
    working = "SELECT id FROM qa_evaluations WHERE status = 'running' AND run_at > now()"
    return not await stack.world.rows(working)
