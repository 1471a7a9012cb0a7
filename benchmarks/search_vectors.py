"""How long a search by vectors takes among a million chunks, how much of the exact answer it finds,
and what its index costs.

Fills a PostgreSQL of its own, as `searchqa up` starts it, with vectors made from texts
(text_vectors.py), has the product index them, and asks as the API does: row-level security, the
notes behind the chunks, the transaction around them. What an embedding model takes is left out. The
exact answer is computed beside PostgreSQL.

    python benchmarks/search_vectors.py --texts FOLDER
    python benchmarks/search_vectors.py --texts FOLDER --workspaces 1000
    python benchmarks/search_vectors.py --texts FOLDER --chunks 100000 --dimensions 1536

FOLDER holds corpus.jsonl (`text`) and queries.jsonl (`question`). The database is kept with
--data, and the next run with the same figures only asks.
"""

import argparse
import asyncio
import tempfile
import time
import uuid
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import psycopg
from bench_parts import running
from numpy.typing import NDArray
from sqlalchemy.ext.asyncio import AsyncSession
from text_vectors import TextVectors, Vectors

from app.db.migrate import migrate
from app.db.session import Sessions, create_engine, create_sessions, in_workspace
from app.embedded.postgres import EmbeddedPostgres
from app.search import embedding_queries
from app.search.vector_indexes import VectorSet, large_workspaces, make_index, maker
from app.search.vectors import VectorSearch
from app.settings import Settings

Numbers = NDArray[np.int64]

MODEL = "openai:made-from-text"
CHUNKS_OF_A_NOTE = 10
FOUND = 10
# Of how many chunks one is in the notebook, but for those of the notebooks before it.
NOTEBOOKS = {"1 in 1,000": 1_000, "1 in 50": 50, "1 in 3": 3}
INSERTED = 640
_LIMIT = 20
_CLOCK_TICKS = 100

_FILL = """
INSERT INTO workspaces (id, name)
SELECT lpad(to_hex(n), 32, '0')::uuid, 'w' || n FROM generate_series(1, %(workspaces)s) AS n;
INSERT INTO notebooks (id, workspace_id, name)
SELECT lpad(to_hex(w * 16 + b), 32, '0')::uuid, lpad(to_hex(w), 32, '0')::uuid, 'b' || b
FROM generate_series(1, %(workspaces)s) AS w, generate_series(0, %(notebooks)s) AS b;
INSERT INTO notes (id, workspace_id, notebook_id, source_key, title, content_text, content_hash,
                   lang, tags)
SELECT lpad(to_hex(n), 32, '0')::uuid, lpad(to_hex(1 + n %% %(workspaces)s), 32, '0')::uuid,
       lpad(to_hex(16 * (1 + n %% %(workspaces)s)), 32, '0')::uuid, n, 'note ' || n,
       repeat('word ', 100), '', 'ko', '{}'
FROM generate_series(0, %(chunks)s / %(of_a_note)s - 1) AS n;
INSERT INTO note_chunks (id, workspace_id, notebook_id, note_id, position, content, terms, length)
SELECT lpad(to_hex(n), 32, '0')::uuid, note.workspace_id, note.notebook_id, note.id,
       n %% %(of_a_note)s, repeat('word ', 40), '', 40
FROM generate_series(0, %(chunks)s - 1) AS n
JOIN notes AS note ON note.id = lpad(to_hex(n / %(of_a_note)s), 32, '0')::uuid;
"""
_COPY = """
COPY note_embeddings (chunk_id, workspace_id, notebook_id, model, dimensions, embedding)
FROM STDIN (FORMAT binary)
"""


@dataclass(frozen=True)
class Given:
    """Chunk n is of note n / CHUNKS_OF_A_NOTE, and notes go round the workspaces."""

    chunks: int
    workspaces: int
    vectors: TextVectors
    questions: int

    def workspace_of(self, chunk: Numbers) -> Numbers:
        return 1 + chunk // CHUNKS_OF_A_NOTE % self.workspaces

    def notebook_of(self, chunk: Numbers) -> Numbers:
        """0 for the rest, else its place in NOTEBOOKS, from 1 on."""
        number = np.zeros_like(chunk)
        for place, share in reversed(list(enumerate(NOTEBOOKS.values(), start=1))):
            number[chunk % share == 0] = place
        return number

    def batches(self) -> Iterator[tuple[Numbers, Vectors]]:
        begin = 0
        for batch in self.vectors.passages(self.chunks):
            yield np.arange(begin, begin + len(batch)), batch
            begin += len(batch)


class _Fixed:
    """An embedding model whose reply is known."""

    model = MODEL
    vector: list[float]

    async def embed(self, texts: list[str]) -> list[list[float]]:
        return [self.vector for _ in texts]


