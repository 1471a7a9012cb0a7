"""`searchqa vectors …`: the indexes of vectors that large workspaces have."""

import asyncio
from dataclasses import asdict

import typer

from app.cli.language import translated
from app.cli.options import AsJson, command_group
from app.cli.output import print_json
from app.cli.stack import database_url, errors_in_words
from app.cli.tables import print_table
from app.cli.vector_checks import REMEDIES
from app.notes.vector_indexes import (
    VectorIndex,
    drop_unused,
    large_workspaces,
    make_index,
    maker,
    obstacle,
)
from app.notes.vectors import embedding_model
from app.platform.db.pool import create_pool
from app.platform.errors import SetupError
from app.platform.settings import get_settings

vectors = command_group(
    "vectors",
    """Workspaces with SEARCHQA_VECTOR_INDEX_FROM vectors or more have an index each. A worker makes
    it where it connects as the owner of the tables; elsewhere run `searchqa vectors index` as the
    owner, who is whoever runs `searchqa migrate`.""",
)


@vectors.command("list")
def list_(json: AsJson = False) -> None:
    """List the large workspaces, and whether searches of theirs have an index."""

    async def listed() -> list[VectorIndex]:
        async with (
            create_pool(database_url(), max_size=1) as pool,
            pool.connection() as connection,
        ):
            return await large_workspaces(
                connection, _model(), get_settings().embedding.index_min_vectors
            )

    with errors_in_words():
        found = asyncio.run(listed())
    if json:
        print_json([_as_json(each) for each in found])
        return
    headers = [
        translated("workspace", "워크스페이스"),
        translated("model", "모델"),
        translated("dimensions", "차원"),
        translated("index", "인덱스"),
        translated("size", "크기"),
    ]
    print_table(headers, (_cells(each) for each in found))


@vectors.command()
def index() -> None:
    """Make the indexes that are missing, one after the other, and drop those of no use.

    Notes are searched, stored and deleted meanwhile. A million vectors take some minutes and a
    gigabyte of PostgreSQL's memory.

    Example:

    DATABASE_URL=postgresql://searchqa_owner@db/searchqa searchqa vectors index
    """
    with errors_in_words():
        asyncio.run(_index(database_url(), _model(), get_settings().embedding.index_min_vectors))


async def _index(address: str, model: str, at_least: int) -> None:
    async with maker(address) as connection:
        if why := await obstacle(connection):
            raise SetupError(REMEDIES[why])
        missing = [
            each.of
            for each in await large_workspaces(connection, model, at_least)
            if not each.ready
        ]
        for number, each in enumerate(missing, start=1):
            where = f"{number}/{len(missing)} {each.workspace_id}"
            typer.echo(translated(f"{where}: indexing …", f"{where}: 인덱스를 만드는 중 …"))
            if not await make_index(connection, each):
                raise SetupError(
                    translated(
                        "Another process is making an index; run this again later.",
                        "다른 프로세스가 인덱스를 만들고 있습니다. 잠시 뒤 다시 실행하세요.",
                    )
                )
        dropped = await drop_unused(connection, model, at_least)
    typer.echo(
        translated(
            f"{len(missing)} indexes made, {dropped} dropped.",
            f"인덱스 {len(missing)}개를 만들고 {dropped}개를 삭제했습니다.",
        )
    )


def _model() -> str:
    """Raises SetupError without one."""
    if model := embedding_model(get_settings()):
        return model
    raise SetupError(
        translated(
            "Without SEARCHQA_EMBEDDING_MODEL there are no vectors to search; set it first.",
            "SEARCHQA_EMBEDDING_MODEL이 없으면 검색할 벡터도 없습니다. 먼저 설정하세요.",
        )
    )


def _as_json(index: VectorIndex) -> dict[str, object]:
    of = asdict(index.of) | {"workspace_id": str(index.of.workspace_id)}
    return of | {"ready": index.ready, "bytes": index.bytes}


def _cells(index: VectorIndex) -> list[str]:
    state = translated("ready", "사용 중") if index.ready else translated("missing", "없음")
    of, size = index.of, f"{index.bytes / 2**20:,.1f} MB" if index.bytes else ""
    return [str(of.workspace_id), of.model, str(of.dimensions), state, size]
