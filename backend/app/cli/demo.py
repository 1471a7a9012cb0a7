"""`searchqa demo`: the main job on a stack of its own, from nothing to the SQL summary."""

import contextlib
import signal
import time
from collections import Counter
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import httpx
import psycopg
import typer
from rich.console import Console
from rich.text import Text

from app.ai_router.types import Lang
from app.cli.asking import Asked, ask_question
from app.cli.client import Client, short_lived_token
from app.cli.notes import import_notes
from app.cli.output import console, indented, one_line, printable, table
from app.cli.queries import DEMO_WORKSPACE, SUMMARIES
from app.cli.verdict import not_stored, show_verdict
from app.db.pool import psycopg_url
from app.embedded.logs import PrefixedLog
from app.embedded.stack import RunningStack, StackOptions, stack_in_background
from app.errors import SearchQAError, SetupError
from app.search.samples import SAMPLE_QUESTIONS, sample_notes
from app.settings import Settings, get_settings
from app.verdicts.status import SkipReason, Status
from app.workspaces.models import Scope

_NOTEBOOK = "SearchQA demo"
# Events reach Flower within a second; then it is missing something (seconds).
_FLOWER_PATIENCE = 15.0
# Named queries that are shown, each with so many of its columns.
_NAMED = {"daily-quality": 6, "confidence-mix": 6}


class _Paused(SetupError):
    """No further verdict will come."""


def demo(
    data_dir: Annotated[
        Path | None,
        typer.Option(file_okay=False, help="Kept between runs; .searchqa/demo if left out."),
    ] = None,
) -> None:
    """Do the main job once and end: ask, answer, judge, show the verdicts.

    Starts the whole stack on free ports, imports sample notes, asks questions in Korean and
    English, streams each answer, waits for its verdict, and sums up with SQL. Needs no key and no
    server; with SEARCHQA_ANSWER_MODEL, SEARCHQA_JUDGE_MODEL and a key it asks real models.

    Exit code 1 when an answer or a verdict is missing.

    Examples:

    searchqa demo

    SEARCHQA_JUDGE_MODEL=openai:gpt-4o-mini OPENAI_API_KEY=… searchqa demo
    """
    # Stops the stack before ending, as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    began = time.perf_counter()
    out = console()
    settings = _settings(data_dir)
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    log_path = settings.data_dir / "demo.log"
    _heading(out, "Starting PostgreSQL, Redis, API, worker, dispatcher and Flower")
    with (
        log_path.open("w", encoding="utf-8") as log_file,
        stack_in_background(StackOptions(settings), PrefixedLog(log_file)) as running,
    ):
        out.print(f"  ready after {time.perf_counter() - began:.1f} s; their log: {log_path}")
        out.print(f"  answers by {settings.answer_model}, verdicts by {settings.judge_model}")
        missing = _main_job(out, running)
    out.print()
    if missing:
        told = "; ".join(missing).rstrip(".")
        raise SetupError(f"The demo is not complete: {told}. Its log: {log_path}.")
    _closing(out, time.perf_counter() - began)


def _settings(data_dir: Path | None) -> Settings:
    given = get_settings()
    folder = data_dir.expanduser() if data_dir else given.data_dir / "demo"
    return given.model_copy(update={"data_dir": folder, "port": 0, "flower_port": 0})


def _main_job(out: Console, running: RunningStack) -> list[str]:
    """Returns what did not come about, in words."""

    def token() -> str:
        # It also resumes judges.
        return short_lived_token(running.database_url, DEMO_WORKSPACE, set(Scope))

    missing = []
    with Client(running.info.api_url, token) as client:
        _heading(out, "Importing the sample notes")
        report = import_notes(client, sample_notes(), _NOTEBOOK)
        out.print("  " + ", ".join(f"{count} {what}" for what, count in report.items()))
        for pause in client.get("/judges/paused"):
            # What stopped an earlier run may be mended; this one finds out.
            client.post(f"/judges/{quote(pause['judge_model'], safe='')}/resume")
        judged = 0
        for number, (lang, question) in enumerate(SAMPLE_QUESTIONS, start=1):
            _heading(out, f"{number}/{len(SAMPLE_QUESTIONS)} {question}")
            try:
                judged += _question(out, client, lang, question)
            except _Paused as error:
                missing.append(str(error))
                break
            except SearchQAError as error:
                missing.append(f"{question!r}: {error}")
        _heading(out, "What PostgreSQL holds of this and earlier runs")
        _sums(out, running.database_url)
        for name, columns in _NAMED.items():
            _named(out, name, client.get(f"/analytics/{name}"), columns)
    _heading(out, "What Flower saw of the worker")
    if not _flower(out, running, judged):
        missing.append(f"Flower did not see {judged} tasks succeed")
    return missing


def _question(out: Console, client: Client, lang: Lang, question: str) -> bool:
    """Asks, prints answer and verdict as they come. True if the answer was judged, False if
    there was nothing to judge it by. Raises SearchQAError when answer or verdict is missing."""
    typer.echo("  ", nl=False)
    began = time.perf_counter()
    answered: list[float] = []

    def when_answered(_: Asked) -> None:
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
    show_verdict(out, asked.evaluation, lang)
    if asked.paused:
        raise _Paused(f"the judge {asked.evaluation['judge_model']} is paused: {asked.paused}")
    answer_ms, verdict_ms = (answered[0] - began) * 1000, (ended - answered[0]) * 1000
    told = f"answer complete after {answer_ms:,.0f} ms, verdict {verdict_ms:,.0f} ms later"
    out.print(indented(Text(told, "dim")))
    status, reason = asked.evaluation["status"], asked.evaluation["reason"]
    if status != Status.SUCCEEDED and reason != SkipReason.NO_CONTEXT:
        raise SetupError(f"the verdict is {status} ({asked.evaluation['error'] or reason})")
    return bool(status == Status.SUCCEEDED)


def _sums(out: Console, database_url: str) -> None:
    with psycopg.connect(psycopg_url(database_url), autocommit=True) as connection:
        for title, statement in SUMMARIES:
            rows = connection.execute(statement)
            shown = table(*(column.name for column in rows.description or ()))
            for row in rows:
                shown.add_row(*(one_line("-" if value is None else str(value)) for value in row))
            out.print()
            out.print(indented(Text(title, "bold")))
            for line in statement.splitlines():
                out.print(indented(Text(line, "dim"), 4))
            out.print()
            out.print(indented(shown, 4))


def _named(out: Console, name: str, found: dict[str, Any], columns: int) -> None:
    keys = [column["name"] for column in found["columns"][:columns]]
    shown = table(*keys)
    for row in found["rows"]:
        shown.add_row(*(one_line("-" if row[key] is None else str(row[key])) for key in keys))
    out.print()
    out.print(indented(Text(f"searchqa analytics {name}", "bold")))
    out.print(indented(shown, 4))


def _flower(out: Console, running: RunningStack, expected: int) -> bool:
    """Prints the tasks by state as Flower's API tells them. False if fewer have succeeded."""
    deadline = time.monotonic() + _FLOWER_PATIENCE
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


def _closing(out: Console, seconds: float) -> None:
    out.print(f"Done in {seconds:.1f} s. Everything was stopped again. Next, with your own notes:")
    out.print("  searchqa up                    # prints a login link for the pages, /ui/")
    out.print("  searchqa notes import FOLDER")
    out.print('  searchqa ask "…"')
    out.print("  searchqa evaluations review    # say whether answers are right")
    out.print("  searchqa analytics             # more questions to all verdicts")
