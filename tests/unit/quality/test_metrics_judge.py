"""How far a judge agrees with people, on answers counted by hand."""

import pytest

from app.quality.metrics.agreement import (
    Confusion,
    SpanOverlap,
    auroc,
    auroc_interval,
    best_f1,
    confusion,
    span_overlap,
    weighted_kappa,
)
from app.quality.metrics.judge import CalibrationBin, JudgedAnswer, calibration, measure

MIXED = [(0.9, True), (0.8, False), (0.7, True), (0.1, False)]


@pytest.mark.parametrize(
    ("scored", "area"),
    [
        ([(0.9, True), (0.1, False)], 1.0),
        ([(0.1, True), (0.9, False)], 0.0),
        ([(0.5, True), (0.5, False), (0.5, False)], 0.5),
        (MIXED, 0.75),
        ([(0.5, True)], None),
        ([], None),
    ],
)
def test_auroc(scored, area):
    assert auroc(scored) == area


def test_the_interval_holds_the_auroc():
    interval = auroc_interval(MIXED * 20)
    assert 0.5 < interval.low < 0.75 < interval.high < 1
    assert auroc_interval([(0.5, True), (0.4, False), (0.3, False)]) is None


def test_counts_at_a_threshold():
    counts = confusion(MIXED, 0.75)
    assert counts == Confusion(1, 1, 1, 1)
    assert (counts.precision, counts.recall, counts.f1, counts.balanced_accuracy) == (0.5,) * 4
    uneven = Confusion(true_positives=6, false_positives=2, false_negatives=4, true_negatives=8)
    assert (uneven.precision, uneven.recall, uneven.specificity) == (0.75, 0.6, 0.8)
    assert uneven.f1 == pytest.approx(2 / 3)
    assert uneven.balanced_accuracy == pytest.approx(0.7)


def test_figures_without_a_denominator_are_none():
    counts = confusion([(0.1, False)], 0.5)
    assert (counts.precision, counts.recall, counts.f1, counts.balanced_accuracy) == (None,) * 4


def test_best_f1_and_the_threshold_that_reaches_it():
    best, threshold = best_f1(MIXED)
    assert best == pytest.approx(0.8)
    assert confusion(MIXED, threshold).f1 == best


# Worked example: two raters, three categories, counts in rows [[5, 2, 0], [1, 4, 1], [0, 2, 5]].
TABLE = [[5, 2, 0], [1, 4, 1], [0, 2, 5]]
PAIRS = [(i, j) for i, row in enumerate(TABLE) for j, n in enumerate(row) for _ in range(n)]


def test_weighted_kappa():
    # Disagreement observed 6; by chance (linear) (7·8 + 6·6 + 6·6 + 7·8 + 2·7·6 + 2·7·6) / 20
    assert weighted_kappa(PAIRS, 3, "linear") == pytest.approx(1 - 6 * 20 / 352)
    # and (quadratic) (7·8 + 6·6 + 6·6 + 7·8 + 4·7·6 + 4·7·6) / 20.
    assert weighted_kappa(PAIRS, 3) == pytest.approx(1 - 6 * 20 / 520)


def test_kappa_at_its_ends():
    assert weighted_kappa([(0, 0), (2, 2)], 3) == 1
    assert weighted_kappa([(0, 1), (1, 0)], 2) == -1
    assert weighted_kappa([(0, 0), (0, 1), (1, 0), (1, 1)], 2) == 0
    assert weighted_kappa([(1, 1), (1, 1)], 3) is None
    assert weighted_kappa([], 3) is None
    with pytest.raises(ValueError, match="0 to 2"):
        weighted_kappa([(0, 3)], 3)


def test_characters_that_both_marked():
    overlap = span_overlap([([(0, 10)], [(5, 20), (5, 8)]), ([(0, 5)], []), ([], [])])
    assert overlap == SpanOverlap(3, 1 / 3, 1 / 3, 1 / 3)
    assert span_overlap([([], [])]) == SpanOverlap(1, None, None, None)


def answers(*scored: tuple[bool, float]) -> list[JudgedAnswer]:
    return [JudgedAnswer(hallucinated, score) for hallucinated, score in scored]


def test_a_score_of_1_falls_into_the_last_bin():
    low, high = calibration(answers((True, 0.2), (False, 0.4), (False, 0.5), (False, 1.0)), bins=2)
    assert low == CalibrationBin(0.0, 0.5, 2, pytest.approx(0.3), 0.5)
    assert high == CalibrationBin(0.5, 1.0, 2, 0.75, 1.0)


def test_a_judge_is_measured_at_the_threshold_and_over_all_thresholds():
    judged = answers((True, 0.1), (True, 0.8), (False, 0.79), (False, 0.9))
    bench = measure(judged)
    assert bench.confusion == Confusion(1, 1, 1, 1)
    assert bench.f1.value == bench.balanced_accuracy.value == 0.5
    assert bench.auroc.value == 0.75
    assert bench.auroc.interval
    # Grades of people against those of the judge: (0, 0), (0, 2), (2, 1), (2, 2).
    assert bench.kappa.value == pytest.approx(1 - 5 * 4 / (2 * 1 + 2 * 4 * 2 + 2 * 4 * 1 + 2 * 1))
    assert (bench.answers, bench.hallucinated, bench.failed) == (4, 2, 0)
    assert bench.calibration_error == pytest.approx((0.1 + 0.21 + 0.8 + 0.1) / 4)
    assert bench.spans is None


def test_grades_of_people_are_used_where_there_are_any():
    judged = [
        JudgedAnswer(hallucinated=True, score=0.6, grade=0.7),
        JudgedAnswer(hallucinated=True, score=0.1, grade=0.0),
        JudgedAnswer(hallucinated=False, score=0.9, grade=1.0),
    ]
    assert measure(judged).kappa.value == 1


def test_failures_are_counted_and_count_in_no_figure():
    judged = answers((True, 0.1), (False, 0.9))
    bench = measure([*judged, JudgedAnswer(hallucinated=False, score=0.0, parsed=False)])
    assert (bench.answers, bench.failed) == (2, 1)
    assert bench.balanced_accuracy.value == bench.best_f1 == 1
    assert bench.calibration == measure(judged).calibration


def test_places_are_compared_where_both_told_them():
    judged = [
        JudgedAnswer(hallucinated=True, score=0.1, spans=[(0, 4)], judge_spans=[(2, 6)]),
        JudgedAnswer(hallucinated=True, score=0.1, spans=[(0, 4)]),
        JudgedAnswer(hallucinated=True, score=0.1, judge_spans=[(0, 4)]),
    ]
    assert measure(judged).spans == SpanOverlap(answers=1, precision=0.5, recall=0.5, f1=0.5)
