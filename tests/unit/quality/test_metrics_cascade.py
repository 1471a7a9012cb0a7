"""Thresholds of cascades, by hand and by a simulation of what they promise."""

from dataclasses import replace

import numpy as np
import pytest

from app.quality.metrics.cascade import Cut, JudgedSample, play, search_cuts

COSTS = (0.001, 0.01)


def sample(
    right: list[int], step: list[float], last: list[int], costs: tuple[float, ...] = COSTS
) -> JudgedSample:
    """One step, high from .8 and low below .5, and a last judge who says high or low."""
    scores = np.array([step, last], dtype=float)
    return JudgedSample(
        np.array(right, dtype=bool), scores, high=scores >= 0.8, low=scores < 0.5, costs=costs
    )


# Answers: right and sure; wrong and sure; wrong, but surely high; right, but surely low; doubtful.
BY_HAND = sample([1, 0, 0, 1, 1], [0.95, 0.1, 0.9, 0.2, 0.6], [1, 0, 0, 1, 1])


def test_what_a_cascade_would_have_said_counted_by_hand():
    played = play(BY_HAND, (Cut(low=0.2, high=0.9),))

    assert played.decided == (4,)
    assert (played.agreeing, played.worse, played.better) == (3, 2, 0)
    assert (played.false_highs, played.new_false_highs) == (1, 1)
    # Five are asked of the step, one of the last judge.
    assert played.cost == pytest.approx((5 * 0.001 + 0.01) / 5)


def test_a_check_costs_and_changes_nothing_else():
    cuts = (Cut(low=0.2, high=0.9),)

    checked = play(BY_HAND, cuts, check=0.5)

    assert checked.cost == pytest.approx((5 * 0.001 + (1 + 0.5 * 4) * 0.01) / 5)
    assert checked == replace(play(BY_HAND, cuts), cost=checked.cost)


def test_a_step_without_thresholds_is_not_asked():
    assert play(BY_HAND, (Cut(),)).cost == pytest.approx(0.01)


def test_medium_is_never_sure_whatever_the_threshold():
    assert play(BY_HAND, (Cut(low=0.7),)).decided == (2,)


def test_mistakes_of_the_last_judge_are_not_set_off():
    """The step is right twice where the last judge is wrong, and wrong once where it is right."""
    found = play(sample([1, 1, 0], [0.9, 0.9, 0.9], [0, 0, 0]), (Cut(high=0.9),))

    assert (found.worse, found.better) == (1, 2)
    assert not found.passes(0.3, 0.9)


def test_a_judge_without_a_verdict_hands_on():
    scores = np.array([[np.nan, 0.9], [1, 1]])
    none = JudgedSample(
        np.ones(2, dtype=bool), scores, high=scores >= 0.8, low=scores < 0.5, costs=COSTS
    )

    assert play(none, (Cut(low=1, high=0.5),)).decided == (1,)


@pytest.mark.parametrize(("worse", "passes"), [(0, True), (1, False)])
def test_the_bound_is_the_exact_binomial_one(worse, passes):
    """230 labels without a loss are enough for .01 and .9: .99 ** 230 = .099."""
    right = [1] * 230
    played = play(sample(right, [0.1] * worse + [0.9] * (230 - worse), right), (Cut(low=0.1),))

    assert played.worse == worse
    assert played.passes(0.01, 0.9) is passes
    if not worse:
        assert played.bound(0.9) == pytest.approx(1 - 0.1 ** (1 / 230))


def test_the_cheapest_of_those_that_passed_is_chosen():
    """The step is right from .9 on and below .3, and guesses between."""
    rng = np.random.default_rng(7)
    scores = rng.random(3_000).round(2)
    right = (scores >= 0.9) | ((scores >= 0.3) & (rng.random(3_000) < 0.5))
    every = sample(right.tolist(), scores.tolist(), right.tolist())

    found = search_cuts(*halves(every, 1_000), max_loss=0.02, confidence=0.9, check=0.05)

    (cut,) = found.chosen.cuts
    assert cut.low == pytest.approx(0.3, abs=0.05)
    assert cut.high == pytest.approx(0.9, abs=0.05)
    assert found.chosen.cost < found.alone.cost
    assert found.passed < len(found.tested), "the first that failed ends it"


def test_a_step_that_costs_more_than_it_saves_is_not_chosen():
    right = [1, 0] * 500
    seldom = ([0.95, 0.1] + [0.6] * 198) * 5
    every = sample(right, seldom, right, costs=(0.009, 0.01))

    found = search_cuts(*halves(every, 300), max_loss=0.02, confidence=0.9, check=0.05)

    assert found.passed > 0
    assert found.chosen is None


def test_of_three_judges_one_that_guesses_is_left_out():
    rng = np.random.default_rng(3)
    right = rng.random(2_000) < 0.6
    guess, good = rng.random(2_000), np.where(right, 0.9, 0.1) + rng.normal(0, 0.05, 2_000)
    scores = np.array([guess, good.clip(0, 1), right])
    every = JudgedSample(
        right, scores, high=scores >= 0.8, low=scores < 0.5, costs=(0.002, 0.001, 0.01)
    )

    found = search_cuts(*halves(every, 700), max_loss=0.02, confidence=0.9, check=0.0)

    assert [cut.decides for cut in found.chosen.cuts] == [False, True]


def test_the_promise_holds_as_often_as_it_says():
    """Samples of a population in which the step errs the more the nearer its score is to the
    middle; what is chosen of each is judged by the whole population."""
    rng = np.random.default_rng(11)
    population = drawn(rng, 20_000)
    broken = chosen = 0
    for _ in range(150):
        every = population.part(rng.choice(population.size, 450, replace=False))
        found = search_cuts(*halves(every, 150), max_loss=0.05, confidence=0.9, check=0.05)
        if found.chosen:
            chosen += 1
            truly = play(population, found.chosen.cuts)
            broken += truly.worse / truly.labels > 0.05

    assert chosen > 100, "it is worth asking"
    # One in ten may break it: 15 of 150, of which the 99.9th percentile is 27.
    assert broken <= 27


def drawn(rng: np.random.Generator, size: int) -> JudgedSample:
    right = rng.random(size) < 0.6
    step = np.where(right, rng.beta(5, 1.5, size), rng.beta(1.5, 4, size))
    last = np.where(rng.random(size) < 0.93, right, ~right)
    scores = np.array([step, last.astype(float)])
    return JudgedSample(right, scores, high=scores >= 0.8, low=scores < 0.5, costs=COSTS)


def halves(every: JudgedSample, learning: int) -> tuple[JudgedSample, JudgedSample]:
    places = np.arange(every.size)
    return every.part(places[:learning]), every.part(places[learning:])
