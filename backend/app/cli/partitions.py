"""`searchqa partitions …`: the month partitions of the largest tables."""

import asyncio
import datetime as dt
from dataclasses import asdict
from typing import Annotated

import typer

from app.cli.language import translated
from app.cli.options import AsJson, command_group
from app.cli.output import print_json
from app.cli.stack import database_url, errors_in_words
from app.cli.tables import print_table
from app.platform.db.partitions import Partition, add_missing, add_month, list_partitions
from app.platform.db.pool import create_pool

partitions = command_group(
    "partitions",
    """The dispatcher adds partitions ahead of time, and retention drops them when their month is
    over for everybody.""",
)


@partitions.command("list")
def list_(json: AsJson = False) -> None:
    """List the partitions by month, with their sizes."""

    async def listed() -> list[Partition]:
        async with create_pool(database_url(), max_size=1) as pool:
            return await list_partitions(pool)

    with errors_in_words():
        found = asyncio.run(listed())
    if json:
        print_json(
            [asdict(each) | {"month": each.month and f"{each.month:%Y-%m}"} for each in found]
        )
        return
    headers = [
        translated("month", "월"),
        translated("table", "테이블"),
        translated("rows, about", "행 수(추정)"),
        translated("size", "크기"),
    ]
    print_table(headers, ([_month(p), p.table, f"{p.rows:,}", _size(p.bytes)] for p in found))


@partitions.command()
def add(
    month: Annotated[
        dt.datetime | None,
        typer.Option(
            formats=["%Y-%m"], help="Only this month, such as one whose rows went to the default."
        ),
    ] = None,
) -> None:
    """Add the partitions that are missing: of this month and the next three.

    Rows of the month that the default partition holds are moved into the new one. A partition that
    is there already is left as it is.

    Examples:

    searchqa partitions add

    searchqa partitions add --month 2026-08
    """

    async def added() -> int:
        async with create_pool(database_url(), max_size=1) as pool:
            return await (add_month(pool, month.date()) if month else add_missing(pool))

    with errors_in_words():
        count = asyncio.run(added())
    typer.echo(translated(f"{count} partitions added.", f"파티션 {count}개를 추가했습니다."))


def _month(partition: Partition) -> str:
    if partition.month is None:
        return translated("default", "기본")
    return f"{partition.month:%Y-%m}"


def _size(size: int) -> str:
    return f"{size / 2**20:,.1f} MB"
