"""Deletes deliveries that have been kept long enough, and secrets that have ended."""

from app.db.pool import Pool
from app.db.retention import Retention, RetentionByStatements, Statements
from app.settings import Settings
from app.webhooks import retention_queries as queries


def webhook_retention(pool: Pool, settings: Settings) -> Retention:
    return RetentionByStatements(
        pool,
        {"days": settings.keep_webhook_deliveries_days},
        {
            "webhook_secrets": Statements(queries.DELETE_SECRETS, queries.COUNT_SECRETS),
            "webhook_deliveries": Statements(queries.DELETE_DELIVERIES, queries.COUNT_DELIVERIES),
        },
    )
