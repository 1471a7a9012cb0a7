"""The answers that wait to be handed over, bounded in number and memory."""

from __future__ import annotations

import sys
import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from searchqa_client import drops
from searchqa_client.drops import Drops
from searchqa_client.submission import Submission

# No server takes a larger body, and a character is a byte of it at least.
_MAX_CHARS = 2 * 1024 * 1024
# Drops wake the waiting thread, which looks for those that were not due yet.
_LEAST_WAIT_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts since the start of this process: submitted = sent + those dropped + waiting.
    dropped: by reason. waiting: with those that are being sent."""

    submitted: int
    sent: int
    dropped: Mapping[str, int]
    waiting: int


@dataclass(frozen=True, slots=True)
class Bounds:
    """max_waiting: answers. max_bytes: memory that their texts take. warn_seconds: from one
    message about drops to the next."""

    max_waiting: int
    max_bytes: int
    warn_seconds: float


@dataclass(frozen=True, slots=True)
class Waiting:
    """size: bytes of memory that its texts take."""

    submission: Submission
    size: int


class Outbox:
    """Thread-safe. Its lock is held for moments only, never while something is sent or logged."""

    def __init__(self, bounds: Bounds, url: str) -> None:
        self._bounds = bounds
        # Reentrant: a destructor or a signal handler may submit during a submit. Whoever submits
        # wakes a sender that waits for work, not those that pause or wait for the end of it.
        self._lock = threading.RLock()
        self._arrived = threading.Condition(self._lock)
        self._settled = threading.Condition(self._lock)
        self._queue: deque[Waiting] = deque()
        self._in_flight = 0
        self._bytes = 0
        self._submitted = 0
        self._sent = 0
        self._drops = Drops(url, bounds.warn_seconds)
        self._hurried = False
        self._closed = False

    def put(self, submission: Submission) -> None:
        """Takes it in, and drops the oldest for it if need be. Raises TypeError for texts that are
        none."""
        texts = [submission.question, submission.answer]
        texts += [text for note in submission.notes for text in note]
        too_large = sum(map(len, texts)) > _MAX_CHARS
        waiting = Waiting(submission, sum(map(sys.getsizeof, texts)))
        with self._lock:
            self._submitted += 1
            if self._closed:
                self._drops.add(drops.CLOSED)
            elif too_large or waiting.size > self._bounds.max_bytes:
                self._drops.add(drops.TOO_LARGE)
            else:
                self._queue.append(waiting)
                self._bytes += waiting.size
                self._evict()
            self._arrived.notify()

    def refuse(self, reason: str, advice: str | None = None) -> None:
        """Counts one that could not be taken in."""
        with self._lock:
            self._submitted += 1
            self._drops.add(reason, advice)
            self._arrived.notify()

    def take(self) -> Waiting | None:
        """The oldest, which counts as waiting until it is given to one of the next three. Waits
        for one; None when the outbox is closed, or there are drops to speak of."""
        with self._lock:
            self._arrived.wait_for(
                lambda: self._queue or self._closed or self._drops.due(),
                max(self._bounds.warn_seconds, _LEAST_WAIT_SECONDS),
            )
            if not self._queue:
                return None
            waiting = self._queue.popleft()
            self._bytes -= waiting.size
            self._in_flight += 1
            return waiting

    def sent(self, _: Waiting) -> None:
        with self._lock:
            self._in_flight -= 1
            self._sent += 1
            self._settled.notify_all()

    def dropped(self, _: Waiting, reason: str, advice: str) -> None:
        with self._lock:
            self._in_flight -= 1
            self._drops.add(reason, advice)
            self._settled.notify_all()

    def put_back(self, waiting: Waiting, *, last: bool) -> None:
        """last: behind the others, which are tried first then."""
        with self._lock:
            self._in_flight -= 1
            if self._closed:
                self._drops.add(drops.CLOSED)
            else:
                (self._queue.append if last else self._queue.appendleft)(waiting)
                self._bytes += waiting.size
                self._evict()
            self._arrived.notify()
            self._settled.notify_all()

    def pause(self, seconds: float) -> None:
        """Waits, but not on when somebody begins to wait for the outbox to be empty."""
        with self._lock:
            self._settled.wait_for(lambda: self._hurried or self._closed, seconds)
            self._hurried = False

    def flush(self, timeout: float) -> bool:
        """Whether it was empty within so many seconds."""
        with self._lock:
            self._hurried = True
            self._settled.notify_all()
            return self._settled.wait_for(lambda: not self._waiting_count(), timeout)

    def close(self) -> None:
        """Drops what waits, and what is put in later."""
        with self._lock:
            self._closed = True
            while self._queue:
                self._queue.popleft()
                self._drops.add(drops.CLOSED)
            self._bytes = 0
            self._arrived.notify_all()
            self._settled.notify_all()

    @property
    def closed(self) -> bool:
        return self._closed

    def drop_message(self, *, even_early: bool = False) -> str | None:
        with self._lock:
            return self._drops.message(even_early=even_early)

    @property
    def stats(self) -> Stats:
        with self._lock:
            counts = dict(self._drops.counts)
            return Stats(self._submitted, self._sent, counts, self._waiting_count())

    def _waiting_count(self) -> int:
        return len(self._queue) + self._in_flight

    def _evict(self) -> None:
        bounds = self._bounds
        while len(self._queue) > bounds.max_waiting or self._bytes > bounds.max_bytes:
            self._bytes -= self._queue.popleft().size
            self._drops.add(drops.QUEUE_FULL)
