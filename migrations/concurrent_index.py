"""Indexes on tables that are written to meanwhile."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op


def create_index(
    name: str,
    table: str,
    columns: Sequence[str | sa.TextClause],
    where: str | None = None,
    **options: object,
) -> None:
    """Makes the index without keeping writers out. Commits what the migration has done before.

    options: SQLAlchemy's for indexes of PostgreSQL, such as `postgresql_using`."""
    with op.get_context().autocommit_block():
        # It waits for transactions that began before it, and nobody waits for it.
        limit = op.get_bind().scalar(sa.text("SHOW lock_timeout"))
        op.execute("SET lock_timeout = 0")
        # One that was broken off is invalid, and stays in the way of the next try.
        op.drop_index(name, table, postgresql_concurrently=True, if_exists=True)
        op.create_index(
            *(name, table, columns),
            postgresql_where=None if where is None else sa.text(where),
            postgresql_concurrently=True,
            **options,
        )
        op.execute(f"SET lock_timeout = '{limit}'")
