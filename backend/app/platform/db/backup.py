"""Backups of the database: pg_dump's custom format, read whole before it counts as one."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from app.platform.db.client_programs import connection, run_client
from app.platform.errors import SetupError


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
        # pg_dump gives the file the mode that it has.
        os.close(os.open(writing, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
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
        found = read_backup(writing)
        writing.rename(path)
        sync_folder(path.parent)
    finally:
        writing.unlink(missing_ok=True)
    return Backup(path, found.schema, found.contents)


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
