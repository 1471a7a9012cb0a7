"""Webhooks and deliveries as readers get them; never a secret."""

import datetime as dt
import uuid
from collections.abc import Mapping
from typing import Annotated, Any, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, model_validator

from app.integrations.webhooks.events import (
    AlertMetric,
    DeliveryStatus,
    Direction,
    DisabledReason,
    EventName,
    FailureCode,
    failure_in_words,
)
from app.integrations.webhooks.formats import FormatName
from app.integrations.webhooks.models import Webhook
from app.judges.answer import Confidence
from app.platform.db.owned_queries import Listed, Page
from app.text.language import Lang
from app.verdicts.policy.document import Number


class Threshold(BaseModel):
    """Told once on each day on which the metric crosses `value`: a share of 0 to 1, or US
    dollars."""

    model_config = ConfigDict(extra="forbid")

    metric: AlertMetric
    direction: Direction
    value: Annotated[float, Field(ge=0, le=1_000_000), Number]

    @model_validator(mode="after")
    def _can_be_crossed(self) -> Self:
        if self.metric is AlertMetric.COST_USD:
            if self.direction is Direction.BELOW:
                raise ValueError("cost_usd is below any value when a day begins; use above")
        elif self.value > 1:
            raise ValueError(f"{self.metric} is a share; write 0.2 for 20 %")
        return self


class WebhookView(Listed):
    """url: of format `slack` only the host, because the rest of it is a password. Filters that are
    null let everything pass; they hold for verdicts, `judges` also for judges.
    disabled_reason: why the server switched it off (gone: the receiver answered 410; failing: it
    has taken nothing for days), null where people did. failing_since: the first failed attempt
    after the last delivery. previous_secret_until: until when deliveries are also signed with the
    secret before."""

    name: str
    url: str
    format: FormatName
    lang: Lang
    events: list[EventName]
    confidences: list[Confidence] | None
    judges: list[str] | None
    notebook_ids: list[uuid.UUID] | None
    features: list[str] | None
    include_content: bool
    backlog_minutes: int
    thresholds: list[Threshold]
    enabled: bool
    disabled_reason: DisabledReason | None
    disabled_at: dt.datetime | None
    failing_since: dt.datetime | None
    delivered_at: dt.datetime | None
    last_error: str | None
    pending: int
    previous_secret_until: dt.datetime | None
    created_at: dt.datetime
    updated_at: dt.datetime

    @classmethod
    def from_webhook(
        cls, webhook: Webhook, pending: int, until: dt.datetime | None, lang: Lang
    ) -> Self:
        stored = {
            name: getattr(webhook, name) for name in cls.model_fields if hasattr(webhook, name)
        }
        return cls.model_validate(
            stored
            | {
                "url": _shown(webhook.url, webhook.format),
                "last_error": failure_in_words(webhook.last_error, lang),
                "pending": pending,
                "previous_secret_until": until,
            }
        )


def _shown(url: str, format_: str) -> str:
    if format_ != FormatName.SLACK:
        return url
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/…"


class WebhookCreated(WebhookView):
    """`secret` is told this one time; it is not shown again."""

    secret: str


class RotatedSecret(BaseModel):
    """`secret` is told this one time. Deliveries are also signed with the one before it until
    `previous_secret_until`."""

    secret: str
    previous_secret_until: dt.datetime | None


class AttemptView(BaseModel):
    """status: of the reply, null where none came. code: why it failed, for programs; error says
    it to people, in their language. Both are null where the receiver has taken it. reply: its
    first characters."""

    attempt: int
    at: dt.datetime
    status: int | None
    ms: float
    code: FailureCode | None
    error: str | None
    reply: str


class DeliveryView(Listed):
    """An event for one webhook. tries: since the event or the last replay. next_attempt_at: null
    unless it is pending. attempts: the last ones, oldest first."""

    webhook_id: uuid.UUID
    event: str
    evaluation_id: uuid.UUID | None
    status: DeliveryStatus
    tries: int
    next_attempt_at: dt.datetime | None
    created_at: dt.datetime
    finished_at: dt.datetime | None
    attempts: list[AttemptView]
    data: dict[str, Any]

    @classmethod
    def from_row(cls, row: Mapping[str, Any], lang: Lang) -> Self:
        attempts = [
            attempt | {"error": failure_in_words(attempt["code"], lang)}
            for attempt in row["attempts"]
        ]
        return cls.model_validate(dict(row) | {"attempts": attempts})


class WebhookPage(BaseModel):
    """Newest first, all on one page."""

    items: list[WebhookView]
    next: None = None


class DeliveryPage(Page[DeliveryView, uuid.UUID]):
    """Newest first. `next` continues the list; it is null on the last page."""
