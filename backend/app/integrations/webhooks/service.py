"""Webhooks as their people manage them: added, changed, tested, their deliveries replayed."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from functools import partial

from sqlalchemy import func, literal_column, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.integrations.webhooks.addresses import checked_url, new_secret
from app.integrations.webhooks.events import TEST_EVENT, DeliveryStatus, EventName
from app.integrations.webhooks.formats import FormatName
from app.integrations.webhooks.models import Webhook, WebhookDelivery, WebhookSecret
from app.integrations.webhooks.views import (
    DeliveryPage,
    DeliveryView,
    RotatedSecret,
    WebhookCreated,
    WebhookView,
)
from app.platform.db import owned_queries
from app.platform.db.owned_queries import one_and_page
from app.platform.db.statements import SqlFile
from app.platform.errors import Conflict, InvalidRequest, no_such
from app.platform.ids import new_id
from app.platform.settings import Settings
from app.text.language import Lang
from app.verdicts.policy.service import check_notebooks

_SQL = SqlFile(__package__, "queries", test_event=TEST_EVENT)
_DELIVERIES = _SQL("deliveries")
DELIVERY, _ = one_and_page(_DELIVERIES, "d.id")
_, DELIVERY_PAGE = one_and_page(
    f"{_DELIVERIES} AND (CAST(:status AS text) IS NULL OR d.status = :status)", "d.id"
)

# The status is no parameter: the index of what is due holds for this one only.
_PENDING = (
    select(func.count())
    .where(
        WebhookDelivery.webhook_id == Webhook.id,
        WebhookDelivery.status == literal_column(f"'{DeliveryStatus.PENDING}'"),
    )
    .scalar_subquery()
)
_UNTIL = (
    select(func.max(WebhookSecret.expires_at))
    .where(WebhookSecret.webhook_id == Webhook.id, WebhookSecret.expires_at > func.now())
    .scalar_subquery()
)

COUNT = text("SELECT count(*) FROM webhooks WHERE workspace_id = :workspace_id")
# Nobody else adds a webhook until the transaction ends.
LOCK_WORKSPACE = text("SELECT pg_advisory_xact_lock(hashtext('webhooks'), hashtext(:workspace_id))")

# Until the transaction ends: deliveries go with their webhook, and may be very many. Verdicts of
# the workspace wait meanwhile, and their workers try for longer than this.
ALLOW_LONG_DELETION = text("SET LOCAL statement_timeout = '30s'")
_ADD_SECRET = text(_SQL("add_secret"))
END_OLDER_SECRETS = text(_SQL("end_older_secrets"))
ADD_TEST = text(_SQL("add_test"))
REPLAY = text(_SQL("replay"))


async def webhooks(
    session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID | None = None
) -> Sequence[tuple[Webhook, int, dt.datetime | None]]:
    """Newest first, or the one with this id; each with how many deliveries wait for it, and until
    when its former secret is valid."""
    query = select(Webhook, _PENDING, _UNTIL).where(Webhook.workspace_id == workspace_id)
    if id_ is not None:
        query = query.where(Webhook.id == id_)
    return (await session.execute(query.order_by(Webhook.id.desc()))).all()


async def add_secret(
    session: AsyncSession, workspace_id: uuid.UUID, webhook_id: uuid.UUID, secret: str
) -> None:
    given = {"workspace_id": workspace_id, "webhook_id": webhook_id, "secret": secret}
    await session.execute(_ADD_SECRET, given | {"id": new_id()})


MAX_WEBHOOKS = 20
_no_webhook = partial(no_such, "webhook", "웹훅이", "/webhooks")
_no_delivery = partial(no_such, "delivery", "전송 기록이", "/webhooks/{id}/deliveries")


async def list_webhooks(
    session: AsyncSession, workspace_id: uuid.UUID, lang: Lang
) -> list[WebhookView]:
    """Newest first."""
    found = await webhooks(session, workspace_id)
    return [WebhookView.from_webhook(*each, lang) for each in found]


async def get_webhook(
    session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID, lang: Lang
) -> WebhookView:
    """Raises NotFound."""
    found = await webhooks(session, workspace_id, id_)
    if not found:
        raise _no_webhook()
    return WebhookView.from_webhook(*found[0], lang)


async def add_webhook(
    session: AsyncSession, workspace_id: uuid.UUID, values: Mapping[str, object], settings: Settings
) -> WebhookCreated:
    """Adds one with a secret of its own. values: the columns that people set. Raises
    InvalidRequest, and Conflict when there are MAX_WEBHOOKS."""
    await session.execute(LOCK_WORKSPACE, {"workspace_id": str(workspace_id)})
    if await session.scalar(COUNT, {"workspace_id": workspace_id}) >= MAX_WEBHOOKS:
        raise Conflict.worded("too-many-webhooks", most=MAX_WEBHOOKS)
    webhook = Webhook(workspace_id=workspace_id, **values)
    await _check(session, webhook, settings)
    session.add(webhook)
    await session.flush()
    secret = new_secret()
    await add_secret(session, workspace_id, webhook.id, secret)
    await session.refresh(webhook)
    view = WebhookView.from_webhook(webhook, 0, None, "en")
    return WebhookCreated(**view.model_dump(), secret=secret)


async def change_webhook(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    id_: uuid.UUID,
    values: Mapping[str, object],
    settings: Settings,
    lang: Lang,
) -> WebhookView:
    """Changes the columns in `values`. Switching it on clears why it was off. Raises NotFound,
    InvalidRequest."""
    webhook = await _existing(session, workspace_id, id_, lock=True)
    slack = FormatName.SLACK
    if webhook.format == slack and values.get("format", slack) != slack:
        _check_new_url(values)
    if values.get("enabled") and not webhook.enabled:
        values = dict(values) | {
            "disabled_reason": None,
            "disabled_at": None,
            "failing_since": None,
        }
    for name, value in values.items():
        setattr(webhook, name, value)
    with session.no_autoflush:
        await _check(session, webhook, settings)
    webhook.updated_at = func.now()
    await session.flush()
    return await get_webhook(session, workspace_id, id_, lang)


async def delete_webhook(session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID) -> None:
    """With its deliveries, sent or not. Raises NotFound."""
    await session.execute(ALLOW_LONG_DELETION)
    if not await owned_queries.delete_one(session, Webhook, workspace_id, id_):
        raise _no_webhook()


async def rotate_secret(
    session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID, overlap_hours: int
) -> RotatedSecret:
    """A new secret. The one before it stays valid beside it for `overlap_hours`; earlier ones end
    at once. Raises NotFound."""
    await _existing(session, workspace_id, id_, lock=True)
    given = {"workspace_id": workspace_id, "webhook_id": id_, "hours": overlap_hours}
    ends = (await session.scalars(END_OLDER_SECRETS, given)).all()
    until = max(ends, default=None)
    secret = new_secret()
    await add_secret(session, workspace_id, id_, secret)
    return RotatedSecret(secret=secret, previous_secret_until=until if overlap_hours else None)


async def send_test(session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID) -> DeliveryView:
    """Puts a test event into the outbox. It is tried once. Raises NotFound, and Conflict where the
    webhook is switched off."""
    if not (await _existing(session, workspace_id, id_)).enabled:
        raise Conflict.worded("webhook-disabled")
    delivery_id = new_id()
    given = {"workspace_id": workspace_id, "webhook_id": id_, "id": delivery_id}
    await session.execute(ADD_TEST, given)
    return await get_delivery(session, workspace_id, id_, delivery_id, "en")


async def delivery_page(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    id_: uuid.UUID,
    *,
    status: DeliveryStatus | None,
    after: uuid.UUID | None,
    limit: int,
    lang: Lang,
) -> DeliveryPage:
    """Newest first. Raises NotFound."""
    await _existing(session, workspace_id, id_)
    rows = await owned_queries.page(
        session,
        DELIVERY_PAGE,
        workspace_id,
        after=after,
        limit=limit,
        webhook_id=id_,
        status=status and status.value,
    )
    found = [DeliveryView.from_row(dict(row), lang) for row in rows]
    return DeliveryPage.of(found, limit)


async def get_delivery(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    id_: uuid.UUID,
    delivery_id: uuid.UUID,
    lang: Lang,
) -> DeliveryView:
    """Raises NotFound."""
    given = {"workspace_id": workspace_id, "webhook_id": id_, "id": delivery_id}
    row = (await session.execute(DELIVERY, given)).mappings().one_or_none()
    if row is None:
        raise _no_delivery()
    return DeliveryView.from_row(dict(row), lang)


async def replay_delivery(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    id_: uuid.UUID,
    delivery_id: uuid.UUID,
    lang: Lang,
) -> DeliveryView:
    """Has it sent again, with the same id and all of its tries before it. Raises NotFound, and
    Conflict while it is being sent."""
    await get_delivery(session, workspace_id, id_, delivery_id, lang)
    given = {"workspace_id": workspace_id, "webhook_id": id_, "id": delivery_id}
    if await session.scalar(REPLAY, given) is None:
        raise Conflict.worded("delivery-under-way")
    return await get_delivery(session, workspace_id, id_, delivery_id, lang)


async def _existing(
    session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID, *, lock: bool = False
) -> Webhook:
    webhook = await owned_queries.row_of(session, Webhook, workspace_id, id_, lock=lock)
    if webhook is None:
        raise _no_webhook()
    return webhook


def _check_new_url(values: Mapping[str, object]) -> None:
    # The stored one is a password, which the view would show from then on.
    if "url" not in values:
        raise InvalidRequest.worded("format-needs-url")


async def _check(session: AsyncSession, webhook: Webhook, settings: Settings) -> None:
    checked_url(webhook.url, settings.webhooks.allowed_networks)
    if EventName.THRESHOLD_CROSSED in webhook.events and not webhook.thresholds:
        raise InvalidRequest.worded("thresholds-needed")
    await check_notebooks(session, webhook.workspace_id, webhook.notebook_ids or [])
