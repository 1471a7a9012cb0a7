"""Metrics of judges against human labels, and paired comparisons of two judges."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, fsum, sqrt

import numpy as np
from pydantic import BaseModel, ConfigDict

from app.judges.answer import HIGH_CORRECTNESS, MEDIUM_CORRECTNESS
from app.quality.metrics import agreement, statistics
from app.quality.metrics.agreement import auroc, best_f1, confusion
from app.quality.metrics.calibration import t_quantile
from app.quality.metrics.ppi import MIN_DEGREES, Cell, DrawnSums, degrees_of

# A score below it says "hallucinated"; from it on the product speaks of high confidence.
THRESHOLD = HIGH_CORRECTNESS
# Where kappa divides scores into wrong, doubtful and right.
GRADES = (MEDIUM_CORRECTNESS, HIGH_CORRECTNESS)
CALIBRATION_BINS = 10


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """An answer with the label of people and the score of a judge.

    score: 0 (hallucinated) to 1 (grounded). grade: what people said on the same scale, None where
    they said only yes or no. spans: what people marked as hallucinated, None where
    they did not mark places; judge_spans: what the judge marked, None where it gives none
    places. parsed: False when the judge gave no usable verdict; decided: False when rules could
    not tell, which is neither yes nor no.
    """

    hallucinated: bool
    score: float
    grade: float | None = None
    spans: Sequence[agreement.Span] | None = None
    judge_spans: Sequence[agreement.Span] | None = None
    parsed: bool = True
    decided: bool = True


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Answers that score from `low` to below `high` (the last bin includes 1).

    mean_score: what the judge said on average; grounded: share that people found grounded; both
    None in an empty bin.
    """

    low: float
    high: float
    answers: int
    mean_score: float | None
    grounded: float | None


class BenchFigures(BaseModel):
    """The figures of one judge, over the answers with a usable verdict that decides.

    answers: such verdicts; undecided: those of rules that could not tell, failed: those without a
    usable one, both of which count in no figure; hallucinated: labels among `answers`. Positive is
    "hallucinated".
    kappa: quadratic, over wrong, doubtful and right (GRADES); people who said only yes or no
    count as right or wrong.
    best_threshold: the score below which "hallucinated" reaches best_f1 on these very answers,
    which flatters. spans: None when no answer was marked by both sides.
    calibration_error: mean distance of score and truth over the bins (Guo et al. 2017, ECE).
    brier: mean squared distance of score and truth (Brier 1950), 0 to 1, None without answers.
    """

    model_config = ConfigDict(frozen=True)

    answers: int
    failed: int
    undecided: int = 0
    hallucinated: int
    threshold: float
    confusion: agreement.Confusion
    precision: statistics.Estimate
    recall: statistics.Estimate
    f1: statistics.Estimate
    balanced_accuracy: statistics.Estimate
    auroc: statistics.Estimate
    kappa: statistics.Estimate
    best_f1: float
    best_threshold: float
    spans: agreement.SpanOverlap | None
    calibration: tuple[CalibrationBin, ...]
    calibration_error: float | None
    brier: float | None


def measure(
    judged: Sequence[JudgedAnswer], *, threshold: float = THRESHOLD, seed: int = 0
) -> BenchFigures:
    """All figures of a judge. Equal input and seed give equal intervals.

    threshold: a score below it says "hallucinated". Figures that the answers do not allow, as
    AUROC with one class only, are None.
    """
    usable = [one for one in judged if one.parsed and one.decided]
    undecided = sum(one.parsed and not one.decided for one in judged)
    scored: list[agreement.Scored] = [(-one.score, one.hallucinated) for one in usable]
    at_threshold = agreement.threshold_estimates(scored, -threshold, seed=seed)
    top_f1, top_threshold = best_f1([(1 - one.score, one.hallucinated) for one in usable])
    bins = calibration(usable)
    return BenchFigures(
        answers=len(usable),
        failed=len(judged) - len(usable) - undecided,
        undecided=undecided,
        hallucinated=sum(one.hallucinated for one in usable),
        threshold=threshold,
        confusion=confusion(scored, -threshold),
        **at_threshold,
        auroc=statistics.Estimate(auroc(scored), agreement.auroc_interval(scored, seed=seed)),
        kappa=_kappa(usable, seed),
        best_f1=top_f1,
        best_threshold=1 - top_threshold,
        spans=_spans(usable),
        calibration=bins,
        calibration_error=_calibration_error(bins),
        brier=_brier(usable),
    )


def calibration(
    judged: Sequence[JudgedAnswer], bins: int = CALIBRATION_BINS
) -> tuple[CalibrationBin, ...]:
    """The answers in `bins` equally wide ranges of the score."""
    held: list[list[JudgedAnswer]] = [[] for _ in range(bins)]
    for one in judged:
        held[min(int(one.score * bins), bins - 1)].append(one)
    return tuple(
        CalibrationBin(
            low=index / bins,
            high=(index + 1) / bins,
            answers=len(members),
            mean_score=sum(one.score for one in members) / len(members) if members else None,
            grounded=sum(not one.hallucinated for one in members) / len(members)
            if members
            else None,
        )
        for index, members in enumerate(held)
    )


