"""What `searchqa analytics true-quality` prints."""

from collections.abc import Iterator
from typing import Any

import pytest

from app.cli import true_quality
from app.cli.language import choose_language
from app.cli.output import View


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    choose_language("en")
    yield
    choose_language(None)


def row(**changes: Any) -> View:
    bounds = {"value": 0.8, "low": 0.75, "high": 0.85}
    about = {"group": None, "measure": "grounded", "answers": 500, "covered": 500, "drawn": 80}
    figures = {"labels": 80, "raw": 0.9, "corrected": bounds, "labels_only": bounds}
    rest = {"more_labels": 0, "strata": [], "note": None, "change": None}
    return about | figures | rest | changes


def shown(capsys: pytest.CaptureFixture[str], *rows: View) -> str:
    found = {"rows": rows, "width": 0.1, "sql": "SELECT 1"}
    true_quality._show(found, with_sql=False)
    return " ".join(capsys.readouterr().out.split())


def change(**values: float) -> dict[str, Any]:
    return {"since": "2026-03-02", "change": -0.1, "low": -0.16, "high": -0.04} | values


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"p_value": 0.002}, "is worse than 2026-03-02 by 0.100 (-0.160..-0.040, p = 0.002)."),
        ({"p_value": 0.0, "change": 0.1}, "is better than 2026-03-02 by 0.100 ("),
        ({"p_value": 0.3}, "cannot be told from 2026-03-02 ("),
    ],
)
def test_says_whether_the_last_week_was_better(
    capsys: pytest.CaptureFixture[str], values: dict[str, float], told: str
) -> None:
    out = shown(capsys, row(group="2026-03-02"), row(group="2026-03-09", change=change(**values)))
    assert f"grounded share: 2026-03-09 {told}" in out
    assert ("p < 0.001" in out) == (not values["p_value"])


NONE: dict[str, Any] = {"corrected": None, "labels_only": None}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (NONE | {"note": "too_few_answers"}, ["too few answers for an estimate; choose"]),
        (
            NONE | {"note": "not_drawn", "more_labels": 45},
            ["other labels count in no estimate; draw 45 with `searchqa review sample --size 45`"],
        ),
        (
            NONE | {"note": "too_few_labels", "labels": 12, "more_labels": 18},
            ["18 more are needed", "without such a label: 68."],
        ),
        (
            {"note": "labels_alike", "covered": 400, "strata": ["low · en"]},
            ["all labels are alike", "of 400 of the 500 answers", "Without labels: low · en."],
        ),
        (
            {"note": "partly_covered", "covered": 400, "more_labels": 30},
            ["30 more labels make the interval 0.1 wide", "of 400 of the 500 answers"],
        ),
    ],
)
def test_says_what_is_missing(
    capsys: pytest.CaptureFixture[str], changes: dict[str, Any], told: list[str]
) -> None:
    out = shown(capsys, row(**changes))
    for each in told:
        assert each in out
