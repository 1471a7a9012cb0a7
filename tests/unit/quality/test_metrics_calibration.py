"""Thresholds with a guarantee and chances that people agree."""

import numpy as np
import pytest

from app.quality.metrics.calibration import Threshold, isotonic, labels_needed, lowest_threshold

CANDIDATES = [n / 20 for n in range(21)]


class TestLowestThreshold:
    def test_is_the_lowest_with_the_precision(self):
        scores = np.repeat([0.95, 0.85, 0.5], 100)
        right = np.repeat([1.0, 1.0, 0.0], 100)
        found = lowest_threshold(scores, right, CANDIDATES, precision=0.95, confidence=0.9)
        assert found.threshold.score == 0.55
        assert (found.threshold.answers, found.threshold.right) == (200, 200)
        assert found.threshold.bound(0.9) > 0.95

    def test_does_not_go_on_below_one_that_fails(self):
        # Those from .55 on are wrong; what lies below is right and would make up for it.
        scores = np.repeat([0.95, 0.5], [150, 10_000])
        right = np.repeat([0.0, 1.0], [150, 10_000])
        found = lowest_threshold(scores, right, CANDIDATES, precision=0.95, confidence=0.9)
        assert found.threshold is None
        best = found.best(0.9)
        assert best.score == 0.5

    def test_an_unreached_precision_reports_the_best(self):
        scores = np.repeat([0.95, 0.5], 200)
        right = np.concatenate([np.arange(200) % 10 > 0, np.arange(200) % 2]).astype(np.float64)
        found = lowest_threshold(scores, right, CANDIDATES, precision=0.95, confidence=0.9)
        assert found.threshold is None
        best = found.best(0.9)
        assert best.score == 0.95
        assert (best.answers, best.right) == (200, 180)
        assert 0.85 < best.bound(0.9) < 0.9
        more = best.more_labels(0.95, 0.9)
        assert Threshold(0, 200 + more, 180 + more).passes(0.95, 0.9)
        assert not Threshold(0, 199 + more, 179 + more).passes(0.95, 0.9)

    @pytest.mark.parametrize(("wrong", "needed"), [(0, 45), (1, 77), (2, 105)])
    def test_as_many_labels_as_the_test_needs(self, wrong, needed):
        assert labels_needed(0.95, 0.9, wrong) == needed
        for answers, there in ((needed - 1, False), (needed, True)):
            scores = np.ones(answers)
            right = (np.arange(answers) >= wrong).astype(np.float64)
            found = lowest_threshold(scores, right, [1.0], precision=0.95, confidence=0.9)
            assert (found.threshold is not None) == there

    def test_without_enough_labels_nothing_is_tested(self):
        few = np.ones(44)
        found = lowest_threshold(few, few, [0.0, 1.0], precision=0.95, confidence=0.9)
        assert (found.threshold, found.tested, found.best(0.9)) == (None, [], None)

    def test_one_unlucky_label_at_the_top_is_no_end(self):
        scores = np.arange(200, 0, -1) / 200
        right = (np.arange(200) != 3).astype(np.float64)
        found = lowest_threshold(scores, right, CANDIDATES, precision=0.95, confidence=0.9)
        assert found.threshold.answers == 200

    def test_without_candidates_nothing_is_found(self):
        none = np.array([])
        assert not lowest_threshold(none, none, [], precision=0.95, confidence=0.9).tested

    def test_fails_at_most_at_its_rate(self):
        rng = np.random.default_rng(0)
        failed = 0
        for _ in range(100):
            scores = rng.random(400)
            right = (rng.random(400) < 0.8 + 0.2 * scores).astype(np.float64)
            found = lowest_threshold(scores, right, CANDIDATES, precision=0.95, confidence=0.9)
            # Above s the precision is .8 + .2 (1 + s) / 2, which is .95 from s = .5 on.
            failed += found.threshold is not None and found.threshold.score < 0.5
        assert failed <= 19, "one in ten, and three standard errors"


@pytest.mark.parametrize(
    ("scores", "labels", "weights", "ends", "chances"),
    [
        ([0.1, 0.2, 0.3, 0.4], [0, 1, 0, 1], [1] * 4, [0.1, 0.2, 0.3, 0.4], [0, 0.5, 0.5, 1]),
        ([0, 1, 2, 3, 4], [1, 1, 1, 0, 1], [1] * 5, [0, 3, 4], [0.75, 0.75, 1]),
        ([0.5, 0.5, 0.9], [0, 1, 1], [1] * 3, [0.5, 0.9], [0.5, 1]),
        ([0.1, 0.2], [1, 0], [3, 1], [0.1, 0.2], [0.75, 0.75]),
    ],
    ids=["pools what falls", "a block is its ends", "equal scores", "weighs"],
)
def test_isotonic(scores, labels, weights, ends, chances):
    found = isotonic(*(np.array(each, float) for each in (scores, labels, weights)))
    assert (found.scores, found.chances) == (ends, chances)


def test_isotonic_without_labels_is_refused():
    none = np.array([])
    with pytest.raises(ValueError, match="nothing to calibrate"):
        isotonic(none, none, none)
