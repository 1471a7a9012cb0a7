"""How far two judges differ on the same answers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.experiments.benches.figures import Difference
from app.quality.metrics.binary import area
from app.quality.metrics.statistics import Floats, Indices, Interval, bootstrap_statistic

RESAMPLES = 1_000

Rows: TypeAlias = tuple[str, Sequence[Mapping[str, Any]]]
Labels: TypeAlias = NDArray[np.bool_]
# A figure of scores (correctness) and labels (hallucinated); NaN where there is none.
Figure: TypeAlias = Callable[[Floats, Labels], float]


def differences(first: Rows, second: Rows, threshold: float) -> Iterator[Difference]:
    """F1, balanced accuracy and AUROC of the second less those of the first, with the interval of
    a bootstrap that draws answers, so that both judges are always compared on the same ones."""
    ours, theirs = (
        {row["position"]: row for row in rows if row["score"] is not None}
        for _, rows in (first, second)
    )
    both = sorted(ours.keys() & theirs.keys())
    labels = np.array([ours[place]["hallucinated"] for place in both], dtype=np.bool_)
    scores = [
        np.array([rows[place]["score"] for place in both], dtype=np.float64)
        for rows in (ours, theirs)
    ]
    figures: dict[str, Figure] = {
        "f1": lambda score, label: _f1(score < threshold, label),
        "balanced_accuracy": lambda score, label: _balanced(score < threshold, label),
        "auroc": _auroc,
    }
    for name, figure in figures.items():
        value, interval = _compared(figure, scores[0], scores[1], labels)
        yield Difference(
            first=first[0],
            second=second[0],
            name=name,
            answers=len(both),
            difference=value,
            interval=interval,
            significant=interval is not None and not interval.low <= 0 <= interval.high,
        )


def _compared(
    figure: Figure, first: Floats, second: Floats, labels: Labels
) -> tuple[float | None, Interval | None]:
    def of(drawn: Indices) -> float:
        label = labels[drawn]
        return figure(second[drawn], label) - figure(first[drawn], label)

    whole = of(np.arange(len(labels), dtype=np.int64))
    if np.isnan(whole):
        return None, None
    return whole, bootstrap_statistic(len(labels), of, resamples=RESAMPLES)


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
