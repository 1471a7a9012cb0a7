"""`searchqa webhooks` as a shell sees it."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from app.cli.client import Client

from app.cli import main, webhook_deliveries, webhooks
from app.platform.settings import get_settings

ID = "019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11"
HOOK: dict[str, Any] = {
    "id": ID,
    "name": "팀 알림",
    "url": "https://hooks.example/a",
    "format": "json",
    "lang": "ko",
    "events": ["verdict.failed", "backlog.old"],
    "confidences": ["low"],
    "judges": None,
    "notebook_ids": None,
    "features": None,
    "include_content": False,
    "backlog_minutes": 10,
    "thresholds": [{"metric": "cost_usd", "direction": "above", "value": 5.0}],
    "enabled": False,
    "disabled_reason": "gone",
    "disabled_at": "2026-01-02T03:04:05+00:00",
    "failing_since": None,
    "delivered_at": None,
    "last_error": "gone \x1b]0;x\x07",
    "pending": 3,
    "previous_secret_until": None,
    "created_at": "2026-01-02T03:04:05+00:00",
}
DELIVERY: dict[str, Any] = {
    "id": ID,
    "webhook_id": ID,
    "event": "webhook.test",
    "evaluation_id": None,
    "status": "failed",
    "tries": 1,
    "next_attempt_at": None,
    "data": {},
    "created_at": "2026-01-02T03:04:05+00:00",
    "finished_at": None,
    "attempts": [
        {
            "attempt": 1,
            "at": "2026-01-02T03:04:05+00:00",
            "status": 500,
            "ms": 12.3,
            "code": "refused",
            "error": "The receiver answered with an error.",
            "reply": "<b>no</b>\x1b[31m",
        }
    ],
}
Run = Callable[..., SimpleNamespace]


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SEARCHQA_LANG", "en")
    get_settings.cache_clear()
    yield
    get_settings.cache_clear()


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """Requests that reached the API, with their bodies."""
    requests: list[tuple[str, Any]] = []

    def handler(request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content) if request.content else None
        requests.append((f"{request.method} {request.url.path}", body))
        if request.url.path.endswith("/rotate-secret"):
            return httpx.Response(200, json={"secret": "whsec_b", "previous_secret_until": None})
        if request.method == "DELETE":
            return httpx.Response(204)
        if request.url.path.endswith("/deliveries"):
            return httpx.Response(200, json={"items": [DELIVERY], "next": None})
        if "/deliveries/" in request.url.path or request.url.path.endswith("/test"):
            return httpx.Response(200, json=DELIVERY)
        if request.url.path == "/webhooks" and request.method == "GET":
            return httpx.Response(200, json={"items": [HOOK], "next": None})
        return httpx.Response(200, json=HOOK | {"secret": "whsec_a"})

    def connect(**_: object) -> Client:
        return Client("http://127.0.0.1:1", transport=httpx.MockTransport(handler))

    for module in (webhooks, webhook_deliveries):
        monkeypatch.setattr(module, "connect", connect)
    return requests


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> SimpleNamespace:
        monkeypatch.setattr(sys, "argv", ["searchqa", "webhooks", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return SimpleNamespace(code=ended.value.code, out=out, err=err)

    return run


def test_add_prints_the_secret_once(run: Run, sent: list[tuple[str, Any]]) -> None:
    options = ("--event", "threshold.crossed", "--threshold", "cost_usd>5", "--confidence", "low")
    done = run("add", "team", "https://hooks.example/a", *options, "--content")

    assert done.code == 0, done.err
    assert done.out.splitlines()[-1] == "whsec_a"
    assert "not shown again" in done.err
    assert sent == [
        (
            "POST /webhooks",
            {
                "events": ["threshold.crossed"],
                "confidences": ["low"],
                "thresholds": [{"metric": "cost_usd", "direction": "above", "value": 5.0}],
                "include_content": True,
                "name": "team",
                "url": "https://hooks.example/a",
                "format": "json",
            },
        )
    ]


def test_an_address_may_come_from_standard_input(
    run: Run, sent: list[tuple[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(readline=lambda: "https://secret.example/\n"))
    run("add", "team", "-", "--event", "verdict.failed", "--format", "slack")

    assert sent[0][1]["url"] == "https://secret.example/"


def test_edit_sends_what_is_given_only(run: Run, sent: list[tuple[str, Any]]) -> None:
    assert run("edit", ID, "--on", "--clear", "confidence").code == 0
    assert sent == [(f"PATCH /webhooks/{ID}", {"confidences": None, "enabled": True})]


@pytest.mark.parametrize(
    "arguments",
    [
        ("add", "a", "https://a.example", "--threshold", "high_share=1"),
        ("add", "a", "https://a.example", "--threshold", "speed>1"),
        ("edit", ID, "--clear", "everything"),
    ],
)
def test_what_cannot_be_understood_is_said(
    run: Run, sent: list[tuple[str, Any]], arguments: tuple[str, ...]
) -> None:
    done = run(*arguments)

    assert done.code == 2
    assert "--threshold" in done.err or "--clear" in done.err
    assert sent == []


def test_list_and_show_say_why_it_is_off(run: Run, sent: list[tuple[str, Any]]) -> None:
    assert "off: gone" in run("list").out
    shown = run("show", ID).out
    assert "last error: gone" in shown
    assert "cost_usd>5" in shown
    assert "\x1b" not in shown
    assert "꺼짐" in run("show", ID, "--lang", "ko").out
    assert "꺼짐" in run("list", "--lang", "ko").out


def test_a_failed_test_shows_the_reply_and_fails(run: Run, sent: list[tuple[str, Any]]) -> None:
    done = run("test", ID)

    assert done.code == 1
    assert "500" in done.out
    assert "<b>no</b>" in done.out
    assert "\x1b" not in done.out


def test_deliveries_replay_rotate_and_remove(run: Run, sent: list[tuple[str, Any]]) -> None:
    assert "answered with an error" in run("deliveries", ID).out
    assert "12" in run("deliveries", ID, ID).out
    assert run("replay", ID, ID).code == 0
    assert "whsec_b" in run("rotate", ID, "--overlap-hours", "0").out
    assert run("remove", ID, "--yes").code == 0
    assert [request for request, _ in sent][-3:] == [
        f"POST /webhooks/{ID}/deliveries/{ID}/replay",
        f"POST /webhooks/{ID}/rotate-secret",
        f"DELETE /webhooks/{ID}",
    ]
