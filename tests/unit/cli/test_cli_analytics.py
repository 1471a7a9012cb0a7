"""`searchqa analytics` as a shell sees it."""

import json
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from app.cli import analytics
from scripted_http import connect_to

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
def requests(monkeypatch: pytest.MonkeyPatch) -> list[httpx.URL]:
    return []


@pytest.fixture
def run(run_cli: Run, monkeypatch: pytest.MonkeyPatch, requests: list[httpx.URL]) -> Run:
    def run(*arguments: str, reply: httpx.Response | None = None) -> SimpleNamespace:
        def handler(request: httpx.Request) -> httpx.Response:
            requests.append(request.url)
            return reply or httpx.Response(200, json=RESULT)

        monkeypatch.setattr(sys.modules[analytics.__name__], "connect", connect_to(handler))
        return run_cli("analytics", *arguments)

    return run


def test_figures_are_printed_to_the_last_digit(run, requests):
    ended = run("daily-quality", "--since", "2026-03-01", "--tz", "Asia/Seoul", "--sql")
    lines = [line.split() for line in ended.out.splitlines()]
    assert ["2026-03-02", "0.6667", "1234567.5"] in lines
    assert ["2026-03-03", "-", "0.1"] in lines
    assert "  FROM analytics.verdicts v" in ended.out.splitlines()
    assert requests[0].path == "/analytics/daily-quality"
    assert dict(requests[0].params) == {"since": "2026-03-01", "tz": "Asia/Seoul"}


def test_an_empty_month_is_said_to_be_one(run):
    ended = run("daily-quality", reply=httpx.Response(200, json={**RESULT, "rows": []}))
    assert (ended.code, ended.out) == (0, "No rows from 2026-03-01 to 2026-03-31 (UTC).\n")


def test_as_json(run):
    assert json.loads(run("daily-quality", "--json").out) == RESULT


def test_without_a_name_all_are_listed(run):
    query = {"name": "daily-quality", "title_ko": "날짜별 품질", "title_en": "Quality by day"}
    ended = run(reply=httpx.Response(200, json={"queries": [query]}))
    assert ended.out.splitlines()[1].split() == ["daily-quality", "Quality", "by", "day"]


def test_a_file_is_saved_as_it_comes(run, requests, tmp_path):
    file = tmp_path / "verdicts.parquet"
    ended = run("verdicts", "-o", str(file), reply=httpx.Response(200, content=b"PAR1\x00PAR1"))
    assert (ended.code, ended.out, file.read_bytes()) == (0, "", b"PAR1\x00PAR1")
    assert requests[0].params["format"] == "parquet"


def test_a_failed_save_is_one_sentence(run, requests, tmp_path):
    unknown = run("verdicts", "-o", str(tmp_path / "verdicts.xlsx"))
    assert (unknown.code, requests) == (1, [])
    assert ".parquet" in unknown.err
    nowhere = run("verdicts", "-o", str(tmp_path / "missing" / "verdicts.csv"))
    assert nowhere.code == 1
    assert nowhere.err.count("\n") == 1
    problem = httpx.Response(422, json={"detail": "`since` is after `until`; swap them."})
    refused = run("verdicts", "-o", str(tmp_path / "verdicts.csv"), reply=problem)
    assert refused.err == "searchqa: `since` is after `until`; swap them.\n"
    assert not (tmp_path / "verdicts.csv").exists()
