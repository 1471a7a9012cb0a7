"""Which failures are worth another try, and when."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Self

from app.errors import ConfigurationError, ProviderError, TransientProviderError
from app.settings import Settings
from app.verdicts.outcome import Failure, Pause, Retry

# A server that asks for more than this is not waited for longer: the row is asked again.
LONGEST_RETRY_AFTER = 3600.0


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Exponential back-off, the upper half of each wait by chance ("equal jitter", AWS
    Architecture Blog, "Exponential Backoff And Jitter", 2015), and never shorter than the
    server's Retry-After. All times are seconds."""

    max_attempts: int
    base: float
    longest: float
    jitter: Callable[[], float] = random.random

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        return cls(settings.max_attempts, settings.retry_base, settings.retry_max)

    def decide(
        self, error: ProviderError, tries: int, *, judge_works: bool = False
    ) -> Retry | Failure | Pause:
        """tries: how many attempts have failed before this one. judge_works: it has served
        others lately, so a bad request is the request's own fault."""
        last = tries + 1 >= self.max_attempts
        if isinstance(error, ConfigurationError):
            # A bad request may be the fault of the model's name or of this very answer.
            doubtful = error.status == HTTPStatus.BAD_REQUEST
            if not (doubtful and (last or judge_works)):
                return Pause(str(error), tried=doubtful)
        if last or not isinstance(error, TransientProviderError):
            return Failure(describe(error))
        ceiling = min(self.longest, self.base * 2**tries)
        delay = ceiling / 2 + ceiling / 2 * self.jitter()
        if error.retry_after is not None:
            delay = max(delay, min(error.retry_after, LONGEST_RETRY_AFTER))
        return Retry(describe(error), delay)


def describe(error: ProviderError) -> str:
    """One line for the row: kind and message, which names the HTTP status. The reply's body stays
    in judge_calls, because it may quote the notes."""
    return f"{error.kind}: {error}"
