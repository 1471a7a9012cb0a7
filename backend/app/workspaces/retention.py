"""Deletes tokens that nobody lists: those of readers once they have expired, and login codes and
browser sessions a day later. API tokens stay, because people list them."""

from app.platform.db.pool import Pool
from app.platform.db.retention import BATCH, Retention, RetentionByStatements, Statements
from app.workspaces import queries


def token_retention(pool: Pool, *, batch: int = BATCH) -> Retention:
    return RetentionByStatements(
        pool,
        {"limit": batch},
        {
            "reader_tokens": Statements(
                queries.DELETE_EXPIRED_READERS, queries.COUNT_EXPIRED_READERS
            ),
            "sessions": Statements(queries.DELETE_EXPIRED_SESSIONS, queries.COUNT_EXPIRED_SESSIONS),
        },
    )
