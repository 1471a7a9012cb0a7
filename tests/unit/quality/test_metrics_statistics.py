"""Intervals and tests by resampling, where the answer is known."""

import math

import numpy as np
import pytest

from app.quality.metrics.statistics import (
    bootstrap_interval,
    bootstrap_statistic,
    paired_difference,
)


def test_the_interval_is_close_to_that_of_the_normal_distribution():
    values = [0.0, 1.0] * 200
    interval = bootstrap_interval(values)
    # 1.96 standard errors of a share of one half among 400.
    assert interval.low == pytest.approx(0.451, abs=0.006)
    assert interval.high == pytest.approx(0.549, abs=0.006)


def test_equal_values_leave_no_doubt():
    interval = bootstrap_interval([0.7, 0.7, 0.7])
    assert (interval.low, interval.high) == pytest.approx((0.7, 0.7))


def test_equal_seeds_give_equal_intervals():
    values = [0.1, 0.5, 0.9, 0.3]
    assert bootstrap_interval(values, seed=1) == bootstrap_interval(values, seed=1)
    narrow, wide = (bootstrap_interval(values, confidence=level) for level in (0.5, 0.99))
    assert wide.low < narrow.low < narrow.high < wide.high


@pytest.mark.parametrize("values", [[], [0.5]])
def test_fewer_than_two_values_have_no_interval(values):
    assert bootstrap_interval(values) is None


def test_draws_without_the_figure_are_left_out():
    assert bootstrap_statistic(3, lambda _: float("nan")) is None
    drawn = bootstrap_statistic(3, lambda cases: math.nan if 0 in cases else np.mean(cases).item())
    assert 1 <= drawn.low <= drawn.high <= 2


@pytest.mark.parametrize(
    ("after", "p_value", "changed"),
    [
        # All of n equal signs: 2 of 2 ** n flips are as extreme.
        ([0.5, 0.6, 0.7, 0.8, 0.9], 2 / 2**5, 5),
        ([0.5, 0.6, 0.7, 0.8, 0.0], 2 / 2**4, 4),
        # +.4 and -.1, of the sums .5, .3, -.3 and -.5 all are as extreme as .3.
        ([0.4, -0.1, 0.0, 0.0, 0.0], 1.0, 2),
        ([0.0] * 5, 1.0, 0),
    ],
)
def test_the_exact_test_counts_flips(after, p_value, changed):
    result = paired_difference([0.0] * 5, after)
    assert result.exact
    assert result.p_value == p_value
    assert (result.cases, result.changed) == (5, changed)
    assert result.difference == pytest.approx(sum(after) / 5)


def test_the_sampled_test_agrees_with_the_sign_test():
    # 20 gains and 10 losses of equal size: 2 * P(at least 20 of 30 heads) = .0987
    result = paired_difference([0.5] * 30, [1.0] * 20 + [0.0] * 10)
    assert not result.exact
    assert result.p_value == pytest.approx(0.0987, abs=0.015)
    assert not result.significant()


def test_a_clear_difference_is_significant_but_never_impossible():
    result = paired_difference([0.0] * 100, [1.0] * 100, permutations=999)
    assert result.p_value == 1 / 1000
    assert result.significant()
    assert result.interval.low == result.interval.high == result.difference == 1.0


@pytest.mark.parametrize(("before", "after"), [([], []), ([1.0], [1.0, 0.0])])
def test_runs_without_common_cases_cannot_be_compared(before, after):
    with pytest.raises(ValueError, match=r"nothing|same cases"):
        paired_difference(before, after)
