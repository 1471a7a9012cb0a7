"""Two judges on the same drawn answers: against formulas written out, and at the edges."""

from math import sqrt

import numpy as np
import pytest

from app.quality.metrics.calibration import t_quantile
from app.quality.metrics.judge import paired_cell, paired_means, paired_shares
from app.quality.metrics.ppi import Cell


def agreeing(
    both: int, first: int, second: int, neither: int, *, answers: int | None = None
) -> Cell:
    """A cell by how many labels each judge agrees with."""
    counts = (both, first, second, neither)
    of_first, of_second = (
        np.repeat([float(bit) for bit in bits], counts) for bits in ((1, 1, 0, 0), (1, 0, 1, 0))
    )
    labels = sum(counts)
    return paired_cell(of_first, of_second, answers=answers or labels, labels=labels)


def test_of_one_draw_it_is_the_adjusted_interval_of_bonett_and_price():
    found = paired_shares([agreeing(70, 6, 14, 10)])

    assert (found.first, found.second) == (0.76, 0.84)
    assert found.difference == pytest.approx(0.08)
    only_first, only_second = 7 / 102, 15 / 102
    centre = only_second - only_first
    error = sqrt((only_first + only_second - centre**2) / 102)
    half = t_quantile(0.95, 99) * error
    assert found.interval.low == pytest.approx(centre - half)
    assert found.interval.high == pytest.approx(centre + half)
    assert not found.is_significant


def test_drawn_from_few_answers_it_is_as_wide_as_from_many():
    """Which judge is better is asked of answers to come: all of today's labelled leave a doubt."""
    intervals = [
        paired_shares([agreeing(70, 6, 14, 10, answers=answers)]).interval
        for answers in (100, 200, 100_000)
    ]
    for interval in intervals[1:]:
        assert interval.low == pytest.approx(intervals[0].low, abs=0.002)  # type: ignore[union-attr]


def test_labels_weigh_what_they_stand_for():
    """The second judge is better on the few that are drawn often, and no better on the many."""
    few = agreeing(20, 0, 30, 0, answers=50)
    many = agreeing(40, 5, 5, 0, answers=5_000)

    found = paired_shares([few, many])

    assert found.difference == pytest.approx(50 / 5_050 * 0.6)
    assert paired_shares([few]).difference == pytest.approx(0.6)
    assert not found.is_significant


def test_the_variance_is_that_of_stratified_drawing():
    rng = np.random.default_rng(3)
    gaps, cells, variance, weights = [], [], 0.0, 0.0
    sizes = [(400, 40), (1_600, 40)]
    values = [(rng.random(labels), rng.random(labels)) for _, labels in sizes]
    for (answers, labels), (first, second) in zip(sizes, values, strict=True):
        cells.append(paired_cell(first, second, answers=answers, labels=labels))
        gap = second - first
        share = answers / 2_000
        variance += share**2 * (1 - labels / answers) * gap.var(ddof=1) / labels
        gaps.append((share, gap))
        weights += share * float((gap**2).mean())
    mean = sum(share * float(gap.mean()) for share, gap in gaps)
    variance += (weights - mean**2) / 2_000

    found = paired_means(cells)

    assert found.difference == pytest.approx(mean)
    half = (found.interval.high - found.interval.low) / 2
    assert half == pytest.approx(t_quantile(0.95, 78) * sqrt(variance))


def test_twins_may_differ_on_what_has_no_label():
    found = paired_shares([agreeing(90, 0, 0, 30, answers=3_000)])
    assert found.difference == 0
    assert 0.01 < found.interval.high < 0.03
    assert found.interval.low == -found.interval.high
    assert found.more_labels is None, "there is no difference to find"


@pytest.mark.parametrize(("times", "enough"), [(0.85, False), (1.15, True)])
def test_says_about_how_many_labels_more_would_do(times, *, enough):
    found = paired_shares([agreeing(70, 6, 14, 10, answers=10_000)])
    assert found.more_labels
    times *= (100 + found.more_labels) / 100
    counts = [round(times * count) for count in (70, 6, 14, 10)]
    assert paired_shares([agreeing(*counts, answers=10_000)]).is_significant == enough


def test_fewer_than_thirty_have_no_interval():
    found = paired_shares([agreeing(10, 0, 8, 0)])
    assert (found.interval, found.more_labels, found.is_significant) == (None, 12, False)


def test_only_some_of_a_cell_may_have_been_judged_by_both():
    """As many of the cell's answers are left out as of its labels."""
    cell = paired_cell([1.0] * 30, [0.0] * 30, answers=600, labels=60)
    assert (cell.answers, cell.labels) == (300, 30)
    assert paired_shares([cell]).difference == -1
