"""`searchqa judges`: what is printed of paused judges and of limits."""

import json
import sys
from types import ModuleType

import httpx
import pytest
from typer.testing import CliRunner

from app.cli.client import Client

LIMIT = {
    "judge_model": "openai:gpt-4o-mini",
    "requests_per_minute": 600,
    "tokens_per_minute": 400_000,
    "max_in_flight": 64,
    "configured": True,
    "allowance": 0.85,
    "held_until": None,
    "in_flight": 12,
    "workers": 4,
    "waiting": 1234,
}


@pytest.fixture
def judges(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    from app.cli import judges

    module = sys.modules["app.cli.judges"]
    assert judges

    def handler(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json=[LIMIT] if request.url.path == "/judges/limits" else [])

    def connect(**_: object) -> Client:
        return Client("http://127.0.0.1:1", transport=httpx.MockTransport(handler))

    monkeypatch.setattr(module, "connect", connect)
    return module


def test_limits_are_listed_beside_paused_judges(judges: ModuleType) -> None:
    for command in (["list"], ["limits"]):
        ended = CliRunner().invoke(judges.judges, command)

        assert ended.exit_code == 0
        for shown in ("openai:gpt-4o-mini", "600", "400,000", "12/64", "85%", "1,234"):
            assert shown in ended.output


def test_what_is_not_known_without_redis_is_a_question_mark(
    judges: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LIMIT, "allowance", None)
    monkeypatch.setitem(LIMIT, "in_flight", None)

    output = CliRunner().invoke(judges.judges, ["limits"]).output

    assert "?/64" in output


def test_as_json_each_command_prints_what_it_lists(judges: ModuleType) -> None:
    assert json.loads(CliRunner().invoke(judges.judges, ["list", "--json"]).output) == []
    assert json.loads(CliRunner().invoke(judges.judges, ["limits", "--json"]).output) == [LIMIT]
