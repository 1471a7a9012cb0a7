"""Thresholds with a guarantee and chances that people agree."""

from math import ceil, log

import numpy as np
import pytest

from app.metrics.calibration import isotonic, lowest_threshold

CANDIDATES = [n / 20 for n in range(21)]


class TestLowestThreshold:
    def test_is_the_lowest_with_the_precision(self) -> None:
        scores = np.repeat([0.95, 0.85, 0.5], 100)
        right = np.repeat([1.0, 1.0, 0.0], 100)
        found = lowest_threshold(scores, right, CANDIDATES, precision=0.95, confidence=0.9)
        assert found.threshold
        assert found.threshold.score == 0.55
        assert (found.threshold.answers, found.threshold.right) == (200, 200)
        assert found.threshold.bound(0.9) > 0.95

    def test_does_not_go_on_below_one_that_fails(self) -> None:
        # Of those from .9 on most are wrong; what lies below is right and would make up for it.
        scores = np.repeat([0.95, 0.5], [60, 10_000])
        right = np.repeat([0.0, 1.0], [60, 10_000])
        found = lowest_threshold(scores, right, CANDIDATES, precision=0.95, confidence=0.9)
        assert found.threshold is None
        assert found.best
        assert found.best.score == 0.5

    def test_what_cannot_be_reached_says_the_best_that_can(self) -> None:
        scores = np.repeat([0.95, 0.5], 200)
        right = np.concatenate([np.arange(200) % 10 > 0, np.arange(200) % 2]).astype(np.float64)
        found = lowest_threshold(scores, right, CANDIDATES, precision=0.95, confidence=0.9)
        assert found.threshold is None
        assert found.best
        assert found.best.score == 0.95
        assert 0.85 < found.best.bound(0.9) < 0.9

    def test_too_few_to_pass_are_not_tested(self) -> None:
        enough = ceil(log(0.1) / log(0.95))
        for answers, there in ((enough - 1, False), (enough, True)):
            scores = right = np.ones(answers)
            found = lowest_threshold(scores, right, [1.0], precision=0.95, confidence=0.9)
            assert (found.threshold is not None, found.best is not None) == (there, False)

    def test_fails_at_most_at_its_rate(self) -> None:
        rng = np.random.default_rng(0)
        failed = 0
        for _ in range(100):
            scores = rng.random(400)
            right = (rng.random(400) < 0.8 + 0.2 * scores).astype(np.float64)
            found = lowest_threshold(scores, right, CANDIDATES, precision=0.95, confidence=0.9)
            # Above s the precision is .8 + .2 (1 + s) / 2, which is .95 from s = .5 on.
            failed += found.threshold is not None and found.threshold.score < 0.5
        assert failed <= 19, "one in ten, and three standard errors"


class TestIsotonic:
    def test_pools_what_falls(self) -> None:
        scores = np.array([0.1, 0.2, 0.3, 0.4])
        found = isotonic(scores, np.array([0.0, 1.0, 0.0, 1.0]))
        assert found.chances.tolist() == [0, 0.5, 0.5, 1]

    def test_equal_scores_have_one_chance(self) -> None:
        found = isotonic(np.array([0.5, 0.5, 0.9]), np.array([0.0, 1.0, 1.0]))
        assert (found.scores.tolist(), found.chances.tolist()) == ([0.5, 0.9], [0.5, 1])

    def test_weighs(self) -> None:
        scores, labels = np.array([0.1, 0.2]), np.array([1.0, 0.0])
        assert isotonic(scores, labels, np.array([3.0, 1.0])).chances.tolist() == [0.75, 0.75]

    def test_between_and_outside_of_what_was_seen(self) -> None:
        found = isotonic(np.array([0.2, 0.4]), np.array([0.0, 1.0]))
        assert [found.chance(at) for at in (0, 0.2, 0.3, 1)] == pytest.approx([0, 0, 0.5, 1])

    def test_without_labels_is_refused(self) -> None:
        with pytest.raises(ValueError, match="nothing to calibrate"):
            isotonic(np.array([]), np.array([]))
