"""Rows that are claimed shortly before there is a place in flight for them: else each place stays
empty for as long as a claim takes."""

import asyncio
from collections import deque

from worker.places import Group

# Rows of one group that are claimed ahead; a statement claims that many in some milliseconds.
MAX_AHEAD = 64
# As many rows of a group may be claimed ahead as of its calls have ended within so many seconds:
# none behind a judge that hangs, where no place becomes free.
ENDED_WITHIN = 0.1
# After a claimed row had to go back, none of its group is claimed ahead for so many seconds.
REST_SECONDS = 60.0


class Waiter:
    """A row that waits for a place. called: it may be claimed. turn: True once a place is taken for
    it, False when it has to go back."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.called: asyncio.Future[None] = loop.create_future()
        self.turn: asyncio.Future[bool] = loop.create_future()

    def give_place(self) -> None:
        self.turn.set_result(True)
        if not self.called.done():
            self.called.set_result(None)


class ClaimsAhead:
    """How many rows of a group may be claimed ahead of their places.

    patience: seconds that a claimed row can wait, because its lease is longer by that than its call
    may take. Where that is nothing, none is claimed ahead.
    """

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self._ended: dict[Group, deque[float]] = {}
        self._called: dict[Group, int] = {}
        self._rests_until: dict[Group, float] = {}

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
        if not ends or self.patience <= 0 or now < self._rests_until.get(group, 0):
            return 0
        while ends and ends[0] < now - ENDED_WITHIN:
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
        self._rests_until[group] = asyncio.get_running_loop().time() + REST_SECONDS

    def forget(self, group: Group) -> None:
        """Nothing of the group waits."""
        self._ended.pop(group, None)
        self._rests_until.pop(group, None)
