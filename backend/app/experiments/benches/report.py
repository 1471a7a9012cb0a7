"""A bench as a report: HTML, Markdown or JSON."""

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Literal, NamedTuple

from app.experiments.benches import views
from app.experiments.parts import markdown_table, plain_text
from app.quality.metrics.statistics import Estimate, Interval

NONE = "–"
_UNKNOWN_COST = "not known"

Cell = Callable[[views.JudgeFigures], str]

COMPARISON_HEADER = (
    *("second", "less first", "labels", "agreement of each", "difference [95 %]"),
    *("error of each", "difference [95 %]"),
)
DIFFERENCE_HEADER = ("figure", "second", "less first", "answers", "difference [95 %]")
CALIBRATION_HEADER = ("correctness", "answers", "judge's mean", "found grounded by people")
LEGEND = (
    "Positive is “hallucinated”: P(hallucinated) = 1 - correctness. Brackets hold 95 %"
    " intervals. Failures of a judge count in no figure. Weighted kappa is quadratic over wrong"
    " (below .5), doubtful (below .8) and right; labels that only say yes or no count as wrong or"
    " right. The best F1 is chosen on these very answers and flatters."
)
_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;"
    "color:#222;background:#fff}table{border-collapse:collapse;margin:1rem 0}"
    "th,td{border:1px solid #ccc;padding:.25rem .6rem;text-align:left}th{background:#f3f3f3}"
    ".note{color:#8a4b00}"
)


def figure(value: float | None, places: int = 3) -> str:
    return NONE if value is None else f"{value:.{places}f}"


def estimate(given: Estimate) -> str:
    if given.value is None or given.interval is None:
        return figure(given.value)
    return f"{given.value:.3f} [{given.interval.low:.3f}, {given.interval.high:.3f}]"


def _dollars(value: float | None, places: int) -> str:
    if value is None:
        return _UNKNOWN_COST
    return f"${value:.{places}f}" if value else "$0"


def _milliseconds(value: float | None) -> str:
    return NONE if value is None else f"{value:,.1f} ms"


def _tokens(one: views.JudgeFigures) -> str:
    if one.prompt_tokens is None and one.completion_tokens is None:
        return NONE
    return f"{one.prompt_tokens or 0:,} + {one.completion_tokens or 0:,}"


def _confusion(one: views.JudgeFigures) -> str:
    counts = one.confusion
    positives = f"{counts.true_positives:,} / {counts.false_positives:,}"
    return f"{positives} / {counts.false_negatives:,} / {counts.true_negatives:,}"


def _best_f1(one: views.JudgeFigures) -> str:
    """No correctness lies above 1: a higher threshold says so of every answer."""
    if not one.hallucinated:
        return NONE
    where = f"at < {one.best_threshold:.2f}" if one.best_threshold <= 1 else "saying so of all"
    return f"{figure(one.best_f1)} {where}"


def _spans(one: views.JudgeFigures) -> str:
    if one.spans is None:
        return NONE
    three = (one.spans.f1, one.spans.precision, one.spans.recall)
    return " / ".join(map(figure, three))


def _steady(one: views.JudgeFigures, name: str) -> str:
    return NONE if one.steadiness is None else estimate(getattr(one.steadiness, name))


_REPEATED = (
    "same verdict in all repeats",
    "spread of correctness in repeats",
    "variance from the judge",
)
CELLS: Mapping[str, Cell] = {
    "answers judged (coverage)": lambda one: f"{one.answers:,} ({one.coverage:.1%})",
    "undecided by rules": lambda one: f"{one.undecided:,}",
    "failures of the judge": lambda one: f"{one.failed:,}",
    "labelled hallucinated": lambda one: f"{one.hallucinated:,}",
    "says so when correctness <": lambda one: f"{one.threshold:g}",
    "precision": lambda one: estimate(one.precision),
    "recall": lambda one: estimate(one.recall),
    "F1": lambda one: estimate(one.f1),
    "balanced accuracy": lambda one: estimate(one.balanced_accuracy),
    "AUROC": lambda one: estimate(one.auroc),
    "weighted kappa": lambda one: estimate(one.kappa),
    "TP / FP / FN / TN": _confusion,
    "best F1 on these answers": _best_f1,
    "span F1 / precision / recall": _spans,
    "calibration error (ECE)": lambda one: figure(one.calibration_error),
    "Brier score": lambda one: figure(one.brier),
    "same verdict in all repeats": lambda one: _steady(one, "same_verdict"),
    "spread of correctness in repeats": lambda one: _steady(one, "spread"),
    "variance from the judge": lambda one: _steady(one, "judge_share"),
    "cost per answer": lambda one: _dollars(one.cost_per_answer_usd, 6),
    "cost": lambda one: _dollars(one.cost_usd, 4),
    "tokens, prompt + reply": _tokens,
    "time per answer, median": lambda one: _milliseconds(one.latency_median_ms),
    "time per answer, 95 %": lambda one: _milliseconds(one.latency_p95_ms),
}


def table_rows(summary: views.BenchSummary) -> list[tuple[str, list[str]]]:
    """(name, a cell for each judge)."""
    repeated = any(one.steadiness for one in summary.judges)
    return [
        (name, [cell(one) for one in summary.judges])
        for name, cell in CELLS.items()
        if repeated or name not in _REPEATED
    ] + [
        (f"mean of {name} (own criterion)", [_criterion(one, name) for one in summary.judges])
        for name in sorted({each.name for one in summary.judges for each in one.criteria})
    ]


