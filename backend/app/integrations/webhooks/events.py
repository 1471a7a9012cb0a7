"""Events of webhooks, the message that a format writes of one, and why a delivery failed."""

import datetime as dt
import enum
import json
import uuid
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from app.text.language import Lang


class EventName(enum.StrEnum):
    """Verdict events come from a trigger on verdict_events, those of judges from one on
    judge_pauses, changes of quality from one on quality_alarms, failures that recur from one on
    recurring_failures, in the transaction of what they tell of (migrations/functions). The
    dispatcher looks for backlogs, thresholds and models that end."""

    VERDICT_SUCCEEDED = "verdict.succeeded"
    VERDICT_FAILED = "verdict.failed"
    JUDGE_PAUSED = "judge.paused"
    JUDGE_RESUMED = "judge.resumed"
    BACKLOG_OLD = "backlog.old"
    THRESHOLD_CROSSED = "threshold.crossed"
    QUALITY_CHANGED = "quality.changed"
    FAILURE_OPENED = "failure.opened"
    FAILURE_REOPENED = "failure.reopened"
    MODEL_ENDING = "model.ending"
    WEBHOOK_DISABLED = "webhook.disabled"


# A backlog is counted up to this: more take long to count, and the number would say no more.
MAX_WAITING = 10_000
# Sent on request, whatever a webhook is subscribed to.
TEST_EVENT = "webhook.test"


class AlertMetric(enum.StrEnum):
    """What a day's threshold is set on; shares are 0 to 1 of the day's verdicts."""

    HIGH_SHARE = "high_share"
    LOW_SHARE = "low_share"
    UNSUPPORTED_SHARE = "unsupported_share"
    FAILED_SHARE = "failed_share"
    COST_USD = "cost_usd"


class Direction(enum.StrEnum):
    ABOVE = "above"
    BELOW = "below"


class DeliveryStatus(enum.StrEnum):
    """
    pending ──▶ delivered ──▶ pending (replayed)
       └──────▶ failed ─────▶ pending (replayed)

    A delivery under way is pending with a `lease_until` in the future.
    """

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class DisabledReason(enum.StrEnum):
    """Why the server switched a webhook off: its receiver answered 410 Gone, or has taken nothing
    for days. NULL where people did."""

    GONE = "gone"
    FAILING = "failing"


@dataclass(frozen=True, slots=True)
class Message:
    """An event as it is delivered to one webhook.

    data: of the event, see docs/webhooks.md. content: question, answer and claims where the
    webhook asks for them. link: of the page about it, None where the server does not know its own
    address. lang: that of people who read it. traceparent: of the answer, where it has one.
    """

    id: uuid.UUID
    event: str
    at: dt.datetime
    data: Mapping[str, Any]
    content: Mapping[str, Any] | None
    link: str | None
    lang: Lang
    traceparent: str | None = None


class Format(ABC):
    """How messages are written, as JSON, and how the receiver says in the body of a 2xx that it
    did not take one."""

    @abstractmethod
    def write(self, message: Message) -> bytes: ...

    def accepted(self, reply: str) -> bool:
        """A 2xx is all that most protocols ask for."""
        return True


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
