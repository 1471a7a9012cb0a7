"""Alembic on a database of a test, to go down and up again."""

from collections.abc import Iterator
from contextlib import contextmanager

from alembic.config import Config
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from app.platform.db.migrate import alembic_config
from app.platform.db.session import sqlalchemy_url


@contextmanager
def alembic(database_url: str) -> Iterator[Config]:
    """Alembic's configuration on a connection that commits at the end."""
    engine = create_engine(sqlalchemy_url(database_url), poolclass=NullPool)
    with engine.connect() as connection:
        config = alembic_config()
        config.attributes["connection"] = connection
        yield config
        connection.commit()
    engine.dispose()
