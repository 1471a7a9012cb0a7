"""Student's t distribution, against published and exact values."""

import pytest

from app.metrics.distributions import t_quantile, t_two_sided


@pytest.mark.parametrize(
    ("degrees", "expected"),
    # The table of Student's t at 95 %, two-sided.
    [(1, 12.7062047), (2, 4.3026527), (5, 2.5705818), (29, 2.0452296), (100, 1.9839715)],
)
def test_quantiles_of_t_are_those_of_the_tables(degrees: int, expected: float) -> None:
    assert t_quantile(0.95, degrees) == pytest.approx(expected, abs=5e-8)


def test_t_with_many_degrees_is_normal() -> None:
    assert t_quantile(0.95, 1e7) == pytest.approx(1.959964, abs=1e-6)


@pytest.mark.parametrize("degrees", [1.5, 7, 43.2, 500])
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.999])
def test_the_chance_of_a_quantile_is_what_is_left(degrees: float, confidence: float) -> None:
    chance = t_two_sided(t_quantile(confidence, degrees), degrees)
    assert chance == pytest.approx(1 - confidence, rel=1e-9)


@pytest.mark.parametrize("confidence", [0.0, 1.0, -1.0])
def test_no_quantile_outside_of_the_distribution(confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence between"):
        t_quantile(confidence, 5)
