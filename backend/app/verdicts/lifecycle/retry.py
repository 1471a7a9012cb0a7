"""Which failures are worth another try, when, and why a judge is paused."""

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Self

from app.ai_router.types import Lang
from app.platform.errors import (
    ConfigurationError,
    MalformedOutput,
    ProviderError,
    Throttled,
    TransientProviderError,
)
from app.platform.settings import Settings
from app.verdicts.lifecycle.outcome import Failure, JudgeFailure, Pause, Retry

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


NOT_CONFIGURED, UNUSABLE_FOLDER, UNKNOWN = "not_configured", "unusable_folder", "unknown"
# What opens the circuit breaker.
RATE_LIMITED, UNUSABLE_REPLIES, UNAVAILABLE = "rate_limited", "unusable_replies", "unavailable"
# And what ends trying: so many answers in a row without a reply that could be used.
UNSUITABLE, UNSUITABLE_ANSWERS = "unsuitable", 20

# What is stored of a pause is one of these words: every workspace reads it, and a server may write
# a piece of the key, or of a note, into its message.
_PAUSE_REASONS: Mapping[Lang, Mapping[str, str]] = json.loads(
    Path(__file__).with_name("pause_reasons.json").read_text("utf-8")
)
PAUSE_REASONS = frozenset(_PAUSE_REASONS["en"])


def pause_reason(error: ProviderError) -> str:
    """The word for what is wrong with a judge. Without a reply of a server it is our settings."""
    if error.cause in PAUSE_REASONS and error.cause != UNKNOWN:
        return error.cause
    if isinstance(error, MalformedOutput):
        return UNUSABLE_REPLIES
    if isinstance(error, TransientProviderError):
        return RATE_LIMITED if error.status == HTTPStatus.TOO_MANY_REQUESTS else UNAVAILABLE
    return UNKNOWN if error.status else NOT_CONFIGURED


def reason_in_words(reason: str, lang: Lang) -> str:
    """The sentence for a stored reason; what is none of ours is not shown."""
    words = _PAUSE_REASONS[lang]
    return words.get(reason, words[UNKNOWN]).format(answers=UNSUITABLE_ANSWERS)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """What a failure leads to, by the number of attempts, with waits of `backoff` between."""

    max_attempts: int
    backoff: Backoff

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        return cls(settings.judge.max_attempts, Backoff.from_settings(settings))

    def decide(
        self,
        error: ProviderError,
        tries: int,
        *,
        judge_works: bool = False,
        no_calls_left: bool = False,
    ) -> Retry | Failure | Pause:
        """tries: how many attempts have failed before this one. judge_works: it has served
        others lately, so a bad request is the request's own fault. no_calls_left: the answer has
        used up the calls that it may take."""
        last = no_calls_left or tries + 1 >= self.max_attempts
        if isinstance(error, ConfigurationError):
            # A bad request may be the fault of the model's name or of this very answer.
            doubtful = error.status == HTTPStatus.BAD_REQUEST
            if not (doubtful and (last or judge_works)):
                return Pause(pause_reason(error), tried=doubtful)
        if last or not isinstance(error, TransientProviderError):
            return Failure(describe(error))
        return Retry(describe(error), self.backoff.delay(tries, error.retry_after))


def judge_failure(error: ProviderError) -> JudgeFailure | None:
    """What the error counts against the judge; None where the request may be to blame, or the
    configuration has to be fixed."""
    if not isinstance(error, TransientProviderError) or isinstance(error, Throttled):
        return None
    return JudgeFailure(pause_reason(error), min(error.retry_after or 0, MAX_RETRY_AFTER_SECONDS))


def describe(error: ProviderError) -> str:
    """One line for the row: kind and message, which names the HTTP status. The reply's body stays
    in judge_calls, because it may quote the notes."""
    return f"{error.kind}: {error}"
