"""The simulation behind the table of docs/true-quality.md, in small."""

import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.slow

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"
WORKSPACES = 100


@pytest.fixture(scope="module")
def simulation() -> Iterator[dict[str, Any]]:
    # It imports the module beside it that installs peers.
    sys.path.insert(0, str(BENCHMARKS))
    yield runpy.run_path(str(BENCHMARKS / "coverage.py"))
    sys.path.remove(str(BENCHMARKS))


@pytest.mark.parametrize("number", range(16))
def test_intervals_cover_about_as_often_as_they_say(simulation, number):
    scenario = simulation["SCENARIOS"][number]
    found = simulation["measure"](scenario, WORKSPACES, seed=number)
    # Four standard errors of a share of .95.
    assert found.corrected > 0.95 - 4 * (0.95 * 0.05 / WORKSPACES) ** 0.5, scenario.name
    assert found.steepest <= 1.02, scenario.name
    assert found.narrower > -0.02, scenario.name


def test_every_scenario_is_tried(simulation):
    assert len(simulation["SCENARIOS"]) == 16


@pytest.mark.parametrize(
    "name", ["… with 60 labels", "highest scores are worst", "drift, two draws"]
)
def test_guarantees_are_broken_no_more_often_than_they_say(simulation, name):
    found = simulation["guarantees"].measure(name, WORKSPACES, seed=1)
    # One in ten, and three standard errors of such a share.
    assert found.broken <= 0.1 + 3 * (0.1 * 0.9 / WORKSPACES) ** 0.5, name


def test_without_thinning_strata_would_break_the_promise(simulation):
    found = simulation["guarantees"].measure("stratified by notebook", WORKSPACES, seed=1)
    assert found.unthinned > 0.3 > 0.19 >= found.broken
    assert found.kept < 0.6


def test_comparisons_are_wrong_no_more_often_than_they_say(simulation, capsys):
    pairs = runpy.run_path(str(BENCHMARKS / "coverage_pairs.py"))
    for measure, scenarios in (
        (pairs["weeks"], pairs["WEEKS"]),
        (pairs["judges"], pairs["JUDGES"]),
    ):
        for scenario in (scenarios[0], scenarios[-1]):
            assert measure(scenario, WORKSPACES, np.random.default_rng(1)) == []
    assert capsys.readouterr().out.count("| nothing changed |") == 1


def test_cells_are_of_those_that_had_one_chance(simulation):
    made = simulation["drifting"](np.random.default_rng(0), 400, 30)
    cells = made.cells()
    assert len(cells) == 3
    assert sum(cell.answers for cell in cells) == 400
    assert sum(cell.labels for cell in cells) == 60
    assert all(cell.stratum_answers == cell.answers for cell in cells)


def test_what_is_not_kept_is_said(simulation):
    figures = simulation["Figures"]("a", 0.9, 0.95, 0.2, 1.1, 1.0, 1.05, "")
    misses = simulation["broken"](figures)
    assert misses == ["covers 90.0%", "wider than labels only: 10.0%, 1.050 times"]
