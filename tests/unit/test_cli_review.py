"""Labelling, reviewing and exporting at a terminal."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from app.api.explorer import EvaluationFilter
from app.cli import feedback, main, review, verdict_review, verdicts
from app.cli.client import Client
from app.cli.verdict_filters import NAMES
from app.review.explorer_queries import CONDITIONS, EXISTING
from app.settings import get_settings

ID = "019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11"
VIEW: dict[str, Any] = {
    "id": ID,
    "status": "succeeded",
    "reason": None,
    "degraded": False,
    "judged_by": "rules",
    "question": "변성 온도는?",
    "answer": "95도입니다.\x1b]0;owned\x07",
    "lang": "ko",
    "attempt": 1,
    "provider": "offline",
    "model": "rules",
    "judge_ms": None,
    "cost_usd": None,
    "qa_evaluation": None,
    "quality": None,
    "refinement": None,
    "feedback": None,
    "search": {
        "found": False,
        "method": None,
        "matched_keyword": None,
        "disposal_rules": None,
        "events": [],
        "evidence": [],
    },
}
ROW = {"id": ID, "question": "변성 온도는?", "correctness": 0.8}
ITEM = {
    "score": 1.5,
    "reasons": [{"reason": "near_threshold", "weight": 1, "text": "close to a threshold"}],
    "evaluation": ROW,
}
NOTE = {"note_index": 1, "title": "PCR", "content": "변성은 95도에서 한다."}

Run = Callable[..., SimpleNamespace]
Serve = Callable[..., list[httpx.Request]]


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    get_settings.cache_clear()
    yield
    get_settings.cache_clear()


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    def run(*arguments: str, group: str = "verdicts") -> SimpleNamespace:
        monkeypatch.setattr(sys, "argv", ["searchqa", group, *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = (text.decode() for text in capsysbinary.readouterr())
        return SimpleNamespace(code=ended.value.code, out=out, err=err)

    return run


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Answers by the end of the path; what was asked is listed."""

    def serve(**replies: object) -> list[httpx.Request]:
        asked: list[httpx.Request] = []

        def answer(request: httpx.Request) -> httpx.Response:
            asked.append(request)
            reply = replies.get(request.url.path.rpartition("/")[2].replace("-", "_"), VIEW)
            if isinstance(reply, httpx.Response):
                return reply
            return httpx.Response(200, json=reply)

        def connect(**_: object) -> Client:
            return Client("http://127.0.0.1:1", transport=httpx.MockTransport(answer))

        for module in (verdicts, feedback, review, verdict_review):
            monkeypatch.setattr(sys.modules[module.__name__], "connect", connect)
        return asked

    return serve


def test_a_label_is_sent_as_it_was_said(run: Run, serve: Serve) -> None:
    asked = serve(feedback=[])

    ended = run("feedback", ID, "--label", "wrong", "--claim", "2", "--comment", "72도는 없음")

    assert ended.code == 0
    assert asked[0].method == "POST"
    assert json.loads(asked[0].content) == {
        "label": "wrong",
        "claim_position": 2,
        "utility_label": None,
        "comment": "72도는 없음",
        "author": None,
    }


@pytest.mark.parametrize("more", [["--claim", "1"], ["--utility", "useful"], ["--comment", "x"]])
def test_a_label_is_asked_for_where_something_is_said(
    run: Run, serve: Serve, more: list[str]
) -> None:
    asked = serve()
    ended = run("feedback", ID, *more)
    assert (ended.code, asked) == (2, [])
    assert "--label" in ended.err


def test_feedback_is_deleted_by_its_id(run: Run, serve: Serve) -> None:
    asked = serve(feedback=[])
    run("feedback", ID, "--delete", ID)
    assert [(r.method, r.url.path) for r in asked] == [
        ("DELETE", f"/qa-evaluations/{ID}/feedback/{ID}"),
        ("GET", f"/qa-evaluations/{ID}/feedback"),
    ]


def test_a_queue_that_nobody_can_answer_is_printed(run: Run, serve: Serve) -> None:
    serve(review_queue={"items": [ITEM], "next": None})
    ended = run("review")
    assert ended.code == 0
    assert ID in ended.out
    assert "near_threshold" in ended.out
    assert json.loads(run("review", "--json").out) == [ITEM]


def test_an_empty_queue_says_so(run: Run, serve: Serve) -> None:
    serve(review_queue={"items": [], "next": None})
    assert "queue is empty" in run("review").out


@pytest.mark.parametrize(
    ("keys", "labels"),
    [("rpw", ["right", "partly", "wrong"]), ("sxR", ["right"]), ("wq", ["wrong"])],
)
def test_a_key_labels_the_answer_that_is_shown(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, keys: str, labels: list[str]
) -> None:
    asked = serve(sources=[NOTE])
    typed = iter(keys)
    monkeypatch.setattr("click.getchar", lambda: next(typed))

    with verdict_review.connect() as client:
        verdict_review.go_through(client, [ITEM] * (2 if keys == "sxR" else 3), "mina")

    sent = [json.loads(r.content) for r in asked if r.method == "POST"]
    assert [body["label"] for body in sent] == labels
    assert {body["author"] for body in sent} == {"mina"}


def test_an_export_goes_to_the_output_as_it_is(run: Run, serve: Serve) -> None:
    asked = serve(export=httpx.Response(200, content="\ufeffid\r\n1\r\n".encode()))

    ended = run("export", "--where", "lang=ko", "--where", "since=2026-01-31")

    assert ended.out == "\ufeffid\r\n1\r\n"
    query = dict(asked[0].url.params)
    assert (query["format"], query["lang"]) == ("csv", "ko")
    assert query["since"].startswith("2026-01-31T00:00:00")
    assert query["since"][19:]  # with this machine's time zone