def _calibration_error(bins: Sequence[CalibrationBin]) -> float | None:
    answers = sum(one.answers for one in bins)
    if not answers:
        return None
    return (
        sum(
            one.answers * abs(one.mean_score - one.grounded)
            for one in bins
            if one.mean_score is not None and one.grounded is not None
        )
        / answers
    )


def _brier(judged: Sequence[JudgedAnswer]) -> float | None:
    if not judged:
        return None
    return fsum((one.score - (not one.hallucinated)) ** 2 for one in judged) / len(judged)


def _kappa(judged: Sequence[JudgedAnswer], seed: int) -> statistics.Estimate:
    grades = len(GRADES) + 1
    pairs = [(_human_grade(one), _grade(one.score)) for one in judged]
    cells = np.array([grades * human + judge for human, judge in pairs], dtype=np.int64)

    def of_draw(drawn: statistics.Indices) -> float:
        counts = np.bincount(cells[drawn], minlength=grades**2).astype(np.float64)
        return agreement.kappa_of(counts.reshape(grades, grades))

    interval = statistics.bootstrap_statistic(len(pairs), of_draw, seed=seed)
    return statistics.Estimate(agreement.weighted_kappa(pairs, grades), interval)


def _grade(score: float) -> int:
    return sum(score >= least for least in GRADES)


def _human_grade(judged: JudgedAnswer) -> int:
    if judged.grade is not None:
        return _grade(judged.grade)
    return 0 if judged.hallucinated else len(GRADES)


def _spans(judged: Sequence[JudgedAnswer]) -> agreement.SpanOverlap | None:
    marked = [
        (one.spans, one.judge_spans)
        for one in judged
        if one.spans is not None and one.judge_spans is not None
    ]
    return agreement.span_overlap(marked) if marked else None


@dataclass(frozen=True, slots=True)
class PairedMeans:
    """The mean value of both judges over all answers, and the second less the first.

    interval: of the difference; None with fewer than MIN_DEGREES degrees of freedom. more_labels:
    how many more, drawn as those there are, would about make it leave out 0 if the difference is
    as found, or complete the least number; None where 0 is left out already, or there is no
    difference.
    """

    first: float
    second: float
    difference: float
    interval: statistics.Interval | None
    more_labels: int | None

    @property
    def is_significant(self) -> bool:
        return self.interval is not None and not self.interval.low <= 0 <= self.interval.high


def paired_cell(
    first: Sequence[float], second: Sequence[float], *, answers: int, labels: int
) -> Cell:
    """Out of the values of both judges for the same labelled answers of a cell, one or more.

    answers, labels: of the whole cell. Where only some of its labelled answers have both values,
    as large a share of its answers is taken to be of their kind.
    """
    f, y = np.asarray(first, np.float64), np.asarray(second, np.float64)
    return Cell(
        answers=round(answers * len(y) / labels),
        scores=float(f.sum()),
        labels=len(y),
        y=float(y.sum()),
        f=float(f.sum()),
        yy=float((y * y).sum()),
        ff=float((f * f).sum()),
        yf=float((y * f).sum()),
        stratum_answers=answers,
        stratum_labels=labels,
    )


def paired_shares(cells: Sequence[Cell], confidence: float = statistics.CONFIDENCE) -> PairedMeans:
    """Of values that are 0 or 1. The interval is the adjusted one of Bonett and Price (2012), with
    Student's t and with the number of answers at which simple drawing would have the variance: it
    has a width where the judges never differ too. There are labels."""
    sums = DrawnSums(cells)
    variance = _variance(sums)
    only = _shares_of_one(sums)
    unlike = sums.gap_spread / variance if variance else 1 / (sums.unit + 1 / sums.answers)
    # One answer more of either kind on which they differ.
    first, second = ((unlike * share + 1) / (unlike + 2) for share in only)
    adjusted = (first + second - (second - first) ** 2) / (unlike + 2)
    return _means(sums, cells, second - first, adjusted, confidence)


def paired_means(cells: Sequence[Cell], confidence: float = statistics.CONFIDENCE) -> PairedMeans:
    """Of values from 0 to 1. There are labels."""
    sums = DrawnSums(cells)
    return _means(sums, cells, sums.y - sums.f, _variance(sums), confidence)


def _variance(sums: DrawnSums) -> float:
    return sums.variance(1.0) + sums.gap_spread / sums.answers


def _shares_of_one(sums: DrawnSums) -> tuple[float, float]:
    """The share of answers where only the first judge has a 1, and where only the second has."""
    unlike, difference = sums.gap_spread + (sums.y - sums.f) ** 2, sums.y - sums.f
    return (unlike - difference) / 2, (unlike + difference) / 2


def _means(
    sums: DrawnSums, cells: Sequence[Cell], centre: float, variance: float, confidence: float
) -> PairedMeans:
    degrees = degrees_of(cells)
    found = sums.y - sums.f
    if degrees < MIN_DEGREES:
        return PairedMeans(sums.f, sums.y, found, None, MIN_DEGREES - degrees)
    quantile = t_quantile(confidence, degrees)
    half = quantile * sqrt(variance)
    interval = statistics.Interval(max(centre - half, -1.0), min(centre + half, 1.0))
    more = None
    if found and interval.low <= 0 <= interval.high:
        more = max(ceil(sums.labels * (half / found) ** 2) - sums.labels, 1)
    return PairedMeans(sums.f, sums.y, found, interval, more)
