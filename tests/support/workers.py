"""The workers of a database in the test's own process, and what they meet: slow judges, judges of
two vendors, cascades, clocks that are off and tables that are locked."""

import asyncio
import contextlib
import datetime as dt
import os
import uuid
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any, Self, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict

from app.ai_router.jobs import ModelJobHandler
from app.ai_router.router import Providers
from app.operations.embedded import parts
from app.operations.embedded.process import spawn
from app.platform.broker import Queue
from app.platform.db.pool import end_task
from app.platform.settings import Settings
from app.quality.rejudging.job import rejudge
from app.quality.rejudging.service import REJUDGE_JOB, recheck
from app.verdicts.judging.context import JudgingContext
from app.verdicts.judging.judging import Judging
from app.verdicts.lifecycle.outcome import Outcome
from app.verdicts.policy.calibrations import save_cascade
from app.verdicts.policy.cascade import CascadeCalibration, StepThresholds
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.verdicts.policy.judge_prices import JudgePrices
from app.verdicts.policy.service import policy_of
from cases import TIMEOUT_SECONDS, eventually
from judge_replies import good_reply, well
from stub_server import Behaviour, Exchange, StubServer, answer
from verdict_world import World, set_policy, settings
from worker.job_loop import JobLoop
from worker.judge_loop import JudgeLoop
from worker.loop_thread import IdLoop

TICK = 0.02
Loop = TypeVar("Loop", bound=IdLoop)
REJUDGING: Mapping[str, ModelJobHandler] = {REJUDGE_JOB: rejudge}


@asynccontextmanager
async def started(loop: Loop) -> AsyncIterator[Loop]:
    """It runs meanwhile."""
    await asyncio.to_thread(loop.start)
    try:
        yield loop
    finally:
        await asyncio.to_thread(loop.close)


async def judge_once(
    world: World,
    evaluation_id: uuid.UUID | str,
    settings: Settings,
    router_for: Callable[[str], Any] | None = None,
) -> Outcome:
    """Claims, judges and records a row as a worker does, by the settings' models by default."""
    async with Providers(settings) as providers:
        context = JudgingContext(
            settings,
            router_for=router_for or partial(providers.router, deadline=30),
            save_reply=lambda call: world.lifecycle.save_replies([call]),
            load_replies=world.lifecycle.load_replies,
        )
        (lease,) = await world.lifecycle.claim([evaluation_id])
        outcome = await Judging(context).judge(lease)
        assert await world.lifecycle.record([(lease, outcome)]) == {lease.id}
        return outcome


@asynccontextmanager
async def jobs_done(
    world: World, handlers: Mapping[str, ModelJobHandler] = REJUDGING, **changes: object
) -> AsyncIterator[JobLoop]:
    """A process that does jobs; those that have answers judged again, where no others are given."""
    loop = JobLoop(settings(**changes), world.url, handlers, lambda _: None)
    await asyncio.to_thread(loop.start)

    async def look() -> None:
        while True:
            loop._call(loop._take_next())
            await asyncio.sleep(TICK)

    looking = asyncio.create_task(look())
    try:
        yield loop
    finally:
        looking.cancel()
        await asyncio.to_thread(loop.close)


@asynccontextmanager
async def judged(world: World, **changes: object) -> AsyncIterator[JudgeLoop]:
    """A process that judges whatever is due."""
    loop = JudgeLoop(settings(**changes), world.url)
    await asyncio.to_thread(loop.start)
    running: set[asyncio.Future[str]] = set()

    async def dispatch() -> None:
        while True:
            for queue in Queue:
                if ids := await world.lifecycle.take_due(queue, 100):
                    task = asyncio.wrap_future(loop.submit(ids))
                    running.add(task)
                    task.add_done_callback(running.discard)
            await asyncio.sleep(TICK)

    dispatching = asyncio.create_task(dispatch())
    try:
        yield loop
    finally:
        await end_task(dispatching)
        await asyncio.to_thread(loop.close)
        await asyncio.gather(*running, return_exceptions=True)


@asynccontextmanager
async def worker_process(chosen: Settings) -> AsyncIterator[int]:
    """A process with Celery that waits for messages; its pid."""
    environment = {
        **os.environ,
        "DATABASE_URL": chosen.database.url or "",
        "REDIS_URL": chosen.redis.url or "",
        "OPENAI_BASE_URL": chosen.models.openai_base_url,
        "OPENAI_API_KEY": "stub",
        "SEARCHQA_JUDGE_MODEL": chosen.judge.model,
    }
    part = parts.worker(1, chosen, environment)
    child = await spawn(part.program)
    ready = asyncio.Event()

    async def read() -> None:
        async for line in child.lines():
            if " ready." in line:
                ready.set()

    reading = asyncio.create_task(read())
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await ready.wait()
        yield child.pid
    finally:
        await child.stop(part.stop_signal, part.grace)
        child.kill()
        await reading


SLOW, QUICK, RULES = "openai:slow", "openai:quick", "offline:rules"


class SlowJudge:
    """Requests to the model `slow` wait until `let` is set; the others are answered at once.
    headers: of all replies."""

    def __init__(self, headers: Mapping[str, str] | None = None) -> None:
        self._headers = headers
        self.let = asyncio.Event()
        self.in_flight = self.most_in_flight = 0

    async def __call__(self, exchange: Exchange) -> None:
        if exchange.request.json["model"] == "slow":
            self.in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
            try:
                await self.let.wait()
            finally:
                self.in_flight -= 1
        await answer(good_reply, headers=self._headers)(exchange)


