"""A bench as a report: HTML, Markdown or JSON."""

import enum
from collections.abc import Iterator, Sequence
from html import escape

from app.experiments.benches.rows import (
    CALIBRATION_HEADER,
    COMPARISON_HEADER,
    DIFFERENCE_HEADER,
    LEGEND,
    calibration_rows,
    comparison_rows,
    difference_rows,
    notes,
    table_rows,
)
from app.experiments.benches.views import BenchDetail

_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;"
    "color:#222;background:#fff}table{border-collapse:collapse;margin:1rem 0}"
    "th,td{border:1px solid #ccc;padding:.25rem .6rem;text-align:left}th{background:#f3f3f3}"
    ".note{color:#8a4b00}"
)


class ReportFormat(enum.StrEnum):
    """`html` holds the figures as tables and loads nothing."""

    HTML = "html"
    JSON = "json"
    MARKDOWN = "markdown"

    @property
    def media_type(self) -> str:
        return _MEDIA_TYPES[self]


_MEDIA_TYPES = {
    ReportFormat.HTML: "text/html; charset=utf-8",
    ReportFormat.JSON: "application/json",
    ReportFormat.MARKDOWN: "text/markdown; charset=utf-8",
}


def write_report(bench: BenchDetail, format_: ReportFormat) -> bytes:
    """A bench that is not completed gets a report that says so."""
    if format_ is ReportFormat.JSON:
        return bench.model_dump_json(indent=2).encode()
    return "\n".join((_html if format_ is ReportFormat.HTML else _markdown)(bench)).encode()


def _about(bench: BenchDetail) -> Iterator[str]:
    """What was measured, a sentence each."""
    drawn = (
        f"All {bench.items:,} labelled answers"
        if bench.items == bench.available
        else f"{bench.items:,} of {bench.available:,} labelled answers, chosen with seed"
        f" {bench.seed}"
    )
    yield f"{drawn}; {bench.hallucinated:,} are labelled hallucinated."
    yield bench.basis.en
    if bench.rejected:
        lines = ", ".join(str(one.line) for one in bench.rejected)
        yield f"{len(bench.rejected):,} lines could not be used: {lines}."
    if bench.summary is None:
        yield f"The bench is {bench.status}: {bench.done:,} of {bench.total:,} verdicts."
        if bench.error_message:
            yield bench.error_message


def _markdown(bench: BenchDetail) -> Iterator[str]:
    yield f"# Judge bench: {_plain(bench.name)}\n"
    for sentence in _about(bench):
        yield f"{_plain(sentence)}\n"
    if bench.summary is None:
        return
    judges = [one.judge for one in bench.summary.judges]
    yield from _markdown_table(
        ("", *judges), [(name, *cells) for name, cells in table_rows(bench.summary)]
    )
    if bench.summary.comparisons:
        yield "\n## Which judge agrees more\n"
        for one in bench.summary.comparisons:
            yield f"{_plain(one.sentence.en)}\n"
        yield from _markdown_table(COMPARISON_HEADER, comparison_rows(bench.summary.comparisons))
    if bench.summary.differences:
        yield "\n## Differences\n"
        yield from _markdown_table(DIFFERENCE_HEADER, difference_rows(bench.summary.differences))
    for judge in bench.summary.judges:
        yield f"\n## Calibration of {_plain(judge.judge)}\n"
        yield from _markdown_table(CALIBRATION_HEADER, calibration_rows(judge))
    yield ""
    for note in notes(bench.summary):
        yield f"- {_plain(note)}"
    yield f"\n{LEGEND}\n"


def _markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    for cells in (header, ["---"] * len(header), *rows):
        yield "| " + " | ".join(map(_plain, cells)) + " |"


def _plain(text: str) -> str:
    """On one line, and without what would be markup or end a cell."""
    spaced = " ".join(text.split())
    return "".join(f"\\{char}" if char in "|<>[]`*_\\" else char for char in spaced)


def _html(bench: BenchDetail) -> Iterator[str]:
    title = escape(f"Judge bench: {bench.name}")
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width">'
    yield f"<title>{title}</title><style>{_STYLE}</style></head><body><h1>{title}</h1>"
    for sentence in _about(bench):
        yield f"<p>{escape(sentence)}</p>"
    if bench.summary is not None:
        judges = [one.judge for one in bench.summary.judges]
        rows = [(name, *cells) for name, cells in table_rows(bench.summary)]
        yield from _html_table(("", *judges), rows)
        for note in notes(bench.summary):
            yield f'<p class="note">{escape(note)}</p>'
        if bench.summary.comparisons:
            yield "<h2>Which judge agrees more</h2>"
            for one in bench.summary.comparisons:
                yield f"<p>{escape(one.sentence.en)}</p>"
            compared = comparison_rows(bench.summary.comparisons)
            yield from _html_table(COMPARISON_HEADER, compared)
        if bench.summary.differences:
            yield "<h2>Differences</h2>"
            yield from _html_table(DIFFERENCE_HEADER, difference_rows(bench.summary.differences))
        yield "<h2>Calibration</h2>"
        for judge in bench.summary.judges:
            yield f"<h3>{escape(judge.judge)}</h3>"
            yield from _html_table(CALIBRATION_HEADER, calibration_rows(judge))
        yield f"<p>{escape(LEGEND)}</p>"
    yield "</body></html>"


def _html_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield "<table><tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in header) + "</tr>"
    for first, *cells in rows:
        yield (
            f"<tr><th>{escape(first)}</th>"
            + "".join(f"<td>{escape(cell)}</td>" for cell in cells)
            + "</tr>"
        )
    yield "</table>"
