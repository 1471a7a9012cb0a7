"""Means corrected by labels: against formulas written out, and at the edges."""

from math import sqrt

import numpy as np
import pytest

from app.quality.metrics.calibration import t_quantile
from app.quality.metrics.ppi import Cell, Corrected, difference, estimate, first_labels, more_labels
from app.quality.metrics.statistics import Floats


def cell(scores: Floats, y: Floats, f: Floats, *, stratum: tuple[int, int] | None = None) -> Cell:
    """scores: of all answers of the cell; y, f: of its labelled."""
    of_stratum, drawn = stratum or (len(scores), len(y))
    sums = (float(each.sum()) for each in (y, f, y * y, f * f, y * f))
    return Cell(len(scores), float(scores.sum()), len(y), *sums, of_stratum, drawn)


def workspace(seed: int, answers: int, labels: int, bias: float = 0.0) -> tuple[Cell, Floats]:
    """One stratum, and the labels that all of its answers would have."""
    rng = np.random.default_rng(seed)
    y = (rng.random(answers) < 0.7).astype(np.float64)
    f = np.clip(0.25 + 0.5 * y + bias + rng.normal(0, 0.2, answers), 0, 1)
    drawn = rng.permutation(answers)[:labels]
    return cell(f, y[drawn], f[drawn]), y


class TestOneStratum:
    def test_is_the_difference_estimator_with_its_variance(self):
        one, _ = workspace(0, 1_000, 100)
        found = estimate([one], power=0.8)
        mean_y, mean_f = one.y / 100, one.f / 100
        rest = one.yy - 1.6 * one.yf + 0.64 * one.ff - 100 * (mean_y - 0.8 * mean_f) ** 2
        assert found.value == pytest.approx(mean_y + 0.8 * (one.scores / 1_000 - mean_f))
        assert found.variance == pytest.approx(0.9 * rest / 99 / 100)

    def test_chooses_the_power_with_the_least_variance(self):
        one, _ = workspace(1, 5_000, 200)
        chosen = estimate([one]).power
        variances = [estimate([one], power=chosen + step).variance for step in (-0.05, 0, 0.05)]
        assert min(variances) == variances[1]
        assert chosen > 1, "these scores differ by half of what labels do"

    def test_a_biased_judge_does_not_move_the_figure(self):
        fair, y = workspace(2, 20_000, 400)
        flattering, _ = workspace(2, 20_000, 400, bias=0.1)
        for one in (fair, flattering):
            found = estimate([one])
            assert found.interval.low < y.mean() < found.interval.high
        assert flattering.scores / 20_000 > fair.scores / 20_000 + 0.05

    def test_a_judge_that_agrees_makes_it_narrower(self):
        one, _ = workspace(3, 20_000, 200)
        assert _width(estimate([one])) < 0.85 * _width(estimate([one], power=0))

    def test_scores_that_are_all_alike_are_labels_only(self):
        y = np.array([1.0] * 30 + [0.0] * 10)
        one = cell(np.full(500, 0.9), y, np.full(40, 0.9))
        found, plain = estimate([one]), estimate([one], power=0)
        assert found.power == 0
        assert found == plain

    def test_with_every_answer_labelled_it_is_the_mean(self):
        y = np.array([1.0] * 30 + [0.0] * 10)
        f = np.linspace(0, 1, 40)
        found = estimate([cell(f, y, f)])
        assert (found.value, found.interval.low, found.interval.high) == pytest.approx([0.75] * 3)

    def test_labels_all_alike_have_an_interval_that_ends_at_1(self):
        ones = np.ones(40)
        found = estimate([cell(np.full(10**6, 0.5), ones, np.full(40, 0.5))])
        t = t_quantile(0.95, 39)
        assert (found.value, found.interval.high) == (1, 1)
        assert found.interval.low == pytest.approx(40 / (40 + t * t), abs=1e-5)

    def test_a_judge_never_seen_to_err_is_not_taken_for_perfect(self):
        y = np.array([1.0] * 60 + [0.0] * 40)
        found = estimate([cell(np.repeat([1.0, 0.0], 5_000), y, y)])
        assert _width(found) > 2 * 2 / 100, "three in a hundred may err unseen"

    def test_shares_near_1_stay_below_it(self):
        y = np.array([1.0] * 98 + [0.0] * 2)
        found = estimate([cell(np.full(5_000, 0.99), y, np.full(100, 0.9))])
        assert 0.9 < found.interval.low < found.value < found.interval.high <= 1

    def test_without_labels_it_is_refused(self):
        none = np.array([])
        with pytest.raises(ValueError, match="without labels"):
            estimate([cell(np.ones(10), none, none)])
        with pytest.raises(ValueError, match="two labels more than strata"):
            estimate([cell(np.ones(10), np.ones(2), np.ones(2))])


