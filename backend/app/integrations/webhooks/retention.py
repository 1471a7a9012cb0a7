"""Deletes deliveries that have been kept long enough, and secrets that have ended."""

from app.integrations.webhooks import retention_queries as queries
from app.platform.db.pool import Pool
from app.platform.db.retention import Retention, RetentionByStatements, Statements
from app.platform.settings import Settings


def webhook_retention(pool: Pool, settings: Settings) -> Retention:
    return RetentionByStatements(
        pool,
        {"days": settings.retention.webhook_deliveries_days},
        {
            "webhook_secrets": Statements(queries.DELETE_SECRETS, queries.COUNT_SECRETS),
            "webhook_deliveries": Statements(queries.DELETE_DELIVERIES, queries.COUNT_DELIVERIES),
        },
    )
