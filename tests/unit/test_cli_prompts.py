"""`searchqa prompts` as a shell sees it."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from app.cli import main, prompts
from app.cli.client import Client

ID = "019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11"
TEXT = "엄격하게.\n{about}\n{sections}\n{form}"
SHIPPED = {
    "version": "search-qa-eval-3",
    "default": True,
    "texts": {"ko": TEXT, "en": "{about} {sections} {form}"},
    "fixed": {"ko": {}, "en": {}},
}
KEPT = {
    "id": ID,
    "name": "strict",
    "version": 1,
    "reference": "workspace:strict@1",
    "base": "search-qa-eval-3",
    "parent": "search-qa-eval-3",
    "texts": {"ko": TEXT, "en": "{about} {sections} {form}"},
    "note": "단위\x1b]0;owned\x07",
    "made_by": "local",
    "in_policy": False,
    "created_at": "2026-01-02T03:04:05+00:00",
    "retired_at": None,
}

Run = Callable[..., SimpleNamespace]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """Requests that reached the API, with their bodies."""
    requests: list[tuple[str, Any]] = []

    def handler(request: httpx.Request) -> httpx.Response:
        body = json.loads(request.content) if request.content else None
        requests.append((f"{request.method} {request.url.path}", body))
        if request.url.path == "/judge-prompts/shipped":
            return httpx.Response(200, json=[SHIPPED])
        if request.method == "GET":
            return httpx.Response(200, json={"items": [KEPT], "next": None})
        return httpx.Response(200, json=KEPT)

    monkeypatch.setattr(
        prompts,
        "connect",
        lambda: Client("http://127.0.0.1:1", transport=httpx.MockTransport(handler)),
    )
    return requests


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], sent: Any) -> Run:
    def run(*arguments: str) -> SimpleNamespace:
        monkeypatch.setattr(sys, "argv", ["searchqa", "prompts", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return SimpleNamespace(code=ended.value.code, out=out, err=err)

    return run


def test_list_and_show_name_a_version_as_it_is_chosen(run: Run) -> None:
    assert "workspace:strict@1" in run("list").out
    shown = run("show", "workspace:strict@1").out
    assert all(part in shown for part in ("search-qa-eval-3", "available", "엄격하게."))
    assert "\x1b]0" not in shown
    assert json.loads(run("show", "search-qa-eval-3", "--json").out) == SHIPPED


def test_what_show_prints_add_takes(run: Run, sent: list[tuple[str, Any]], tmp_path: Path) -> None:
    file = tmp_path / "strict.txt"
    file.write_text(run("show", "search-qa-eval-3", "--text", "ko").out)
    kept = run("add", "strict", "--ko", str(file), "--note", "단위")

    assert (kept.code, "workspace:strict@1" in kept.out) == (0, True)
    body = {"name": "strict", "parent": "search-qa-eval-3", "texts": {"ko": TEXT}, "note": "단위"}
    assert sent[-1] == ("POST /judge-prompts", body)


def test_retire_asks_for_the_version_by_its_id(run: Run, sent: list[tuple[str, Any]]) -> None:
    assert run("retire", "workspace:strict@1").code == 0
    assert sent[-1][0] == f"POST /judge-prompts/{ID}/retire"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("add", "strict"), "Give the instructions"),
        (("show", "workspace:none@1"), "There is no prompt 'workspace:none@1'"),
        (("retire", "search-qa-eval-3"), "cannot be retired"),
    ],
)
def test_mistakes_end_in_a_sentence(run: Run, arguments: tuple[str, ...], told: str) -> None:
    ended = run(*arguments)
    assert (ended.code, told in ended.err) == (1, True)
