"""Who goes first, and what becomes of those that no longer wait: without Redis."""

import asyncio
from collections.abc import Sequence

import pytest

from app.ai_router.limits.model_limit import Ask, Taken
from app.ai_router.limits.shared import SharedLimits
from app.platform.setting_types import ModelLimit
from cases import TIMEOUT_SECONDS
from worker.allowances import Allowances, Grant
from worker.loop_thread import LoopStopping

MODEL = "openai:gpt-4o-mini"


class Limits(SharedLimits):
    """Allows as many as the test says, one for each time it is asked."""

    def __init__(self) -> None:
        super().__init__({MODEL: ModelLimit(None, None, 1)}, None, call_seconds=90)
        self.left = 0

    def allow(self, number: int) -> None:
        self.left += number
        self.on_ended(MODEL)

    async def take(self, model: str, asks: Sequence[Ask], waiting: int = 0) -> Taken:
        taken = min(self.left, len(asks))
        self.left -= taken
        return Taken(taken, float(taken < len(asks)), 0.5)


@pytest.fixture
def limits() -> Limits:
    return Limits()


@pytest.fixture
def allowances(limits: Limits) -> Allowances:
    return Allowances(limits)


def wait(
    allowances: Allowances, id_: str, *, bulk: bool = False, owner: str = "somebody"
) -> asyncio.Task[Grant | None]:
    ask = Ask(id_, 1, 100, bulk)
    waiting = allowances.wait(MODEL, ask, TIMEOUT_SECONDS, owner=owner)
    return asyncio.create_task(waiting, name=id_)


async def granted(tasks: Sequence[asyncio.Task[Grant | None]]) -> list[str]:
    for _ in range(20):
        await asyncio.sleep(0)
    return [task.get_name() for task in tasks if task.done()]


async def test_fresh_answers_go_first_and_then_who_came_first(limits, allowances):
    ids = {"bulk1": True, "bulk2": True, "live1": False, "live2": False}
    tasks = [wait(allowances, id_, bulk=bulk) for id_, bulk in ids.items()]
    assert await granted(tasks) == []

    limits.allow(1)
    assert await granted(tasks) == ["live1"]
    limits.allow(2)
    assert set(await granted(tasks)) == {"live1", "live2", "bulk1"}
    limits.allow(1)
    grants = await asyncio.gather(*tasks)
    assert all(grant and grant.tokens == 50 for grant in grants)


async def test_owners_take_turns(limits, allowances):
    busy = [wait(allowances, f"busy{number}", owner="busy") for number in range(200)]
    await granted(busy)
    others = [wait(allowances, f"other{number}", owner="other") for number in range(2)]

    limits.allow(2)
    assert set(await granted([*busy, *others])) == {"busy0", "other0"}
    limits.allow(2)
    assert await granted(others) == ["other0", "other1"]


async def test_who_is_cancelled_takes_nothing(limits, allowances):
    first, second = wait(allowances, "first"), wait(allowances, "second")
    await granted([first])
    first.cancel()
    await granted([first])

    limits.allow(1)
    assert await granted([first, second]) == ["first", "second"]
    assert first.cancelled()


async def test_who_waits_too_long_goes_without(limits, allowances):
    assert await allowances.wait(MODEL, Ask("a", 1, 1), 0.01, owner="o") is None

    limits.allow(1)
    assert await allowances.wait(MODEL, Ask("b", 1, 1), TIMEOUT_SECONDS, owner="o")


async def test_waiting_callers_get_an_error_when_the_process_stops(allowances):
    waiting = wait(allowances, "a")
    await granted([waiting])
    allowances.stop(LoopStopping())

    with pytest.raises(LoopStopping):
        await waiting


async def test_a_grant_gives_back_what_it_reserved(limits, allowances):
    limits.allow(1)
    grant = await wait(allowances, "a")
    grant.end()

    settlement = limits.unsettled(MODEL)
    assert (settlement.requests, settlement.tokens) == (-1, -50)
    assert settlement.ended == [("a", 1)]
    await limits.settled()
