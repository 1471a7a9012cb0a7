"""Which rows are judged, which wait, which go back: without a database."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Sequence

import pytest

from app.ai_router.limits.shared import SharedLimits
from app.judges.judge_names import RULES_MODEL
from cases import TIMEOUT_SECONDS, eventually
from verdict_world import settings
from worker.admission import Admission, NoRoom, Place
from worker.allowances import Allowances, PendingRow
from worker.loop_thread import LoopStopping
from worker.places import Group

SLOW, QUICK = "openai:slow", "openai:quick"
MAX_CLAIMED = 64


@pytest.fixture(autouse=True)
def _little_room_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("worker.admission.MAX_WAITING", 2 * MAX_CLAIMED)


class Rows:
    """Rows by group, and who was asked about or made due."""

    def __init__(self, **changes: object) -> None:
        self.groups: dict[uuid.UUID, Group] = {}
        self.looked: list[uuid.UUID] = []
        self.claimed: list[uuid.UUID] = []
        self.due: list[uuid.UUID] = []
        chosen = settings(**{"max_in_flight": MAX_CLAIMED} | changes)
        unlimited = Allowances(SharedLimits({}, None, call_seconds=1))
        self.admission = Admission(
            chosen, look=self._look, unpublish=self._unpublish, allowances=unlimited
        )
        self.entering: list[asyncio.Task[Place | None]] = []
        opened.append(self)

    def add_rows(self, group: Group, count: int = 1) -> list[uuid.UUID]:
        ids = [uuid.uuid4() for _ in range(count)]
        self.groups |= dict.fromkeys(ids, group)
        return ids

    async def post(self, group: Group, count: int = 1) -> list[asyncio.Task[Place | None]]:
        """Rows that enter; returns when nothing more happens."""
        tasks = [asyncio.create_task(self._enter(id_)) for id_ in self.add_rows(group, count)]
        self.entering += tasks
        await idle()
        return tasks

    async def _enter(self, id_: uuid.UUID) -> Place | None:
        place = await self.admission.enter(id_)
        if place:
            self.claimed.append(id_)
            await asyncio.sleep(0)  # the claim
            if not await place.begin():
                place.leave()
                return None
            place.belongs_to(self.groups[id_])
        return place

    async def _look(self, id_: uuid.UUID) -> PendingRow | None:
        self.looked.append(id_)
        found = self.groups.get(id_)
        return found and PendingRow(found)

    async def _unpublish(self, ids: Sequence[uuid.UUID]) -> None:
        self.due += ids


opened: list[Rows] = []


def group(judge: str = SLOW) -> Group:
    return Group(judge, uuid.uuid4())


async def idle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def placed(tasks: Sequence[asyncio.Task[Place | None]]) -> list[Place]:
    return [
        place
        for task in tasks
        if task.done() and not task.exception() and (place := task.result()) is not None
    ]


def count_released(tasks: Sequence[asyncio.Task[Place | None]]) -> int:
    return sum(isinstance(task.exception(), NoRoom) for task in tasks if task.done())


@pytest.fixture(autouse=True)
async def _closed() -> AsyncIterator[None]:
    """Stops the admissions of a test."""
    opened.clear()
    yield
    for rows in opened:
        rows.admission.stop()
        await asyncio.gather(*rows.entering, return_exceptions=True)


async def test_rows_are_not_looked_up_while_there_is_room():
    rows = Rows()
    assert len(placed(await rows.post(group(), 5))) == 5
    assert rows.looked == []


async def test_a_judge_that_hangs_holds_its_share_and_others_come_in_at_once():
    rows, hog = Rows(), group()
    tasks = await rows.post(hog, 10 * MAX_CLAIMED)
    assert len(placed(tasks)) == MAX_CLAIMED

    for other in (group(QUICK), group(RULES_MODEL), group(SLOW)):
        assert len(placed(await rows.post(other))) == 1, other

    waiting = sum(not task.done() for task in tasks)
    assert 0 < waiting <= MAX_CLAIMED, "the others of its messages are free for others"
    assert count_released(tasks) == 10 * MAX_CLAIMED - MAX_CLAIMED - waiting


async def test_a_judge_that_hangs_for_many_workspaces_leaves_room_for_another_judge():
    rows = Rows()
    for _ in range(10):
        await rows.post(group(), MAX_CLAIMED)
    assert len(placed(await rows.post(group(QUICK)))) == 1
    assert len(placed(await rows.post(group(RULES_MODEL)))) == 1


async def test_rules_do_not_take_places_of_models():
    rows = Rows()
    await rows.post(group(RULES_MODEL), 4 * MAX_CLAIMED)
    assert len(placed(await rows.post(group(), MAX_CLAIMED))) == MAX_CLAIMED


async def test_who_waits_longest_comes_first_and_workspaces_take_turns():
    rows, hog, other = Rows(), group(), group()
    held = placed(await rows.post(hog, MAX_CLAIMED))
    first, *_ = waiting = await rows.post(hog, 20)
    late = await rows.post(other, 40)
    came = len(placed(late))
    assert 0 < came < 40
    for place in held:
        place.leave()
        await idle()
        if placed(waiting):
            break
    assert placed([first])
    assert len(placed(late)) > came, "it held less"
    assert len(placed(waiting)) == 1


async def test_what_went_back_is_published_when_there_is_room_and_not_before():
    rows, hog = Rows(dispatch_interval=0.001), group()
    tasks = await rows.post(hog, 4 * MAX_CLAIMED)
    back = count_released(tasks)
    assert back
    assert rows.due == []
    await rows.post(group(QUICK))
    assert rows.due == [], "it was another's place"

    held = placed(tasks)
    while held:
        held.pop().leave()
        await idle()
        held += [place for place in placed(tasks) if place not in held and len(rows.due) < back]
        await asyncio.sleep(0.001)
        if len(rows.due) == back:
            break
    assert len(rows.due) == len(set(rows.due)) == back


async def test_all_that_went_back_is_published_though_nothing_else_ends_later():
    rows, hog = Rows(dispatch_interval=0.1), group()
    back = count_released(tasks := await rows.post(hog, 4 * MAX_CLAIMED))
    assert back > MAX_CLAIMED, "more than one batch"

    left: set[Place] = set()
    while ready := [place for place in placed(tasks) if place not in left]:
        for place in ready:
            place.leave()
        left.update(ready)
        await idle()

    await eventually(lambda: len(rows.due) >= back)


async def test_a_row_waits_no_longer_than_its_message_may_be_held():
    rows, hog = Rows(judge_deadline=0.01, judge_lease=10.02, task_time_limit=0.03), group()
    tasks = await rows.post(hog, MAX_CLAIMED + 1)
    await asyncio.wait(tasks, timeout=TIMEOUT_SECONDS)
    assert len(placed(tasks)) == MAX_CLAIMED
    assert count_released(tasks) == 1


async def test_a_row_that_is_judged_already_takes_no_place():
    rows = Rows()
    await rows.post(group(), MAX_CLAIMED)
    assert await rows.admission.enter(uuid.uuid4()) is None


async def test_stopping_sends_away_who_waits():
    rows, hog = Rows(), group()
    tasks = await rows.post(hog, MAX_CLAIMED + 3)
    rows.admission.stop()
    await idle()
    gone = [task for task in tasks if task.done() and isinstance(task.exception(), LoopStopping)]
    assert len(gone) == 3
    with pytest.raises(LoopStopping):
        await rows.admission.enter(uuid.uuid4())


async def test_stopping_sends_away_who_is_looked_up_meanwhile(monkeypatch):
    rows = Rows()
    await rows.post(slow := group(), MAX_CLAIMED * 2)
    looked, look = asyncio.Event(), rows.admission._look

    async def slow_look(id_: uuid.UUID) -> PendingRow | None:
        await looked.wait()
        return await look(id_)

    monkeypatch.setattr(rows.admission, "_look", slow_look)
    [late] = await rows.post(slow)
    rows.admission.stop()
    looked.set()
    await idle()
    assert isinstance(late.exception(), LoopStopping)


# Seconds that a claimed row can wait.
MAX_WAIT_SECONDS = 0.05
ALMOST_LATE = {
    "judge_deadline": 1,
    "rules_time_limit": 1,
    "judge_lease": 12 + MAX_WAIT_SECONDS,
    "task_time_limit": 20,
}


async def test_as_many_rows_are_claimed_ahead_as_places_became_free():
    rows, hog = Rows(), group()
    held = placed(await rows.post(hog, MAX_CLAIMED))
    waiting = await rows.post(hog, 20)
    assert len(rows.claimed) == MAX_CLAIMED, "nothing ends, and nothing is claimed ahead"
    for place in held[:3]:
        place.leave()
    await idle()
    assert len(placed(waiting)) == 3
    assert len(rows.claimed) == MAX_CLAIMED + 3 + 3

    held[3].leave()
    await idle()
    assert len(placed(waiting)) == 4
    assert rows.admission.in_flight() == {("openai:slow",): MAX_CLAIMED}


async def test_a_row_that_is_claimed_in_vain_leaves_its_place_in_the_line():
    rows, hog = Rows(), group()
    held = placed(await rows.post(hog, MAX_CLAIMED))
    elsewhere = asyncio.create_task(rows.admission.enter(*rows.add_rows(hog)))
    await idle()
    waiting = await rows.post(hog, 2)
    held[0].leave()
    (await elsewhere).leave()  # type: ignore[union-attr]
    await idle()
    assert len(placed(waiting)) == 1, "the place of the one that had gone"
    held[1].leave()
    await idle()
    assert len(placed(waiting)) == 2
    assert rows.admission.waiting() == {(): 0}


async def test_a_claimed_row_goes_back_while_its_lease_still_has_time_for_the_call():
    rows, hog = Rows(**ALMOST_LATE), group()
    held = placed(await rows.post(hog, MAX_CLAIMED))
    waiting = await rows.post(hog, 20)
    for place in held[:5]:
        place.leave()
    await idle()
    assert len(rows.claimed) == MAX_CLAIMED + 5 + 5

    await asyncio.wait(waiting, timeout=TIMEOUT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    await eventually(lambda: sum(task.done() for task in waiting) >= 10)
    assert len(placed(waiting)) == 5
    held[5].leave()
    await idle()
    assert len(rows.claimed) == MAX_CLAIMED + 11, "and for a while none is claimed ahead"


async def test_stopping_gives_back_what_is_claimed():
    rows, hog = Rows(), group()
    held = placed(await rows.post(hog, MAX_CLAIMED))
    waiting = await rows.post(hog, 20)
    held[0].leave()
    await idle()
    rows.admission.stop()
    await idle()
    back = [task for task in waiting if task.done() and not task.exception()]
    assert [task.result() is None for task in back].count(True) == 1
    assert len(rows.claimed) == MAX_CLAIMED + 2
