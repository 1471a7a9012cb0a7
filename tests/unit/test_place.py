"""When a row's place is the next row's: as soon as the judge has replied."""

import asyncio
import uuid

from app.ai_router.limits.shared import SharedLimits
from app.ai_router.types import ChatRequest, ChatResponse, ModelName
from verdict_world import settings
from worker.admission import Admission
from worker.allowances import Allowances
from worker.asks import Seen
from worker.place import Place, PlacedRouter
from worker.places import Group

MOST = 4
GROUP = Group("openai:slow", uuid.uuid4())
REQUEST = ChatRequest([], 0.1, 1)


class Judge:
    model = ModelName("openai", "slow")

    async def chat(self, _: ChatRequest) -> ChatResponse:
        await asyncio.sleep(0)
        return ChatResponse("{}", *self.model)


def opened() -> Admission:
    async def look(_: uuid.UUID) -> Seen:
        return Seen(GROUP)

    async def make_due(_: object) -> None:
        raise AssertionError("nothing goes back")

    unlimited = Allowances(SharedLimits({}, None, call_seconds=1))
    chosen = settings(max_in_flight=MOST)
    return Admission(chosen, look=look, make_due=make_due, allowances=unlimited)


async def entered(admission: Admission) -> Place:
    place = await admission.enter(uuid.uuid4())
    assert place
    assert place.belongs_to(GROUP)
    return place


def in_flight(admission: Admission) -> float:
    return sum(admission.in_flight().values())


async def test_the_next_row_need_not_wait_until_a_reply_is_stored_and_read() -> None:
    admission = opened()
    held = [await entered(admission) for _ in range(MOST)]
    waiting = asyncio.create_task(entered(admission))
    await asyncio.sleep(0)
    await PlacedRouter(Judge(), held[0]).chat(REQUEST)
    async with asyncio.timeout(5):
        last = await waiting

    assert in_flight(admission) == MOST
    for place in (*held, last):
        place.leave()
    assert in_flight(admission) == 0


async def test_a_row_that_asks_once_more_counts_again() -> None:
    admission = opened()
    place = await entered(admission)
    router = PlacedRouter(Judge(), place)
    await router.chat(REQUEST)
    assert in_flight(admission) == 0
    again = asyncio.create_task(router.chat(REQUEST))
    await asyncio.sleep(0)
    assert in_flight(admission) == 1
    await again
    place.leave()
    assert in_flight(admission) == 0


async def test_a_place_is_kept_while_another_call_is_out_and_between_calls_in_turn() -> None:
    admission = opened()
    place, kept = await entered(admission), await entered(admission)
    place.asks()
    await PlacedRouter(Judge(), place).chat(REQUEST)
    kept.keep()
    await PlacedRouter(Judge(), kept).chat(REQUEST)
    assert in_flight(admission) == 2
    place.replied()
    assert in_flight(admission) == 1


async def test_no_more_rows_are_read_than_there_are_places() -> None:
    admission = opened()
    reading = [await entered(admission) for _ in range(MOST)]
    for place in reading:
        await PlacedRouter(Judge(), place).chat(REQUEST)
    last = await entered(admission)
    await PlacedRouter(Judge(), last).chat(REQUEST)
    assert in_flight(admission) == 1

    reading[0].leave()
    await PlacedRouter(Judge(), last).chat(REQUEST)
    assert in_flight(admission) == 0
