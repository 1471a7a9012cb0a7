"""Which rows may be judged in this process now, which wait in it, and which go back."""

import asyncio
import uuid
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from itertools import islice

from app.judges.judge_names import takes_prompts
from app.platform.metrics import model_label
from app.platform.settings import Settings
from app.verdicts.judging.rules_judge import CORES
from worker.allowances import Allowances, Grant, PendingRow
from worker.loop_thread import LoopStopping
from worker.places import (
    MAX_WAITING,
    ClaimPrefetch,
    Group,
    Places,
    ReleasedRows,
    Unpublish,
    Waiter,
    decrease,
)

# Rules and detectors compute: a few claims keep a core busy, and more would only use up their
# leases.
RULES_PLACES_PER_CORE = 4
# Of a lease, for everything besides calls and the rules that may replace them.
LEASE_MARGIN_SECONDS = 10.0

Look = Callable[[uuid.UUID], Awaitable[PendingRow | None]]
Waiting = OrderedDict[Waiter, None]


class NoRoom(Exception):
    """The group has its share in flight and its share waiting: the row is released."""


class Place:
    """A place in flight until `leave`, with what was reserved of its judge's limits. waiter: of a
    row that may be claimed ahead of it."""

    def __init__(
        self,
        admission: "Admission",
        group: Group | None,
        grant: Grant | None = None,
        waiter: Waiter | None = None,
    ) -> None:
        self._admission = admission
        self._group = group
        self._grant = grant
        self._waiter = waiter

    async def begin(self) -> bool:
        """Waits until the claimed row may be judged. False when it has to be released: the rest of
        its lease is needed for the call, or the process stops."""
        if self._waiter is None or self._group is None:
            return True
        return await self._admission.turn(self._group, self._waiter)

    def belongs_to(self, group: Group) -> bool:
        """Moves the place to the row's group, which is certain once the row is claimed. False for a
        row that was admitted without a look and lacks an allowance: it has to be released."""
        overlooked = self._group is None and self._admission.is_limited(group.judge_model)
        if group != self._group:
            self._admission.occupy(group)
            self._admission.vacate(self._group)
            self._group = group
        if self._grant and self._grant.model != group.judge_model:
            self._end_grant()
        return not overlooked

    def leave(self) -> None:
        self._end_grant()
        if (
            self._waiter
            and self._group
            and not self._admission.has_place(self._group, self._waiter)
        ):
            return
        self._admission.vacate(self._group)

    def _end_grant(self) -> None:
        if self._grant:
            self._grant.end()
            self._grant = None


