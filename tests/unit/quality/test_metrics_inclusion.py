"""The chance that an answer has a label, by draws that left out what others had picked."""

import numpy as np
import pytest

from app.quality.metrics.inclusion import Cell, Stratum, chance_of_label, thin


def test_a_second_draw_picks_of_what_the_first_left():
    strata = [Stratum(0, 0.2, 1), Stratum(1, 0.5, 0.5)]
    assert chance_of_label(strata, {0}) == 0.2
    assert chance_of_label(strata, {1}) == pytest.approx(0.8 * 0.25)
    assert chance_of_label(strata, {0, 1}) == pytest.approx(0.4)


def test_it_is_the_share_that_is_labelled():
    rng = np.random.default_rng(0)
    labelled = 0
    for _ in range(4_000):
        first = rng.random() < 0.3
        second = not first and rng.random() < 0.4
        labelled += first or (second and rng.random() < 0.5)
    strata = [Stratum(0, 0.3, 1), Stratum(1, 0.4, 0.5)]
    assert labelled / 4_000 == pytest.approx(chance_of_label(strata, {0, 1}), abs=0.03)


def test_one_chance_needs_no_thinning():
    found = thin([Cell((Stratum(0, 0.1, 0.8),), 1_000, {0: 80})])
    assert found.keeps(0) == 1
    assert found.rate == pytest.approx(0.08)


def test_the_better_labelled_stratum_is_thinned():
    cells = [Cell((Stratum(0, 0.1, 1),), 900, {0: 90}), Cell((Stratum(0, 0.5, 1),), 100, {0: 50})]
    found = thin(cells)
    assert [found.keeps(0), found.keeps(1)] == pytest.approx([1, 0.2])


def test_a_draw_that_has_hardly_begun_is_left_out():
    cells = [
        Cell((Stratum(0, 0.1, 1),), 2_000, {0: 200}),
        Cell((Stratum(0, 0.1, 1), Stratum(1, 0.1, 0.025)), 500, {0: 50, 1: 1}),
        Cell((Stratum(1, 0.1, 0.025),), 2_000, {1: 4}),
    ]
    found = thin(cells)
    assert found.draws == {0}
    assert [found.keeps(place) for place in range(3)] == [1, 1, 0]


def test_strata_without_a_label_and_cells_without_answers_count_for_nothing():
    cells = [
        Cell((Stratum(0, 0.1, 1),), 1_000, {0: 100}),
        Cell((Stratum(0, 0.5, 0),), 4, {}),
        Cell((Stratum(0, 0.01, 1),), 0, {}),
    ]
    found = thin(cells)
    assert [found.keeps(place) for place in range(3)] == [1, 0, 0]


def test_without_labels_nothing_is_kept():
    assert thin([]).draws == frozenset()
    assert thin([Cell((Stratum(0, 0.1, 0),), 100, {})]).keeps(0) == 0
