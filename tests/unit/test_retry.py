"""Which failure leads to what."""

from app.ai_router.backoff import MAX_RETRY_AFTER_SECONDS, Backoff
from app.platform.errors import (
    ConfigurationError,
    MalformedOutput,
    PermanentProviderError,
    TransientProviderError,
)
from app.verdicts.lifecycle.outcome import Failure, Pause, Retry
from app.verdicts.lifecycle.retry import RetryPolicy
from cases import for_each


def policy(jitter: float = 1.0) -> RetryPolicy:
    return RetryPolicy(max_attempts=4, backoff=Backoff(2, 5, lambda: jitter))


@for_each(("tries", "seconds"), [(0, 2), (1, 4), (2, 5)])
def test_waits_double_up_to_the_longest(tries, seconds):
    decision = policy().decide(TransientProviderError("busy", status=500), tries)

    assert decision == Retry("transient: busy", seconds)


def test_chance_takes_at_most_half_of_a_wait():
    decision = policy(jitter=0.0).decide(TransientProviderError("busy"), 0)

    assert decision == Retry("transient: busy", 1)


@for_each(("asked", "waited"), [(0.1, 2), (30, 30), (1e9, MAX_RETRY_AFTER_SECONDS)])
def test_retry_after_is_honoured_within_reason(asked, waited):
    decision = policy().decide(TransientProviderError("busy", retry_after=asked), 0)

    assert isinstance(decision, Retry)
    assert decision.delay == waited


def test_the_last_try_fails():
    decision = policy().decide(MalformedOutput("two objects"), 3)

    assert decision == Failure("malformed: two objects")


def test_a_permanent_error_is_not_tried_again():
    decision = policy().decide(PermanentProviderError("too long", status=413), 0)

    assert isinstance(decision, Failure)


def test_a_bad_request_is_a_wrong_model_or_a_wrong_answer():
    error = ConfigurationError("no such parameter", status=400, cause="bad_request")

    assert policy().decide(error, 0) == Pause("bad_request", tried=True)
    assert isinstance(policy().decide(error, 3), Failure), "not for ever"
    assert isinstance(policy().decide(error, 0, judge_works=True), Failure)


def test_a_wrong_key_pauses_the_judge_even_at_the_last_try():
    error = ConfigurationError("the key is wrong", status=401, cause="invalid_api_key")

    assert policy().decide(error, 3) == Pause("invalid_api_key")


def test_a_pause_says_nothing_but_a_word_of_ours():
    odd = ConfigurationError("sk-secret", status=418, cause="sk-secret")
    ours = ConfigurationError("OPENAI_API_KEY is missing")

    assert policy().decide(odd, 0) == Pause("unknown")
    assert policy().decide(ours, 0) == Pause("not_configured")
