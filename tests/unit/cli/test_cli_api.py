"""`searchqa api` as a shell sees it."""

import io
import json
import sys
from collections.abc import Callable
from types import SimpleNamespace

import httpx
import pytest

from app.cli import api
from scripted_http import EVENT_STREAM, CutOff, connect_to

Run = Callable[..., SimpleNamespace]
Reply = httpx.Response | Callable[[httpx.Request], httpx.Response]


@pytest.fixture
def requests() -> list[httpx.Request]:
    return []


@pytest.fixture
def run(run_cli: Run, monkeypatch: pytest.MonkeyPatch, requests: list[httpx.Request]) -> Run:
    monkeypatch.setenv("SEARCHQA_LANG", "en")

    def run(*arguments: str, reply: Reply | None = None) -> SimpleNamespace:
        def handler(request: httpx.Request) -> httpx.Response:
            requests.append(request)
            if callable(reply):
                return reply(request)
            return reply or httpx.Response(200, json={})

        monkeypatch.setattr(sys.modules[api.__name__], "connect", connect_to(handler))
        return run_cli("api", *arguments)

    return run


def test_fields_of_a_get_are_parameters(run, requests):
    given = ("confidence=low", "current=true", "question=몇 도?", "other_id=a", "other_id=b")
    assert run("get", "/qa-evaluations?limit=5", *given, "-f", "tz=null").code == 0
    assert (requests[0].method, requests[0].url.path) == ("GET", "/qa-evaluations")
    assert requests[0].url.params.multi_items() == [
        *[("limit", "5"), ("confidence", "low"), ("current", "true"), ("question", "몇 도?")],
        *[("other_id", "a"), ("other_id", "b"), ("tz", "null")],
    ]


def test_numbers_among_parameters_stay_as_they_are_written(run, requests):
    assert run("GET", "/qa-evaluations", "app_version=1.10", "tag=1e5", "id=[2.0, 3]").code == 0
    assert requests[0].url.params.multi_items() == [
        *[("app_version", "1.10"), ("tag", "1e5"), ("id", "2.0"), ("id", "3")]
    ]


def test_fields_of_a_post_are_its_body_with_their_types(run, requests, tmp_path):
    (tmp_path / "filter.json").write_text('{"confidence": "low"}')
    (tmp_path / "prompt.txt").write_text("규칙을 따르세요.\n")
    typed = ("size=3", "rate=0.5", "on=false", "none=null", 'list=["a"]', "at=2026-01-31")
    files = ("filter=@filter.json", "-f", "text=@prompt.txt", "-F", "id=7")
    assert run("POST", "/evaluation/rejudge", *typed, *files).code == 0
    assert json.loads(requests[0].content) == {
        "size": 3,
        "rate": 0.5,
        "on": False,
        "none": None,
        "list": ["a"],
        "at": "2026-01-31",
        "filter": {"confidence": "low"},
        "text": "규칙을 따르세요.\n",
        "id": "7",
    }
    assert requests[0].headers["content-type"] == "application/json"


def test_the_body_may_come_from_a_file_or_the_standard_input(run, requests, tmp_path, monkeypatch):
    (tmp_path / "body.json").write_text('{"a": 1}')
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b'{"b": 2}')))
    run("POST", "/x", "wait=5", "--input", "body.json", "-H", 'If-Match: "3"')
    run("PUT", "x", "--input", "-")
    assert [json.loads(request.content) for request in requests] == [{"a": 1}, {"b": 2}]
    assert dict(requests[0].url.params) == {"wait": "5"}
    assert requests[0].headers["if-match"] == '"3"'
    assert requests[1].url.path == "/x"
    missing = run("POST", "/x", "--input", "missing.json")
    assert missing.err == "searchqa: missing.json cannot be read: No such file or directory.\n"
    assert missing.code == 1


def test_pages_are_followed_to_the_end(run, requests):
    def page(request: httpx.Request) -> httpx.Response:
        after = request.url.params.get("after")
        items = [{"id": "c"}] if after else [{"id": "a"}, {"id": "b"}]
        return httpx.Response(200, json={"items": items, "next": None if after else "x"})

    ended = run("GET", "/notes", "limit=2", "--paginate", "-q", "[].id", reply=page)
    assert (ended.code, ended.out) == (0, "a\nb\nc\n")
    assert [dict(request.url.params) for request in requests] == [
        {"limit": "2"},
        {"limit": "2", "after": "x"},
    ]
    single = run("GET", "/notebooks", "--paginate", reply=httpx.Response(200, json=[]))
    assert single.err == "searchqa: /notebooks has no pages; leave out --paginate.\n"


@pytest.mark.parametrize(
    ("query", "printed"),
    [("a.b", "x\n"), ("a.n", "3\n"), ("a.none", "null\n"), ("a.{n: n}", '{\n  "n": 3\n}\n')],
)
def test_a_reply_is_selected_from(run, query, printed):
    reply = httpx.Response(200, json={"a": {"b": "x\x1b", "n": 3}})
    assert run("GET", "/x", "-q", query, reply=reply).out == printed


def test_other_replies_than_json_are_passed_through(run):
    table = httpx.Response(200, text="\ufeffid\r\n1\r\n", headers={"Content-Type": "text/csv"})
    assert run("GET", "/qa-evaluations/export", reply=table).out == "\ufeffid\r\n1\r\n"
    events = httpx.Response(200, text=": hello\n\ndata: 1\n\n", headers=EVENT_STREAM)
    assert run("GET", "/qa-evaluations/events", reply=events).out == ": hello\n\ndata: 1\n\n"
    refused = run("GET", "/x", "-q", "id", reply=httpx.Response(200, text="id"))
    assert "--query selects from JSON only" in refused.err
    assert run("DELETE", "/x", reply=httpx.Response(204)).out == ""


def test_status_and_headers_come_first_where_they_are_asked_for(run):
    printed = run("GET", "/x", "-i", reply=httpx.Response(200, json=[1], headers={"ETag": "3"})).out
    head, body = printed.split("\n\n")
    assert head.startswith("HTTP/1.1 200 OK\n")
    assert "etag: 3" in head
    assert json.loads(body) == [1]


def test_a_refusal_is_one_sentence(run):
    problem = {"type": "x", "status": 404, "detail": "There is no such note."}
    ended = run("GET", "/notes/x", reply=httpx.Response(404, json=problem))
    assert (ended.code, ended.out, ended.err) == (1, "", "searchqa: There is no such note.\n")


def test_a_reply_that_breaks_off_is_an_error(run):
    cut = httpx.Response(200, stream=CutOff(), headers={"Content-Type": "text/csv"})
    ended = run("GET", "/qa-evaluations/export", reply=cut)
    assert (ended.code, ended.out) == (1, "id\r\n")
    assert "broke off (peer closed connection)" in ended.err


@pytest.mark.parametrize(
    "arguments", [("limit",), ("=1",), ("-q", "["), ("-H", "no colon"), ("-F", "x")]
)
def test_invalid_arguments_are_refused_before_sending(run, requests, arguments):
    assert (run("GET", "/x", *arguments).code, requests) == (2, [])
