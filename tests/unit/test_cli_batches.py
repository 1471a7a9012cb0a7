"""`searchqa batches`, and both prices before answers are judged again, as a shell sees them."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from app.cli.client import Client
from app.cli.progress import estimate

from app.cli import batches, main
from app.platform.settings import get_settings

ID = "019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11"
BATCH: dict[str, Any] = {
    "id": ID,
    "judge_model": "openai:gpt-4o-mini",
    "state": "running",
    "answers": 1_200,
    "requests": 1_250,
    "done": 40,
    "failed": 2,
    "stored": 0,
    "errors": 0,
    "dropped": 0,
    "waiting": 1_200,
    "cost_usd": 0.0125,
    "error": None,
    "created_at": "2026-01-02T03:04:05+00:00",
    "submitted_at": "2026-01-02T03:05:05+00:00",
    "deadline_at": "2026-01-03T03:04:05+00:00",
    "cancel_requested_at": None,
    "finished_at": None,
    "provider_batch": "batch_1",
}
FAILED = BATCH | {"state": "failed", "error": "openai did not begin this batch (\x1b]0;x\x07)."}
Run = Callable[..., SimpleNamespace]


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SEARCHQA_LANG", "en")
    get_settings.cache_clear()
    yield
    get_settings.cache_clear()


@pytest.fixture
def stored() -> dict[str, Any]:
    """The batch that the API has."""
    return dict(BATCH)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch, stored: dict[str, Any]) -> list[str]:
    """Requests that reached the API."""
    requests: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        requests.append(f"{request.method} {request.url.raw_path.decode()}")
        if request.url.path == "/judge-batches":
            return httpx.Response(200, json={"items": [stored], "next": None})
        return httpx.Response(200, json=stored)

    def connect() -> Client:
        return Client("http://127.0.0.1:1", transport=httpx.MockTransport(handler))

    monkeypatch.setattr(batches, "connect", connect)
    return requests


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], sent: Any) -> Run:
    def run(*arguments: str) -> SimpleNamespace:
        monkeypatch.setattr(sys, "argv", ["searchqa", "batches", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return SimpleNamespace(code=ended.value.code, out=out, err=err)

    return run


def test_list_shows_the_progress(run: Run, sent: list[str], stored: dict[str, Any]) -> None:
    assert "42/1250" in run("list", "--state", "running").out
    stored.update(requests=0, done=0, failed=0)
    assert "0/1200" in run("list").out, "answers, until their requests are rendered"
    stored.update(BATCH, done=0, failed=0, stored=1_200, errors=30, dropped=20)
    assert "1250/1250" in run("list").out, "as many as were read"
    assert json.loads(run("list", "--json").out)[0]["id"] == ID
    assert "state=running" in sent[0]


def test_show_says_how_far_it_is_what_it_costs_and_why_it_failed(
    run: Run, stored: dict[str, Any]
) -> None:
    shown = run("show", ID).out
    assert "openai:gpt-4o-mini: running" in shown
    assert "answers 1,200, requests 1,250" in shown
    assert "cost: $0.0125" in shown
    assert "deadline" in shown
    assert "finished" not in shown
    assert "진행 중" in run("show", ID, "--lang", "ko").out
    stored.update(FAILED, cost_usd=None)
    failed = run("show", ID).out
    assert "note: openai did not begin this batch" in failed
    assert "\x1b" not in failed
    assert "cost" not in failed


def test_cancel_says_what_becomes_of_it(run: Run, sent: list[str], stored: dict[str, Any]) -> None:
    assert "asked to stop" in run("cancel", ID).out
    assert sent == [f"POST /judge-batches/{ID}/cancel"]
    stored.update(FAILED)
    ended = run("cancel", ID)
    assert ended.code == 1
    assert "Nothing to cancel: the batch has already failed." in ended.out


def test_an_estimate_has_both_prices_where_the_judge_has_batches() -> None:
    cost = {"calls": 10, "prompt_tokens": 5, "completion_tokens": 5, "cost_usd": 0.5}
    both = {"batch_cost_usd": 0.25, "bulk_by": "batch"}

    assert "$0.2500 in batches (the policy has bulk_by=batch)" in estimate(cost | both)
    assert "batches" not in estimate(cost | both | {"batch_cost_usd": None})
