"""The tables of docs/performance.md, made of what was measured."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from backlog import DispatcherCost
from figures import Figures, Latency, Spread
from rounds import BATCHED, Results

BEGIN = "<!-- measured by make bench: begin -->"
END = "<!-- measured by make bench: end -->"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    first, *others = (f"| {' | '.join(line)} |" for line in (head, *rows))
    return "\n".join((first, "|---" * len(head) + "|", *others))


def spread(runs: Sequence[Figures], name: str, digits: int = 0) -> str:
    return Spread.from_values([getattr(run, name) for run in runs]).text(digits)


def rounds_table(results: Results) -> str:
    """Medians with the least and the greatest round; ratios are those of the same round."""
    head = (
        *("judge", "who", "answers/s", "CPU ms an answer", "most in flight", "memory, MB"),
        *("ours in batches: × answers/s", "× CPU"),
    )
    rows = []
    for case, contenders in results.items():
        ours = contenders[BATCHED]
        for name, runs in contenders.items():
            ratios = ["1", "1"] if name == BATCHED else _ratios(ours, runs)
            rows.append(
                [
                    *(case, name, spread(runs, "answers_per_second"), spread(runs, "cpu_ms", 2)),
                    f"{max(run.most_in_flight for run in runs):g}",
                    f"{median(run.memory_mb for run in runs):.0f}",
                    *ratios,
                ]
            )
    return table(head, rows)


def _ratios(ours: Sequence[Figures], others: Sequence[Figures]) -> list[str]:
    pairs = list(zip(ours, others, strict=True))
    faster = median(mine.answers_per_second / its.answers_per_second for mine, its in pairs)
    dearer = median(mine.cpu_ms / its.cpu_ms for mine, its in pairs)
    return [f"{faster:.2f}", f"{dearer:.2f}"]


def parts_table(results: Results) -> str:
    """Of our own CPU and memory, what is whose."""
    names = ("worker", "dispatcher", "redis", "postgres", "publisher")
    rows = []
    for case, contenders in results.items():
        for who, runs in contenders.items():
            if not runs[0].cpu_of_parts:
                continue
            cells = []
            for name in names:
                cpu = median(run.cpu_of_parts.get(name, 0) for run in runs)
                memory = median(run.memory_of_parts.get(name, 0) for run in runs)
                cells.append(f"{cpu:.2f} ms" + (f", {memory:.0f} MB" if memory else ""))
            rows.append([case, who, *cells])
    return table(("judge", "who", *names), rows)


def waits_table(waits: Mapping[str, Latency]) -> str:
    head = ("wait", "median", "p99", "samples")
    return table(
        head,
        (
            (name, f"{one.p50:.1f} ms", f"{one.p99:.1f} ms", str(one.samples))
            for name, one in waits.items()
        ),
    )


def runs_table(waits: Mapping[str, Latency]) -> str:
    """The first of the waits is what the others are compared with."""
    first = next(iter(waits.values()))
    head = ("answer to verdict", "median", "×", "p99", "×", "samples")
    return table(
        head,
        (
            [
                *(name, f"{one.p50:.1f} ms", f"{one.p50 / first.p50:.2f}"),
                *(f"{one.p99:.1f} ms", f"{one.p99 / first.p99:.2f}", str(one.samples)),
            ]
            for name, one in waits.items()
        ),
    )


def backlog_table(runs: Mapping[str, tuple[int, Sequence[Figures]]]) -> str:
    """name: the answers of each run, and its figures."""
    head = (
        "answers at once",
        "seconds to the last verdict",
        "answers/s",
        "most in flight",
        "CPU ms",
    )
    rows = []
    for name, (answers, figures) in runs.items():
        seconds = Spread.from_values([answers / one.answers_per_second for one in figures])
        rows.append(
            [
                *(name, seconds.text(1), spread(figures, "answers_per_second")),
                f"{max(one.most_in_flight for one in figures):g}",
                spread(figures, "cpu_ms", 2),
            ]
        )
    return table(head, rows)


def history_table(costs: Sequence[tuple[DispatcherCost, Figures]]) -> str:
    head = (
        *("verdicts stored", "database, MB", "nothing due: CPU ms a second"),
        *("publishing a backlog: CPU ms an id", "and seconds"),
        *("judging it: answers/s", "CPU ms"),
    )
    return table(
        head,
        (
            [
                *(f"{cost.stored:,}", f"{cost.database_mb:.0f}", f"{cost.idle_ms:.1f}"),
                *(f"{cost.publish_ms:.3f}", f"{cost.publish_seconds:.1f}"),
                *(f"{judged.answers_per_second:.0f}", f"{judged.cpu_ms:.2f}"),
            ]
            for cost, judged in costs
        ),
    )


def starts_table(starts: Mapping[str, Sequence[float]]) -> str:
    head = ("start", "seconds until ready")
    return table(
        head, ((name, Spread.from_values(times).text(2)) for name, times in starts.items())
    )


def facts_table(facts: Mapping[str, str]) -> str:
    return table(("", ""), facts.items())


def write(path: Path, text: str) -> None:
    """Puts the text between the markers; the rest of the page stays as it is."""
    page = path.read_text(encoding="utf-8")
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{path} lacks the lines {BEGIN} and {END}.")
    path.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


def json_of(one: Any) -> Any:
    """For json.dumps: dataclasses as their fields."""
    return vars(one)
