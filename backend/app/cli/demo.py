"""`searchqa demo`: the whole flow on a stack of its own, ending with a summary in SQL."""

import contextlib
import signal
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import httpx
import psycopg
import typer
from rich.console import Console
from rich.text import Text
from searchqa_client import Api
from searchqa_client import SearchQAError as ClientError

from app.ai_router.types import Lang
from app.cli.ask import Asked, ask_question, model_judge_hint
from app.cli.language import _, chosen_language
from app.cli.notes import import_notes
from app.cli.output import View, console, indented, printable
from app.cli.server import client_of
from app.cli.tables import print_query
from app.cli.verdict_view import RULES, not_stored, show_verdict
from app.notes.importers import NoteSource
from app.notes.samples import SAMPLE_QUESTIONS, sample_notes
from app.operations.embedded.process import PrefixedLog
from app.operations.embedded.stack import RunningStack, stack_in_background
from app.platform.db.address import psycopg_url
from app.platform.errors import SearchQAError, SetupError
from app.platform.settings import Settings, get_settings
from app.verdicts.status import SkipReason, Status
from app.workspaces.tokens import Scope, short_lived_token

_NOTEBOOK = "SearchQA demo"
_WORKSPACE = "demo"
# Events reach Flower within a second; after this many seconds some are missing.
_FLOWER_TIMEOUT_SECONDS = 15.0
# Named queries to show, each with the number of its columns to show.
_NAMED = {"daily-quality": 6, "confidence-mix": 7}


class _Paused(SetupError):
    """No further verdict is expected."""


def demo(
    data_dir: Annotated[
        Path | None,
        typer.Option(file_okay=False, help="Kept between runs; .searchqa/demo by default."),
    ] = None,
) -> None:
    """Run the whole flow once: ask, answer, judge, show the verdicts.

    Starts the whole stack on free ports, imports sample notes, asks questions in Korean and
    English, streams each answer, waits for its verdict, and summarises with SQL. Needs no key and
    no server; with SEARCHQA_ANSWER_MODEL, SEARCHQA_JUDGE_MODEL and a key it uses real models.

    Exit code 1 when an answer or a verdict is missing.

    Examples:

    searchqa demo

    SEARCHQA_JUDGE_MODEL=openai:gpt-6-luna OPENAI_API_KEY=… searchqa demo
    """
    # SIGTERM stops the stack first, as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    began = time.perf_counter()
    out = console()
    settings = _settings(data_dir)
    settings.stack.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    log_path = settings.stack.data_dir / "demo.log"
    _heading(out, "Starting PostgreSQL, Redis, API, worker, dispatcher and Flower")
    with (
        log_path.open("w", encoding="utf-8") as log_file,
        stack_in_background(settings, PrefixedLog(log_file)) as running,
    ):
        out.print(f"  ready after {time.perf_counter() - began:.1f} s; their log: {log_path}")
        out.print(f"  answers by {settings.answering.model}, verdicts by {settings.judge.model}")
        missing = _run_flow(out, running)
    out.print()
    if missing:
        reasons = "; ".join(missing).rstrip(".")
        raise SetupError(f"The demo is incomplete: {reasons}. Its log: {log_path}.")
    _closing(out, time.perf_counter() - began, by_rules=settings.judge.model == RULES)


def _settings(data_dir: Path | None) -> Settings:
    given = get_settings()
    folder = data_dir.expanduser() if data_dir else given.stack.data_dir / "demo"
    return given.replace(data_dir=folder, port=0, flower_port=0)


def _run_flow(out: Console, running: RunningStack) -> list[str]:
    """Returns what is missing, in words."""

    def token() -> str:
        # All scopes, because resuming a judge needs the operator's.
        return short_lived_token(running.database_url, _WORKSPACE, set(Scope))

    missing = []
    with client_of(running.info.api_url, token) as searchqa:
        client = searchqa.api
        _heading(out, "Importing the sample notes")
        found = sample_notes()
        report = import_notes(client, NoteSource(len(found), found), _NOTEBOOK)
        out.print("  " + ", ".join(f"{count} {what}" for what, count in report.items()))
        for pause in client.get("/judges/paused"):
            # The problem that paused it in an earlier run may be fixed by now.
            client.post(f"/judges/{quote(pause['judge_model'], safe='')}/resume")
        judged = 0
        for number, (lang, question) in enumerate(SAMPLE_QUESTIONS, start=1):
            _heading(out, f"{number}/{len(SAMPLE_QUESTIONS)} {question}")
            try:
                judged += _question(out, client, lang, question)
            except _Paused as error:
                missing.append(str(error))
                break
            except (SearchQAError, ClientError) as error:
                missing.append(f"{question!r}: {error}")
        _heading(out, "PostgreSQL: this and earlier runs")
        _print_summaries(out, running.database_url)
        for name, columns in _NAMED.items():
            _named(out, name, client.get(f"/analytics/{name}"), columns)
    _heading(out, "Flower: tasks of the worker")
    if not _flower(out, running, judged):
        missing.append(f"Flower did not see {judged} tasks succeed")
    return missing


