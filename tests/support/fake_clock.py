"""A database whose clock a test sets: what every statement takes for now()."""

import contextlib
import datetime as dt
from collections.abc import Iterator

import psycopg
from psycopg.conninfo import conninfo_to_dict

# A now() of the database's own stands before PostgreSQL's in the path of new connections. What
# column defaults say was bound before and keeps the real time.
_TURN = """
CREATE SCHEMA clock;
CREATE TABLE clock.shift AS SELECT interval '0' AS by;
CREATE FUNCTION clock.now() RETURNS timestamptz LANGUAGE sql STABLE
    AS 'SELECT pg_catalog.now() + by FROM clock.shift';
GRANT USAGE ON SCHEMA clock TO PUBLIC;
GRANT SELECT ON clock.shift TO PUBLIC;
ALTER DATABASE {name} SET search_path = clock, public, pg_catalog;
"""


_TURN_BACK = """
ALTER DATABASE {name} RESET search_path;
DROP SCHEMA clock CASCADE;
"""


class Clock:
    """The clock of the database at `url`, for connections that are made after this one."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._change(_TURN)

    def _change(self, statements: str) -> None:
        name = conninfo_to_dict(self._url)["dbname"]
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute(statements.format(name=name).encode())

    def set(self, when: str) -> None:
        """From now on it is `when` (ISO 8601, with its offset), and goes on from there."""
        target = dt.datetime.fromisoformat(when)
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute(
                "UPDATE clock.shift SET by = %s - pg_catalog.clock_timestamp()", [target]
            )

    def turn_back(self) -> None:
        """Afterwards the database is as it was, and the next test can have it."""
        self._change(_TURN_BACK)


@contextlib.contextmanager
def turned_clock(url: str) -> Iterator[Clock]:
    """A clock until the block ends; its connections must have ended by then."""
    clock = Clock(url)
    yield clock
    clock.turn_back()
