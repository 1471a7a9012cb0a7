"""Which failures are worth another try, and when."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Self

from app.ai_router.backoff import MAX_RETRY_AFTER_SECONDS, Backoff
from app.platform.errors import ConfigurationError, ProviderError, Throttled, TransientProviderError
from app.platform.settings import Settings
from app.verdicts.lifecycle.outcome import Failure, JudgeFailure, Pause, Retry
from app.verdicts.lifecycle.pause_reasons import pause_reason


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
