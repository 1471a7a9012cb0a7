"""Places in flight and how judges and workspaces share them, rows claimed ahead of a place, and
rows released for want of one."""

import asyncio
import logging
import uuid
from collections import Counter, OrderedDict, deque
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, TypeVar

import psycopg

logger = logging.getLogger(__name__)

Key = TypeVar("Key")

# Ids that may wait in a process for a place, half of them of one group. One that has a message of
# its own costs some kilobytes meanwhile.
MAX_WAITING = 8192


class Group(NamedTuple):
    """Fairness key: judge and workspace. A judge that is slow for one row is slow for the group."""

    judge_model: str
    workspace_id: uuid.UUID


class Places:
    """Places shared by dynamic thresholds: a group that holds some takes another one only while it
    holds less than `alpha` times what is still free. So no group can take all of them, and nothing
    is reserved for anybody by name. Choudhury and Hahne, "Dynamic queue length thresholds for
    shared-memory packet switches", IEEE/ACM Transactions on Networking 6(2), 1998.

    It is applied twice: a judge may hold `alpha` times what is free, and a workspace `alpha` times
    what its judge may still take. One workspace alone gets `most` places; `capacity` is larger by
    what that leaves to others. `n` workspaces that hang, each with a judge of its own, hold
    about an n-th each and still leave a share free.
    """

    def __init__(self, most: int, *, alpha: int = 8) -> None:
        self._most = most
        self._alpha = alpha
        self.capacity = -(-most * (1 + alpha) ** 2 // alpha**2)
        self._free = self.capacity
        self._unknown = 0
        self._judges: Counter[str] = Counter()
        self._groups: Counter[Group] = Counter()

    def has_room_for(self, group: Group) -> bool:
        """Rows of unknown judges may all be the group's."""
        return self._has_room(
            self._groups[group] + self._unknown, self._judges[group.judge_model] + self._unknown
        )

    def has_room_for_anyone(self) -> bool:
        """Whether even the judge that holds the most could take another place, if all that it
        holds were one workspace's."""
        held = max(self._judges.values(), default=0) + self._unknown
        return self._has_room(held, held)

    def take(self, group: Group) -> None:
        self._free -= 1
        self._judges[group.judge_model] += 1
        self._groups[group] += 1

    def leave(self, group: Group) -> None:
        self._free += 1
        decrease(self._judges, group.judge_model)
        decrease(self._groups, group)

    def held(self) -> dict[str, int]:
        """Places that are taken, by judge; thread-safe."""
        return dict(self._judges)

    def reserve_unknown(self) -> None:
        """For a row whose judge is not known yet."""
        self._free -= 1
        self._unknown += 1

    def release_unknown(self) -> None:
        self._free += 1
        self._unknown -= 1

    def _has_room(self, held: int, held_by_judge: int) -> bool:
        if held >= self._most or self._free <= 0:
            return False
        # The judge may still take `left` places: (held_by_judge + left) = alpha * (free - left).
        left_times = self._alpha * self._free - held_by_judge
        return held * (1 + self._alpha) < self._alpha * left_times


def decrease(counter: Counter[Key], key: Key) -> None:
    """By one, and drops a key that has none left."""
    counter[key] -= 1
    if not counter[key]:
        del counter[key]


# Rows of one group that are claimed ahead; a statement claims that many in some milliseconds.
MAX_AHEAD = 64
# As many rows of a group may be claimed ahead as of its calls have ended within so many seconds:
# none behind a judge that hangs, where no place becomes free.
ENDED_WITHIN_SECONDS = 0.1
# After a claimed row had to go back, none of its group is claimed ahead for so many seconds.
COOLDOWN_SECONDS = 60.0


class Waiter:
    """A row that waits for a place. called: it may be claimed. turn: True once a place is taken for
    it, False when it has to go back."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.called: asyncio.Future[None] = loop.create_future()
        self.turn: asyncio.Future[bool] = loop.create_future()

    def grant_place(self) -> None:
        self.turn.set_result(True)
        if not self.called.done():
            self.called.set_result(None)


class ClaimPrefetch:
    """How many rows of a group may be claimed ahead of their places.

    max_wait_seconds: for which a claimed row can wait, because its lease is longer by that than its
    call may take. Where that is nothing, none is claimed ahead.
    """

    def __init__(self, max_wait_seconds: float) -> None:
        self.max_wait_seconds = max_wait_seconds
        self._ended: dict[Group, deque[float]] = {}
        self._called: dict[Group, int] = {}
        self._cooldown_until: dict[Group, float] = {}

    def ended(self, group: Group) -> None:
        """A place of the group has become free."""
        ends = self._ended.setdefault(group, deque(maxlen=MAX_AHEAD))
        ends.append(asyncio.get_running_loop().time())

    def called(self, group: Group) -> int:
        """Rows of the group that are claimed ahead."""
        return self._called.get(group, 0)

    def call(self, group: Group, waiter: Waiter) -> None:
        self._called[group] = self.called(group) + 1
        waiter.called.set_result(None)

    def room(self, group: Group) -> int:
        """How many more may be called. Never negative."""
        ends, now = self._ended.get(group), asyncio.get_running_loop().time()
        if not ends or self.max_wait_seconds <= 0 or now < self._cooldown_until.get(group, 0):
            return 0
        while ends and ends[0] < now - ENDED_WITHIN_SECONDS:
            ends.popleft()
        return max(0, len(ends) - self.called(group))

    def leave(self, group: Group) -> None:
        """One that was called ahead waits no more."""
        if count := self.called(group) - 1:
            self._called[group] = count
        else:
            del self._called[group]

    def too_late(self, group: Group) -> None:
        """One has waited for as long as it could."""
        self._cooldown_until[group] = asyncio.get_running_loop().time() + COOLDOWN_SECONDS

    def discard(self, group: Group) -> None:
        """Nothing of the group waits."""
        self._ended.pop(group, None)
        self._cooldown_until.pop(group, None)


# Ids kept in a process; rows beyond are published again after SEARCHQA_REPUBLISH_AFTER.
MAX_RELEASED_ROWS = 10_000

Unpublish = Callable[[Sequence[uuid.UUID]], Awaitable[None]]


class ReleasedRows:
    """Released rows, republished when capacity frees. They wait in PostgreSQL all the while.

    unpublish: has the dispatcher publish rows at its next tick. batch: rows of a group that are
    unpublished together, `interval` seconds after its last batch at the soonest.
    """

    def __init__(self, unpublish: Unpublish, *, batch: int, interval: float) -> None:
        self._unpublish = unpublish
        self._batch = batch
        self._interval = interval
        self._groups: OrderedDict[Group, OrderedDict[uuid.UUID, None]] = OrderedDict()
        self._published_at: dict[Group, float] = {}
        self._timers: dict[Group, asyncio.TimerHandle] = {}
        self._count = 0
        self._running: set[asyncio.Task[None]] = set()

    def add(self, group: Group, id_: uuid.UUID) -> None:
        if self._count >= MAX_RELEASED_ROWS:
            return
        ids = self._groups.setdefault(group, OrderedDict())
        self._count += id_ not in ids
        ids[id_] = None

    def next_group(self) -> Group | None:
        """Each of the groups in turn."""
        if not self._groups:
            return None
        group = next(iter(self._groups))
        self._groups.move_to_end(group)
        return group

    def publish(self, group: Group) -> None:
        """The oldest of a group, now or when it is time; returns at once."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        soonest = self._published_at.get(group, 0) + self._interval
        if now < soonest:
            # By then the judge may be idle, and no answer that ends would ask again.
            if group not in self._timers:
                self._timers[group] = loop.call_at(soonest, self._publish_in_time, group)
            return
        ids = self._groups[group]
        batch = [ids.popitem(last=False)[0] for _ in range(min(self._batch, len(ids)))]
        self._count -= len(batch)
        self._published_at[group] = now
        if not ids:
            del self._groups[group], self._published_at[group]
        task = asyncio.create_task(self._publish(batch))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    def _publish_in_time(self, group: Group) -> None:
        del self._timers[group]
        if group in self._groups:
            self.publish(group)

    async def _publish(self, ids: Sequence[uuid.UUID]) -> None:
        try:
            await self._unpublish(ids)
        except psycopg.Error as error:
            logger.warning("%d rows are published later (%s)", len(ids), error)
