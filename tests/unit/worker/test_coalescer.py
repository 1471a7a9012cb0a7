"""Items that come together are handled together."""

import asyncio
from collections.abc import Sequence

import psycopg

from cases import TIMEOUT_SECONDS
from worker.batched_lifecycle import Coalescer


async def test_one_bad_item_does_not_take_its_neighbours_with_it():
    async def invert(items: Sequence[int]) -> list[float]:
        return [1 / item for item in items]

    coalescer = Coalescer(invert, alone_after=(ZeroDivisionError,))
    results = await asyncio.gather(
        *(coalescer.submit(number) for number in (1, 0, 2)), return_exceptions=True
    )

    assert (results[0], results[2]) == (1, 0.5)
    assert isinstance(results[1], ZeroDivisionError)


async def test_simultaneous_items_are_handled_in_one_batch_and_in_order():
    batches: list[list[int]] = []

    async def double(items: Sequence[int]) -> list[int]:
        batches.append(list(items))
        return [2 * item for item in items]

    coalescer = Coalescer(double, largest=4)
    results = await asyncio.gather(*(coalescer.submit(number) for number in range(10)))

    assert results == [2 * number for number in range(10)]
    assert batches == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    assert await coalescer.submit(21) == 42, "it goes on after a pause"


async def test_the_first_after_a_pause_waits_for_none():
    async def keep(items: Sequence[int]) -> Sequence[int]:
        return items

    async with asyncio.timeout(TIMEOUT_SECONDS):
        assert await Coalescer(keep, window=3600).submit(1) == 1


async def test_while_one_batch_is_handled_the_next_one_fills():
    entered, leave = asyncio.Event(), asyncio.Event()
    batches: list[list[str]] = []

    async def slow(items: Sequence[str]) -> Sequence[str]:
        batches.append(list(items))
        entered.set()
        await leave.wait()
        return items

    coalescer = Coalescer(slow, window=0)
    first = asyncio.create_task(coalescer.submit("a"))
    await entered.wait()
    others = [asyncio.create_task(coalescer.submit(item)) for item in "bcd"]
    await asyncio.sleep(0)
    leave.set()
    await asyncio.gather(first, *others)

    assert batches == [["a"], ["b", "c", "d"]]


async def test_an_error_reaches_every_caller_and_the_next_batch_goes_on():
    async def refuse(items: Sequence[int]) -> Sequence[int]:
        if 1 in items:
            raise psycopg.OperationalError("away")
        return items

    coalescer = Coalescer(refuse)
    results = await asyncio.gather(
        *(coalescer.submit(number) for number in range(3)), return_exceptions=True
    )

    assert [type(result) for result in results] == [psycopg.OperationalError] * 3
    assert await coalescer.submit(5) == 5


async def test_a_caller_that_is_cancelled_does_not_take_its_item_back():
    handled: list[int] = []

    async def keep(items: Sequence[int]) -> Sequence[int]:
        handled.extend(items)
        return items

    coalescer = Coalescer(keep)
    impatient = asyncio.create_task(coalescer.submit(1))
    waiting = asyncio.create_task(coalescer.submit(2))
    await asyncio.sleep(0)
    impatient.cancel()

    assert await waiting == 2
    assert handled == [1, 2]
    assert impatient.cancelled()
