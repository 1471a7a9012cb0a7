"""Brings the schema to the newest migration; safe to call from many processes at once."""

import time
from importlib import resources
from pathlib import Path

from alembic import command
from alembic.config import Config
from psycopg.errors import InsufficientPrivilege
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError, ProgrammingError
from sqlalchemy.pool import NullPool

from app.db.session import first_line, sqlalchemy_url
from app.errors import SetupError

# Any fixed number: the first to migrate holds it, the others wait and find nothing to do.
_ADVISORY_LOCK = 5_237_118_401
LOCK_RETRY_SECONDS = 0.1


def alembic_config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(str(resources.files("migrations")))))
    return config


def migrate(database_url: str) -> None:
    """Upgrades to head under an advisory lock. Raises SetupError if the server is not there."""
    engine = create_engine(
        sqlalchemy_url(database_url), poolclass=NullPool, connect_args={"connect_timeout": 5}
    )
    try:
        with engine.connect() as connection:
            # Asked for again and again: a session that waits for the lock in a statement has a
            # snapshot, and an index that is made concurrently would wait for it.
            try_lock = text("SELECT pg_try_advisory_lock(:key)")
            while not connection.scalar(try_lock, {"key": _ADVISORY_LOCK}):
                connection.commit()
                time.sleep(LOCK_RETRY_SECONDS)
            connection.commit()
            config = alembic_config()
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            connection.commit()
            connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": _ADVISORY_LOCK})
            connection.commit()
    except ProgrammingError as error:
        if not isinstance(error.orig, InsufficientPrivilege):
            raise
        raise SetupError(
            f"The migration needs a right that its user lacks ({first_line(error)}); give the"
            " user CREATEROLE, or let an administrator run: CREATE ROLE searchqa_app NOLOGIN;"
            " CREATE ROLE searchqa_analyst NOLOGIN; CREATE ROLE searchqa_views NOLOGIN;"
            " CREATE ROLE searchqa_api NOLOGIN; CREATE ROLE searchqa_worker NOLOGIN;"
            " GRANT searchqa_app, searchqa_analyst, searchqa_views TO <user>;"
        ) from error
    except OperationalError as error:
        raise SetupError(
            f"PostgreSQL cannot be reached ({first_line(error)}); check DATABASE_URL and that it"
            " runs."
        ) from error
    finally:
        engine.dispose()