def fill(url: str, given: Given) -> None:
    """Without the checks of foreign keys, which the rows satisfy."""
    counts = {"workspaces": given.workspaces, "notebooks": len(NOTEBOOKS), "chunks": given.chunks}
    with psycopg.connect(url) as connection:
        of_a_note = {"of_a_note": CHUNKS_OF_A_NOTE}
        cursor = psycopg.ClientCursor(connection)
        cursor.execute(_FILL, counts | of_a_note)
        with connection.cursor().copy(_COPY) as copy:
            copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8))
            for chunks, vectors in given.batches():
                copy.write(_rows(given, chunks, vectors).tobytes())
            copy.write(b"\xff\xff")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE notes, note_chunks, note_embeddings")


def _rows(given: Given, chunks: Numbers, vectors: Vectors) -> NDArray[np.void]:
    """As PostgreSQL's binary COPY reads them: each field behind its length."""
    dimensions = vectors.shape[1]
    sizes = {"id": 16, "workspace": 16, "notebook": 16, "model": len(MODEL), "dimensions": 4}
    fields: list[tuple[str, object]] = [("count", ">i2")]
    for name, size in sizes.items():
        kind = f"S{size}" if name == "model" else ">i4" if name == "dimensions" else ">u8"
        fields += [(f"{name} size", ">i4"), (name, (kind, 2) if size == 16 else kind)]
    fields += [("size", ">i4"), ("numbers", ">i2"), ("unused", ">i2")]
    fields += [("vector", (">f4", dimensions))]
    rows = np.zeros(len(chunks), np.dtype(fields))
    rows["count"] = len(sizes) + 1
    for name, size in sizes.items():
        rows[f"{name} size"] = size
    workspace = given.workspace_of(chunks)
    rows["id"][:, 1], rows["workspace"][:, 1] = chunks, workspace
    rows["notebook"][:, 1] = workspace * 16 + given.notebook_of(chunks)
    rows["model"], rows["dimensions"], rows["numbers"] = MODEL.encode(), dimensions, dimensions
    rows["size"], rows["vector"] = 4 + 4 * dimensions, vectors
    return rows


class Exact:
    """The nearest chunks of each question in its workspace, or in a notebook of it, found by
    comparing all."""

    def __init__(self, given: Given, questions: Vectors, notebook: int | None) -> None:
        self._given, self._notebook = given, notebook
        self._workspace = np.arange(len(questions)) % given.workspaces + 1
        self._alike = np.full((len(questions), FOUND), -2.0, np.float32)
        self.chunks = np.zeros((len(questions), FOUND), np.int64)

    def add(self, chunks: Numbers, alike: Vectors) -> None:
        """alike: by question and chunk."""
        own = self._workspace[:, None] == self._given.workspace_of(chunks)[None]
        if self._notebook is not None:
            own &= self._given.notebook_of(chunks) == self._notebook
        alike = np.hstack([self._alike, np.where(own, alike, -2)])
        among = np.hstack([self.chunks, np.broadcast_to(chunks, (len(alike), len(chunks)))])
        best = np.argpartition(-alike, FOUND, axis=1)[:, :FOUND]
        self._alike = np.take_along_axis(alike, best, 1)
        self.chunks = np.take_along_axis(among, best, 1)


def exact(given: Given, questions: Vectors, notebooks: Sequence[int | None]) -> list[Exact]:
    found = [Exact(given, questions, notebook) for notebook in notebooks]
    for chunks, vectors in given.batches():
        alike = questions @ vectors.T
        for each in found:
            each.add(chunks, alike)
    return found


@dataclass(frozen=True)
class Asking:
    """As the API asks, in the question's workspace."""

    sessions: Sessions
    given: Given
    questions: Vectors
    notebook: int | None
    model: _Fixed = field(default_factory=_Fixed)

    async def seconds(self) -> list[float]:
        """Of each question."""
        return [await self._seconds(*each) async for each in self._each()]

    async def _seconds(self, session: AsyncSession, where: dict[str, uuid.UUID | None]) -> float:
        began = time.perf_counter()
        hits = await self._search.search(session, query="", limit=_LIMIT, **where)
        assert hits is not None, "it took longer than its limit"
        return time.perf_counter() - began

    async def found(self) -> list[list[int]]:
        """The nearest chunks of each question."""
        return [await self._found(*each) async for each in self._each()]

    async def _found(self, session: AsyncSession, where: dict[str, uuid.UUID | None]) -> list[int]:
        hits = await self._search.search_chunks(session, query="", limit=FOUND, **where)
        return [uuid.UUID(hit.chunk_id).int for hit in hits]

    @property
    def _search(self) -> VectorSearch:
        return VectorSearch(self.model, -1)  # type: ignore[arg-type]  # all that it asks of a model

    async def _each(self) -> AsyncIterator[tuple[AsyncSession, dict[str, uuid.UUID | None]]]:
        for number, vector in enumerate(self.questions):
            workspace = uuid.UUID(int=number % self.given.workspaces + 1)
            notebook = self.notebook and uuid.UUID(int=workspace.int * 16 + self.notebook)
            self.model.vector = vector.tolist()
            async with in_workspace(self.sessions, workspace) as session:
                yield session, {"workspace_id": workspace, "notebook_id": notebook}


