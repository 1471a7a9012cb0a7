"""`searchqa policy …` as a shell sees it."""

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from app.cli import policy
from app.verdicts.policy.document import WorkspacePolicy, server_policy
from scripted_http import connect_to
from verdict_world import settings


class Server:
    """Keeps a policy as the API does, and what it was sent."""

    def __init__(self) -> None:
        self.policy: dict[str, Any] = WorkspacePolicy(features=["insight"]).model_dump()
        self.version = 3
        self.put: list[tuple[dict[str, Any], str | None]] = []
        self.calibrations: list[dict[str, Any]] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.method == "PUT":
            body = json.loads(request.content)
            self.put.append((body, request.headers.get("If-Match")))
            self.policy = WorkspacePolicy.model_validate(body).model_dump()
            self.version += 1
        own = WorkspacePolicy.model_validate(self.policy)
        found = {
            "version": self.version,
            "policy": self.policy,
            "effective": own.with_defaults(server_policy(settings())).model_dump(),
            "sources": {n: "workspace" if v is not None else "server" for n, v in own},
            "calibrations": self.calibrations,
            "problems": ["judge_model: openai models need a key; set OPENAI_API_KEY."],
            "budget": {
                "day_start": "2031-05-10T00:00:00Z",
                "day_end": "2031-05-11T00:00:00Z",
                "spent_usd": 0.25,
                "held_usd": 0,
                "deferred": 7,
            }
            if own.daily_budget_usd
            else None,
        }
        return httpx.Response(200, json=found)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    server = Server()
    monkeypatch.setattr(policy, "connect", connect_to(server))
    return server


@pytest.fixture
def run(run_cli: Callable[..., SimpleNamespace]) -> Any:
    def run(*arguments: str) -> tuple[object, str]:
        ended = run_cli("policy", *arguments)
        return ended.code, ended.out + ended.err

    return run


def test_setting_some_fields_keeps_the_others_and_names_the_version(server, run):
    code, _ = run(
        *("set", "sample_rate=0.2", "languages=ko, en", "phases=off", "enabled=true"),
        *("judge_model=openai:gpt-4o-mini", "daily_budget_usd=5", "time_zone=Asia/Seoul"),
    )

    assert code == 0
    ((body, if_match),) = server.put
    assert if_match == '"3"'
    assert {name: value for name, value in body.items() if value is not None} == {
        "features": ["insight"],
        "sample_rate": 0.2,
        "languages": ["ko", "en"],
        "phases": [],
        "enabled": True,
        "judge_model": "openai:gpt-4o-mini",
        "daily_budget_usd": 5,
        "time_zone": "Asia/Seoul",
    }


def test_nothing_behind_the_equals_sign_leaves_it_to_the_server(server, run):
    run("set", "features=")

    assert set(server.policy.values()) == {None}


def test_what_is_shown_says_who_says_so_and_what_is_left_of_the_day(server, run):
    server.policy["daily_budget_usd"] = 1.0
    code, output = run("show")

    assert code == 0
    lines = {line.split()[0]: line.split()[1:] for line in output.splitlines() if line.strip()}
    assert lines["features"] == ["workspace", "insight"]
    assert lines["sample_rate"] == ["server", "1.0"]
    assert lines["quality_gate"] == ["server", "true"]
    assert lines["keep_answers_days"] == ["server", "-"]
    assert "$0.2500 spent, $0.7500 left, 7 answers wait for tomorrow" in output
    assert "! judge_model: openai models need a key" in output


def test_reset_sends_an_empty_policy(server, run):
    assert run("reset", "--json")[0] == 0
    assert server.put == [({}, None)]


@pytest.mark.parametrize("wrong", ["sample_rate", "sampel_rate=1"])
def test_an_unknown_field_is_refused_with_the_fields(server, run, wrong):
    code, output = run("set", wrong)

    assert code == 2
    assert "daily_budget_usd" in output
    assert server.put == []


def test_the_policy_shows_guarantees(server, run):
    stored = {"judge_model": "openai:gpt-4o-mini", "prompt_version": "4", "precision": 0.95}
    stored |= {"confidence": 0.9, "threshold": 0.9, "labels": 240, "labels_right": 236}
    stored |= {"lapsed": True, "created_at": "2026-11-20T12:00:00Z"}
    server.calibrations = [stored]

    _, output = run("show")
    assert "at least 95.0% of what openai:gpt-4o-mini (4) calls high from 0.900 on" in output
    assert "236 of 240 labels" in output
    assert "Lapsed" in output


ESTIMATE = {"learned_on": 60, "proven_on": 64, "examples": 6, "calls": 248, "cost_usd": 0.31}
ESTIMATE |= {"prompt_tokens": 500_000, "completion_tokens": 60_000}
RESULT = {
    "outcome": "not_better",
    "change": "examples",
    "threshold": 0.8,
    "agreement": {
        "first": 0.8,
        "second": 0.812,
        "difference": 0.012,
        "interval": {"low": -0.02, "high": 0.04},
    },
    "labels": 64,
    "highs": 40,
    "highs_right": 36,
    "precision": 0.81,
    "spent_usd": 0.29,
}
LEARNING = {"id": "6f1c", "judge_model": "openai:gpt-4o-mini", "total": 248, "done": 248}
LEARNING |= {"status": "completed", "error_message": None, "applied_at": None, "undone_at": None}
APPLIED = {"applied_at": "2031-05-10T00:00:00Z"}


@pytest.mark.parametrize(
    ("changes", "result", "arguments", "code", "printed"),
    [
        (
            {},
            RESULT,
            (),
            0,
            (
                "Not better. Examples: +1.2 points [-2.0, +4.0] of agreement with people on 64"
                " labels (80.0% before, 81.2% after)."
            ),
        ),
        ({}, RESULT, (), 0, "Nothing changed."),
        ({}, RESULT, (), 0, "$0.3100"),
        ({}, RESULT, (), 0, "Spent: $0.2900."),
        (APPLIED, RESULT | {"outcome": "better"}, (), 0, "High stays from 0.800 on"),
        (APPLIED, RESULT | {"outcome": "better"}, (), 0, "searchqa policy learn --undo"),
        ({}, RESULT | {"agreement": None, "change": None}, (), 0, "Not better. \nSpent"),
        ({"status": "failed", "error_message": "No key."}, None, (), 1, "failed: No key."),
        (APPLIED | {"undone_at": "2031-05-11T00:00:00Z"}, RESULT, ("--undo",), 0, "as it was"),
        ({}, RESULT, ("--undo",), 1, "nothing to undo"),
    ],
)
def test_what_was_learned_is_told_with_price_and_interval(
    run, monkeypatch, changes, result, arguments, code, printed
):
    found = LEARNING | changes | {"result": result}
    undone = found | {"undone_at": None} if changes.get("undone_at") else found

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("/estimate"):
            return httpx.Response(200, json=ESTIMATE)
        if request.method == "GET" and request.url.path.endswith("/learning"):
            return httpx.Response(200, json={"items": [undone], "next": None})
        return httpx.Response(200, json=found)

    monkeypatch.setattr(policy, "connect", connect_to(answer))
    ended, output = run("learn", *arguments, "--yes")

    assert ended == code
    assert printed.replace(" \n", "\n") in output.replace(" \n", "\n")
