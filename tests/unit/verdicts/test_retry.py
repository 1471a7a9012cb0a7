"""Which failure leads to what."""

from app.platform.errors import (
    ConfigurationError,
    MalformedOutput,
    PermanentProviderError,
    TransientProviderError,
)
from app.verdicts.lifecycle.outcome import Failure, Pause, Retry
from app.verdicts.lifecycle.retry import MAX_RETRY_AFTER_SECONDS, Backoff, RetryPolicy
from cases import for_each


def policy(jitter: float = 1.0) -> RetryPolicy:
    return RetryPolicy(max_attempts=4, backoff=Backoff(2, 5, lambda: jitter))


BUSY = TransientProviderError("busy", status=500)
FAR_OFF = TransientProviderError("busy", retry_after=1e9)


@for_each(
    ("error", "tries", "decision"),
    [
        (BUSY, 0, Retry("transient: busy", 2)),
        (BUSY, 1, Retry("transient: busy", 4)),
        (BUSY, 2, Retry("transient: busy", 5)),
        (TransientProviderError("busy", retry_after=0.1), 0, Retry("transient: busy", 2)),
        (TransientProviderError("busy", retry_after=30), 0, Retry("transient: busy", 30)),
        (FAR_OFF, 0, Retry("transient: busy", MAX_RETRY_AFTER_SECONDS)),
        (MalformedOutput("two objects"), 3, Failure("malformed: two objects")),
        (PermanentProviderError("too long", status=413), 0, Failure("permanent: too long")),
        (ConfigurationError("wrong", status=401, cause="invalid_api_key"), 3,
         Pause("invalid_api_key")),
        # A pause says nothing but a word of ours.
        (ConfigurationError("sk-secret", status=418, cause="sk-secret"), 0, Pause("unknown")),
        (ConfigurationError("OPENAI_API_KEY is missing"), 0, Pause("not_configured")),
    ],
)  # fmt: skip
def test_a_failure_is_tried_again_recorded_or_pauses_the_judge(error, tries, decision):
    assert policy().decide(error, tries) == decision


def test_chance_takes_at_most_half_of_a_wait():
    assert policy(jitter=0.0).decide(BUSY, 0) == Retry("transient: busy", 1)


def test_a_bad_request_is_a_wrong_model_or_a_wrong_answer():
    error = ConfigurationError("no such parameter", status=400, cause="bad_request")

    assert policy().decide(error, 0) == Pause("bad_request", tried=True)
    assert isinstance(policy().decide(error, 3), Failure), "not for ever"
    assert isinstance(policy().decide(error, 0, judge_works=True), Failure)