class Admission:
    """Places in flight, and places to wait for one, both shared by judge and workspace.

    A group may have as many rows waiting as there is room left for others to wait. A row without
    room, or that has waited too long, is released and republished when capacity frees.

    look: finds the group of a row, None where it is not to be judged. It is not asked while even
    the largest group is below its share and no judge is limited; the claim names the group then.
    unpublish: see ReleasedRows. allowances: where rows of limited judges wait before they take a
    place.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        look: Look,
        unpublish: Unpublish,
        allowances: Allowances,
    ) -> None:
        self._look = look
        self._allowances = allowances
        self._models = Places(settings.worker.max_in_flight)
        self._rules = Places(RULES_PLACES_PER_CORE * CORES, alpha=2)
        self._waiting: OrderedDict[Group, Waiting] = OrderedDict()
        held = (
            settings.judge.deadline_seconds
            + settings.judge.rules_time_limit_seconds
            + LEASE_MARGIN_SECONDS
        )
        self._prefetching = ClaimPrefetch(settings.judge.lease_seconds - held)
        self._for_allowance: Counter[Group] = Counter()
        self._waiting_count = 0
        # The rest of a task's time is for judging.
        self._max_wait_seconds = settings.judge.task_limit_seconds - settings.judge.deadline_seconds
        # Then it is published again, perhaps to another worker.
        self._max_allowance_wait_seconds = min(
            self._max_wait_seconds, settings.worker.republish_after_seconds
        )
        self._released = ReleasedRows(
            unpublish,
            batch=settings.worker.max_in_flight,
            interval=2 * settings.worker.dispatch_interval_seconds,
        )
        self._stopping = False

    async def enter(self, id_: uuid.UUID) -> Place | None:
        """None when the row is not to be judged any more. Raises NoRoom, LoopStopping."""
        if self._stopping:
            raise LoopStopping
        if not self._allowances and self._has_room_for_anyone():
            self.occupy(None)
            return Place(self, None)
        row = await self._look(id_)
        if row and row.ask is None and self.is_limited(row.group.judge_model):
            row = await self._look(id_)  # for what it takes, which was not asked for before
        if row is None:
            return None
        grant = await self._granted(row)
        try:
            waiter = await self._take_place(row.group, id_)
        except BaseException:
            if grant:
                grant.end()
            raise
        return Place(self, row.group, grant, waiter)

    def stop(self) -> None:
        """Admits no more: raises LoopStopping for waiting rows and releases claimed ones."""
        self._stopping = True
        self._allowances.stop(LoopStopping())
        for waiting in self._waiting.values():
            for waiter in waiting:
                if not waiter.called.done():
                    waiter.called.set_exception(LoopStopping())
                elif not waiter.turn.done():
                    waiter.turn.set_result(False)

    def in_flight(self) -> dict[tuple[str, ...], float]:
        """Rows that hold a place, by judge; thread-safe, as `waiting`."""
        held = {**self._models.held(), **self._rules.held()}
        sums: Counter[str] = Counter()
        for judge_model, count in held.items():
            sums[model_label(judge_model)] += count
        return {(label,): count for label, count in sums.items()}

    def waiting(self) -> dict[tuple[str, ...], float]:
        """Rows that wait in this process for a place or an allowance."""
        return {(): self._waiting_count}

    def is_limited(self, judge_model: str) -> bool:
        """Whether its rows wait for their allowance. Starts to track an unknown model."""
        return takes_prompts(judge_model) and self._allowances.limits(judge_model)

    def occupy(self, group: Group | None) -> None:
        """group: None for a row whose judge is unknown, which may be of either kind."""
        if group:
            self._places(group).take(group)
        else:
            self._models.reserve_unknown()
            self._rules.reserve_unknown()

    def vacate(self, group: Group | None) -> None:
        if group:
            places = self._places(group)
            places.leave(group)
            if group in self._waiting and places is self._models:
                self._prefetching.ended(group)
        else:
            self._models.release_unknown()
            self._rules.release_unknown()
        self._admit_waiting()
        if behind := self._released.next_group():
            self._publish(behind)

    def _places(self, group: Group) -> Places:
        return self._models if takes_prompts(group.judge_model) else self._rules

    def _has_room_for_anyone(self) -> bool:
        return self._models.has_room_for_anyone() and self._rules.has_room_for_anyone()

    def _waits_of(self, group: Group) -> int:
        return len(self._waiting.get(group, ())) + self._for_allowance[group]

    async def _granted(self, row: PendingRow) -> Grant | None:
        """What the row's judge allows it; None where its calls are not limited. Raises NoRoom."""
        group, ask = row
        if ask is None:
            return None
        grant = None
        if self._waits_of(group) < MAX_WAITING - self._waiting_count:
            self._for_allowance[group] += 1
            self._waiting_count += 1
            try:
                seconds = self._max_allowance_wait_seconds
                grant = await self._allowances.wait(
                    group.judge_model, ask, seconds, owner=group.workspace_id
                )
            finally:
                self._waiting_count -= 1
                decrease(self._for_allowance, group)
        if grant is None:
            self._released.add(group, uuid.UUID(ask.id))
            raise NoRoom
        return grant

    async def turn(self, group: Group, waiter: Waiter) -> bool:
        """See Place.begin."""
        if not waiter.turn.done():
            await asyncio.wait([waiter.turn], timeout=self._prefetching.max_wait_seconds)
        if not waiter.turn.done():
            self._prefetching.too_late(group)
            return False
        return waiter.turn.result()

    def has_place(self, group: Group, waiter: Waiter) -> bool:
        """Whether a place was taken for it; where not, it waits for none any more."""
        if waiter.turn.done() and waiter.turn.result():
            return True
        self._remove(group, waiter)
        return False

    async def _take_place(self, group: Group, id_: uuid.UUID) -> Waiter | None:
        """None when a place was taken. Raises NoRoom, and LoopStopping where that was asked for
        while this row was looked up."""
        if self._stopping:
            raise LoopStopping
        if group not in self._waiting and self._places(group).has_room_for(group):
            self.occupy(group)
            return None
        waiter = await self._called(group)
        if waiter is None:
            self._released.add(group, id_)
            raise NoRoom
        return waiter

    async def _called(self, group: Group) -> Waiter | None:
        """A row of the group that may be claimed now; None when it has too many waiting."""
        waiting = self._waiting.get(group, Waiting())
        if self._waits_of(group) >= MAX_WAITING - self._waiting_count:
            return None
        self._waiting[group] = waiting
        waiter = Waiter()
        waiting[waiter] = None
        self._waiting_count += 1
        self._prefetch(group)
        await asyncio.wait([waiter.called], timeout=self._max_wait_seconds)
        if waiter.called.done():
            waiter.called.result()
            return waiter
        self._remove(group, waiter)
        return None

    def _remove(self, group: Group, waiter: Waiter) -> None:
        waiting = self._waiting.get(group, Waiting())
        if waiter not in waiting:
            return
        del waiting[waiter]
        self._waiting_count -= 1
        if waiter.called.done():
            self._prefetching.leave(group)
        if not waiting:
            del self._waiting[group]
            self._prefetching.discard(group)

    def _admit_waiting(self) -> None:
        """Gives free places to waiting rows, group by group, the oldest of each first."""
        full = 0
        while full < len(self._waiting) and not self._stopping:
            group, waiting = next(iter(self._waiting.items()))
            self._waiting.move_to_end(group)
            if self._places(group).has_room_for(group):
                waiter = next(iter(waiting))
                self._remove(group, waiter)
                self.occupy(group)
                waiter.grant_place()
                full = 0
            else:
                full += 1
                self._prefetch(group)

    def _prefetch(self, group: Group) -> None:
        """Has the next waiting rows claimed ahead of their places."""
        if room := self._prefetching.room(group):
            called = self._prefetching.called(group)
            for waiter in list(islice(self._waiting[group], called, called + room)):
                self._prefetching.call(group, waiter)

    def _publish(self, group: Group) -> None:
        """Republishes released rows, early enough to arrive before the last waiting row has a
        place."""
        waiting = self._waits_of(group)
        room = self._places(group).has_room_for(group)
        if (waiting or room) and waiting < (MAX_WAITING - self._waiting_count) / 2:
            self._released.publish(group)
