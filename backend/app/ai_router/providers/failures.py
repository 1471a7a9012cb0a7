"""Sorts a model server's refusals into the kinds of failure that the job queue acts on.

The message of each error says what to do and never quotes the reply, because replies may
quote the notes; the reply's beginning is kept apart in `body_excerpt`.
"""

import json
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

from app.platform.errors import (
    ConfigurationError,
    PermanentProviderError,
    ProviderError,
    TransientProviderError,
)

# Each of these is found in the code, type or message of an error, in lower case.
_QUOTA = (
    "insufficient_quota",
    "exceeded your current quota",
    "insufficient_balance",
    "insufficient balance",
    "insufficient credits",
    "credit balance is too low",
    "billing",
)
_THIS_REQUEST_ONLY = (
    "content_filter",
    "content_policy",
    "content management policy",
    "content filtering policy",
    "moderation",
    "invalid_prompt",
)
_TOO_LONG_MARKS = (
    "context_length_exceeded",
    "context length",
    "context window",
    "context size",
    "prompt is too long",
    "string_above_max_length",
)
# The cause of a request that does not fit into the model's context.
TOO_LONG = "too_long"
# 408, 409 and 425 mean that the same request may succeed later.
_TRY_LATER = frozenset({408, 409, 425, 429})
# The cause by our name, and what it means.
_CONFIGURATION = {
    400: ("bad_request", "did not understand the request; check the model name and the address"),
    401: ("invalid_api_key", "refused the key; check the key in the settings"),
    402: ("insufficient_quota", "wants to be paid; check the account's billing"),
    403: ("permission_denied", "does not allow this key to use this model; check the account"),
    404: ("model_not_found", "does not know this model or address; check both in the settings"),
    405: ("wrong_address", "does not serve chat at this address; check it in the settings"),
}
# Codes and types that vendors document. Others are left out: a server may write anything there, a
# piece of the key or of a note among it, and messages are stored and shown.
_KNOWN_CODES = frozenset(
    {
        *("account_deactivated", "api_error", "authentication_error", "bad_request"),
        *("billing_error", "billing_hard_limit_reached", "billing_not_active", "content_filter"),
        *("content_policy", "content_policy_violation", "context_length_exceeded"),
        *("deploymentnotfound", "engine_error", "exceeded_current_quota_error"),
        *("insufficient_balance", "insufficient_quota", "internal_error", "internal_server_error"),
        *("invalid_api_key", "invalid_authentication_error", "invalid_image"),
        *("invalid_organization", "invalid_prompt", "invalid_request_error", "invalid_value"),
        *("missing_required_parameter", "model_not_available", "model_not_found", "not_found"),
        *("not_found_error", "overloaded_error", "permission_denied", "permission_error"),
        *("quota_exceeded", "rate_limit_error", "rate_limit_exceeded", "request_too_large"),
        *("requests", "server_error", "service_unavailable", "string_above_max_length"),
        *("timeout_error", "tokens", "unauthorized", "unknown_model", "unknown_parameter"),
        *("unsupported_country_region_territory", "unsupported_parameter", "unsupported_value"),
    }
)


class Complaint(NamedTuple):
    """What an error object says. `code` is the first of code and type that is there; `words`
    is all of it in lower case, for finding what the server complains about."""

    code: str
    words: str


def read_complaint(text: str) -> Complaint:
    """Reads {"error": {…}}, {"error": "…"}, {"detail": …} and anything else as plain words."""
    try:
        reply: Any = json.loads(text)
    except ValueError:
        return Complaint("", text[:2000].lower())
    error = reply.get("error", reply) if isinstance(reply, dict) else reply
    if not isinstance(error, dict):
        return Complaint("", json.dumps(error, ensure_ascii=False)[:2000].lower())
    # vLLM and others repeat the HTTP status as the code, and "error" as the type.
    named = (str(error.get(key) or "") for key in ("code", "type"))
    code = next((name for name in named if name and not name.isdigit() and name != "error"), "")
    parts = [error.get(key) for key in ("code", "type", "param", "message", "detail")]
    words = " ".join(str(part) for part in parts if part)
    return Complaint(code[:80], words[:4000].lower())


def failure(vendor: str, status: int, headers: Mapping[str, str], text: str) -> ProviderError:
    """The typed error for a reply with a status other than 2xx. `text` is without secrets."""
    complaint = read_complaint(text)
    kind, cause, what = _sort(status, complaint.words)
    code = f", {complaint.code}" if complaint.code.lower() in _KNOWN_CODES else ""
    return kind(
        f"{vendor} {what} (HTTP {status}{code}).",
        status=status,
        body_excerpt=text,
        retry_after=retry_after(headers),
        cause=cause,
    )


def failure_in_reply(vendor: str, status: int, text: str) -> ProviderError:
    """The typed error for an error object inside a reply or stream that began with `status`
    2xx. Gateways put the HTTP status of the server behind them into its code."""
    error = json.loads(text).get("error")
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, int) and 400 <= code <= 599:
        return failure(vendor, code, {}, text)
    words = read_complaint(text).words
    if any(mark in words for mark in (*_QUOTA, *_TOO_LONG_MARKS, *_THIS_REQUEST_ONLY)):
        return failure(vendor, 400, {}, text)
    return TransientProviderError(
        f"{vendor} answered with an error object.", status=status, body_excerpt=text
    )


def _sort(status: int, words: str) -> tuple[type[ProviderError], str, str]:
    """The kind of the failure, its cause by our name, and what it means."""
    if status < 400:
        what = "redirects; put the final address into the settings"
        return ConfigurationError, "wrong_address", what
    if status >= 500:
        return TransientProviderError, "unavailable", "is not able to answer now"
    if any(mark in words for mark in _QUOTA):
        what = "has no quota left for this key; check the account's billing"
        return ConfigurationError, "insufficient_quota", what
    if status in _TRY_LATER:
        what = "limits the rate of requests" if status == 429 else "asks to try again"
        return TransientProviderError, "unavailable", what
    too_long = any(mark in words for mark in _TOO_LONG_MARKS)
    this_only = too_long or any(mark in words for mark in _THIS_REQUEST_ONLY)
    if status in _CONFIGURATION and not this_only:
        return ConfigurationError, *_CONFIGURATION[status]
    what = "refuses this request, because of its content or its length"
    return PermanentProviderError, TOO_LONG if too_long else "refused", what


# Nobody who is there waits for longer.
RETRY_AFTER_CAP_SECONDS = 86_400.0


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds from `Retry-After` (seconds or an HTTP date, RFC 9110 §10.2.3), or from
    `retry-after-ms`, which OpenAI sends; None where neither can be read. 0 to
    RETRY_AFTER_CAP_SECONDS.

    A date is compared with the reply's own `Date`, where it has one: our clock may be off."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return _bounded(milliseconds / 1000)
    value = headers.get("retry-after")
    if value is None:
        return None
    seconds = _number(value)
    if seconds is not None:
        return _bounded(seconds)
    date = _date(value)
    if date is None:
        return None
    now = _date(headers.get("date", "")) or datetime.now(UTC)
    return _bounded((date - now).total_seconds())


def _bounded(seconds: float) -> float:
    return min(max(seconds, 0.0), RETRY_AFTER_CAP_SECONDS)


def _date(value: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def _number(value: str | None) -> float | None:
    try:
        number = float(value or "")
    except ValueError:
        return None
    return number if math.isfinite(number) else None
