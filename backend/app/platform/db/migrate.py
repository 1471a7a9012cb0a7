"""Brings the schema to the newest migration; safe to call from many processes at once."""

import os
import sys
import time
from importlib import resources
from pathlib import Path

from alembic import command
from alembic.config import Config
from psycopg.errors import DeadlockDetected, DiskFull, InsufficientPrivilege, LockNotAvailable
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import OperationalError, ProgrammingError
from sqlalchemy.pool import NullPool

from app.platform.db.session import first_line, sqlalchemy_url
from app.platform.errors import SetupError

# Any fixed number: the first to migrate holds it, the others wait and find nothing to do.
_ADVISORY_LOCK = 5_237_118_401
LOCK_RETRY_SECONDS = 0.1
# Who waits for a table's lock has everybody wait who comes after. So nobody is kept waiting for
# longer than this at once, and in the pauses all others go on. Below `deadlock_timeout`, 1 s, after
# which PostgreSQL ends whoever looks first: a writer, as often as not.
TABLE_LOCK_SECONDS = 0.5
TABLE_PAUSE_SECONDS = 2.0
MAX_TRIES = 60


def alembic_config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(str(resources.files("migrations")))))
    return config


def migrate(database_url: str, *, tries: int = MAX_TRIES) -> None:
    """Upgrades to head under an advisory lock, each migration a transaction that commits by itself.
    One that meets a table in use gives way and is tried again, up to `tries` times.

    Raises SetupError: the server is not there, a right is missing, a table stays in use.
    """
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
            _upgrade(connection, tries)
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
        if isinstance(error.orig, DiskFull):
            raise SetupError(
                f"The disk of the database is full ({first_line(error)}): make room, and migrate"
                " again; it goes on where it was."
            ) from error
        raise SetupError(
            f"PostgreSQL cannot be reached ({first_line(error)}); check DATABASE_URL and that it"
            " runs."
        ) from error
    finally:
        engine.dispose()


def _upgrade(connection: Connection, tries: int) -> None:
    config = alembic_config()
    config.attributes["connection"] = connection
    limit = text("SELECT set_config('lock_timeout', :limit, false)")
    for left in reversed(range(tries)):
        # Before each try: an index that is made concurrently waits for as long as it must.
        connection.execute(limit, {"limit": f"{TABLE_LOCK_SECONDS}s"})
        connection.commit()
        try:
            command.upgrade(config, "head")
        except OperationalError as error:
            connection.rollback()
            if not isinstance(error.orig, LockNotAvailable | DeadlockDetected):
                raise
            if not left:
                raise SetupError(
                    "A table stays in use by a session that holds its lock, so a migration gave"
                    " way; those before it were applied. Look for long transactions (SELECT pid,"
                    " xact_start, query FROM pg_stat_activity ORDER BY xact_start), end them, and"
                    " run `searchqa migrate` again."
                ) from error
            time.sleep(TABLE_PAUSE_SECONDS)
        else:
            connection.commit()
            return


def main() -> None:
    """`python -m app.platform.db.migrate`: `migrate` of DATABASE_URL."""
    try:
        migrate(os.environ["DATABASE_URL"])
    except SetupError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
