"""The monitor's statistics: what its threshold promises, and what it finds in series of known
change."""

from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
import pytest

from app.quality.drift.series import ALLOWANCE, LEARNING, THRESHOLD, Shift, first_shift, rank_score

DAYS_OF_A_YEAR, SERIES = 365, 4
STATES = 250


def score(means: Sequence[float], size: float = 100, spread: float = 0.0) -> float:
    return rank_score(means, [size] * len(means), [spread] * len(means))


def scores(means: Sequence[float]) -> list[float]:
    later = range(LEARNING, len(means))
    return [0.0] * LEARNING + [score(means[: place + 1]) for place in later]


def test_the_threshold_is_a_false_alarm_a_year_over_four_series():
    """Mean run length of one of the two sums over standard normal scores, as a Markov chain over
    its values (Brook and Evans 1972). Both together alarm twice as often."""
    width = THRESHOLD / (STATES - 0.5)
    values = np.arange(STATES) * width
    cdf = np.vectorize(NormalDist().cdf)
    edges = (values + width / 2)[None, :] - values[:, None] + ALLOWANCE
    below = cdf(edges)
    moves = np.diff(below, axis=1, prepend=0.0)
    run_length = np.linalg.solve(np.eye(STATES) - moves, np.ones(STATES))[0]
    assert run_length / 2 == pytest.approx(SERIES * DAYS_OF_A_YEAR, rel=0.005)


class TestARank:
    def test_is_a_normal_quantile_of_its_place(self):
        assert score([3, 1, 2]) == 0
        highest = score([*range(9), 9])
        assert highest == pytest.approx(NormalDist().inv_cdf(0.95))
        assert score([*range(1, 10), 0]) == pytest.approx(-highest)

    def test_of_means_all_alike_is_in_the_middle(self):
        assert score([1.0] * 30) == 0
        assert score([0.1 + 0.2, 0.3, 0.3]) == 0, "but for their last bits"

    def test_counts_how_sure_a_mean_is(self):
        """A day with few answers is far from the others by chance."""
        means = [0.80, 0.81, 0.79, 0.80, 0.82, 0.78] * 4 + [0.84]
        spreads = [0.16] * len(means)
        few = rank_score(means, [1_000] * 24 + [10], spreads)
        assert few < rank_score(means, [1_000] * 25, spreads)

    def test_needs_means(self):
        with pytest.raises(ValueError, match="a rank needs means"):
            rank_score([], [], [])


class TestAShift:
    @pytest.mark.parametrize("drop", [0.05, 0.1, -0.1])
    def test_is_found_with_its_beginning(self, drop):
        rng = np.random.default_rng(3)
        means = rng.normal(0.8, 0.02, 80)
        means[60:] -= drop
        found = first_shift(scores(list(means)))
        assert abs(found.began - 60) <= 2
        assert 60 < found.noticed <= 68

    def test_is_not_found_where_nothing_changes(self):
        rng = np.random.default_rng(4)
        assert first_shift(scores(list(rng.normal(0.8, 0.02, 120)))) is None
        assert first_shift(scores([0.9] * 200)) is None

    def test_of_one_day_is_none(self):
        """However bad: a threshold of webhooks is for that."""
        assert first_shift(scores([0.9] * 60 + [0.0] + [0.9] * 20)) is None

    def test_is_not_found_while_the_series_is_learned(self):
        assert first_shift([]) is None
        assert first_shift(scores([0.9] * 7 + [0.1] * 7)) is None

    def test_has_the_places_of_the_sum(self):
        alike = [0.0, 0.0, 0.0]
        assert first_shift([*alike, 2.5, 2.5, 2.5, 2.5]) == Shift(3, 6)
        assert first_shift([*alike, *[-2.5] * 4]) == Shift(3, 6)

    def test_takes_longer_where_days_resemble_the_day_before(self):
        restless = [1.0, -1.0] * 20
        calm = [1.0] * 2 + ([-1.0] * 5 + [1.0] * 5) * 4
        jump = [2.0] * 8
        first, second = (first_shift([*before, *jump]) for before in (restless, calm))
        assert second is None or second.noticed - len(calm) > first.noticed - len(restless)
