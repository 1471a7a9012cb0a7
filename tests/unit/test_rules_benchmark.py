"""The figures that benchmarks/rules_judge.py prints are what they are called."""

import json
import math
import runpy
from pathlib import Path

import pytest

SCRIPT = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "rules_judge.py"))

MIXED = [(0.9, True), (0.8, False), (0.7, True), (0.1, False)]


@pytest.mark.parametrize(
    ("scored", "area"),
    [
        ([(0.9, True), (0.1, False)], 1.0),
        ([(0.1, True), (0.9, False)], 0.0),
        ([(0.5, True), (0.5, False), (0.5, False)], 0.5),
        (MIXED, 0.75),
    ],
)
def test_auroc(scored: list[tuple[float, bool]], area: float) -> None:
    assert SCRIPT["auroc"](scored) == area
    assert math.isnan(SCRIPT["auroc"]([(0.5, True)]))


def test_interval_holds_the_auroc() -> None:
    scored = MIXED * 20
    low, high = SCRIPT["interval"](scored)
    assert low < SCRIPT["auroc"](scored) < high
    assert low > 0.5
    assert high < 1


def test_f1() -> None:
    f1, balanced = SCRIPT["f1_and_balance"](MIXED, 0.75)
    assert (f1, balanced) == (0.5, 0.5)
    best, threshold = SCRIPT["best_f1"](MIXED)
    assert best == pytest.approx(0.8)
    assert SCRIPT["f1_and_balance"](MIXED, threshold)[0] == pytest.approx(0.8)


def test_answers_from_one_source_fall_on_one_side(tmp_path: Path) -> None:
    lines = [
        {"source_id": str(source), "passages": ["p"], "answer": f"{source}-{n}"}
        for source in range(40)
        for n in range(3)
    ]
    path = tmp_path / "data.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    tuned, held_out = (
        {line["source_id"] for line in SCRIPT["lines"](path, part)}
        for part in ("tuned", "held-out")
    )
    assert tuned
    assert held_out
    assert not tuned & held_out
    assert len(tuned | held_out) == 40
