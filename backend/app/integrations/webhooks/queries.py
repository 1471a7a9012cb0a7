"""SQL of webhooks and their deliveries, for the API. Times are the database's."""

import datetime as dt
import uuid
from collections.abc import Sequence

from sqlalchemy import func, literal_column, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.integrations.webhooks.events import TEST_EVENT, DeliveryStatus
from app.integrations.webhooks.models import Webhook, WebhookDelivery, WebhookSecret
from app.platform.db.owned_queries import one_and_page
from app.platform.ids import new_id

# A delivery is a row of many.
_DELIVERIES = """
SELECT d.id, d.webhook_id, d.event, d.evaluation_id, d.status, d.tries, d.created_at,
    d.finished_at, d.data, d.log AS attempts,
    CASE WHEN d.status = 'pending' THEN d.run_at END AS next_attempt_at
FROM webhook_deliveries d
WHERE d.workspace_id = :workspace_id AND d.webhook_id = :webhook_id
"""
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

_ADD_SECRET = text("""
INSERT INTO webhook_secrets (id, workspace_id, webhook_id, secret)
VALUES (:id, :workspace_id, :webhook_id, :secret)
""")
# Two are valid at most: what was to end later ends now.
END_OLDER_SECRETS = text("""
UPDATE webhook_secrets SET expires_at = CASE WHEN expires_at IS NULL
    THEN now() + make_interval(hours => :hours) ELSE now() END
WHERE webhook_id = :webhook_id AND workspace_id = :workspace_id
  AND (expires_at IS NULL OR expires_at > now())
RETURNING expires_at
""")

ADD_TEST = text(f"""
INSERT INTO webhook_deliveries (id, workspace_id, webhook_id, event, data)
VALUES (:id, :workspace_id, :webhook_id, '{TEST_EVENT}',
    jsonb_build_object('webhook_id', CAST(:webhook_id AS uuid)))
""")
# One under way stays as it is: its worker holds it.
REPLAY = text("""
UPDATE webhook_deliveries SET status = 'pending', tries = 0, run_at = now(), finished_at = NULL,
    attempt = attempt + 1, lease_until = NULL
WHERE id = :id AND webhook_id = :webhook_id AND workspace_id = :workspace_id
  AND (lease_until IS NULL OR lease_until <= now())
RETURNING id
""")


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