class _CutOff(httpx.SyncByteStream):
    def __iter__(self) -> Iterator[bytes]:
        yield b"id\r\n"
        raise httpx.RemoteProtocolError("peer closed connection")


def test_an_export_that_is_cut_off_leaves_no_file(run: Run, serve: Serve, tmp_path: Path) -> None:
    target = tmp_path / "verdicts.csv"
    target.write_text("older")
    serve(export=httpx.Response(200, stream=_CutOff()))

    ended = run("export", "--output", str(target))

    assert (ended.code, target.read_text()) == (1, "older")
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("where", ["color=red", "lang", "lang=", "since=soon"])
def test_a_filter_that_is_none_is_named(run: Run, serve: Serve, where: str) -> None:
    asked = serve()
    ended = run("list", "--where", where)
    assert (ended.code, asked) == (2, [])
    assert "--where" in ended.err


def test_the_filters_are_those_of_the_api() -> None:
    assert set(NAMES) == set(EvaluationFilter.model_fields) == {*CONDITIONS, *EXISTING}


def test_an_agreement_that_nobody_can_tell_says_why(run: Run, serve: Serve) -> None:
    unknown = {
        "pairs": 0,
        "answers": 0,
        "kappa": None,
        "low": None,
        "high": None,
        "exact": None,
        "labels": ["wrong", "partly", "right"],
        "confusion": [[0] * 3] * 3,
        "why": "0 are too few",
    }
    known = unknown | {
        "pairs": 12,
        "answers": 12,
        "kappa": 0.5,
        "low": 0.25,
        "high": 0.75,
        "exact": 0.75,
        "confusion": [[3, 1, 0], [0, 3, 1], [0, 1, 3]],
        "why": None,
    }
    serve(agreement={"judge_model": None, "of_answers": known, "of_claims": unknown})
    out = run("agreement").out
    assert "kappa: 0.50 (0.25 to 0.75)" in out
    assert "kappa: - (0 are too few)" in out
    assert "same label: 75%" in out


def test_a_review_shows_all_that_a_label_needs(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    serve(sources=[NOTE])
    monkeypatch.setattr("click.getchar", lambda: "q")
    with verdict_review.connect() as client:
        verdict_review.go_through(client, [ITEM], None)
    out = capsys.readouterr().out
    for told in ("close to a threshold (1.00)", "변성 온도는?", "95도입니다.", "[1] PCR"):
        assert told in out
    assert "변성은 95도에서 한다." in out
    assert "0 labelled." in out
    assert "\x1b" not in out


DRAW = {
    "id": ID,
    "created_at": "2026-03-02T00:00:00Z",
    "seed": 7,
    "size": 6,
    "since": "2026-02-01T00:00:00Z",
    "until": "2026-03-02T00:00:00Z",
    "stratify": ["lang"],
    "answers": 20,
    "drawn": 6,
    "labelled": 2,
    "strata": [
        {"name": "ko", "answers": 20, "drawn": 6, "labelled": 2, "inclusion_probability": 0.3}
    ],
}
DRAWN = {"draw_id": ID, "position": 1, "inclusion_probability": 0.3, "evaluation": ROW}


def test_a_draw_is_asked_for_as_written(run: Run, serve: Serve) -> None:
    asked = serve(samples=DRAW)

    ended = run(
        *("sample", "--size", "6", "--stratify", "confidence, lang"),
        *("--since", "2026-03-01T00:00:00+09:00", "--seed", "7", "--lang", "en"),
        group="review",
    )

    assert ended.code == 0
    assert json.loads(asked[0].content) == {
        "size": 6,
        "stratify": ["confidence", "lang"],
        "since": "2026-03-01T00:00:00+09:00",
        "until": None,
        "notebook_id": None,
        "judge_model": None,
        "seed": 7,
    }
    assert "Drew 6 of 20 answers (seed 7)." in ended.out
    assert "0.30" in ended.out


def test_draws_are_listed(run: Run, serve: Serve) -> None:
    serve(samples=[DRAW])
    assert "lang" in run("list", group="review").out


@pytest.mark.parametrize(
    ("drawn", "expected"),
    [(0, "searchqa review sample"), (6, "All 6 drawn answers are labelled.")],
)
def test_nothing_left_to_label_says_why(run: Run, serve: Serve, drawn: int, expected: str) -> None:
    serve(sampled={"queue": [], "labelled": drawn, "drawn": drawn})
    assert expected in run("label", "--lang", "en", group="review").out


def test_the_verdict_is_hidden_until_the_label_is_given(
    monkeypatch: pytest.MonkeyPatch, serve: Serve, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = serve(sources=[NOTE])
    shown: list[str] = []
    keys = iter("rn")

    def key() -> str:
        shown.append(capsys.readouterr().out)
        return next(keys)

    monkeypatch.setattr("click.getchar", key)
    monkeypatch.setattr(verdict_review, "_show_verdict", lambda *_: print("VERDICT"))  # noqa: T201

    with review.connect() as client:
        verdict_review.go_through(client, [DRAWN], "mina", blind=True)

    assert "VERDICT" not in "".join(shown)
    assert "VERDICT" in capsys.readouterr().out
    (said,) = [json.loads(one.content) for one in asked if one.method == "POST"]
    assert said == {"label": "right", "author": "mina", "utility_label": "useless"}
