"""Workers and dispatchers whose clocks are an hour fast or slow: only the database clock decides,
so nothing may come of it. And a database clock that leaps by a day."""

import asyncio
import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import replace
from email.utils import format_datetime
from pathlib import Path

import pytest
from harness import LONG_LEASE, Stack, customized, open_stack, waits
from victims import Postgres

from app.operations.embedded import parts
from app.operations.embedded.supervisor import Part
from app.platform.settings import Settings
from cases import eventually
from judge_replies import well
from stub_server import Exchange, status

HOUR = 3600.0
ANSWERS = 20
# Seconds a busy machine may take to come to a row that is due.
LATE = 60
RETRY_AFTER = 2


def turned(environment: Mapping[str, str], seconds: float) -> dict[str, str]:
    """The environment of a process whose clock is that far ahead."""
    return customized("turned_clock", environment) | {"TURNED_CLOCK": str(seconds)}


def turned_worker(seconds: float) -> Callable[..., Part]:
    def make(number: int, settings: Settings, environment: Mapping[str, str]) -> Part:
        return parts.worker(number, settings, turned(environment, seconds))

    return make


def turned_dispatcher(seconds: float) -> Callable[..., Part]:
    return lambda environment: parts.dispatcher(turned(environment, seconds))


class FailsOnce:
    """A judge that fails the first call for each answer, and says by the clock when to come
    again. It notes how much of the lease was left at that time."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._refused: set[str] = set()
        self.leases: list[float] = []

    async def __call__(self, exchange: Exchange) -> None:
        asked = str(exchange.request.json)
        (number,) = [str(n) for n in range(ANSWERS) if f"#{n}#" in asked]
        if number in self._refused:
            return await well()(exchange)
        self._refused.add(number)
        self.leases += await self._leases_left()
        now = dt.datetime.now(dt.UTC).replace(microsecond=0)
        date = format_datetime(now + dt.timedelta(seconds=RETRY_AFTER), usegmt=True)
        return await status(429, retry_after=date, date=format_datetime(now, usegmt=True))(exchange)

    async def _leases_left(self) -> list[float]:
        rows = await self._stack.world.rows(
            "SELECT extract(epoch FROM lease_until - now())::float8 AS left"
            " FROM qa_evaluations WHERE status = 'running'"
        )
        return [row["left"] for row in rows]


async def test_clocks_that_are_off_by_an_hour(open_, holds):
    """Two hours lie between the workers, and they watch over one broker's deliveries."""
    # Neither the circuit breaker nor a wait that is too long has rules stand in.
    stack = await open_(**LONG_LEASE | {"breaker_failures": 1000, "retry_max": 60})
    stack.judge.default = judge = FailsOnce(stack)
    (began,) = await stack.world.rows("SELECT now() AS at")
    pairs = [
        await stack.start(worker=turned_worker(by), dispatcher=turned_dispatcher(by))
        for by in (HOUR, -HOUR)
    ]
    ids = [(await stack.answer(question=f"#{number}#"))[0] for number in range(ANSWERS)]

    fault = f"clocks an hour fast and an hour slow, {ANSWERS} first calls refused"
    await holds(stack, fault, runs=sum(map(len, pairs)))

    assert all(process.alive for pair in pairs for process in pair)
    for ahead in await clocks_of_workers(stack):
        assert abs(ahead) == pytest.approx(HOUR, abs=LATE), "or this test turns nothing"
    assert stack.judge.count == 3 * ANSWERS, "one refused, two answered"
    assert judge.leases
    assert all(0 < left <= LONG_LEASE["judge_lease"] for left in judge.leases)
    for id_ in ids:
        row = await stack.world.row(id_)
        assert (row["attempt"], row["tries"], row["crashes"]) == (2, 1, 0)
        assert await stack.world.events(id_) == [
            *("queued", "running", "retrying", "running", "succeeded")
        ]
        (wait,) = await waits(stack, id_)
        assert RETRY_AFTER <= wait < RETRY_AFTER + LATE
    assert await times_outside(stack, began["at"]) == []


async def clocks_of_workers(stack: Stack) -> list[float]:
    """Seconds that the clock of each call's worker was ahead of the database's. An id begins with
    the milliseconds of its making."""
    rows = await stack.world.rows("SELECT id, created_at FROM judge_calls")
    assert rows
    return [(row["id"].int >> 80) / 1000 - row["created_at"].timestamp() for row in rows]


async def times_outside(stack: Stack, began: dt.datetime) -> list[object]:
    """Recorded times that are not of this test: of every column, in every table."""
    columns = await stack.world.rows(
        "SELECT table_name AS t, column_name AS c FROM information_schema.columns"
        " WHERE data_type = 'timestamp with time zone' AND table_schema = 'public'"
    )
    assert len(columns) > 10
    found = []
    for column in columns:
        query = "SELECT '{t}.{c}' AS at, {c} FROM {t} WHERE {c} < %s OR {c} > now() + %s"
        # A lease ends a little later.
        found += await stack.world.rows(query.format(**column), began, dt.timedelta(minutes=5))
    return found


LIBFAKETIME = next(iter(sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))), None)
# In the data folder, which is the server's working folder.
_CLOCK = "clock"


class LeapingPostgres(Postgres):
    """A server whose clock can be turned while it runs."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._clock = folder / "postgres" / _CLOCK

    def part(self) -> Part:
        self.turn("+0")
        part = super().part()
        clock = {
            "LD_PRELOAD": str(LIBFAKETIME),
            "FAKETIME_TIMESTAMP_FILE": _CLOCK,
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
        environment = {**part.program.environment, **clock}
        return replace(part, program=replace(part.program, environment=environment))

    def turn(self, by: str) -> None:
        """by: as libfaketime reads it, "+1d"."""
        self._clock.write_text(by)
        self._clock.chmod(0o644)


@pytest.mark.slow_fault
async def test_a_database_clock_that_leaps_a_day(new_folder, holds):
    """Forth and back, each time with answers at the judge and others that wait."""
    if LIBFAKETIME is None:
        pytest.skip("needs Debian's libfaketime")
    server = LeapingPostgres(new_folder.with_name(f"{new_folder.name}-pg"))
    async with server.running(), open_stack(new_folder, server.url, **LONG_LEASE) as stack:
        let = asyncio.Event()

        async def judge(exchange: Exchange) -> None:
            await let.wait()
            await well()(exchange)

        stack.judge.default = judge
        await stack.start(workers=2)
        for by, days in (("+1d", 1), ("+0", -1)):
            let.clear()
            (before,) = await stack.world.rows("SELECT now() AS at")
            asked = stack.judge.count
            await stack.answer(ANSWERS)

            async def at_the_judge(asked: int = asked) -> bool:
                return stack.judge.count > asked

            await eventually(at_the_judge)
            server.turn(by)
            (after,) = await stack.world.rows("SELECT now() AS at")
            leapt = (after["at"] - before["at"]).total_seconds()
            assert leapt == pytest.approx(days * 24 * HOUR, abs=LATE), "or this test turns nothing"
            await stack.answer(ANSWERS)
            let.set()
            await holds(stack, f"database clock a day {'fast' if days > 0 else 'slow'} at once")

        assert all(process.alive for process in stack.processes)
