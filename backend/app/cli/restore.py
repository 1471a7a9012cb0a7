"""`searchqa restore`: a backup into an empty database."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from app.cli.language import translated
from app.operations.embedded.data_dir import running_stack
from app.operations.embedded.database_alone import database_alone
from app.platform.db import restore as restoring
from app.platform.db.backup import read_backup
from app.platform.db.schema_version import newest
from app.platform.errors import SetupError
from app.platform.settings import get_settings


def restore(
    file: Annotated[Path, typer.Argument(dir_okay=False, help="A backup by `searchqa backup`.")],
    data_dir: Annotated[
        Path | None, typer.Option(file_okay=False, help="A folder for a stack of its own.")
    ] = None,
) -> None:
    """Restore a backup into an empty database.

    All of it or nothing, then migrated; nothing is overwritten. Without DATABASE_URL it goes into a
    data folder that has no database yet; `searchqa up --data-dir` with that folder runs it.

    Examples:

    searchqa restore searchqa-2026-11-22.dump --data-dir ~/searchqa-restored

    DATABASE_URL=postgresql://searchqa_owner@db/new searchqa restore searchqa-2026-11-22.dump
    """
    found = read_backup(file)
    with _database(data_dir) as (address, where):
        restoring.restore(address, found, _report)
    typer.echo(
        translated(
            f"Restored into {where}, schema {newest()}.",
            f"{where}에 복원했습니다. 스키마는 {newest()}입니다.",
        )
    )


@contextlib.contextmanager
def _database(data_dir: Path | None) -> Iterator[tuple[str, str]]:
    """The address and what to call it."""
    settings = get_settings()
    if settings.database.session_url and data_dir is None:
        yield settings.database.session_url, "DATABASE_URL"
        return
    folder = (data_dir or settings.stack.data_dir).expanduser().absolute()
    if running_stack(folder):
        raise SetupError(
            translated(
                f"A stack runs on {folder}; choose another folder with --data-dir.",
                f"{folder}에서 스택이 실행 중입니다. --data-dir로 다른 폴더를 고르세요.",
            )
        )
    with database_alone(folder) as address:
        yield address, str(folder)


def _report(step: str) -> None:
    steps = {
        "restore": translated("restoring …", "복원하는 중…"),
        "migrate": translated("migrating …", "마이그레이션하는 중…"),
        "analyze": translated("collecting statistics …", "통계를 수집하는 중…"),
    }
    typer.echo(steps[step], err=True)