def one_call(stub: StubServer, judge_model: str = SLOW) -> dict[str, Any]:
    """Settings by which an answer takes one call."""
    return {
        "judge_model": judge_model,
        "openai_base_url": stub.base_url,
        "quality_gate": False,
        "phases": (),
    }


def judge_policy(judge_model: str) -> EvaluationPolicy:
    """The policy of a workspace that has chosen this judge."""
    policy = EvaluationPolicy.from_settings(settings(quality_gate=False, phases=()))
    return replace(policy, judge_model=judge_model)


class Vendor:
    """A model server whose models behave each in its own way; well, where nothing else is said."""

    def __init__(self) -> None:
        self.models: dict[str, Behaviour] = {}
        self.asked: list[str] = []

    async def __call__(self, exchange: Exchange) -> None:
        model = exchange.request.json["model"]
        self.asked.append(model)
        await self.models.get(model, well())(exchange)


async def run(world: World, loop: JudgeLoop, id_: uuid.UUID, *, times: int = 1) -> dict[str, Any]:
    """Judges as one message has it judged, as often as that; a retry is due at once."""
    for _ in range(times):
        await world.rows("UPDATE qa_evaluations SET run_at = now() WHERE status = 'retrying'")
        await asyncio.wrap_future(loop.submit([id_]))
    return await world.row(id_)


async def recheck_once(world: World, *, pause: float = 0) -> int:
    """One round of a dispatcher, whose own judge is the rules, for degraded verdicts."""
    prices = JudgePrices(settings())
    return await recheck(world.pool, prices, judge_model="offline:rules", pause=pause)


SURE = StepThresholds(low=0.2, high=0.9)
CALIBRATED_AT = dt.datetime(2026, 11, 22, tzinfo=dt.UTC)


async def set_cascade(
    world: World,
    settings: Settings,
    judges: Sequence[str],
    *,
    steps: Mapping[str, StepThresholds] | None = None,
    at: dt.datetime = CALIBRATED_AT,
    **policy: object,
) -> uuid.UUID:
    """A policy with this cascade, each step sure by SURE where nothing else is said, none of them
    checked. Returns the workspace."""
    fields = {"judge_model": judges[-1], "cascade": [*judges], "cascade_check": 0, "phases": []}
    workspace_id = await set_policy(world, settings, **fields | policy)
    async with world.sessions.begin() as session:
        holds = await policy_of(session, workspace_id, settings)
        calibration = CascadeCalibration(
            judges=[*judges],
            prompt_versions=[*holds.versions_of(judges)],
            steps=dict.fromkeys(judges[:-1], SURE) if steps is None else dict(steps),
            max_loss=0.01,
            confidence=0.9,
            labels=600,
            worse=1,
            loss_bound=0.0065,
            decided=0.8,
            saving=0.6,
            calibrated_at=at,
        )
        await save_cascade(session, workspace_id, calibration)
    return workspace_id


# A now() of the database's own stands before PostgreSQL's in the path of new connections. What
# column defaults say was bound before and keeps the real time.
_TURN = """
CREATE SCHEMA clock;
CREATE TABLE clock.shift AS SELECT interval '0' AS by;
CREATE FUNCTION clock.now() RETURNS timestamptz LANGUAGE sql STABLE
    AS 'SELECT pg_catalog.now() + by FROM clock.shift';
GRANT USAGE ON SCHEMA clock TO PUBLIC;
GRANT SELECT ON clock.shift TO PUBLIC;
ALTER DATABASE {name} SET search_path = clock, public, pg_catalog;
"""


_TURN_BACK = """
ALTER DATABASE {name} RESET search_path;
DROP SCHEMA clock CASCADE;
"""


class Clock:
    """The clock of the database at `url`, for connections that are made after this one."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._change(_TURN)

    def _change(self, statements: str) -> None:
        name = conninfo_to_dict(self._url)["dbname"]
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute(statements.format(name=name).encode())

    def set(self, when: str) -> None:
        """From now on it is `when` (ISO 8601, with its offset), and goes on from there."""
        target = dt.datetime.fromisoformat(when)
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute(
                "UPDATE clock.shift SET by = %s - pg_catalog.clock_timestamp()", [target]
            )

    def turn_back(self) -> None:
        """Afterwards the database is as it was, and the next test can have it."""
        self._change(_TURN_BACK)


@contextlib.contextmanager
def turned_clock(url: str) -> Iterator[Clock]:
    """A clock until the block ends; its connections must have ended by then."""
    clock = Clock(url)
    yield clock
    clock.turn_back()


class TableLock:
    """A locked table, whose waiting sessions can be cut off."""

    def __init__(self, world: World, table: str) -> None:
        self._world = world
        self._table = table

    async def __aenter__(self) -> Self:
        self._holder = await psycopg.AsyncConnection.connect(self._world.url)
        await self._holder.execute(f"LOCK TABLE {self._table} IN ACCESS EXCLUSIVE MODE".encode())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._holder.close()

    async def wait_until_blocked(self) -> None:
        """Returns once somebody waits for the table."""
        await self._poll_blocked("SELECT pid")

    async def terminate_blocked(self) -> None:
        """Ends the connections that wait for the table, once there are some."""
        await self._poll_blocked("SELECT pg_terminate_backend(pid)")

    async def _poll_blocked(self, select: str) -> None:
        query = (
            f"{select} FROM pg_stat_activity "
            "WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        await eventually(lambda: self._world.rows(query))
