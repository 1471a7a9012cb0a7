"""The simulation of benchmarks/simulation.py, where the result is known without it."""

import itertools
import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))

from simulation import DAY, HOUR, Costs, Judge, Simulation, poisson

from app.platform.setting_types import ModelLimit
from app.platform.settings import Settings

FREE = Costs(0, 0, 0, 0, 0, 0, 1)
CERTAIN = {"failing": 0.0}


def settings(**changes: object) -> Settings:
    return Settings(None, {}, **changes)


def test_alone_an_answer_takes_what_its_stations_take():
    result = Simulation(settings(), Judge(2.0, 2.0, **CERTAIN)).run(iter([10.0]))

    (seconds,) = result.to_verdict
    costs = Costs()
    assert seconds == pytest.approx(
        2.0 + costs.message + costs.coalescing + costs.database + costs.alone * costs.shared,
        abs=1e-5,
    )


def test_places_bound_what_is_judged_at_once():
    """D/D/c: 100 answers at once through 10 places of one second."""
    judge = Judge(1.0, 1.0, **CERTAIN)
    result = Simulation(settings(max_in_flight=10), judge, costs=FREE).run(
        itertools.repeat(0.0, 100)
    )

    assert result.in_flight == 10
    assert result.ended == pytest.approx(10.0)
    assert result.percentile(0.5) == pytest.approx(5.0)


def test_a_core_bounds_the_rate():
    """D/D/1: a millisecond for each answer."""
    costs = Costs(1e-3, 1e-3, 0, 0, 0, 0, 1)
    result = Simulation(settings(), Judge(0.0, 0.0, **CERTAIN), costs=costs).run(
        itertools.repeat(0.0, 500)
    )

    assert result.ended == pytest.approx(0.5, rel=0.01)
    assert result.worker_work == pytest.approx(0.5)


@pytest.mark.slow
def test_calls_in_flight_follow_littles_law():
    """L = λ W: 2 answers a second, 3 seconds each, by the mean of a lognormal latency."""
    judge = Judge(3.0, 3.0, **CERTAIN)
    arrivals = poisson(2.0 * DAY, random.Random(7), shape=(1.0,) * 24)
    simulation = Simulation(settings(), judge, costs=FREE)

    result = simulation.run(arrivals)

    assert len(result.to_verdict) == pytest.approx(2.0 * DAY, rel=0.01)
    assert sum(result.to_verdict) / DAY == pytest.approx(6.0, rel=0.01)


def test_the_limit_of_a_judge_is_kept():
    judge = Judge(0.1, 0.1, 0.0, ModelLimit(requests=60))
    result = Simulation(settings(), judge, costs=FREE).run(itertools.repeat(0.0, 121))

    assert result.ended == pytest.approx(120, rel=0.03)


def test_failures_are_tried_again_and_given_up_after_the_last_try():
    every_call_fails = Judge(0.1, 0.1, failing=1.0)
    result = Simulation(settings(max_attempts=3), every_call_fails).run(iter([0.0]))

    assert (result.to_verdict, result.failed, result.calls) == ([], 1, 3)


def test_arrivals_follow_the_hours_of_the_day():
    shape = (0.0,) * 8 + (1.0, 3.0) + (0.0,) * 14

    arrivals = list(poisson(40_000, random.Random(3), shape=shape))

    hours = [int(at // HOUR) for at in arrivals]
    assert set(hours) == {8, 9}
    assert hours.count(9) / hours.count(8) == pytest.approx(3, rel=0.05)
    assert len(arrivals) == pytest.approx(40_000, rel=0.02)
