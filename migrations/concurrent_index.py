"""Indexes on tables that are written to meanwhile."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import sqlalchemy as sa
from alembic import op

_IS_VALID = sa.text("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:name)")


def create_index(
    name: str,
    table: str,
    columns: Sequence[str | sa.TextClause],
    where: str | None = None,
    **options: object,
) -> None:
    """Makes the index without keeping writers out, unless a try before has made it. Commits what
    the migration has done before.

    options: SQLAlchemy's for indexes of PostgreSQL, such as `postgresql_using`."""
    with _without_lock_timeout():
        if op.get_bind().scalar(_IS_VALID, {"name": name}):
            return
        # One that was broken off is invalid, and stays in the way of the next try.
        op.drop_index(name, table, postgresql_concurrently=True, if_exists=True)
        op.create_index(
            *(name, table, columns),
            postgresql_where=None if where is None else sa.text(where),
            postgresql_concurrently=True,
            **options,
        )


def rebuild_index(name: str) -> None:
    """Fills the index anew, as after a change of what it holds, without keeping readers and writers
    out. Commits what the migration has done before."""
    with _without_lock_timeout():
        # What a try left that was broken off.
        op.drop_index(f"{name}_ccnew", postgresql_concurrently=True, if_exists=True)
        op.execute(f"REINDEX INDEX CONCURRENTLY {name}")


def drop_index(name: str, table: str) -> None:
    """Drops the index without keeping readers and writers out. Commits what the migration has done
    before."""
    with _without_lock_timeout():
        op.drop_index(name, table, postgresql_concurrently=True, if_exists=True)


@contextmanager
def _without_lock_timeout() -> Iterator[None]:
    """Outside of a transaction. Both wait for transactions that began before them, and nobody waits
    for them."""
    with op.get_context().autocommit_block():
        limit = op.get_bind().scalar(sa.text("SHOW lock_timeout"))
        op.execute("SET lock_timeout = 0")
        yield
        op.execute(f"SET lock_timeout = '{limit}'")
