"""Counts answers that were not handed over, and says so without flooding a log."""

from __future__ import annotations

import logging
import math
import time
from collections import Counter

from searchqa_client.errors import SearchQAError

_log = logging.getLogger("searchqa_client")

QUEUE_FULL = "queue_full"
TOO_LARGE = "too_large"
INVALID = "invalid"
CLOSED = "closed"
UNEXPECTED_REPLY = "unexpected_reply"

_ADVICE = {
    QUEUE_FULL: "The server at {url} is away or too slow: look at it, or raise max_waiting and"
    " max_bytes.",
    TOO_LARGE: "Send fewer or shorter notes with an answer.",
    CLOSED: "Close the Background, or end the process, after the last answer; give `close` more"
    " time if the server at {url} is slow.",
}


class Drops:
    """Not thread-safe: its owner's lock protects it."""

    def __init__(self, url: str, interval_seconds: float) -> None:
        self._url = url
        self._interval = interval_seconds
        self.counts: Counter[str] = Counter()
        self._unsaid: Counter[str] = Counter()
        self._advice = ""
        self._said_at = -math.inf

    def add(self, reason: str, advice: str | None = None) -> None:
        """advice: what to do, where it is not the same for all drops of this reason."""
        self.counts[reason] += 1
        self._unsaid[reason] += 1
        self._advice = advice or _ADVICE.get(reason, "").format(url=self._url)

    def due(self) -> bool:
        """Whether there is something to log, and the last message is an interval old."""
        return bool(self._unsaid) and time.monotonic() - self._said_at >= self._interval

    def message(self, *, even_early: bool = False) -> str | None:
        """What is to be logged now: all drops since the last message. None when there are none,
        or when it is too early."""
        if not (self.due() or (even_early and self._unsaid)):
            return None
        counts = ", ".join(f"{reason}: {count}" for reason, count in self._unsaid.most_common())
        total = sum(self._unsaid.values())
        self._unsaid.clear()
        self._said_at = time.monotonic()
        return f"Answers not handed to SearchQA: {total} ({counts}). {self._advice}"


def log_drops(message: str | None) -> None:
    """Outside of any lock: a handler may take long."""
    if message:
        _log.warning(message)


def log_waiting(why: SearchQAError | None) -> None:
    _log.warning("Answers wait to be handed to SearchQA: %s", why)


def described(error: Exception) -> str:
    """The error on one line, even if its own text cannot be had."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001  # objects of strangers are asked for their texts here
        return type(error).__name__
