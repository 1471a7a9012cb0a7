"""The rows that every report of a bench shows, a cell for each judge."""

from collections.abc import Callable, Mapping, Sequence

from app.experiments.benches.figures import (
    BenchSummary,
    BothMeans,
    Difference,
    JudgeComparison,
    JudgeFigures,
)
from app.quality.metrics.statistics import Estimate, Interval

NONE = "–"
_SPENT = "not known"

Cell = Callable[[JudgeFigures], str]


def figure(value: float | None, places: int = 3) -> str:
    return NONE if value is None else f"{value:.{places}f}"


def estimate(given: Estimate) -> str:
    if given.value is None or given.interval is None:
        return figure(given.value)
    return f"{given.value:.3f} [{given.interval.low:.3f}, {given.interval.high:.3f}]"


def _dollars(value: float | None, places: int) -> str:
    if value is None:
        return _SPENT
    return f"${value:.{places}f}" if value else "$0"


def _milliseconds(value: float | None) -> str:
    return NONE if value is None else f"{value:,.1f} ms"


def _tokens(one: JudgeFigures) -> str:
    if one.prompt_tokens is None and one.completion_tokens is None:
        return NONE
    return f"{one.prompt_tokens or 0:,} + {one.completion_tokens or 0:,}"


def _confusion(one: JudgeFigures) -> str:
    counts = one.confusion
    return " / ".join(
        f"{count:,}"
        for count in (
            counts.true_positives,
            counts.false_positives,
            counts.false_negatives,
            counts.true_negatives,
        )
    )


def _best_f1(one: JudgeFigures) -> str:
    """No correctness lies above 1: a higher threshold says so of every answer."""
    if not one.hallucinated:
        return NONE
    where = f"at < {one.best_threshold:.2f}" if one.best_threshold <= 1 else "saying so of all"
    return f"{figure(one.best_f1)} {where}"


def _spans(one: JudgeFigures) -> str:
    if one.spans is None:
        return NONE
    three = (one.spans.f1, one.spans.precision, one.spans.recall)
    return " / ".join(map(figure, three))


CELLS: Mapping[str, Cell] = {
    "answers judged (coverage)": lambda one: f"{one.answers:,} ({one.coverage:.1%})",
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
    "cost per answer": lambda one: _dollars(one.cost_per_answer_usd, 6),
    "cost": lambda one: _dollars(one.cost_usd, 4),
    "tokens, prompt + reply": _tokens,
    "time per answer, median": lambda one: _milliseconds(one.latency_median_ms),
    "time per answer, 95 %": lambda one: _milliseconds(one.latency_p95_ms),
}


def table_rows(summary: BenchSummary) -> list[tuple[str, list[str]]]:
    """(name, a cell for each judge)."""
    return [(name, [cell(one) for one in summary.judges]) for name, cell in CELLS.items()]


COMPARISON_HEADER = (
    *("second", "less first", "labels", "agreement of each", "difference [95 %]"),
    *("error of each", "difference [95 %]"),
)


def comparison_rows(comparisons: Sequence[JudgeComparison]) -> list[tuple[str, ...]]:
    """As COMPARISON_HEADER."""
    return [
        (
            one.second,
            one.first,
            f"{one.labels:,}",
            *_both(one.agreement),
            *_both(one.error),
        )
        for one in comparisons
    ]


def _both(means: BothMeans) -> tuple[str, str]:
    return f"{means.second:.3f}, {means.first:.3f}", _signed(means.difference, means.interval)


DIFFERENCE_HEADER = ("figure", "second", "less first", "answers", "difference [95 %]")


def difference_rows(differences: Sequence[Difference]) -> list[tuple[str, ...]]:
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


CALIBRATION_HEADER = ("correctness", "answers", "judge's mean", "found grounded by people")


def calibration_rows(judge: JudgeFigures) -> list[tuple[str, ...]]:
    return [
        (
            f"{one.low:.1f} to {one.high:.1f}",
            f"{one.answers:,}",
            figure(one.mean_score),
            figure(one.grounded),
        )
        for one in judge.calibration
    ]


def notes(summary: BenchSummary) -> list[str]:
    """Caveats of the figures, for the reader."""
    told = [f"{one.judge}: {note}" for one in summary.judges for note in one.notes]
    errors = [
        f"{one.judge}: the first failure says: {one.first_error}"
        for one in summary.judges
        if one.first_error
    ]
    return told + errors


LEGEND = (
    "Positive is “hallucinated”: P(hallucinated) = 1 - correctness. Brackets hold 95 %"
    " intervals. Failures of a judge count in no figure. Weighted kappa is quadratic over wrong"
    " (below .5), doubtful (below .8) and right; labels that only say yes or no count as wrong or"
    " right. The best F1 is chosen on these very answers and flatters."
)
