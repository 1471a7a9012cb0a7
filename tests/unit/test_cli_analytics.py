"""`searchqa analytics` as a shell sees it."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from app.cli import analytics, main
from app.cli.client import Client

Run = Callable[..., SimpleNamespace]

COLUMNS = [
    {"name": name, "type": "number", "unit": None, "description": ""}
    for name in ("day", "correctness", "judge_ms")
]
RESULT: dict[str, Any] = {
    "name": "daily-quality",
    "sql": "SELECT 1\nFROM analytics.verdicts v",
    "parameters": {"since": "2026-03-01", "until": "2026-03-31", "tz": "UTC"},
    "columns": COLUMNS,
    "rows": [
        {"day": "2026-03-02", "correctness": 0.6667, "judge_ms": 1234567.5},
        {"day": "2026-03-03", "correctness": None, "judge_ms": 0.1},
    ],
    "truncated": False,
}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[httpx.URL]:
    return []


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], asked: list[httpx.URL]
) -> Run:
    def run(*arguments: str, reply: httpx.Response | None = None) -> SimpleNamespace:
        def handler(request: httpx.Request) -> httpx.Response:
            asked.append(request.url)
            return reply or httpx.Response(200, json=RESULT)

        def connect(**_: object) -> Client:
            transport = httpx.MockTransport(handler)
            return Client("http://127.0.0.1:1", lang="en", transport=transport)

        monkeypatch.setattr(sys.modules[analytics.__name__], "connect", connect)
        monkeypatch.setattr(sys, "argv", ["searchqa", "analytics", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return SimpleNamespace(code=ended.value.code, out=out, err=err)

    return run


def test_figures_are_printed_to_the_last_digit(run: Run, asked: list[httpx.URL]) -> None:
    ended = run("daily-quality", "--since", "2026-03-01", "--tz", "Asia/Seoul", "--sql")
    lines = [line.split() for line in ended.out.splitlines()]
    assert ["2026-03-02", "0.6667", "1234567.5"] in lines
    assert ["2026-03-03", "-", "0.1"] in lines
    assert "  FROM analytics.verdicts v" in ended.out.splitlines()
    assert asked[0].path == "/analytics/daily-quality"
    assert dict(asked[0].params) == {"since": "2026-03-01", "tz": "Asia/Seoul"}


def test_an_empty_month_is_said_to_be_one(run: Run) -> None:
    ended = run("daily-quality", reply=httpx.Response(200, json={**RESULT, "rows": []}))
    assert (ended.code, ended.out) == (0, "No rows from 2026-03-01 to 2026-03-31 (UTC).\n")


def test_as_json(run: Run) -> None:
    assert json.loads(run("daily-quality", "--json").out) == RESULT


def test_without_a_name_all_are_listed(run: Run) -> None:
    query = {"name": "daily-quality", "title_ko": "날짜별 품질", "title_en": "Quality by day"}
    ended = run(reply=httpx.Response(200, json={"queries": [query]}))
    assert ended.out.splitlines()[1].split() == ["daily-quality", "Quality", "by", "day"]


def test_a_file_is_saved_as_it_comes(run: Run, asked: list[httpx.URL], tmp_path: Path) -> None:
    file = tmp_path / "verdicts.parquet"
    ended = run("verdicts", "-o", str(file), reply=httpx.Response(200, content=b"PAR1\x00PAR1"))
    assert (ended.code, ended.out, file.read_bytes()) == (0, "", b"PAR1\x00PAR1")
    assert asked[0].params["format"] == "parquet"


def test_what_cannot_be_saved_is_one_sentence(
    run: Run, asked: list[httpx.URL], tmp_path: Path
) -> None:
    unknown = run("verdicts", "-o", str(tmp_path / "verdicts.xlsx"))
    assert (unknown.code, asked) == (1, [])
    assert ".parquet" in unknown.err
    nowhere = run("verdicts", "-o", str(tmp_path / "missing" / "verdicts.csv"))
    assert nowhere.code == 1
    assert nowhere.err.count("\n") == 1
    problem = httpx.Response(422, json={"detail": "`since` is after `until`; exchange them."})
    refused = run("verdicts", "-o", str(tmp_path / "verdicts.csv"), reply=problem)
    assert refused.err == "searchqa: `since` is after `until`; exchange them.\n"
    assert not (tmp_path / "verdicts.csv").exists()


ROW: dict[str, Any] = {
    "group": "2026-03-09",
    "measure": "grounded",
    "answers": 1_200,
    "covered": 1_200,
    "drawn": 80,
    "labels": 80,
    "raw": 0.91,
    "corrected": {"value": 0.84, "low": 0.78, "high": 0.88},
    "labels_only": {"value": 0.8, "low": 0.7, "high": 0.87},
    "power": 0.9,
    "more_labels": 0,
    "strata": [],
    "note": None,
    "change": {"since": "2026-03-02", "change": -0.05, "low": -0.1, "high": 0, "p_value": 0.048},
}


def corrected(**changes: object) -> httpx.Response:
    body = {
        "parameters": RESULT["parameters"],
        "by": "week",
        "width": 0.1,
        "sql": RESULT["sql"],
        "rows": [ROW | changes],
    }
    return httpx.Response(200, json=body)


def test_corrected_figures_stand_beside_those_of_the_judge(
    run: Run, asked: list[httpx.URL]
) -> None:
    ended = run("true-quality", "--by", "week", "--width", "0.1", reply=corrected())
    head, line, *said = ended.out.splitlines()
    assert "2026-03-02" in " ".join(said), "in a sentence, too"
    assert head.split()[:3] == ["group", "measure", "judge"]
    for shown in ("0.910", "0.840 (0.780-0.880)", "0.800 (0.700-0.870)", "-0.050 (p = 0.048)"):
        assert shown in line
    assert asked[0].path == "/analytics/true-quality"
    assert dict(asked[0].params) == {"tz": "UTC", "by": "week", "width": "0.1"}


NOTHING = {"corrected": None, "labels_only": None, "change": None, "power": None}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"note": "not_drawn", "more_labels": 385, **NOTHING}, "review sample --size 385"),
        ({"note": "too_few_labels", "more_labels": 7, **NOTHING}, "7 more are needed"),
        (
            {"note": "partly_covered", "covered": 900, "strata": ["high · en"]},
            "900 of the 1,200 answers; the others were in no labelled draw. Without labels: high",
        ),
        ({"note": "labels_alike"}, "all labels are alike"),
        ({"more_labels": 150}, "150 more labels make the interval 0.1 wide"),
    ],
)
def test_what_a_corrected_figure_lacks_is_said(
    run: Run, changes: dict[str, object], told: str
) -> None:
    ended = run("true-quality", reply=corrected(**changes))
    assert told in " ".join(ended.out.split())


@pytest.mark.parametrize(
    "arguments",
    [
        ["daily-quality", "--by", "week"],
        ["daily-quality", "--width", "0.2"],
        ["true-quality", "-o", "a.csv"],
        ["true-quality", "--limit", "3"],
    ],
)
def test_options_of_another_query_are_refused(
    run: Run, asked: list[httpx.URL], arguments: list[str]
) -> None:
    assert (run(*arguments).code, asked) == (2, [])


ALARM: dict[str, Any] = {
    "id": "019a0000-0000-7000-8000-000000000001",
    "judge_model": "openai:m",
    "series": "score",
    "compared_from": "2026-02-01",
    "began_on": "2026-03-02",
    "noticed_on": "2026-03-06",
    "before": 0.85,
    "after": 0.7,
    "answers_before": 2_400,
    "answers_after": 500,
    "causes": [
        {
            "dimension": "notebook",
            "value": "n1",
            "name": "Lab\x1b[31m",
            "part": 0.97,
            "share_before": 0.1,
            "share_after": 0.5,
            "mean_before": 0.8,
            "mean_after": 0.55,
        }
    ],
    "acknowledged_at": None,
    "created_at": "2026-03-07T03:00:00Z",
}
WATCHED = [
    {"judge_model": "openai:m", "series": name, "points": points, "missing": 14 - points}
    for name, points in (("score", 14), ("coverage", 5), ("corrected", 0))
]


class TestAlarms:
    def test_say_since_when_by_how_much_and_why(self, run: Run, asked: list[httpx.URL]) -> None:
        body = {"rows": [ALARM, ALARM | {"causes": []}], "watched": WATCHED}
        ended = run("alarms", reply=httpx.Response(200, json=body))
        assert asked[0].path == "/analytics/alarms"
        assert ended.out.splitlines()[:3] == [
            "2026-03-02  openai:m: mean correctness",
            "  0.850 → 0.700 (-0.150); answers: 2,400 / 500; noticed on 2026-03-06",
            "  what differs most: notebook Lab[31m (97% of the change; share of answers 10% → 50%)",
        ]
        assert "nothing in particular" in ended.out
        watched, learned, few = ended.out.splitlines()[-3:]
        assert watched == "openai:m, mean correctness: watched."
        assert learned.startswith("openai:m, share scored by the judge: 5 of 14 days learned;")
        assert "0 of 14 points learned; each takes 10 labels" in few

    def test_are_none(self, run: Run) -> None:
        ended = run("alarms", reply=httpx.Response(200, json={"rows": [], "watched": []}))
        assert ended.out.splitlines() == [
            "No alarms.",
            "Nothing is watched yet: no day with judged answers is over.",
        ]

    def test_are_acknowledged(self, run: Run, asked: list[httpx.URL]) -> None:
        ended = run("alarms", "--acknowledge", "a1", reply=httpx.Response(204))
        assert (ended.code, ended.out) == (0, "Acknowledged.\n")
        assert asked[0].path == "/analytics/alarms/a1/acknowledge"

    @pytest.mark.parametrize(
        "arguments", [("alarms", "--limit", "3"), ("daily-quality", "--acknowledge", "a1")]
    )
    def test_take_no_filters(
        self, run: Run, asked: list[httpx.URL], arguments: tuple[str, ...]
    ) -> None:
        assert (run(*arguments).code, asked) == (2, [])
