"""A real PgBouncer in transaction mode."""

import contextlib
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg

from app.operations.embedded.ports import free_port
from debian import debian_program
from postgres_server import account, make_folder

_HOST = "127.0.0.1"
_STARTS_WITHIN = 10.0


class PgBouncer:
    """In front of one database, whose administrator it lets in as whoever asks.

    sessions: of PostgreSQL, at most. url: of the database through it.
    """

    def __init__(self, folder: Path, database_url: str, *, sessions: int) -> None:
        self._program = debian_program("pgbouncer", "pgbouncer")
        address = urlsplit(database_url)
        self._folder, self._port = folder, free_port(_HOST)
        name = address.path.removeprefix("/")
        self.url = f"postgresql://postgres@{_HOST}:{self._port}/{name}"
        make_folder(folder)
        (folder / "pgbouncer.ini").write_text(
            "[databases]\n"
            f"{name} = host={parse_qs(address.query)['host'][0]} dbname={name} user=postgres\n"
            "[pgbouncer]\n"
            f"listen_addr = {_HOST}\nlisten_port = {self._port}\nunix_socket_dir =\n"
            f"auth_type = any\npool_mode = transaction\ndefault_pool_size = {sessions}\n"
            "max_client_conn = 500\nignore_startup_parameters = options,extra_float_digits\n"
        )
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Returns once statements go through it."""
        command = [self._program, "-q", str(self._folder / "pgbouncer.ini")]
        user = account()
        groups = [] if user else None
        self._process = subprocess.Popen(
            command, user=user, group=user, extra_groups=groups, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + _STARTS_WITHIN
        while not self._answers():
            assert self._process.poll() is None, "PgBouncer ended"
            assert time.monotonic() < deadline, "PgBouncer does not answer"

    def _answers(self) -> bool:
        try:
            with psycopg.connect(self.url, connect_timeout=2) as connection:
                return connection.execute("SELECT 1").fetchone() == (1,)
        except psycopg.OperationalError:
            return False

    def kill(self) -> None:
        if self._process:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None


@contextlib.contextmanager
def pgbouncer(folder: Path, database_url: str, *, sessions: int) -> Iterator[PgBouncer]:
    """Skips the test where it is not installed."""
    server = PgBouncer(folder, database_url, sessions=sessions)
    server.start()
    try:
        yield server
    finally:
        server.kill()
