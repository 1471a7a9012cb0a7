"""How the places in flight of a process are shared."""

import uuid
from collections import Counter
from typing import NamedTuple, TypeVar

Key = TypeVar("Key")

# Ids that may wait in a process for a place, half of them of one group. One that has a message of
# its own costs some kilobytes meanwhile.
MAX_WAITING = 8192


class Group(NamedTuple):
    """Whose verdicts share a fate: when the judge is slow for one of them, it is for all."""

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
        self._unseen = 0
        self._judges: Counter[str] = Counter()
        self._groups: Counter[Group] = Counter()

    def has_room_for(self, group: Group) -> bool:
        """Rows that are not seen yet may all be the group's."""
        return self._has_room(
            self._groups[group] + self._unseen, self._judges[group.judge_model] + self._unseen
        )

    def has_room_for_anyone(self) -> bool:
        """Whether even the judge that holds the most could take another place, if all that it
        holds were one workspace's."""
        held = max(self._judges.values(), default=0) + self._unseen
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

    def take_unseen(self) -> None:
        """For a row whose judge is not known yet."""
        self._free -= 1
        self._unseen += 1

    def leave_unseen(self) -> None:
        self._free += 1
        self._unseen -= 1

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
