"""What a forked child cannot use: threads of its parent, and locks that they may hold for good."""

import os
import weakref
from typing import Protocol


class StartsOver(Protocol):
    def _start_over(self) -> None:
        """Makes new locks, and drops what belongs to the parent."""


_alive: weakref.WeakSet[StartsOver] = weakref.WeakSet()


def starts_over_in_children(owner: StartsOver) -> None:
    _alive.add(owner)


def _start_over() -> None:
    for owner in list(_alive):
        owner._start_over()  # noqa: SLF001  # no part of what an application calls


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_over)
