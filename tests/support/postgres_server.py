"""PostgreSQL servers of any version, from the folder of their programs."""

import asyncio
import contextlib
import fcntl
import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from app.operations.embedded import process
from app.operations.embedded.postgres_programs import binary
from app.operations.embedded.postgres_upgrade import database_alone
from app.platform.db.migrate import migrate

# What is run as root runs as this account, as the embedded server does.
_ACCOUNT = "pgserver"
_FAST_NOT_DURABLE = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


@dataclass(frozen=True)
class PostgresServer:
    """programs: its `bin`. folder: its data, which also holds its socket."""

    programs: Path
    folder: Path

    @property
    def url(self) -> str:
        return f"postgresql://postgres:@/postgres?host={quote(str(self.folder), safe='')}"

    def run(self, program: str, *arguments: str) -> None:
        """One of its programs, to its end. Raises CalledProcessError."""
        command = [str(self.programs / program), *arguments]
        subprocess.run(
            command,
            user=account(),
            group=account(),
            extra_groups=[] if account() else None,
            cwd=self.folder,
            check=True,
            stdout=subprocess.DEVNULL,
        )

    def start(self, *settings: str) -> None:
        """Returns once it answers."""
        given = ("listen_addresses=", f"unix_socket_directories={self.folder}", *settings)
        options = " ".join(f"-c {setting}" for setting in given)
        self.run(
            *("pg_ctl", "start", "--wait", "--silent", f"--pgdata={self.folder}"),
            *(f"--log={self.folder}/log", f"--options={options}"),
        )

    def stop(self) -> None:
        self.run("pg_ctl", "stop", "--silent", f"--pgdata={self.folder}", "--mode=immediate")

    @property
    def runs(self) -> bool:
        return (self.folder / "postmaster.pid").exists()


def account() -> str | None:
    """Who runs the servers; None for ourselves."""
    return _ACCOUNT if os.geteuid() == 0 else None


def make_cluster(server: PostgresServer) -> None:
    make_folder(server.folder)
    server.run(
        *("initdb", f"--pgdata={server.folder}", "--username=postgres", "--auth=trust"),
        *("--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"),
    )


def make_folder(folder: Path) -> None:
    """Of the account; it may pass the folders above, which are this run's."""
    if user := account():
        with ThreadPoolExecutor(1) as thread:  # the caller may be a coroutine
            thread.submit(asyncio.run, process.ensure(user)).result()
        for above in folder.parents:
            mode = above.stat().st_mode
            if above.stat().st_uid == 0 and not mode & 0o001:
                above.chmod(stat.S_IMODE(mode) | 0o001)
    process.make_private_dir(folder, account())


@contextlib.contextmanager
def new_server(programs: Path, folder: Path, *settings: str) -> Iterator[PostgresServer]:
    """A new cluster that runs. folder: not there yet, its path short enough for a socket."""
    server = PostgresServer(programs, folder)
    make_cluster(server)
    server.start(*_FAST_NOT_DURABLE, *settings)
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder)


@contextlib.contextmanager
def new_replica(primary: PostgresServer, folder: Path, *settings: str) -> Iterator[PostgresServer]:
    """A streaming replica that runs. folder: as of `new_server`."""
    server = PostgresServer(primary.programs, folder)
    make_folder(folder)
    server.run(
        *("pg_basebackup", f"--pgdata={folder}", "--write-recovery-conf", "--checkpoint=fast"),
        *("--no-sync", f"--dbname={primary.url}"),
    )
    (folder / ".s.PGSQL.5432.lock").unlink()  # of the primary's socket
    server.start(*_FAST_NOT_DURABLE, *settings)
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder)


def embedded_programs() -> Path:
    """Where the account finds them."""
    return binary("postgres", account()).parent


def installed() -> list[Path]:
    """The `bin` of each server of this machine."""
    named = os.environ.get("TEST_POSTGRES_BIN")
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return [embedded_programs(), *debian, *([Path(named)] if named else [])]


_CLUSTER = "postgres"  # as the embedded server calls its folder


def copy_into(data_dir: Path, run_folder: Path) -> None:
    """The data folder of a stack, not started yet, after this as after a first start and stop."""
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    made = _made(run_folder / "prepared")
    # Its owner is the account that PostgreSQL runs as.
    subprocess.run(["cp", "-a", "--reflink=auto", made / _CLUSTER, data_dir], check=True)


def _made(folder: Path) -> Path:
    """Made by the first worker; the others wait."""
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        marker = folder / "made"
        if not marker.exists():
            # In a thread of its own, since the caller may be a coroutine.
            with ThreadPoolExecutor(1) as thread:
                thread.submit(_make, folder).result()
            marker.touch()
    return folder


def _make(folder: Path) -> None:
    with database_alone(folder) as address:
        migrate(address)
