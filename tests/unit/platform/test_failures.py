"""How refusals of model servers are sorted."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

from app.ai_router.providers.failures import failure, failure_in_reply, retry_after
from app.platform.errors import ConfigurationError, PermanentProviderError, TransientProviderError
from app.verdicts.lifecycle.retry import pause_reason, reason_in_words
from cases import for_each


def _openai(code: str, message: str = "Something.") -> str:
    return f'{{"error": {{"message": "{message}", "type": "requests", "code": "{code}"}}}}'


@for_each(
    ("status", "text", "kind"),
    [
        (429, _openai("rate_limit_exceeded"), TransientProviderError),
        (408, "", TransientProviderError),
        (409, "", TransientProviderError),
        (500, "oops", TransientProviderError),
        (503, "<html>busy</html>", TransientProviderError),
        (529, '{"type":"error","error":{"type":"overloaded_error"}}', TransientProviderError),
        (429, _openai("insufficient_quota"), ConfigurationError),
        (402, '{"error": "Insufficient Balance"}', ConfigurationError),
        (400, _openai("x", "Your credit balance is too low to use the API."), ConfigurationError),
        (400, _openai("invalid_value"), ConfigurationError),
        (401, _openai("invalid_api_key"), ConfigurationError),
        (403, '{"detail": "Forbidden"}', ConfigurationError),
        (404, _openai("model_not_found"), ConfigurationError),
        (405, "", ConfigurationError),
        (301, "", ConfigurationError),
        (400, _openai("content_filter"), PermanentProviderError),
        (400, _openai("context_length_exceeded"), PermanentProviderError),
        (
            400,
            '{"object":"error","message":"maximum context length is 4096 tokens","code":400}',
            PermanentProviderError,
        ),
        (403, _openai("x", "Your input was flagged by moderation"), PermanentProviderError),
        (413, "", PermanentProviderError),
        (422, "not JSON", PermanentProviderError),
    ],
)
def test_each_refusal_has_its_kind(status, text, kind):
    error = failure("openai", status, {}, text)

    assert type(error) is kind
    assert error.status == status
    assert error.body_excerpt == text[:500]
    assert text.strip() == "" or text not in str(error)


def test_the_vendors_code_is_named_for_the_operator():
    error = failure("openai", 401, {}, _openai("invalid_api_key"))

    assert "invalid_api_key" in str(error)
    assert "check the key" in str(error)


@for_each(
    ("body", "kind"),
    [
        ('{"error": {"code": 429, "message": "slow down"}}', TransientProviderError),
        ('{"error": {"code": 401, "message": "no"}}', ConfigurationError),
        ('{"error": {"code": 502, "message": "upstream"}}', TransientProviderError),
        ('{"error": {"type": "overloaded_error", "message": "busy"}}', TransientProviderError),
        ('{"error": {"code": "insufficient_quota"}}', ConfigurationError),
        ('{"error": {"code": "context_length_exceeded"}}', PermanentProviderError),
        ('{"error": "model runner crashed"}', TransientProviderError),
    ],
)
def test_an_error_object_in_a_good_reply_is_sorted_by_what_it_says(body, kind):
    assert type(failure_in_reply("gateway", 200, body)) is kind


@for_each(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "1e300"}, 86_400.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 1998 00:00:00 GMT"}, 0.0),
        ({"retry-after": "Mon, 01 Jan 99999999999999999999 00:00:00 GMT"}, None),
        ({}, None),
    ],
)
def test_retry_after_is_seconds(headers, seconds):
    assert retry_after(headers) == seconds


def test_retry_after_may_be_a_date():
    began = datetime.now(UTC)
    date = format_datetime(began + timedelta(minutes=2), usegmt=True)

    seconds: Any = retry_after({"retry-after": date})

    passed = (datetime.now(UTC) - began).total_seconds()
    assert 119 - passed < seconds <= 120, "dates have whole seconds"


def test_a_date_is_counted_from_the_date_of_the_reply():
    """By a clock that is an hour off we should come an hour late, or at once."""
    now = datetime(2000, 1, 1, tzinfo=UTC)
    headers = {
        "date": format_datetime(now, usegmt=True),
        "retry-after": format_datetime(now + timedelta(minutes=2), usegmt=True),
    }

    assert retry_after(headers) == 120
    assert retry_after(headers | {"date": "yesterday"}) == 0, "then our own clock must do"


def test_unknown_error_codes_are_not_repeated():
    for code in ("sk-live-1234", "환자 김철수", "invalid_api_key sk-live-1234"):
        error = failure("openai", 401, {}, _openai(code))

        assert code not in str(error)
        assert "HTTP 401" in str(error)
        assert error.cause == "invalid_api_key"


@for_each(
    ("status", "text", "cause"),
    [
        (301, "", "wrong_address"),
        (400, _openai("invalid_value"), "bad_request"),
        (402, "", "insufficient_quota"),
        (429, _openai("insufficient_quota"), "insufficient_quota"),
        (403, "", "permission_denied"),
        (404, _openai("model_not_found"), "model_not_found"),
        (405, "", "wrong_address"),
    ],
)
def test_what_pauses_a_judge_has_a_cause_with_a_sentence(status, text, cause):
    error = failure("openai", status, {}, text)

    assert isinstance(error, ConfigurationError)
    assert error.cause == pause_reason(error) == cause
    assert reason_in_words(cause, "ko") != reason_in_words("unknown", "ko")


def test_a_pause_of_no_known_reason_shows_nothing_of_what_is_stored():
    assert reason_in_words("Incorrect key sk-live-1234", "en") == reason_in_words("unknown", "en")
