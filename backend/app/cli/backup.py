"""`searchqa backup`: the database in a file."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from app.cli.language import translated
from app.cli.options import AsJson
from app.cli.output import print_json
from app.cli.stack import database_url
from app.operations.embedded.data_dir import running_stack
from app.operations.embedded.database_alone import database_alone
from app.operations.embedded.postgres import version_of
from app.platform.db.backup import Backup, back_up, read_backup
from app.platform.settings import get_settings


def backup(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="Where to write it.")],
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; read a backup whole.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Back up the database into a file, and read it whole afterwards.

    The database is DATABASE_URL's, else that of the data folder, whether its stack runs or not; it
    may be used meanwhile. Everything that is stored is in it, tokens as hashes and secrets of
    webhooks as they are: keep it as safe as the database. Redis holds nothing that is not there.

    Examples:

    searchqa backup searchqa-2026-11-22.dump

    searchqa backup --check searchqa-2026-11-22.dump
    """
    if check:
        found = read_backup(file)
    else:
        with _database() as address:
            found = back_up(address, file)
    if json:
        print_json({"file": str(found.path), "bytes": found.size, "schema": found.schema})
        return
    typer.echo(_told(found, written=not check))


@contextlib.contextmanager
def _database() -> Iterator[str]:
    settings = get_settings()
    at_rest = version_of(settings.stack.data_dir) is not None
    if settings.database.url or running_stack(settings.stack.data_dir) or not at_rest:
        yield database_url()
        return
    with database_alone(settings.stack.data_dir.absolute()) as address:
        yield address


def _told(found: Backup, *, written: bool) -> str:
    size = f"{found.size / 1e6:,.1f} MB"
    if written:
        return translated(
            f"{found.path}: {size}, schema {found.schema}; written and read whole. Restore it with"
            f" `searchqa restore {found.path}`.",
            f"{found.path}: {size}, 스키마 {found.schema}. 백업한 뒤 끝까지 읽어 확인했습니다."
            f" `searchqa restore {found.path}` 명령으로 복원합니다.",
        )
    return translated(
        f"{found.path}: {size}, schema {found.schema}; read whole.",
        f"{found.path}: {size}, 스키마 {found.schema}. 끝까지 읽어 확인했습니다.",
    )
