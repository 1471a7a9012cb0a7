"""What the dispatcher does now and then."""

import asyncio
import logging

import psycopg
import pytest

from app.platform.broker import PublishError
from cases import TIMEOUT_SECONDS, eventually
from worker import periodic
from worker.periodic import Turns, repeat


@pytest.mark.parametrize(
    "error", [psycopg.OperationalError("away"), PublishError("away"), ZeroDivisionError("a slip")]
)
async def test_a_step_that_fails_is_tried_again_and_ends_nothing_else(error, caplog):
    caplog.set_level(logging.WARNING, logger="worker.dispatcher")
    stopping, calls = asyncio.Event(), 0

    async def step() -> bool:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise error
        stopping.set()
        return False

    async with asyncio.timeout(TIMEOUT_SECONDS):
        await repeat(step, stopping, interval=0.01)

    assert calls == 2
    (record,) = caplog.records
    assert str(error) in caplog.text
    assert (record.levelno == logging.ERROR) == isinstance(error, ZeroDivisionError)


async def test_short_steps_take_turns():
    turns, running, most = Turns(2), 0, 0

    async def step() -> bool:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return True

    assert all(await asyncio.gather(*(turns.run(step) for _ in range(5))))
    assert most == 1


async def test_a_long_step_holds_up_the_others_for_a_turn_only(monkeypatch):
    monkeypatch.setattr(periodic, "MAX_TURN_SECONDS", 0.01)
    turns, running, most, end = Turns(2), 0, 0, asyncio.Event()

    async def step() -> bool:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await end.wait()
        running -= 1
        return True

    steps = [asyncio.create_task(turns.run(step)) for _ in range(4)]
    await eventually(lambda: running == 2)
    end.set()
    assert await asyncio.gather(*steps) == [True] * 4
    assert most == 2, "as many as there are places"
