"""Indexes of vectors: made for large workspaces, and nothing is lost that comparing all finds."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import text

from app.ai_router.router import Providers
from app.notes import embedding, vectors
from app.notes.embedding import INDEX_JOB, Indexing, index_vectors
from app.notes.vector_indexes import (
    Obstacle,
    Unindexed,
    VectorSet,
    drop_unused,
    large_workspaces,
    make_index,
    maker,
    obstacle,
)
from app.platform.db.pool import Connection
from app.platform.db.session import in_workspace
from app.platform.jobs.job import Deferred
from cases import eventually
from verdict_world import World, settings

MODEL, DIMENSIONS = "openai:stub", 64
# More than are compared by their vectors of those that the index gives.
VECTORS = 1_200
# As of many models, all vectors share a direction, so that they have the same signs.
ASKED = f"[{','.join('3' if place % 3 else '1' for place in range(DIMENSIONS))}]"

# A note of one chunk each, the last three in a notebook of their own.
_FILL = """
WITH books AS (
    INSERT INTO notebooks (id, workspace_id, name)
    SELECT gen_random_uuid(), %(workspace)s, name FROM unnest(ARRAY['most', 'few']) AS name
    RETURNING id, name
), written AS (
    INSERT INTO notes (id, workspace_id, notebook_id, source_key, title, content_text,
                       content_hash, lang, tags)
    SELECT gen_random_uuid(), %(workspace)s, books.id, n, n, '', '', 'ko', '{}'
    FROM generate_series(1, %(vectors)s) AS n
    JOIN books ON name = CASE WHEN n > %(vectors)s - 3 THEN 'few' ELSE 'most' END
    RETURNING *
)
INSERT INTO note_chunks (id, workspace_id, notebook_id, note_id, position, content, terms, length)
SELECT gen_random_uuid(), workspace_id, notebook_id, id, 0, title, '', 1 FROM written
"""
_EMBED = """
INSERT INTO note_embeddings (chunk_id, workspace_id, notebook_id, model, dimensions, embedding)
SELECT c.id, c.workspace_id, c.notebook_id, %(model)s, %(dimensions)s,
       CAST((SELECT array_agg(2 + sin(position + CAST(c.content AS int) * n))
             FROM generate_series(1, %(dimensions)s) AS n) AS vector)
FROM note_chunks AS c
"""


@dataclass
class Large:
    """A workspace with many vectors."""

    world: World
    address: str
    of: VectorSet

    def __post_init__(self) -> None:
        self.indexing = Indexing(self.world.pool, self.world.jobs, MODEL, VECTORS)

    async def run_dispatcher_round(self) -> int:
        """What the dispatcher does; returns how many jobs it adds."""
        jobs = "SELECT id FROM jobs"
        before = len(await self.world.rows(jobs))
        await self.indexing.step()
        return len(await self.world.rows(jobs)) - before

    async def work(self) -> None:
        """Does the job as a worker does."""
        [row] = await self.world.rows("SELECT id FROM jobs WHERE status = 'queued'")
        [job] = await self.world.jobs.claim([row["id"]], [INDEX_JOB], 1)
        given = settings(embedding_model=MODEL, database_url=self.address)
        async with Providers(given) as providers:
            await index_vectors(job, self.world.job_context(job, given, providers))
        assert await self.world.jobs.finish(job)

    async def index(self) -> None:
        await self.run_dispatcher_round()
        await self.work()

    async def ready(self) -> bool:
        async with self.world.pool.connection() as connection:
            [each] = await large_workspaces(connection, MODEL, VECTORS)
        return each.ready

    async def nearest(
        self, notebook: uuid.UUID | None = None, *, index_name: str | None = None, pool: int = 100
    ) -> tuple[Sequence[str], int]:
        """As the API's role: titles, and how often the index was read for them."""
        wanted = {
            "workspace_id": self.of.workspace_id,
            "notebook_id": notebook,
            "vector": ASKED,
            "model": MODEL,
            "dimensions": DIMENSIONS,
            "index_name": index_name or self.of.index_name,
            "candidates": self.of.candidates,
            "pool": pool,
            "farthest": 2.0,
            "limit": 10,
        }
        scans = text("SELECT pg_stat_get_xact_numscans(to_regclass(:name))")
        async with in_workspace(self.world.sessions, self.of.workspace_id) as session:
            hits = await vectors.nearest_notes(session, most=200, **wanted)
            read = await session.scalar(scans, {"name": self.of.index_name})
        return [hit.title for hit in hits], read or 0

    async def notebook(self, name: str) -> uuid.UUID:
        [row] = await self.world.rows("SELECT id FROM notebooks WHERE name = %s", name)
        return row["id"]


@pytest.fixture
async def large(world: World, clean_database_url: str) -> AsyncIterator[Large]:
    workspace = await world.workspace()
    given: dict[str, Any] = {"workspace": workspace, "vectors": VECTORS}
    async with world.pool.connection() as connection:
        await connection.execute(_FILL.encode(), given)
        await connection.execute(_EMBED.encode(), {"model": MODEL, "dimensions": DIMENSIONS})
    of = VectorSet(workspace, MODEL, DIMENSIONS)
    yield Large(world, clean_database_url, of)
    async with maker(clean_database_url) as connection:
        await drop_unused(connection, "none", VECTORS)


