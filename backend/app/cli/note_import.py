"""Notes on their way to the server: read as they are sent, in several requests at a time."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import groupby
from typing import Any

import typer
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from searchqa_client import Api

from app.cli.language import _
from app.cli.output import console
from app.notes.importers import ImportedNote, NoteSource, to_jsonl

# Of a request. The server stores as many in one transaction.
_BATCH_NOTES = 200
_BATCH_BYTES = 1_000_000
# The API analyses the notes of two requests at once; the third is read and checked meanwhile.
_AT_ONCE = 3

Report = dict[str, int]


def import_notes(client: Api, source: NoteSource, notebook: str, *, hidden: bool = True) -> Report:
    """Sends all notes, each into its own notebook or else `notebook`; returns the sum of the
    server's reports. hidden: show no progress.

    One that is stopped or refused stays stored as far as it got, and says so.
    """
    stored: Counter[str] = Counter(created=0, updated=0, unchanged=0)
    try:
        with _progress(source.total, hidden=hidden) as show:
            for report in _reports(client, source.notes, notebook):
                stored.update(report)
                show(stored.total())
    except KeyboardInterrupt:
        _say_how_far(stored.total(), source.total)
        raise typer.Exit(130) from None
    except Exception:
        if stored.total():
            _say_how_far(stored.total(), source.total)
        raise
    return dict(stored)


def _reports(client: Api, notes: Iterable[ImportedNote], notebook: str) -> Iterator[Report]:
    """What the server says to each request, in order. Those under way are waited for, however
    this ends."""

    def send(name: str, lines: bytes) -> Any:
        file = ("notes.jsonl", lines)
        return client.post_form("/notes/import/file", {"notebook": name}, file)

    under_way: deque[Future[Report]] = deque()
    with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="import") as sending:
        try:
            for name, lines in _requests(notes, notebook):
                under_way.append(sending.submit(send, name, lines))
                if len(under_way) == _AT_ONCE:
                    yield under_way.popleft().result()
            while under_way:
                yield under_way.popleft().result()
        finally:
            for request in under_way:
                request.cancel()


def _requests(notes: Iterable[ImportedNote], notebook: str) -> Iterator[tuple[str, bytes]]:
    """The notebook and the JSON lines of each request."""
    for name, members in groupby(notes, lambda note: note.notebook or notebook):
        lines: list[bytes] = []
        size = 0
        for line in map(to_jsonl, members):
            if lines and (size + len(line) > _BATCH_BYTES or len(lines) == _BATCH_NOTES):
                yield name, b"".join(lines)
                lines, size = [], 0
            lines.append(line)
            size += len(line)
        yield name, b"".join(lines)


@contextmanager
def _progress(total: int, *, hidden: bool) -> Iterator[Callable[[int], None]]:
    out = console()
    columns = (
        *(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()),
        *(TextColumn("{task.fields[rate]}"), TimeRemainingColumn()),
    )
    with Progress(*columns, console=out, disable=hidden or not out.is_terminal) as progress:
        title = _("Importing notes")
        bar: TaskID = progress.add_task(title, total=total, rate="")

        def show(done: int) -> None:
            speed = next((task.speed for task in progress.tasks if task.id == bar), None)
            rate = _("{speed:,.0f}/s", speed=speed) if speed else ""
            progress.update(bar, completed=done, rate=rate)

        yield show


def _say_how_far(done: int, total: int) -> None:
    """Requests that were under way were stored too, but what they stored was not read."""
    typer.echo(
        _(
            "At least {done:,} of {total:,} notes are stored. The same command goes on from there.",
            done=done,
            total=total,
        ),
        err=True,
    )
