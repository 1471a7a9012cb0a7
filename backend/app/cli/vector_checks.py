"""The check of `searchqa doctor` on indexes of vectors."""

import asyncio
from collections.abc import Iterator

from app.cli.finding import Finding
from app.notes.vector_indexes import Obstacle, VectorIndex, large_workspaces, obstacle
from app.notes.vectors import embedding_model
from app.platform.db.pool import create_pool
from app.platform.settings import Settings

_ABOUT = "Vector indexes"
REMEDIES = {
    Obstacle.NOT_OWNER: "Only the owner of the tables may make indexes; run `searchqa vectors"
    " index` with the DATABASE_URL of `searchqa migrate`.",
    Obstacle.OLD_PGVECTOR: "Indexes of vectors need pgvector 0.8 or newer; upgrade it on the server"
    " and have an administrator run ALTER EXTENSION vector UPDATE.",
}
_WAIT = "A worker makes them; see `searchqa jobs`. At once: `searchqa vectors index`."


def indexes(address: str, settings: Settings) -> Iterator[Finding]:
    """Nothing while no workspace is large. Raises ConfigurationError for a model that is none."""
    model = embedding_model(settings)
    if model is None:
        return
    large, why = asyncio.run(_look(address, model, settings.embedding.index_min_vectors))
    missing = [each for each in large if not each.ready]
    if missing:
        names = ", ".join(str(each.of.workspace_id) for each in missing[:3])
        count = f"{len(missing)} of {len(large)} large workspaces"
        detail = f"missing in {count}, which are searched slowly: {names}"
        yield Finding.note(_ABOUT, detail, REMEDIES[why] if why else _WAIT)
    elif large:
        yield Finding.ok(_ABOUT, f"there for each large workspace ({len(large)})")


async def _look(
    address: str, model: str, at_least: int
) -> tuple[list[VectorIndex], Obstacle | None]:
    async with create_pool(address, max_size=1) as pool, pool.connection() as connection:
        return await large_workspaces(connection, model, at_least), await obstacle(connection)
