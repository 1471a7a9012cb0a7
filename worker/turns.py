"""Whose turn it is among those that wait for the same thing."""

import asyncio
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from itertools import chain, islice, zip_longest
from typing import Generic, TypeVar

Granted = TypeVar("Granted")
Wanted = TypeVar("Wanted")


class Turns(Generic[Granted, Wanted]):
    """Each owner in turn, what has waited longest of each first: however much one of them has
    waiting, another one's next is among the next few. Futures by what they want."""

    def __init__(self) -> None:
        self._owners: OrderedDict[Hashable, OrderedDict[asyncio.Future[Granted], Wanted]] = (
            OrderedDict()
        )
        self._owner_of: dict[asyncio.Future[Granted], Hashable] = {}

    def __len__(self) -> int:
        return len(self._owner_of)

    def __iter__(self) -> Iterator[asyncio.Future[Granted]]:
        return iter(self._owner_of)

    def add(self, owner: Hashable, future: asyncio.Future[Granted], wanted: Wanted) -> None:
        self._owner_of[future] = owner
        self._owners.setdefault(owner, OrderedDict())[future] = wanted

    def remove(self, future: asyncio.Future[Granted]) -> None:
        """It has had its turn, or waits no longer."""
        if future not in self._owner_of:
            return
        owner = self._owner_of.pop(future)
        waiting = self._owners[owner]
        del waiting[future]
        if waiting:
            self._owners.move_to_end(owner)
        else:
            del self._owners[owner]

    def first(self, most: int) -> list[tuple[asyncio.Future[Granted], Wanted]]:
        """The next ones, in order."""
        rounds = zip_longest(*(waiting.items() for waiting in self._owners.values()))
        return list(islice((one for one in chain.from_iterable(rounds) if one), most))
