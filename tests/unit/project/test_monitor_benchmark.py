"""The simulation of the monitor behind the tables of docs/true-quality.md, in small."""

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.slow

YEARS = 6


@pytest.fixture(scope="module")
def simulation() -> dict[str, Any]:
    return runpy.run_path(str(Path(__file__).parents[3] / "benchmarks" / "monitor.py"))


@pytest.mark.parametrize("number", [1, 4, 7, 9])
def test_false_alarms_are_rare(simulation, number):
    kind = simulation["KINDS"][number]
    rate = simulation["false_alarms"](kind, YEARS, seed=number)
    # Two alarms in YEARS of one series are below one a year of four, by chance two more.
    assert rate <= 4 * 4 / YEARS, kind.name


def test_a_large_drop_is_noticed_within_days(simulation):
    kind = simulation["KINDS"][0]
    noticed, median, ninety, off = simulation["delays"](kind, 0.1, 8, seed=1)
    assert noticed == 1
    assert median <= ninety <= 14
    assert off <= 3


def test_days_without_answers_are_left_out(simulation):
    kind = simulation["Kind"]("none", simulation["flat"], lambda _, days: np.zeros(days))
    assert simulation["simulated"](kind, np.random.default_rng(0), 40) == []
    assert simulation["false_alarms"](kind, 1, seed=0) == 0
