"""Faults by chance but with a seed, while answers arrive."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from harness import APPLICATION, Stack
from victims import Postgres, Process, is_back

from cases import eventually
from judge_replies import good_reply
from stub_server import answer, cut_json, hang, html, reset, status

Act = Callable[[], Awaitable[None]]

_CUT = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND application_name = %s"
)


@dataclass(frozen=True)
class Forecast:
    """rounds: each brings answers and one fault; longest_lull: the most seconds between two."""

    seed: int
    rounds: int
    answers_per_round: int = 10
    longest_lull: float = 0.3

    @property
    def answers(self) -> int:
        return self.rounds * self.answers_per_round


class Storm:
    """Does one thing after the other to a stack while answers arrive.

    spared: processes that meet every fault of their servers and the judge, but are not killed
    themselves, so that one can see what became of them.
    postgres: given where the database may crash too.
    post: brings so many answers, and returns when all are acknowledged.
    """

    def __init__(
        self,
        stack: Stack,
        forecast: Forecast,
        *,
        postgres: Postgres | None = None,
        spared: Sequence[Process] = (),
        post: Callable[[int], Awaitable[object]] | None = None,
    ) -> None:
        self._stack = stack
        self._forecast = forecast
        self._postgres = postgres
        self._dispatchers = any(process.name == "dispatcher" for process in stack.processes)
        self._spared = spared
        self._post = post or stack.answer
        self._random = random.Random(forecast.seed)
        self._thaw: list[Process] = []
        self._ended: list[Process] = []
        stack.judge.default = answer(good_reply, latency=0.1)

    async def rage(self) -> None:
        acts: list[Act] = [
            *(self._kill_worker, self._freeze_worker, self._flush, self._restart_redis),
            *(self._freeze_redis, self._kill_dispatcher, self._break_judge, self._cut_database),
            *([self._stop_worker, self._crash_database] if self._postgres else []),
        ]
        for number in range(self._forecast.rounds):
            await self._post(self._forecast.answers_per_round)
            # Each comes up; which one meets which state of the work is left to chance.
            await acts[number % len(acts)]()
            await asyncio.sleep(self._random.uniform(0, self._forecast.longest_lull))
            if number % len(acts) == len(acts) - 1:
                self._random.shuffle(acts)
        for process in self._thaw:
            process.thaw()
        await eventually(lambda: is_back(self._stack.world.pool))

    def ended_by_themselves(self) -> list[str]:
        """What our processes that no storm has ended said last."""
        processes = [process for process in self._stack.processes if process not in self._ended]
        return [
            f"{process.name}: {process.log[-500:]}" for process in processes if not process.alive
        ]

    def _victim(self, kind: str) -> Process:
        return self._random.choice(
            [
                process
                for process in self._stack.processes
                if process.alive and process.name.startswith(kind) and process not in self._spared
            ]
        )

    def _kill(self, kind: str) -> None:
        self._ended.append(victim := self._victim(kind))
        victim.kill()

    async def _kill_worker(self) -> None:
        self._kill("worker")
        await self._stack.start(dispatchers=0)

    async def _stop_worker(self) -> None:
        self._ended.append(victim := self._victim("worker"))
        await victim.stop()
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
            self._kill("dispatcher")
            await self._stack.start(workers=0)

    async def _break_judge(self) -> None:
        ways = [status(500), status(429), reset(), cut_json(), hang(), html()]
        self._stack.judge.script(*self._random.choices(ways, k=15))

    async def _cut_database(self) -> None:
        """Ends the sessions of our processes."""
        await eventually(lambda: is_back(self._stack.world.pool))
        await self._stack.world.rows(_CUT, APPLICATION)

    async def _crash_database(self) -> None:
        await self._postgres.crash()


async def calm(stack: Stack) -> bool:
    """Whether no message is left and nobody works."""
    client = stack.redis.client
    if any(client.llen(queue) for queue in ("live", "isolated")):
        return False
    working = "SELECT id FROM qa_evaluations WHERE status = 'running' AND run_at > now()"
    return not await stack.world.rows(working)
