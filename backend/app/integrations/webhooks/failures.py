"""Failure codes of deliveries, and the texts of webhooks for people."""

import enum
import json
from collections.abc import Mapping
from importlib import resources
from typing import Any

from app.text.language import Lang


class FailureCode(enum.StrEnum):
    ADDRESS_NOT_ALLOWED = "address_not_allowed"
    NAME_NOT_RESOLVED = "name_not_resolved"
    TIMED_OUT = "timed_out"
    CONNECTION_FAILED = "connection_failed"
    TLS_FAILED = "tls_failed"
    REDIRECTED = "redirected"
    REFUSED = "refused"
    GONE = "gone"
    NOT_ACCEPTED = "not_accepted"
    NOT_WRITTEN = "not_written"
    WORKER_DIED = "worker_died"
    INTERNAL_ERROR = "internal_error"


# In English and Korean: of the messages to Slack, and why an attempt failed.
TEXTS: Mapping[str, Mapping[str, Any]] = json.loads(
    resources.files("app.integrations.webhooks").joinpath("texts.json").read_text("utf-8")
)


def failure_in_words(code: str | None, lang: Lang) -> str | None:
    """The sentence for a stored code; None where there was no failure."""
    if code is None:
        return None
    sentence: str = TEXTS["failures"][code][lang]
    return sentence
