"""Restores a backup in one transaction into a database that is empty."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from typing import IO

import psycopg
from psycopg import sql

from app.platform.db.address import newest, psycopg_url
from app.platform.db.backup import Backup, client_program, connection, reason
from app.platform.db.migrate import migrate
from app.platform.errors import SetupError

# A line of the table of contents: number; ids, kind, schema, name, owner.
_ENTRY = re.compile(
    r"\d+; \d+ \d+ (?P<kind>[A-Z][A-Z ]*) (?P<schema>\S+) (?P<name>.+) (?P<owner>\S+)"
)
# The vector type belongs to the administrator, and so does what is said of it. Default rights name
# the owner of the database that was backed up, who may have another name here.
_NOT_AS_IT_IS = re.compile(r"\d+; \d+ \d+ (EXTENSION|COMMENT - EXTENSION|DEFAULT ACL) ")
_VECTORS = re.compile(r"\d+; \d+ \d+ EXTENSION - vector ")
_DEFAULT_ACL = re.compile(r"\d+; \d+ \d+ DEFAULT ACL ")
# A server newer than our pg_dump, as 15.20, marks columns for itself; no other knows the mark.
_ATTVER = re.compile(
    r"^ALTER TABLE ONLY .* SET \(pg_attver=\d+\);\n|(?<= SET \()pg_attver=\d+, ", re.MULTILINE
)
# pg_restore begins with settings, and that one is unknown to servers before 17.
_TRANSACTION_TIMEOUT = re.compile(
    rb"\A((?:(?:--|\\|SET )[^\n]*\n|\n)*?)SET transaction_timeout = 0;\n"
)
_IF_KNOWN = (
    rb"\1SELECT set_config(name, '0', false) FROM pg_settings"
    rb" WHERE name = 'transaction_timeout';\n"
)
_SETTINGS_BYTES = 4096
_FOR_ROLE = re.compile(r'^(ALTER DEFAULT PRIVILEGES) FOR ROLE ("[^"]+"|\S+) ', re.MULTILINE)

_USED = """
    SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v')
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
    LIMIT 1
"""


def restore(address: str, backup: Backup, report: Callable[[str], None]) -> None:
    """Loads the backup into an empty database, all or nothing, and migrates it. The user of the
    address owns it then, whoever owned the one that was backed up.

    report: called with `restore`, `migrate` and `analyze` as each begins.
    Raises SetupError: a database that is not empty, a newer schema than ours, a missing role.
    """
    report("restore")
    load(address, backup)
    report("migrate")
    migrate(address)
    report("analyze")
    analyze(address)


def load(address: str, backup: Backup) -> None:
    """The same without the migration."""
    if backup.schema > newest():
        raise SetupError(
            f"{backup.path} has schema {backup.schema}, and this SearchQA knows {newest()} at most;"
            " restore it with the version that made it, or a newer one."
        )
    _make_ready(address, vectors=any(map(_VECTORS.match, backup.contents)))
    _load(address, backup)


def analyze(address: str) -> None:
    """Collects the planner's statistics, which no backup has."""
    with psycopg.connect(psycopg_url(address), autocommit=True) as opened:
        opened.execute("ANALYZE")


def make_roles(address: str, roles: str) -> None:
    """Makes those that are missing. What a role has already is an error of its line alone."""
    environment, rest = connection(address)
    subprocess.run(  # noqa: S603  no shell
        [client_program("psql"), "--no-psqlrc", "--quiet", f"--dbname={rest}"],
        env={**os.environ, **environment},
        input=roles.encode(),
        capture_output=True,
        check=False,
    )


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
            f"Nothing was restored: {reason(said.read().decode(errors='replace'))}. Roles that are"
            " missing are made by deploy/postgres/roles.sql."
        )


def _feed(loading: "subprocess.Popen[bytes]", backup: Backup, kept: list[str], last: str) -> bool:
    """Whether all of it was written, the last line included."""
    into = loading.stdin
    assert into
    try:
        with into:
            tables = _printed(backup, kept, "--no-owner", "--section=pre-data")
            into.write(f"BEGIN;\n{_ATTVER.sub('', tables)}\n".encode())
            into.flush()
            rest = ("--section=data", "--section=post-data")
            if not _print(backup, kept, into, "--no-owner", *rest):
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
        with subprocess.Popen(  # noqa: S603  no shell
            [*command, backup.path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as printing:
            assert printing.stdout
            into.write(_TRANSACTION_TIMEOUT.sub(_IF_KNOWN, printing.stdout.read(_SETTINGS_BYTES)))
            shutil.copyfileobj(printing.stdout, into)
    return printing.returncode == 0


def _printed(backup: Backup, contents: list[str], *options: str) -> str:
    with tempfile.TemporaryFile() as written:
        if not _print(backup, contents, written, *options):
            raise SetupError(f"{backup.path} could not be read.")
        written.seek(0)
        return written.read().decode()


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
    return _FOR_ROLE.sub(r"\1 ", _printed(backup, contents)) if contents else ""