class TestStrata:
    def test_combine_by_their_sizes(self):
        rng = np.random.default_rng(4)
        cells, expected, variance = [], 0.0, 0.0
        for answers, labels, share in ((900, 30, 0.9), (100, 50, 0.3)):
            y = (rng.random(labels) < share).astype(np.float64)
            cells.append(cell(np.full(answers, 0.5), y, np.full(labels, 0.5)))
            part = answers / 1_000
            expected += part * float(y.mean())
            left = 1 - labels / answers
            variance += part**2 * left * float(y.var(ddof=1)) / labels
        found = estimate(cells)
        assert found.value == pytest.approx(expected)
        assert found.variance == pytest.approx(variance)
        assert found.degrees == 78

    def test_a_group_within_a_stratum_keeps_its_chance(self):
        rng = np.random.default_rng(5)
        y = (rng.random(40) < 0.6).astype(np.float64)
        f = rng.random(40)
        found = estimate([cell(rng.random(400), y, f, stratum=(1_000, 100))], power=0)
        residual = float(((y - y.mean()) ** 2).sum())
        assert found.value == pytest.approx(float(y.mean()))
        assert found.variance == pytest.approx(0.9 * 100 / 99 * residual / 40**2)

    def test_a_stratum_with_one_label_widens_the_interval(self):
        one, _ = workspace(6, 1_000, 60)
        alone = cell(np.full(100, 0.5), np.zeros(1), np.full(1, 0.5))
        both = estimate([one, alone])
        assert both.answers == 1_100
        assert both.variance > estimate([one]).variance

    def test_without_labels_is_refused(self):
        one, _ = workspace(7, 1_000, 60)
        none = np.array([])
        with pytest.raises(ValueError, match="stratum without labels"):
            estimate([one, cell(np.ones(10), none, none)])


class TestHowManyMore:
    def test_gives_about_the_width_asked_for(self):
        one, _ = workspace(8, 50_000, 100)
        more = more_labels(estimate([one]), 0.06)
        enlarged, _ = workspace(8, 50_000, 100 + more)
        assert _width(estimate([enlarged])) == pytest.approx(0.06, rel=0.15)

    def test_is_none_where_it_is_narrow_enough(self):
        one, _ = workspace(8, 50_000, 100)
        assert more_labels(estimate([one]), 0.5) == 0

    def test_is_never_more_than_there_are_answers(self):
        one, _ = workspace(9, 150, 100)
        assert 0 < more_labels(estimate([one]), 0.001) <= 50
        assert first_labels(20, 0.01) == 20
        assert first_labels(0, 0.1) == 0

    def test_before_the_first_label_is_that_of_a_share_of_one_half(self):
        assert first_labels(10**9, 0.1) == 385
        assert first_labels(10**9, 0.9) == 30, "fewer are not reliable"


class TestDifference:
    def test_of_a_group_with_itself_is_none(self):
        found = estimate([workspace(10, 1_000, 100)[0]])
        compared = difference(found, found)
        assert compared.difference == 0
        assert compared.p_value == 1
        assert compared.interval.low == -compared.interval.high

    def test_of_a_clear_change_is_found(self):
        one, _ = workspace(11, 5_000, 200)
        y = np.array([1.0] * 80 + [0.0] * 120)
        worse = cell(np.full(5_000, 0.9), y, np.full(200, 0.9))
        compared = difference(estimate([one]), estimate([worse]))
        assert compared.difference < -0.2
        assert compared.interval.high < 0
        assert compared.p_value < 1e-6

    def test_counts_the_chance_in_the_answers_themselves(self):
        y = np.array([1.0] * 30 + [0.0] * 10)
        f = np.linspace(0, 1, 40)
        whole = estimate([cell(f, y, f)])
        assert _width(whole) == 0
        assert (
            0
            < difference(whole, whole).interval.high
            == pytest.approx(t_quantile(0.95, 2 * whole.degrees) * sqrt(2 * 0.75 * 0.25 / 40))
        )


def test_it_is_the_published_estimate_where_the_population_is_large():
    rng = np.random.default_rng(13)
    y = (rng.random(200_400) < 0.6).astype(np.float64)
    f = np.clip(0.1 + 0.8 * y + rng.normal(0, 0.3, len(y)), 0, 1)
    labels, scores, others = y[:400], f[:400], f[400:]
    # Angelopoulos, Duchi, Zrnic 2023, example 6.1.
    power = np.cov(labels, scores)[0, 1] / ((1 + 400 / len(others)) * f.var())
    value = power * others.mean() + (labels - power * scores).mean()
    variance = (labels - power * scores).var() / 400 + power**2 * others.var() / len(others)

    found = estimate([cell(f, labels, scores)])

    assert found.value == pytest.approx(value, abs=1e-3)
    assert _width(found) == pytest.approx(2 * 1.96 * sqrt(variance), rel=0.02)


def _width(found: Corrected) -> float:
    return found.interval.high - found.interval.low