def _criterion(judge: views.JudgeFigures, name: str) -> str:
    found = next((each for each in judge.criteria if each.name == name), None)
    if found is None or found.mean is None:
        return NONE
    return f"{figure(found.mean)} ({found.scored:,} of {found.answers:,})"


def comparison_rows(comparisons: Sequence[views.JudgeComparison]) -> list[tuple[str, ...]]:
    """As COMPARISON_HEADER."""
    return [
        (one.second, one.first, f"{one.labels:,}", *_both(one.agreement), *_both(one.error))
        for one in comparisons
    ]


def _both(means: views.BothMeans) -> tuple[str, str]:
    return f"{means.second:.3f}, {means.first:.3f}", _signed(means.difference, means.interval)


def difference_rows(differences: Sequence[views.JudgeDifference]) -> list[tuple[str, ...]]:
    """As DIFFERENCE_HEADER; a star where the interval does not hold 0."""
    return [
        (
            one.name.replace("_", " "),
            one.second,
            one.first,
            f"{one.answers:,}",
            _signed(one.difference, one.interval),
        )
        for one in differences
    ]


def _signed(difference: float | None, interval: Interval | None) -> str:
    if difference is None:
        return NONE
    if interval is None:
        return f"{difference:+.3f}"
    star = "" if interval.low <= 0 <= interval.high else " *"
    return f"{difference:+.3f} [{interval.low:+.3f}, {interval.high:+.3f}]{star}"


def calibration_rows(judge: views.JudgeFigures) -> list[tuple[str, ...]]:
    return [
        (
            f"{one.low:.1f} to {one.high:.1f}",
            f"{one.answers:,}",
            figure(one.mean_score),
            figure(one.grounded),
        )
        for one in judge.calibration
    ]


def notes(summary: views.BenchSummary) -> list[str]:
    """Caveats of the figures, for the reader."""
    lines = [f"{one.judge}: {note}" for one in summary.judges for note in one.notes]
    errors = [
        f"{one.judge}: the first failure says: {one.first_error}"
        for one in summary.judges
        if one.first_error
    ]
    return lines + errors


class BenchReportFormat(enum.StrEnum):
    """`html` holds the figures as tables and loads nothing."""

    HTML = "html"
    JSON = "json"
    MARKDOWN = "markdown"

    @property
    def media_type(self) -> str:
        return _MEDIA_TYPES[self]


_MEDIA_TYPES = {
    BenchReportFormat.HTML: "text/html; charset=utf-8",
    BenchReportFormat.JSON: "application/json",
    BenchReportFormat.MARKDOWN: "text/markdown; charset=utf-8",
}


def write_report(bench: views.BenchDetail, format_: BenchReportFormat) -> bytes:
    """A bench that is not completed gets a report that says so."""
    if format_ is BenchReportFormat.JSON:
        return bench.model_dump_json(indent=2).encode()
    write = _html if format_ is BenchReportFormat.HTML else _markdown
    return "\n".join(write(f"Judge bench: {bench.name}", _parts(bench))).encode()


class _Table(NamedTuple):
    header: Sequence[str]
    rows: Sequence[Sequence[str]]


class _Text(NamedTuple):
    kind: Literal["h2", "h3", "p", "note"]
    text: str


_Part = _Table | _Text


def _parts(bench: views.BenchDetail) -> Iterator[_Part]:
    yield from (_Text("p", sentence) for sentence in _about(bench))
    summary = bench.summary
    if summary is None:
        return
    judges = [one.judge for one in summary.judges]
    yield _Table(("", *judges), [(name, *cells) for name, cells in table_rows(summary)])
    yield from (_Text("note", note) for note in notes(summary))
    if summary.comparisons:
        yield _Text("h2", "Which judge agrees more")
        yield from (_Text("p", one.sentence.en) for one in summary.comparisons)
        yield _Table(COMPARISON_HEADER, comparison_rows(summary.comparisons))
    if summary.differences:
        yield _Text("h2", "Differences")
        yield _Table(DIFFERENCE_HEADER, difference_rows(summary.differences))
    yield _Text("h2", "Calibration")
    for judge in summary.judges:
        yield _Text("h3", judge.judge)
        yield _Table(CALIBRATION_HEADER, calibration_rows(judge))


def _about(bench: views.BenchDetail) -> Iterator[str]:
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


_MARKS = {"h2": "## ", "h3": "### ", "p": "", "note": "- "}


def _markdown(title: str, parts: Iterable[_Part]) -> Iterator[str]:
    yield f"# {plain_text(title)}"
    for part in parts:
        if isinstance(part, _Table):
            header, *rows = ([plain_text(cell) for cell in row] for row in (part[0], *part[1]))
            yield from markdown_table(header, rows)
        else:
            yield f"\n{_MARKS[part.kind]}{plain_text(part.text)}"
    yield f"\n{LEGEND}\n"


def _html(title: str, parts: Iterable[_Part]) -> Iterator[str]:
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width">'
    yield f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>"
    yield f"<h1>{escape(title)}</h1>"
    for part in parts:
        if isinstance(part, _Table):
            yield from _html_table(*part)
        else:
            opened = 'p class="note"' if part.kind == "note" else part.kind
            yield f"<{opened}>{escape(part.text)}</{opened.partition(' ')[0]}>"
    yield f"<p>{escape(LEGEND)}</p></body></html>"


def _html_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield "<table><tr>" + "".join(f"<th>{escape(cell)}</th>" for cell in header) + "</tr>"
    for first, *cells in rows:
        yield (
            f"<tr><th>{escape(first)}</th>"
            + "".join(f"<td>{escape(cell)}</td>" for cell in cells)
            + "</tr>"
        )
    yield "</table>"
