"""How fast keyword search is among many chunks, and how much of the exact answer it finds.

    python benchmarks/search.py FOLDER
    python benchmarks/search.py FOLDER --workspaces 1000 --chunks 1000
    python benchmarks/search.py FOLDER --database-url postgresql://…

FOLDER holds corpus.jsonl (id, title, text) and queries.jsonl (id, question), as for retrieval.py;
search_data.py makes the chunks of it. They are stored in a PostgreSQL of its own, as `searchqa up`
starts it, or in a database that is given; if an earlier run has filled that one it is only asked.
Each question is asked as the API asks it, by one client, and each twice, of which the second time
counts. With one workspace, the first ten chunks are compared with those of counting all chunks.
"""

import argparse
import asyncio
import random
import statistics
import tempfile
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import psycopg
import search_data
from bench_parts import running
from search_exact import Exact
from sqlalchemy import text

from app.db.migrate import migrate
from app.db.session import Sessions, create_engine, create_sessions, in_workspace
from app.embedded.postgres import EmbeddedPostgres
from app.search.fulltext import chunks_with, search_terms
from app.search.keys import Place
from app.text.morphemes import search_terms_of_many

DEPTH = 10
_NAME = "benchmark"
_INDEX = "SELECT pg_get_indexdef('ix_note_chunks_keys'::regclass)"
_FILLED = "SELECT workspace_id FROM notebooks WHERE name = %s ORDER BY workspace_id"
# Two scores are the same if they differ by less than what an estimated frequency changes.
_TOLERANCE = 0.01


@dataclass
class Measured:
    """Of each question: milliseconds for whoever asks, PostgreSQL's CPU, and the chunks."""

    milliseconds: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    found: list[list[str]] = field(default_factory=list)


def fill(
    connection: psycopg.Connection, corpus: search_data.Corpus, workspaces: int, chunks: int
) -> None:
    """The index is made afterwards: that takes minutes, where row by row takes an hour."""
    [index] = connection.execute(_INDEX).fetchone() or [""]
    connection.execute("DROP INDEX ix_note_chunks_keys")
    places = []
    for number in range(workspaces):
        place = search_data.Place(uuid.uuid4(), uuid.uuid4(), chunks)
        places.append(place)
        connection.execute(
            "INSERT INTO workspaces (id, name) VALUES (%s, %s)",
            [place.workspace_id, f"{_NAME}-{number}"],
        )
        connection.execute(
            "INSERT INTO notebooks (id, workspace_id, name) VALUES (%s, %s, %s)",
            [place.notebook_id, place.workspace_id, _NAME],
        )
    search_data.fill(connection, corpus, places)
    connection.execute("SET maintenance_work_mem = '256MB'")
    start = time.perf_counter()
    connection.execute(index)
    print(f"index           {time.perf_counter() - start:8.0f} s")
    for table in ("notes", "note_chunks"):
        connection.execute(f"VACUUM ANALYZE {table}")


async def ask(
    sessions: Sessions, questions: Sequence[tuple[str, list[str]]], workspaces: Sequence[uuid.UUID]
) -> Measured:
    """questions: with their terms, which are looked for; analysing the text is timed too."""
    measured = Measured()
    source = random.Random(4)  # noqa: S311  the same in each run
    for question, terms in questions:
        place = Place(source.choice(workspaces), None)
        start = time.perf_counter()
        await search_terms(question)
        async with in_workspace(sessions, place.workspace_id) as session:
            before = _cpu(await session.scalar(text("SELECT pg_backend_pid()")))
            hits = await chunks_with(session, place, terms, DEPTH)
            measured.milliseconds.append((time.perf_counter() - start) * 1000)
            pid = await session.scalar(text("SELECT pg_backend_pid()"))
            measured.cpu.append(_cpu(pid) - before)
            measured.found.append([hit.chunk_id for hit in hits])
    return measured


def _cpu(pid: int) -> float:
    """Milliseconds that a process has computed."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e6


def recall(exact: Exact, questions: Sequence[tuple[str, list[str]]], measured: Measured) -> float:
    """Mean share of the first ten that are as good as the exact tenth."""
    place = {str(id_): at for at, id_ in enumerate(exact.ids)}
    shares = []
    for (_, terms), found in zip(questions, measured.found, strict=True):
        scores = exact.scores(terms)
        best = np.sort(np.partition(scores, -DEPTH)[-DEPTH:])[::-1]
        wanted = int(np.count_nonzero(best))
        if wanted:
            enough = best[wanted - 1] * (1 - _TOLERANCE)
            good = sum(scores[place[id_]] >= enough for id_ in found[:wanted])
            shares.append(good / wanted)
    return statistics.fmean(shares)


def _row(label: str, values: Sequence[float]) -> str:
    p99 = statistics.quantiles(values, n=100)[98]
    return f"{label:<15} {statistics.median(values):8.1f} ms, p99 {p99:.1f} ms"


async def measure(database_url: str, options: argparse.Namespace) -> None:
    corpus = search_data.Corpus(options.folder)
    with psycopg.connect(database_url, autocommit=True) as connection:
        if not connection.execute(_FILLED, [_NAME]).fetchall():
            start = time.perf_counter()
            fill(connection, corpus, options.workspaces, options.chunks)
            print(f"filled          {time.perf_counter() - start:8.0f} s")
        workspaces = [row[0] for row in connection.execute(_FILLED, [_NAME])]
    source = random.Random(3)  # noqa: S311  the same in each run
    asked = search_data.questions(options.folder, options.questions)
    questions = [
        (question, sorted(set(corpus.in_world(terms, source.randrange(corpus.worlds)))))
        for question, terms in zip(asked, search_terms_of_many(asked), strict=True)
    ]
    engine = create_engine(database_url, pool_size=1)
    for _ in range(2):
        measured = await ask(create_sessions(engine), questions, workspaces)
    await engine.dispose()
    print(f"questions       {len(questions):8,} in {len(workspaces):,} workspaces")
    print(_row("search", measured.milliseconds))
    print(_row("PostgreSQL CPU", measured.cpu))
    if len(workspaces) == 1:
        with psycopg.connect(database_url) as connection:
            exact = Exact(connection, workspaces[0], [t for _, terms in questions for t in terms])
        print(f"recall@{DEPTH}       {recall(exact, questions, measured):8.3f}")


async def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="corpus.jsonl and queries.jsonl")
    parser.add_argument("--workspaces", type=int, default=1)
    parser.add_argument("--chunks", type=int, default=1_000_000, help="of each workspace")
    parser.add_argument("--questions", type=int, default=500)
    parser.add_argument("--database-url", help="whose rows stay")
    options = parser.parse_args()
    if options.database_url:
        await asyncio.to_thread(migrate, options.database_url)
        await measure(options.database_url, options)
        return
    with tempfile.TemporaryDirectory(prefix="searchqa-") as temporary:
        postgres = EmbeddedPostgres(Path(temporary))
        await postgres.prepare()
        async with running(postgres.part()):
            await postgres.create_database()
            await asyncio.to_thread(migrate, postgres.database_url)
            await measure(postgres.database_url, options)


if __name__ == "__main__":
    asyncio.run(main())
