"""Deletes deliveries that have been kept long enough, and secrets that have ended."""

from app.db.pool import Pool
from app.db.retention import Retention, RetentionByStatements
from app.settings import Settings
from app.webhooks import retention_queries as queries


def webhook_retention(pool: Pool, settings: Settings) -> Retention:
    return RetentionByStatements(
        pool,
        {"days": settings.keep_webhook_deliveries_days},
        delete={
            "webhook_secrets": queries.DELETE_SECRETS,
            "webhook_deliveries": queries.DELETE_DELIVERIES,
        },
        count={"webhook_deliveries": queries.COUNT_DELIVERIES},
    )
