"""Comparisons of two judges by their agreement with people, over all labelled answers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.experiments.benches import views
from app.experiments.benches.labelled import MAX_ITEMS
from app.experiments.benches.sentences import comparison_sentence
from app.quality.metrics.agreement import area
from app.quality.metrics.judge import paired_cell, paired_means, paired_shares
from app.quality.metrics.ppi import Cell
from app.quality.metrics.statistics import Floats, Indices, Interval, bootstrap_statistic

RESAMPLES = 1_000

Labels: TypeAlias = NDArray[np.bool_]
# A figure of scores (correctness) and labels (hallucinated); NaN where there is none.
Figure: TypeAlias = Callable[[Floats, Labels], float]

Row = Mapping[str, Any]
# A row of each judge, on the same answer.
Pair = tuple[Row, Row]


def common_rows(first: Sequence[Row], second: Sequence[Row]) -> list[Pair]:
    """The answers that both judges have a verdict on that decides."""
    theirs = {row["position"]: row for row in second if _decides(row)}
    return [
        (row, theirs[row["position"]])
        for row in first
        if _decides(row) and row["position"] in theirs
    ]


def _decides(row: Row) -> bool:
    """Rules that cannot tell say neither yes nor no."""
    return row["score"] is not None and row["decided"] is not False


def differences(
    first: str, second: str, common: Sequence[Pair], threshold: float
) -> Iterator[views.JudgeDifference]:
    """F1, balanced accuracy and AUROC of the second less those of the first, with the interval of
    a bootstrap that draws answers, so that both judges are always compared on the same ones."""
    labels = np.array([row["hallucinated"] for row, _ in common], dtype=np.bool_)
    scores = np.array([[row["score"] for row in pair] for pair in common], dtype=np.float64)
    figures: dict[str, Figure] = {
        "f1": lambda score, label: _f1(score < threshold, label),
        "balanced_accuracy": lambda score, label: _balanced(score < threshold, label),
        "auroc": _auroc,
    }
    for name, figure in figures.items():
        value, interval = _difference(figure, scores.reshape(-1, 2), labels)
        yield views.JudgeDifference(
            first=first,
            second=second,
            name=name,
            answers=len(common),
            difference=value,
            interval=interval,
            significant=interval is not None and not interval.low <= 0 <= interval.high,
        )


def _difference(
    figure: Figure, scores: Floats, labels: Labels
) -> tuple[float | None, Interval | None]:
    """scores: a column for each judge."""

    def difference(drawn: Indices) -> float:
        first, second = scores[drawn].T
        return figure(second, labels[drawn]) - figure(first, labels[drawn])

    whole = difference(np.arange(len(labels), dtype=np.int64))
    if np.isnan(whole):
        return None, None
    return whole, bootstrap_statistic(len(labels), difference, resamples=RESAMPLES)


def _f1(said: Labels, labels: Labels) -> float:
    marked = int(said.sum()) + int(labels.sum())
    return 2 * int((said & labels).sum()) / marked if marked else float("nan")


def _balanced(said: Labels, labels: Labels) -> float:
    if labels.all() or not labels.any():
        return float("nan")
    return float(said[labels].mean() + (~said[~labels]).mean()) / 2


def _auroc(scores: Floats, labels: Labels) -> float:
    if labels.all() or not labels.any():
        return float("nan")
    # The lower the correctness, the more it is taken for hallucinated.
    return area(-scores[labels], np.sort(-scores[~labels]))


def compare(
    first: views.JudgeFigures,
    second: views.JudgeFigures,
    common: Sequence[Pair],
    threshold: float,
    frame: views.BenchFrame | None,
    confidence: float,
) -> views.JudgeComparison:
    """common: at least one answer. frame: None weighs all labels alike. confidence: of each of
    the two intervals."""

    def agrees(row: Row) -> float:
        return float((row["score"] < threshold) == row["hallucinated"])

    agreement = paired_shares(_cells(common, frame, agrees), confidence)
    error = paired_means(_cells(common, frame, _error), confidence)
    alike = len({row["hallucinated"] for row, _ in common}) == 1
    note: views.Note | None = "labels_alike" if alike else None
    if agreement.interval is None:
        note = "too_few_labels"
    winner = second if agreement.difference > 0 else first
    costs = (first.cost_per_answer_usd, second.cost_per_answer_usd)
    found = views.Compared(
        first=first.judge,
        second=second.judge,
        labels=len(common),
        agreement=views.BothMeans.from_means(agreement),
        error=views.BothMeans.from_means(error),
        costs_per_1000_usd=[None if one is None else 1_000 * one for one in costs],
        winner=winner.judge if agreement.is_significant and not alike else None,
        more_labels=_reachable_labels(agreement.more_labels, len(common), frame),
        note=note,
    )
    return views.JudgeComparison(**dict(found), sentence=comparison_sentence(found))


def _cells(
    common: Sequence[Pair], frame: views.BenchFrame | None, value: Callable[[Row], float]
) -> list[Cell]:
    alike = views.CellSize(answers=len(common), labels=len(common))
    by_cell: dict[int, list[Pair]] = {}
    for pair in common:
        by_cell.setdefault(pair[0]["cell"] or 0, []).append(pair)
    cells = []
    for place, pairs in by_cell.items():
        size = frame.cells[place] if frame else alike
        first, second = ([value(pair[side]) for pair in pairs] for side in (0, 1))
        cells.append(paired_cell(first, second, answers=size.answers, labels=size.labels))
    return cells


def _error(row: Row) -> float:
    truth = float(not row["hallucinated"]) if row["grade"] is None else row["grade"]
    return abs(float(row["score"] - truth))


def _reachable_labels(more: int | None, labels: int, frame: views.BenchFrame | None) -> int | None:
    """None where there are not so many answers."""
    most = frame.answers if frame else MAX_ITEMS
    return more if more is not None and labels + more <= most else None
