"""What `searchqa up` asks when PostgreSQL has become a newer one than the database's."""

import sys
from pathlib import Path

import typer

from app.cli.language import translated
from app.operations.embedded.postgres import version_of
from app.operations.embedded.postgres_programs import VERSION
from app.platform.errors import SetupError


def upgrade_if_old(data_dir: Path, *, agreed: bool, programs: Path | None) -> None:
    """Upgrades the database of a data folder if it is of an older PostgreSQL and people agree, by
    option or on a terminal. Raises SetupError where nobody did: it is never done silently."""
    found = version_of(data_dir)
    if found is None or found == VERSION:
        return
    from app.operations.embedded.postgres_upgrade import how_to_get, upgrade

    asked = translated(
        f"The database in {data_dir} was made by PostgreSQL {found}, and this is {VERSION}. Copy it"
        f" into a new one? The old one is kept as postgres.{found}; both together need twice its"
        " space.",
        f"{data_dir}의 데이터베이스는 PostgreSQL {found}에서 만들어졌고, 지금은 {VERSION}입니다. 새"
        f" 데이터베이스로 복사할까요? 기존 것은 postgres.{found}(으)로 남으며, 두 배의 공간이"
        " 필요합니다.",
    )
    if not agreed and not (sys.stdin.isatty() and typer.confirm(asked, err=True)):
        raise SetupError(
            translated(
                f"The database in {data_dir} was made by PostgreSQL {found}, this is {VERSION}, and"
                f" nothing was changed. Its old programs make the copy. {how_to_get(found)}",
                f"{data_dir}의 데이터베이스는 PostgreSQL {found}에서 만들어졌고 지금은 {VERSION}"
                f"입니다. 아무것도 바꾸지 않았습니다. 복사에는 이전 프로그램이 필요합니다."
                f" {how_to_get(found)}",
            )
        )
    kept = upgrade(data_dir, programs, _report)
    typer.echo(
        translated(
            f"The database is of PostgreSQL {VERSION} now, with equal figures. The old one is kept"
            f" in {kept}; remove it when you no longer want to go back.",
            f"데이터베이스를 PostgreSQL {VERSION}(으)로 바꿨고 수치가 같습니다. 이전 것은 {kept}에"
            " 있습니다. 되돌릴 일이 없으면 지우세요.",
        ),
        err=True,
    )


def _report(step: str) -> None:
    steps = {
        "dump": translated("copying the database …", "데이터베이스를 복사하는 중…"),
        "restore": translated("loading it into the new one …", "새 데이터베이스에 넣는 중…"),
        "analyze": translated("collecting statistics …", "통계를 수집하는 중…"),
    }
    typer.echo(steps[step], err=True)
