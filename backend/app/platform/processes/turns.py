"""Turns of calls that wait for a child process: owners in turn, those within their budget first."""

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Hashable
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, NamedTuple

# An owner may use this share of all children's time in a window. Beyond it, others go first.
BUDGET_SHARE = 0.25
BUDGET_WINDOW_SECONDS = 60.0


class Share(NamedTuple):
    """What a call is charged to. long: it may take seconds."""

    owner: Hashable = None
    long: bool = False


_NOBODY = Share()
_share: ContextVar[Share] = ContextVar("share", default=_NOBODY)


@contextmanager
def charged_to(share: Share) -> Generator[None]:
    """Charges calls to it, those of tasks started meanwhile included."""
    token = _share.set(share)
    try:
        yield
    finally:
        _share.reset(token)


@dataclass(eq=False, slots=True)
class Waiting:
    """A call that no child has yet, and the future of its result."""

    work: Callable[[], Any]
    share: Share = field(default_factory=_share.get)
    future: Future[Any] = field(default_factory=Future)


class Turns:
    """Calls that wait for one of `children`. Long calls hold all but one of them at most: one is
    kept for short calls. Thread-safe."""

    def __init__(self, children: int) -> None:
        self._max_long = max(1, children - 1)
        self._budget = _Budget(BUDGET_SHARE * children)
        self._lock = threading.Lock()
        self._waiting: OrderedDict[Hashable, deque[Waiting]] = OrderedDict()
        self._long = 0

    def add(self, call: Waiting) -> None:
        with self._lock:
            self._waiting.setdefault(call.share.owner, deque()).append(call)

    def withdraw(self, call: Waiting) -> bool:
        """False where a child has it."""
        with self._lock:
            waits = call in self._waiting.get(call.share.owner, ())
            if waits:
                self._remove(call)
            return waits

    def take(self) -> Waiting | None:
        """The next call that may begin; `end` has to follow."""
        with self._lock:
            late = [owner for owner in self._waiting if self._budget.is_spent(owner)]
            early = [owner for owner in self._waiting if owner not in late]
            for owner in (*early, *late):
                for call in self._waiting[owner]:
                    if call.share.long and self._long >= self._max_long:
                        continue
                    self._waiting.move_to_end(owner)
                    self._remove(call)
                    self._long += call.share.long
                    return call
            return None

    def cancel(self) -> None:
        """Cancels what waits."""
        with self._lock:
            for calls in self._waiting.values():
                for call in calls:
                    call.future.cancel()
            self._waiting.clear()

    def end(self, call: Waiting, seconds: float) -> None:
        """The call took so long."""
        with self._lock:
            self._long -= call.share.long
            self._budget.charge(call.share.owner, seconds)

    def _remove(self, call: Waiting) -> None:
        calls = self._waiting[call.share.owner]
        calls.remove(call)
        if not calls:
            del self._waiting[call.share.owner]


class _Budget:
    """Leaky buckets of seconds, `rate` of them drained in each second."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._size = rate * BUDGET_WINDOW_SECONDS
        self._levels: dict[Hashable, tuple[float, float]] = {}

    def is_spent(self, owner: Hashable) -> bool:
        return self._level(owner) > self._size

    def charge(self, owner: Hashable, seconds: float) -> None:
        # A bucket that overflows is within its budget again after a window at most.
        level = min(self._level(owner) + seconds, 2 * self._size)
        self._levels[owner] = level, monotonic()

    def _level(self, owner: Hashable) -> float:
        level, at = self._levels.pop(owner, (0.0, 0.0))
        level -= self._rate * (monotonic() - at)
        if level <= 0:
            return 0.0
        self._levels[owner] = level, monotonic()
        return level
