"""Tables of webhooks and of what is delivered to them."""

import datetime as dt
import uuid
from typing import Any

from sqlalchemy import ARRAY, CheckConstraint, Index, String, Text, Uuid, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.integrations.webhooks.events import DeliveryStatus, DisabledReason
from app.platform.db.base import Base, InWorkspace, KeyedInWorkspace, KeyedRow, foreign_key
from app.platform.db.statements import in_list

_PENDING = text(f"status = '{DeliveryStatus.PENDING}'")


class Webhook(KeyedInWorkspace, Base):
    """A receiver and the events it subscribes to. A filter that is NULL lets everything pass.

    thresholds: objects of `metric`, `direction` and `value`. `failing_since` is the first failed
    attempt after the last success.
    """

    __tablename__ = "webhooks"
    __table_args__ = (
        Index(None, "workspace_id", "id"),
        CheckConstraint("backlog_minutes BETWEEN 1 AND 10080", name="backlog_minutes"),
        CheckConstraint(
            f"disabled_reason IN ({in_list(DisabledReason)})", name="disabled_reason_known"
        ),
        CheckConstraint("NOT (enabled AND disabled_reason IS NOT NULL)", name="enabled_or_why_not"),
    )

    updated_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())
    name: Mapped[str] = mapped_column(Text)
    url: Mapped[str] = mapped_column(Text)
    format: Mapped[str] = mapped_column(String(16))
    lang: Mapped[str] = mapped_column(String(2))
    events: Mapped[list[str]] = mapped_column(ARRAY(Text))
    confidences: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    judges: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    notebook_ids: Mapped[list[uuid.UUID] | None] = mapped_column(ARRAY(Uuid))
    features: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    include_content: Mapped[bool]
    backlog_minutes: Mapped[int]
    thresholds: Mapped[list[dict[str, Any]]]

    enabled: Mapped[bool]
    disabled_reason: Mapped[str | None] = mapped_column(String(16))
    disabled_at: Mapped[dt.datetime | None]
    failing_since: Mapped[dt.datetime | None]
    delivered_at: Mapped[dt.datetime | None]
    last_error: Mapped[str | None] = mapped_column(Text)


class WebhookSecret(KeyedRow, Base):
    """A key that deliveries are signed with, until `expires_at`. The role of the API writes
    `secret` and cannot read it."""

    __tablename__ = "webhook_secrets"
    __table_args__ = (Index(None, "webhook_id"),)

    webhook_id: Mapped[uuid.UUID] = foreign_key("webhooks.id")
    secret: Mapped[str] = mapped_column(Text)
    expires_at: Mapped[dt.datetime | None]


class WebhookDelivery(KeyedRow, Base):
    """An event for one webhook, until it is delivered: the outbox.

    `attempt` is the fence: a worker may record only with the number it claimed. `tries` counts
    the attempts since the event or the last replay. `run_at` is when it is due, `lease_until` when
    the worker that sends it must have recorded. `data` is what the event says; the texts of an
    answer are read when it is sent. `log` holds the last attempts (see
    app.integrations.webhooks.views).
    """

    __tablename__ = "webhook_deliveries"
    __table_args__ = (
        Index("ix_webhook_deliveries_due", "webhook_id", "run_at", postgresql_where=_PENDING),
        Index(None, "webhook_id", "id"),
        Index(
            "ix_webhook_deliveries_evaluation_id",
            "evaluation_id",
            postgresql_where=text("evaluation_id IS NOT NULL"),
        ),
        Index(None, "created_at"),
        CheckConstraint(f"status IN ({in_list(DeliveryStatus)})", name="status_known"),
    )

    webhook_id: Mapped[uuid.UUID] = foreign_key("webhooks.id")
    event: Mapped[str] = mapped_column(String(32))
    evaluation_id: Mapped[uuid.UUID | None] = foreign_key("qa_evaluations.id")
    data: Mapped[dict[str, Any]]
    status: Mapped[str] = mapped_column(
        String(16), server_default=text(f"'{DeliveryStatus.PENDING}'")
    )
    attempt: Mapped[int] = mapped_column(server_default=text("0"))
    tries: Mapped[int] = mapped_column(server_default=text("0"))
    run_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())
    lease_until: Mapped[dt.datetime | None]
    finished_at: Mapped[dt.datetime | None]
    log: Mapped[list[dict[str, Any]]] = mapped_column(server_default=text("'[]'"))


class WebhookAlert(Base, InWorkspace):
    """A condition that a webhook was notified of, once for each `key`: the backlog that has not
    ended, a threshold on a day, or a model that ends."""

    __tablename__ = "webhook_alerts"

    webhook_id: Mapped[uuid.UUID] = foreign_key("webhooks.id", primary_key=True)
    key: Mapped[str] = mapped_column(Text, primary_key=True)
    created_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())
