"""Backups of the database: pg_dump's custom format, read whole before it counts as one, and
restored in one transaction into a database that is empty."""

import os
import re
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import psycopg
from psycopg import sql

from app.db.client_programs import client_program, connection
from app.db.migrate import migrate
from app.db.pool import psycopg_url
from app.db.schema_version import newest
from app.errors import SetupError

# A line of the table of contents: number; ids, kind, schema, name, owner.
_ENTRY = re.compile(
    r"\d+; \d+ \d+ (?P<kind>[A-Z][A-Z ]*) (?P<schema>\S+) (?P<name>.+) (?P<owner>\S+)"
)
# The vector type belongs to the administrator, and so does what is said of it. Default rights name
# the owner of the database that was backed up, who may have another name here.
_NOT_AS_IT_IS = re.compile(r"\d+; \d+ \d+ (EXTENSION|COMMENT - EXTENSION|DEFAULT ACL) ")
_VECTORS = re.compile(r"\d+; \d+ \d+ EXTENSION - vector ")
_DEFAULT_ACL = re.compile(r"\d+; \d+ \d+ DEFAULT ACL ")
_FOR_ROLE = re.compile(r'^(ALTER DEFAULT PRIVILEGES) FOR ROLE ("[^"]+"|\S+) ', re.MULTILINE)

_USED = """
    SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v')
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
    LIMIT 1
"""


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
        _run(
            *("pg_dump", "--format=custom", f"--file={writing}", f"--dbname={rest}"),
            environment=environment,
            failed="The database could not be backed up",
        )
        with writing.open("rb") as file:
            os.fsync(file.fileno())
        found = read_backup(writing)
        writing.rename(path)
        _sync_folder(path.parent)
    finally:
        writing.unlink(missing_ok=True)
    return Backup(path, found.schema, found.contents)


def read_backup(path: Path) -> Backup:
    """Reads the file whole. Raises SetupError for one that is none, or is damaged."""
    if not path.is_file():
        raise SetupError(f"There is no file {path}.")
    damaged = f"{path} is not a whole backup by `searchqa backup`"
    contents = _run("pg_restore", "--list", str(path), failed=damaged).splitlines()
    _run("pg_restore", f"--file={os.devnull}", str(path), failed=damaged)
    wanted = ("--data-only", "--table=alembic_version", "--file=-")
    rows = _run("pg_restore", *wanted, str(path), failed=damaged)
    version = re.search(r"^COPY public\.alembic_version .*\n(\S+)\n", rows, re.MULTILINE)
    if version is None:
        raise SetupError(f"{path} is a backup of another application's database.")
    return Backup(path, version[1], tuple(contents))


def restore(address: str, backup: Backup, report: Callable[[str], None]) -> None:
    """Loads the backup into an empty database, all or nothing, and migrates it. The user of the
    address owns it then, whoever owned the one that was backed up.

    report: called with `restore`, `migrate` and `analyze` as each begins.
    Raises SetupError: a database that is not empty, a newer schema than ours, a missing role.
    """
    if backup.schema > newest():
        raise SetupError(
            f"{backup.path} has schema {backup.schema}, and this SearchQA knows {newest()} at most;"
            " restore it with the version that made it, or a newer one."
        )
    _make_ready(address, vectors=any(map(_VECTORS.match, backup.contents)))
    report("restore")
    _load(address, backup)
    report("migrate")
    migrate(address)
    report("analyze")
    with psycopg.connect(psycopg_url(address), autocommit=True) as opened:
        opened.execute("ANALYZE")


def _make_ready(address: str, *, vectors: bool) -> None:
    try:
        with psycopg.connect(psycopg_url(address), connect_timeout=5) as opened:
            used = opened.execute(_USED).fetchone()
            if used is not None:
                raise SetupError(
                    f"The database is not empty (it has {used[0]}); restore into a new one, and"
                    " point DATABASE_URL or --data-dir to it."
                )
            if vectors:
                opened.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except psycopg.Error as error:
        why = str(error).strip().partition("\n")[0]
        raise SetupError(
            f"The database cannot be used ({why}); check DATABASE_URL, and that an administrator"
            " ran: CREATE EXTENSION IF NOT EXISTS vector;"
        ) from None