def _question(out: Console, client: Api, lang: Lang, question: str) -> bool:
    """Asks, and prints answer and verdict as they arrive. False if there were no notes to judge
    the answer by. Raises SearchQAError when answer or verdict is missing."""
    typer.echo("  ", nl=False)
    began = time.perf_counter()
    answered: list[float] = []

    def when_answered(asked: Asked) -> None:
        answered.append(time.perf_counter())
        typer.echo("\n")

    asked = ask_question(
        client,
        {"feature": "search_qa", "content": question, "lang": lang},
        on_chunk=lambda piece: typer.echo(printable(piece).replace("\n", "\n  "), nl=False),
        on_answered=when_answered,
    )
    ended = time.perf_counter()
    if asked.evaluation is None:
        raise SetupError(not_stored(lang))
    show_verdict(out, asked.evaluation, chosen_language() or lang)
    if asked.judge_paused:
        raise _Paused(
            f"the judge {asked.evaluation['judge_model']} is paused: {asked.judge_paused}"
        )
    answer_ms, verdict_ms = (answered[0] - began) * 1000, (ended - answered[0]) * 1000
    timing = _(
        "answer complete after {answer_ms:,.0f} ms, verdict {verdict_ms:,.0f} ms later",
        answer_ms=answer_ms,
        verdict_ms=verdict_ms,
    )
    out.print(indented(Text(timing, "dim")))
    status, reason = asked.evaluation["status"], asked.evaluation["reason"]
    if status != Status.SUCCEEDED and reason != SkipReason.NO_CONTEXT:
        raise SetupError(f"the verdict is {status} ({asked.evaluation['error'] or reason})")
    return bool(status == Status.SUCCEEDED)


def summaries() -> Iterator[tuple[str, str]]:
    """Title and statement of each query of demo.sql."""
    _, *parts = Path(__file__).with_name("demo.sql").read_text().split("\n\n-- ")
    for part in parts:
        title, _, statement = part.strip().partition("\n")
        yield title, statement


def _print_summaries(out: Console, database_url: str) -> None:
    with psycopg.connect(psycopg_url(database_url), autocommit=True) as connection:
        for title, statement in summaries():
            rows = connection.execute(statement.encode())
            names = [column.name for column in rows.description or ()]
            _print_query(out, title, statement, names, rows)


def _named(out: Console, name: str, found: View, columns: int) -> None:
    keys = [column["name"] for column in found["columns"][:columns]]
    rows = ([row[key] for key in keys] for row in found["rows"])
    _print_query(out, f"searchqa analytics {name}", "", keys, rows)


def _print_query(
    out: Console, title: str, statement: str, names: Sequence[str], rows: Iterable[Iterable[object]]
) -> None:
    out.print()
    out.print(indented(Text(title, "bold")))
    for line in statement.splitlines():
        out.print(indented(Text(line, "dim"), 4))
    print_query(names, rows, indent=4)


def _flower(out: Console, running: RunningStack, expected: int) -> bool:
    """Prints Flower's count of tasks by state. False if fewer than `expected` have succeeded."""
    deadline = time.monotonic() + _FLOWER_TIMEOUT_SECONDS
    user, _, password = running.flower_basic_auth.partition(":")
    tasks, states = {}, Counter[str]()
    with httpx.Client(
        base_url=running.info.flower_url or "", auth=(user, password), trust_env=False, timeout=5
    ) as flower:
        while time.monotonic() < deadline:
            with contextlib.suppress(httpx.HTTPError):
                tasks = flower.get("/api/tasks").raise_for_status().json()
            states = Counter(task["state"] for task in tasks.values())
            if states["SUCCESS"] >= expected:
                break
            time.sleep(0.1)
    for state, count in sorted(states.items()):
        out.print(f"  {state}: {count} of {len(tasks)} tasks")
    return states["SUCCESS"] >= expected


def _heading(out: Console, text: str) -> None:
    out.print()
    out.print(Text(f"▶ {text}", "bold cyan"))


def _closing(out: Console, seconds: float, *, by_rules: bool) -> None:
    out.print(f"Done in {seconds:.1f} s; the stack is stopped. Next, with your own notes:")
    out.print("  searchqa up                    # prints a login link for the web pages, /ui/")
    out.print("  searchqa notes import FOLDER")
    out.print('  searchqa ask "…"')
    out.print("  searchqa analytics             # named queries over all verdicts")
    if by_rules:
        out.print()
        for line in model_judge_hint():
            out.print(line)
