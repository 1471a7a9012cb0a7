"""How fast search is among many chunks, by words, by vectors and by both, and how much of the exact
answer it finds.

    python benchmarks/search.py FOLDER
    python benchmarks/search.py FOLDER --workspaces 1000 --chunks 1000
    python benchmarks/search.py FOLDER --data DATABASE --seed 7 --modes keyword,hybrid

FOLDER holds corpus.jsonl (id, title, text) and queries.jsonl (id, question), as for retrieval.py;
search_data.py makes the chunks of it and text_vectors.py their vectors. They are stored in a
PostgreSQL of its own, as `searchqa up` starts it, which --data keeps: the next run only asks. Each
question is asked as the API asks it, by one client: the words of it analysed, the notes behind the
chunks read, the embedding model left out. All are asked twice: "first" is of pages that may still
be on disk, where a search by vectors can take longer than its limit and words alone answer. With
one workspace, the first ten chunks are compared with those of looking at all chunks.
"""

import argparse
import asyncio
import random
import statistics
import tempfile
import time
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import psycopg
import search_data
from bench_parts import running
from search_exact import Exact, nearest
from text_vectors import TextVectors, Vectors

from app.notes.fulltext import chunks_with, notes_with, search_terms
from app.notes.hits import SearchHit, fused
from app.notes.keys import Place
from app.notes.vector_indexes import large_workspaces, make_index, maker
from app.notes.vectors import VectorSearch
from app.operations.embedded.postgres import EmbeddedPostgres
from app.platform.db.migrate import migrate
from app.platform.db.session import Sessions, create_engine, create_sessions, in_workspace
from app.platform.settings import Settings
from app.text.morphemes import search_terms_of_many

DEPTH = 10
# What the API asks of each ranking, alone and when two are fused.
_LIMIT, _FUSED_LIMIT = 5, 20
_NAME = "benchmark"
_INDEX = "SELECT pg_get_indexdef('ix_note_chunks_keys'::regclass)"
_FILLED = "SELECT workspace_id FROM notebooks WHERE name = %s ORDER BY workspace_id"
_OTHERS = """
SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
"""
# Two scores are the same if they differ by less than what an estimated frequency changes.
_TOLERANCE = 0.01


@dataclass(frozen=True)
class Question:
    """terms: those that are looked for, of one world."""

    text: str
    terms: list[str]
    place: Place
    vector: list[float]


@dataclass
class _Fixed:
    """An embedding model whose reply is known."""

    vector: list[float]
    model: str = search_data.MODEL

    async def embed(self, texts: list[str]) -> list[list[float]]:
        return [self.vector for _ in texts]


@dataclass
class Measured:
    """Of each question: milliseconds for whoever asks, and PostgreSQL's CPU; and how many searches
    by vectors took longer than their limit."""

    milliseconds: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    given_up: int = 0

    def print(self, name: str) -> None:
        if self.given_up:
            print(f"{name:<19} {self.given_up:8,} searches by vectors given up")
        for label, values in (("", self.milliseconds), (", CPU", self.cpu)):
            p99 = statistics.quantiles(values, n=100)[98]
            median = statistics.median(values)
            print(f"{name + label:<19} {median:8.1f} ms, p99 {p99:.1f} ms", flush=True)


# None where the search by vectors took longer than its limit.
Ask = Callable[[Sessions, Question], Awaitable[list[SearchHit] | None]]


def _vectors(question: Question) -> VectorSearch:
    return VectorSearch(_Fixed(question.vector), -1)  # type: ignore[arg-type]  # all that it asks of a model


async def by_words(sessions: Sessions, question: Question, limit: int = _LIMIT) -> list[SearchHit]:
    await search_terms(question.text)
    async with in_workspace(sessions, question.place.workspace_id) as session:
        return await notes_with(session, question.place, question.terms, limit)


async def by_vectors(sessions: Sessions, question: Question) -> list[SearchHit] | None:
    return await _vectors(question).search(sessions, question.place, "", limit=_FUSED_LIMIT)


async def by_both(sessions: Sessions, question: Question) -> list[SearchHit] | None:
    found, near = await asyncio.gather(
        by_words(sessions, question, _FUSED_LIMIT), by_vectors(sessions, question)
    )
    return None if near is None else fused(found, near)[:_LIMIT]


_MODES: dict[str, Ask] = {"keyword": by_words, "vector": by_vectors, "hybrid": by_both}


async def ask(
    sessions: Sessions, questions: Sequence[Question], mode: Ask, connection: psycopg.Connection
) -> Measured:
    """connection: to ask for PostgreSQL's processes."""
    measured = Measured()
    for question in questions:
        before, start = _cpu(connection), time.perf_counter()
        measured.given_up += await mode(sessions, question) is None
        measured.milliseconds.append((time.perf_counter() - start) * 1000)
        measured.cpu.append(_cpu(connection) - before)
    return measured


def _cpu(connection: psycopg.Connection) -> float:
    """Milliseconds that the processes behind all other connections have computed."""
    return sum(
        int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e6
        for (pid,) in connection.execute(_OTHERS)
    )


async def keyword_recall(
    sessions: Sessions, questions: Sequence[Question], connection: psycopg.Connection
) -> float:
    """Mean share of the first ten that are as good as the exact tenth."""
    workspace_id = questions[0].place.workspace_id
    exact = Exact(connection, workspace_id, [t for each in questions for t in each.terms])
    place = {str(id_): at for at, id_ in enumerate(exact.ids)}
    shares = []
    for question in questions:
        async with in_workspace(sessions, workspace_id) as session:
            hits = await chunks_with(session, question.place, question.terms, DEPTH)
        scores = exact.scores(question.terms)
        best = np.sort(np.partition(scores, -DEPTH)[-DEPTH:])[::-1]
        if wanted := int(np.count_nonzero(best)):
            enough = best[wanted - 1] * (1 - _TOLERANCE)
            good = sum(scores[place[hit.chunk_id]] >= enough for hit in hits[:wanted])
            shares.append(good / wanted)
    return statistics.fmean(shares)