async def show(name: str, asking: Asking, truth: Exact, pid: int) -> None:
    both = zip(await asking.found(), truth.chunks.tolist(), strict=True)
    recall = np.mean([len(set(found) & set(wanted)) / FOUND for found, wanted in both])
    before = cpu_seconds(pid)
    seconds = await asking.seconds()
    spent = (cpu_seconds(pid) - before) / len(seconds) * 1000
    median, late = np.percentile(seconds, [50, 99]) * 1000
    print(
        f"{name:12} median {median:.1f} ms, p99 {late:.1f} ms, PostgreSQL's CPU {spent:.1f} ms,"
        f" recall@{FOUND} {recall:.4f}",
        flush=True,
    )


def cpu_seconds(postmaster: int) -> float:
    """Of PostgreSQL's processes, those that have ended as well."""
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:  # it has just ended
            continue
        if int(stat.parent.name) == postmaster:
            total += sum(map(int, fields[11:15]))
        elif int(fields[1]) == postmaster:
            total += sum(map(int, fields[11:13]))
    return total / _CLOCK_TICKS


async def index(url: str, pid: int) -> None:
    """As the job does, for each workspace that is large enough."""
    async with maker(url) as connection:
        bound = Settings(_env_file=None).vector_index_from
        for each in await large_workspaces(connection, MODEL, bound):
            began, before = time.monotonic(), cpu_seconds(pid)
            if not each.ready:
                await make_index(connection, each.of)
                took, spent = time.monotonic() - began, cpu_seconds(pid) - before
                print(f"indexed in {took:.0f} s, {spent:.0f} s of CPU")
        for each in await large_workspaces(connection, MODEL, bound):
            print(f"index: {each.bytes / 2**20:,.0f} MB")


async def insert(sessions: Sessions, given: Given, url: str, pid: int) -> None:
    """What it costs to store a vector again, as the job of vectors does."""
    _, vectors = next(given.batches())
    of = VectorSet(uuid.UUID(int=1), MODEL, vectors.shape[1])
    began, before = time.monotonic(), cpu_seconds(pid)
    for start in range(0, INSERTED, 64):
        chunks = range(start * given.workspaces, (start + 64) * given.workspaces, given.workspaces)
        batch = {
            uuid.UUID(int=chunk): str(vectors[start + at].tolist())
            for at, chunk in enumerate(chunks)
        }
        async with in_workspace(sessions, of.workspace_id) as session, session.begin():
            await embedding_queries.store_vectors(session, of.workspace_id, MODEL, batch)
    took, spent = time.monotonic() - began, cpu_seconds(pid) - before
    each = 1000 / INSERTED
    print(f"stored {INSERTED}: {took * each:.2f} ms each, CPU {spent * each:.2f} ms")


async def measure(given: Given, folder: Path) -> None:
    postgres = EmbeddedPostgres(folder)
    await postgres.prepare()
    async with AsyncExitStack() as stack:
        pid = await stack.enter_async_context(running(postgres.part()))
        if not (folder / "filled").exists():
            await postgres.create_database()
            await asyncio.to_thread(migrate, postgres.database_url)
            began = time.monotonic()
            await asyncio.to_thread(fill, postgres.database_url, given)
            (folder / "filled").touch()
            print(f"filled in {time.monotonic() - began:.0f} s")
        engine = create_engine(postgres.database_url)
        stack.push_async_callback(engine.dispose)
        sessions = create_sessions(engine)
        await index(postgres.database_url, pid)
        questions = given.vectors.asked(given.questions)
        places = {"workspace": None}
        if given.workspaces == 1:
            places |= {name: at for at, name in enumerate(NOTEBOOKS, start=1)}
        truths = exact(given, questions, list(places.values()))
        for (name, notebook), truth in zip(places.items(), truths, strict=True):
            await show(name, Asking(sessions, given, questions, notebook), truth, pid)
        await insert(sessions, given, postgres.database_url, pid)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--texts", type=Path, required=True)
    parser.add_argument("--chunks", type=int, default=1_000_000)
    parser.add_argument("--workspaces", type=int, default=1)
    parser.add_argument("--dimensions", type=int, default=1_024)
    parser.add_argument("--questions", type=int, default=500)
    parser.add_argument("--data", type=Path)
    options = parser.parse_args()
    texts = TextVectors(
        options.dimensions, options.texts / "corpus.jsonl", options.texts / "queries.jsonl"
    )
    given = Given(options.chunks, options.workspaces, texts, options.questions)
    if options.data:
        options.data.mkdir(parents=True, exist_ok=True)
        asyncio.run(measure(given, options.data.resolve()))
    else:
        with tempfile.TemporaryDirectory(prefix="searchqa-vectors-") as folder:
            asyncio.run(measure(given, Path(folder)))


if __name__ == "__main__":
    main()
