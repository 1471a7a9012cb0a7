"""Labelling, reviewing and exporting at a terminal."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from app.cli.client import Client
from app.cli.verdict_filters import NAMES

from app.api.explorer import EvaluationFilter
from app.cli import feedback, main, review, verdict_review, verdicts
from app.platform.settings import get_settings
from app.quality.review.explorer_queries import CONDITIONS, EXISTING, OF_NOTES

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
            if callable(reply):
                reply = reply(request)
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
    # Single evaluations are selected on the page.
    known = {*CONDITIONS, *EXISTING, *OF_NOTES, "outcome", "tz"} - {"ids"}
    assert set(NAMES) == set(EvaluationFilter.model_fields) == known


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
    ("drawn", "remaining", "more", "expected"),
    [
        (0, 0, [], "searchqa review sample"),
        (6, 0, [], "All 6 drawn answers are labelled."),
        (6, 2, [], "2 are skipped or open elsewhere"),
        (6, 0, ["--again"], "Nothing that others have labelled"),
    ],
)
def test_nothing_left_to_label_says_why(
    run: Run, serve: Serve, drawn: int, remaining: int, more: list[str], expected: str
) -> None:
    serve(sampled={"queue": [], "remaining": remaining, "labelled": 0, "drawn": drawn})
    assert expected in run("label", "--lang", "en", *more, group="review").out


def test_without_a_terminal_the_queue_is_listed_and_nothing_labelled(
    run: Run, serve: Serve
) -> None:
    asked = serve(sampled={"queue": [DRAWN], "remaining": 1, "labelled": 0, "drawn": 1})

    ended = run("label", "--lang", "en", group="review")

    assert (ended.code, [one.method for one in asked]) == (0, ["GET"])
    assert ID in ended.out
    assert "takes a terminal" in ended.err
    assert json.loads(run("label", "--json", group="review").out) == [DRAWN]


def test_people_who_labelled_the_same_are_compared(run: Run, serve: Serve) -> None:
    of_two = {
        "pairs": 12,
        "answers": 12,
        "kappa": 0.5,
        "low": 0.25,
        "high": 0.75,
        "exact": 0.75,
        "labels": ["wrong", "partly", "right"],
        "confusion": [[3, 1, 0], [0, 3, 1], [0, 1, 3]],
        "why": None,
    }
    pair = {"first": "jun\x1b[31m", "second": "mina", "agreement": of_two}
    serve(agreement={"twice": 12, "pairs": [pair]})

    out = run("agreement", "--lang", "en", group="review").out

    assert "12 answers have labels by two people or more." in out
    assert "kappa: 0.50 (0.25 to 0.75)" in out
    assert "jun[31m" in out
    assert "\x1b" not in out
