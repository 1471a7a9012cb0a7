"""A script's folder comes first among the places of imports."""

from importlib.metadata import packages_distributions
from pathlib import Path

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"


def test_no_benchmark_hides_an_installed_package():
    scripts = {path.stem for path in BENCHMARKS.iterdir() if path.suffix in {"", ".py"}}
    assert scripts & packages_distributions().keys() == set()