async def vector_recall(
    sessions: Sessions, questions: Sequence[Question], connection: psycopg.Connection
) -> float:
    """Mean share of the ten nearest that are found."""
    workspace_id = questions[0].place.workspace_id
    vectors = np.array([each.vector for each in questions], np.float32)
    exact = nearest(connection, workspace_id, vectors, DEPTH)
    shares = []
    for question, wanted in zip(questions, exact, strict=True):
        hits = await _vectors(question).search_chunks(
            sessions, Place(workspace_id), "", limit=DEPTH
        )
        shares.append(len(wanted & {hit.chunk_id for hit in hits}) / DEPTH)
    return statistics.fmean(shares)


_RECALL = {"keyword": keyword_recall, "vector": vector_recall}


def fill(
    connection: psycopg.Connection,
    corpus: search_data.Corpus,
    vectors: TextVectors,
    options: argparse.Namespace,
) -> None:
    """The index is made afterwards: that takes minutes, where row by row takes an hour."""
    [index] = connection.execute(_INDEX).fetchone() or [""]
    connection.execute("DROP INDEX ix_note_chunks_keys")
    places = []
    for number in range(options.workspaces):
        place = search_data.Place(uuid.uuid4(), uuid.uuid4(), options.chunks)
        places.append(place)
        connection.execute(
            "INSERT INTO workspaces (id, name) VALUES (%s, %s)",
            [place.workspace_id, f"{_NAME}-{number}"],
        )
        connection.execute(
            "INSERT INTO notebooks (id, workspace_id, name) VALUES (%s, %s, %s)",
            [place.notebook_id, place.workspace_id, _NAME],
        )
    with _timed("filled"):
        search_data.fill(connection, corpus, vectors, places)
    connection.execute("SET maintenance_work_mem = '256MB'")
    with _timed("index of keys"):
        connection.execute(index)
    for table in ("notes", "note_chunks", "note_embeddings"):
        connection.execute(f"VACUUM ANALYZE {table}")


class _timed:  # noqa: N801  as contextlib names its own
    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        self._start = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        print(f"{self._name:<15} {time.perf_counter() - self._start:8.0f} s", flush=True)


async def index_vectors(database_url: str) -> None:
    """As the job does, for each workspace that is large enough."""
    bound = Settings(_env_file=None).embedding.index_min_vectors
    async with maker(database_url) as connection:
        for each in await large_workspaces(connection, search_data.MODEL, bound):
            if not each.ready:
                with _timed("index of vectors"):
                    await make_index(connection, each.of)


def asked(
    corpus: search_data.Corpus,
    vectors: TextVectors,
    workspaces: Sequence[uuid.UUID],
    options: argparse.Namespace,
) -> list[Question]:
    source = random.Random(options.seed)  # noqa: S311
    texts = search_data.questions(options.folder, options.questions, options.seed)
    placed: Vectors = vectors.asked(texts)
    return [
        Question(
            each,
            sorted(set(corpus.in_world(terms, source.randrange(corpus.worlds)))),
            Place(source.choice(workspaces), None),
            vector.tolist(),
        )
        for each, terms, vector in zip(texts, search_terms_of_many(texts), placed, strict=True)
    ]


async def measure(postgres: EmbeddedPostgres, folder: Path, options: argparse.Namespace) -> None:
    corpus = search_data.Corpus(options.folder)
    vectors = TextVectors(options.dimensions, corpus.texts)
    filled = folder / "filled"
    with psycopg.connect(postgres.admin_url, dbname="searchqa", autocommit=True) as connection:
        if not filled.exists():
            fill(connection, corpus, vectors, options)
            await index_vectors(postgres.database_url)
            filled.touch()
        workspaces = [row[0] for row in connection.execute(_FILLED, [_NAME])]
        questions = asked(corpus, vectors, workspaces, options)
        print(f"questions       {len(questions):8,} in {len(workspaces):,} workspaces", flush=True)
        engine = create_engine(postgres.database_url, pool_size=2)
        sessions = create_sessions(engine)
        for name in options.modes.split(","):
            for label in (f"{name}, first", name):
                (await ask(sessions, questions, _MODES[name], connection)).print(label)
            if len(workspaces) == 1 and name in _RECALL:
                found = await _RECALL[name](sessions, questions, connection)
                print(f"{name:<8} recall@{DEPTH} {found:6.3f}", flush=True)
        await engine.dispose()


async def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="corpus.jsonl and queries.jsonl")
    parser.add_argument("--workspaces", type=int, default=1)
    parser.add_argument("--chunks", type=int, default=1_000_000, help="of each workspace")
    parser.add_argument("--dimensions", type=int, default=1_024)
    parser.add_argument("--questions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1, help="which questions, of which worlds")
    parser.add_argument("--modes", default=",".join(_MODES))
    parser.add_argument("--data", type=Path, help="where the database is kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="searchqa-") as temporary:
        folder = (options.data or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        postgres = EmbeddedPostgres(folder)
        await postgres.prepare()
        async with running(postgres.part()):
            await postgres.create_database()
            await asyncio.to_thread(migrate, postgres.database_url)
            await measure(postgres, folder, options)


if __name__ == "__main__":
    asyncio.run(main())
