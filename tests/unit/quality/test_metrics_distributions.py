"""Student's t and the binomial distribution, against published and exact values."""

from fractions import Fraction
from math import comb

import pytest

from app.quality.metrics.calibration import binomial_tail, lower_bound, t_quantile, t_two_sided


@pytest.mark.parametrize(
    ("degrees", "expected"),
    # The table of Student's t at 95 %, two-sided.
    [(1, 12.7062047), (2, 4.3026527), (5, 2.5705818), (29, 2.0452296), (100, 1.9839715)],
)
def test_quantiles_of_t_are_those_of_the_tables(degrees, expected):
    assert t_quantile(0.95, degrees) == pytest.approx(expected, abs=5e-8)


def test_t_with_many_degrees_is_normal():
    assert t_quantile(0.95, 1e7) == pytest.approx(1.959964, abs=1e-6)


@pytest.mark.parametrize("degrees", [1.5, 7, 43.2, 500])
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.999])
def test_the_chance_of_a_quantile_is_what_is_left(degrees, confidence):
    chance = t_two_sided(t_quantile(confidence, degrees), degrees)
    assert chance == pytest.approx(1 - confidence, rel=1e-9)


@pytest.mark.parametrize("confidence", [0.0, 1.0, -1.0])
def test_no_quantile_outside_of_the_distribution(confidence):
    with pytest.raises(ValueError, match="confidence between"):
        t_quantile(confidence, 5)


@pytest.mark.parametrize(("successes", "trials"), [(0, 5), (1, 5), (5, 5), (95, 100), (190, 200)])
def test_the_binomial_tail_is_the_exact_sum(successes, trials):
    share = Fraction(9, 10)
    exact = sum(
        comb(trials, k) * share**k * (1 - share) ** (trials - k)
        for k in range(successes, trials + 1)
    )
    assert binomial_tail(successes, trials, 0.9) == pytest.approx(float(exact), rel=1e-9)


def test_more_successes_than_trials_do_not_happen():
    assert binomial_tail(4, 3, 0.5) == 0


def test_the_bound_without_failures_has_a_closed_form():
    assert lower_bound(59, 59, 0.95) == pytest.approx(0.05 ** (1 / 59), abs=1e-12)
    assert lower_bound(0, 59, 0.95) == pytest.approx(0, abs=1e-12)