class TestSearchingByAnIndex:
    async def test_what_is_found_is_what_comparing_all_finds(self, large):
        exact, _ = await large.nearest(index_name="none")
        assert (await large.nearest()) == (exact, 0), "there is no index yet"
        assert await large.run_dispatcher_round() == 1
        assert await large.run_dispatcher_round() == 0, "it is under way"
        assert large.indexing.unindexed == Unindexed(1, None)

        await large.work()

        made = "SELECT pg_get_indexdef(to_regclass(%s)) AS definition"
        [row] = await large.world.rows(made, large.of.index_name)
        assert "embedding - '[" in row["definition"], "signs of differences from the mean"
        assert (await large.nearest()) == (exact, 1)
        assert await large.run_dispatcher_round() == 0, "it is there"
        assert large.indexing.unindexed == Unindexed(0, None)

    async def test_one_of_plain_signs_as_the_release_before_made_is_read_too(self, large):
        of = f"workspace_id = '{large.of.workspace_id}' AND model = '{MODEL}'"
        await large.world.rows(
            f"CREATE INDEX {large.of.index_name} ON note_embeddings USING hnsw"
            f" ((binary_quantize(embedding)::bit({DIMENSIONS})) bit_hamming_ops)"
            f" WHERE {of} AND dimensions = {DIMENSIONS}"
        )
        titles, scans = await large.nearest()
        assert (len(titles), scans) == (10, 1)

    async def test_notes_behind_one_with_many_near_chunks_are_found(self, large):
        (first, *others), _ = await large.nearest()
        move = (
            "UPDATE note_chunks SET position = 1 + CAST(content AS int), note_id ="
            " (SELECT id FROM notes WHERE title = %s) WHERE content = ANY(%s)"
        )
        await large.world.rows(move, first, others[:-1])

        titles, _ = await large.nearest(pool=10)

        assert titles[:2] == [first, others[-1]]
        assert len(titles) == 10

    async def test_a_note_is_right_at_once(self, large):
        await large.index()
        (first, second, *_), _ = await large.nearest()
        await large.world.rows("DELETE FROM notes WHERE title = %s", first)
        assert (await large.nearest())[0][0] == second

        nearer = "UPDATE note_embeddings SET embedding = %s FROM note_chunks AS c"
        await large.world.rows(f"{nearer} WHERE c.id = chunk_id AND content = '77'", ASKED)

        assert (await large.nearest())[0][:2] == ["77", second]

    @pytest.mark.parametrize(("name", "by_index"), [("few", 0), ("most", 1)])
    async def test_a_small_notebook_loses_nothing_and_a_large_one_uses_the_index(
        self, large, name, by_index
    ):
        notebook = await large.notebook(name)
        exact, _ = await large.nearest(notebook, index_name="none")
        await large.index()

        assert len(exact) >= 3
        assert (await large.nearest(notebook)) == (exact, by_index)

    async def test_where_most_were_deleted_the_rest_is_found(self, large):
        await large.index()
        await large.world.rows("DELETE FROM notes WHERE CAST(title AS int) > 5")

        titles, _ = await large.nearest()

        assert sorted(titles) == ["1", "2", "3", "4", "5"]

    async def test_another_workspace_sees_nothing_of_it(self, large):
        await large.index()
        other = await large.world.workspace("other")
        foreign = large.of.workspace_id
        near = text(
            "SELECT count(*) FROM nearest_embeddings(:workspace, NULL, :model, :dimensions,"
            " :asked, :index_name, 1000, 100)"
        )
        given = {"model": MODEL, "dimensions": DIMENSIONS, "asked": ASKED}
        given |= {"workspace": foreign, "index_name": large.of.index_name}
        async with in_workspace(large.world.sessions, other) as session:
            assert await session.scalar(near, given) == 0


class TestMakingThem:
    async def test_one_that_was_broken_off_is_made_anew(self, large):
        await large.run_dispatcher_round()
        async with large.world.pool.connection() as writer:
            await writer.execute("BEGIN")
            await writer.execute("DELETE FROM note_embeddings WHERE false")
            working = asyncio.create_task(large.work())
            made = "SELECT relname FROM pg_class WHERE relname = %s"
            await eventually(lambda: large.world.rows(made, large.of.index_name))
            async with maker(large.address) as second:
                assert not await make_index(second, large.of), "one at a time"
            working.cancel()
            with pytest.raises(asyncio.CancelledError):
                await working
            await writer.execute("ROLLBACK")
        assert not await large.ready()
        assert len((await large.nearest())[0]) == 10

        async with maker(large.address) as connection:
            assert await make_index(connection, large.of)
        assert await large.ready()

    async def test_a_job_waits_while_another_makes_one(self, large):
        await large.run_dispatcher_round()
        async with maker(large.address) as other:
            assert await make_index(other, VectorSet(large.of.workspace_id, MODEL, 2))
            with pytest.raises(Deferred):
                await large.work()

    async def test_unused_ones_are_dropped(self, large):
        await large.index()
        async with large.world.pool.connection() as connection:
            assert await drop_unused(connection, MODEL, 2 * VECTORS) == 0, "half of the bound"
            assert await drop_unused(connection, MODEL, 2 * VECTORS + 2) == 1
        assert not await large.ready()

    async def test_only_the_owner_makes_them(self, large):
        async with maker(large.address) as connection:
            assert await obstacle(connection) is None
            await connection.execute("SET ROLE searchqa_app")
            assert await obstacle(connection) is Obstacle.NOT_OWNER

    async def test_a_missing_index_is_reported(self, large, monkeypatch):
        async def not_owner(_: Connection) -> Obstacle:
            return Obstacle.NOT_OWNER

        monkeypatch.setattr(embedding, "obstacle", not_owner)
        assert await large.run_dispatcher_round() == 0
        assert large.indexing.unindexed == Unindexed(1, Obstacle.NOT_OWNER)
