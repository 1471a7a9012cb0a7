"""How long to wait before a model is asked again."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

from app.platform.settings import Settings

# A longer Retry-After is cut to this.
MAX_RETRY_AFTER_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class Backoff:
    """Exponential back-off, the upper half of each wait by chance ("equal jitter", AWS
    Architecture Blog, "Exponential Backoff And Jitter", 2015), and never shorter than the
    server's Retry-After. All times are seconds."""

    base: float
    longest: float
    jitter: Callable[[], float] = random.random

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        return cls(settings.judge.retry_base_seconds, settings.judge.retry_max_seconds)

    def delay(self, tries: int, retry_after: float | None = None) -> float:
        """tries: how many attempts have failed before this one."""
        ceiling = min(self.longest, self.base * 2.0**tries)
        delay = ceiling / 2 + ceiling / 2 * self.jitter()
        if retry_after is not None:
            delay = max(delay, min(retry_after, MAX_RETRY_AFTER_SECONDS))
        return delay