def _load(address: str, backup: Backup) -> None:
    """Committed by the last line alone: whatever ends before, there is none, and psql's transaction
    is rolled back."""
    kept = [line for line in backup.contents if not _NOT_AS_IT_IS.match(line)]
    defaults = [line for line in backup.contents if _DEFAULT_ACL.match(line)]
    owners = f"{_views_owners(kept)}\n{_defaults(backup, defaults)}"
    environment, rest = connection(address)
    psql = [client_program("psql"), "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"]
    with tempfile.TemporaryFile() as said:
        loading = subprocess.Popen(  # noqa: S603  no shell
            [*psql, "--output", os.devnull, f"--dbname={rest}"],
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stderr=said,
        )
        try:
            whole = _feed(loading, backup, kept, owners)
        finally:
            code = loading.wait()
        if whole and code == 0:
            return
        said.seek(0)
        raise SetupError(
            f"Nothing was restored: {_reason(said.read().decode(errors='replace'))}. Roles that are"
            " missing are made by deploy/postgres/roles.sql."
        )


def _feed(loading: "subprocess.Popen[bytes]", backup: Backup, kept: list[str], last: str) -> bool:
    """Whether all of it was written, the last line included."""
    into = loading.stdin
    assert into
    try:
        with into:
            into.write(b"BEGIN;\n")
            into.flush()
            if not _print(backup, kept, into, "--no-owner"):
                return False
            into.write(f"{last}\nCOMMIT;\n".encode())
    except BrokenPipeError:
        return False
    return True


def _print(backup: Backup, contents: list[str], into: IO[bytes], *options: str) -> bool:
    """Writes these parts of the backup as SQL."""
    with tempfile.NamedTemporaryFile("w", suffix=".list") as chosen:
        chosen.write("\n".join(contents) + "\n")
        chosen.flush()
        command = [client_program("pg_restore"), f"--use-list={chosen.name}", "--file=-", *options]
        # What it says of a pipe that psql closed is not the reason.
        done = subprocess.run(  # noqa: S603  no shell
            [*command, backup.path], stdout=into, stderr=subprocess.DEVNULL
        )
    return done.returncode == 0


def _views_owners(contents: list[str]) -> str:
    """Views read tables by the rights of their owner, so it must be the same one here."""
    entries = [found for line in contents if (found := _ENTRY.fullmatch(line))]
    tables = {found["owner"] for found in entries if found["kind"] == "TABLE"}
    views = [e for e in entries if e["kind"] == "VIEW" and e["owner"] not in tables]
    lines: list[tuple[str, tuple[str, ...]]] = []
    for schema, owner in sorted({(view["schema"], view["owner"]) for view in views}):
        # An owner needs this right while it becomes one.
        lines.append(("GRANT CREATE ON SCHEMA {} TO {};", (schema, owner)))
        of_owner = [v["name"] for v in views if (v["schema"], v["owner"]) == (schema, owner)]
        lines += [("ALTER VIEW {}.{} OWNER TO {};", (schema, name, owner)) for name in of_owner]
        lines.append(("REVOKE CREATE ON SCHEMA {} FROM {};", (schema, owner)))
    return "\n".join(
        sql.SQL(line).format(*map(sql.Identifier, names)).as_string() for line, names in lines
    )


def _defaults(backup: Backup, contents: list[str]) -> str:
    """Rights on tables that are made later, for their owner here."""
    with tempfile.TemporaryFile() as written:
        if contents and not _print(backup, contents, written):
            raise SetupError(f"{backup.path} could not be read.")
        written.seek(0)
        return _FOR_ROLE.sub(r"\1 ", written.read().decode())


def _run(
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
        raise SetupError(f"{failed}: {_reason(done.stderr.decode(errors='replace'))}.")
    return done.stdout.decode()


def _reason(said: str) -> str:
    """What a program of PostgreSQL named as an error, without its own name and the place."""
    lines = [line for line in said.splitlines() if line.strip()]
    named = next((line for line in lines if "error:" in line.lower()), "")
    reason = re.split(r"error:\s*", named or " ".join(lines[-1:]), flags=re.IGNORECASE)[-1]
    return reason.strip().rstrip(".") or "PostgreSQL's program ended without a reason"


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
