"""SQL of webhooks and their deliveries, for the API. Times are the database's."""

import datetime as dt
import uuid
from collections.abc import Sequence

from sqlalchemy import func, literal_column, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.integrations.webhooks.events import TEST_EVENT, DeliveryStatus
from app.integrations.webhooks.models import Webhook, WebhookDelivery, WebhookSecret
from app.platform.db.owned_queries import one_and_page
from app.platform.db.statements import SqlFile
from app.platform.ids import new_id

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
