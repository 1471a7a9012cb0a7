"""Sessions of PostgreSQL that serve one test after another. A new one reads the catalogs anew,
which takes more CPU than what most tests ask of it. Connections, pools and engines are new in each
test, and close as ever: the session behind a closed one is reset, and serves the next test."""

from collections.abc import Iterator
from contextlib import contextmanager
from select import POLLIN, poll
from typing import Any, NamedTuple
from unittest.mock import patch
from weakref import WeakKeyDictionary

from psycopg import AsyncConnection, pq

# What a test of the API and of workers opens. The server has room for a hundred, and several
# processes of tests share it.
MOST = 14
# What `connect` is told of the connection; all else is of the session.
_OF_CONNECTION = {"autocommit", "prepare_threshold", "context", "row_factory", "cursor_factory"}
# Else what a session has read and written would be counted a second later, in another test.
_RESET = (b"RESET ROLE; SELECT pg_stat_force_next_flush()", b"DISCARD ALL")

_Connection = AsyncConnection[Any]
_Options = frozenset[tuple[str, object]]


class _Session(NamedTuple):
    options: _Options
    pgconn: pq.abc.PGconn

    @property
    def ended(self) -> bool:
        """Whether the server has ended it: else there is nothing to read after a reset."""
        asking = poll()
        asking.register(self.pgconn.socket, POLLIN)
        return bool(asking.poll(0))

    def reset(self) -> bool:
        """Makes it what it was after its start. False where it cannot be."""
        if self.pgconn.transaction_status != pq.TransactionStatus.IDLE:
            return False
        if any(self.pgconn.exec_(command).error_message for command in _RESET):
            return False
        while self.pgconn.notifies():
            pass
        return True


class KeptSessions:
    """Of the databases that it is told of."""

    def __init__(self) -> None:
        self._databases: set[bytes] = set()
        self._ready: list[_Session] = []
        self._closed: list[_Session] = []
        self._keeping = True
        self._options: WeakKeyDictionary[_Connection, _Options] = WeakKeyDictionary()

    @property
    def pids(self) -> list[int]:
        return [session.pgconn.backend_pid for session in (*self._ready, *self._closed)]

    def next_test(self) -> None:
        """What has closed may be used again. Not before: a test that connects anew gets a new
        session."""
        self._ready += self._closed
        self._closed.clear()

    def end(self) -> None:
        """Ends those that no connection uses."""
        for session in (*self._ready, *self._closed):
            session.pgconn.finish()
        self._ready.clear()
        self._closed.clear()

    @contextmanager
    def none(self) -> Iterator[None]:
        """Meanwhile each connection begins a session and ends it."""
        self.end()
        self._keeping = False
        yield
        self._keeping = True

    @contextmanager
    def of(self, database: str) -> Iterator[None]:
        """Meanwhile those of this database are kept."""
        self._databases.add(database.encode())
        yield
        self._databases.remove(database.encode())
        self.end()

    @contextmanager
    def used(self) -> Iterator[None]:
        """Meanwhile connections are opened over them, and leave them when they close."""
        begin, end = AsyncConnection.connect, AsyncConnection.close

        async def connect(
            cls: type[_Connection], conninfo: str = "", **options: Any
        ) -> _Connection:
            of_session = {key: options[key] for key in options.keys() - _OF_CONNECTION}
            asked = frozenset({"conninfo": conninfo, **of_session}.items())
            if (session := self._take(asked)) is None:
                connection = await begin.__func__(cls, conninfo, **options)
            else:
                connection = await _over(session, cls, **options)
            self._options[connection] = asked
            return connection

        async def close(connection: _Connection) -> None:
            session = _Session(self._options.get(connection, frozenset()), connection.pgconn)
            if self._keeps(session):
                connection.pgconn = _finished()
            await end(connection)

        with (
            patch.object(AsyncConnection, "connect", classmethod(connect)),
            patch.object(AsyncConnection, "close", close),
        ):
            yield

    def _take(self, options: _Options) -> _Session | None:
        for session in [each for each in self._ready if each.options == options]:
            self._ready.remove(session)
            if not session.ended:
                return session
            session.pgconn.finish()
        return None

    def _keeps(self, session: _Session) -> bool:
        if (
            not self._keeping
            or session.pgconn.status != pq.ConnStatus.OK
            or session.pgconn.db not in self._databases
            or len(self._closed) == MOST
            or not session.reset()
        ):
            return False
        self._closed.append(session)
        if len(self._ready) + len(self._closed) > MOST:
            self._ready.pop(0).pgconn.finish()
        return True


async def _over(session: _Session, cls: type[_Connection], **options: Any) -> _Connection:
    """A connection as `connect` makes it."""
    connection = cls(session.pgconn)
    await connection.set_autocommit(options.get("autocommit", False))
    connection.prepare_threshold = options.get("prepare_threshold", 5)
    connection.row_factory = options.get("row_factory") or connection.row_factory
    connection.cursor_factory = options.get("cursor_factory") or connection.cursor_factory
    return connection


def _finished() -> pq.abc.PGconn:
    """What a closed connection has."""
    pgconn = pq.PGconn.connect_start(b"host=/nowhere")
    pgconn.finish()
    return pgconn
