"""Deletes tokens that nobody lists: those of readers once they have expired, and login codes and
browser sessions a day later. API tokens stay, because people list them."""

from app.db.pool import Pool
from app.db.retention import BATCH, Retention, RetentionByStatements
from app.workspaces import queries


def token_retention(pool: Pool, *, batch: int = BATCH) -> Retention:
    return RetentionByStatements(
        pool,
        {"limit": batch},
        delete={
            "reader_tokens": queries.DELETE_EXPIRED_READERS,
            "sessions": queries.DELETE_EXPIRED_SESSIONS,
        },
        count={},
    )
