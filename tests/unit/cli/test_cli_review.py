"""Verdicts exported and filtered at a terminal."""

from collections.abc import Callable, Iterator
from functools import partial
from types import SimpleNamespace

import httpx
import pytest

from app.api.explorer import EvaluationFilter
from app.cli import verdicts
from app.cli.verdicts import NAMES
from app.quality.review.explorer_queries import CONDITIONS, EXISTING, OF_NOTES
from scripted_http import connect_to

Run = Callable[..., SimpleNamespace]
Serve = Callable[..., list[httpx.Request]]


@pytest.fixture
def run(run_cli: Run) -> Run:
    return partial(run_cli, "verdicts")


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Answers by the end of the path; what was asked is listed."""

    def serve(**replies: object) -> list[httpx.Request]:
        asked: list[httpx.Request] = []

        def answer(request: httpx.Request) -> httpx.Response:
            asked.append(request)
            reply = replies.get(request.url.path.rpartition("/")[2])
            if callable(reply):
                reply = reply(request)
            if isinstance(reply, httpx.Response):
                return reply
            return httpx.Response(200, json=reply)

        monkeypatch.setattr(verdicts, "connect", connect_to(answer))
        return asked

    return serve


def test_an_export_goes_to_the_output_as_it_is(run, serve):
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


def test_an_export_that_is_cut_off_leaves_no_file(run, serve, tmp_path):
    target = tmp_path / "verdicts.csv"
    target.write_text("older")
    serve(export=httpx.Response(200, stream=_CutOff()))

    ended = run("export", "-o", str(target))

    assert (ended.code, target.read_text()) == (1, "older")
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("where", ["color=red", "lang", "lang=", "since=soon"])
def test_a_filter_that_is_none_is_named(run, serve, where):
    asked = serve()
    ended = run("list", "--where", where)
    assert (ended.code, asked) == (2, [])
    assert "--where" in ended.err


def test_a_filter_that_is_given_twice_is_refused(run):
    ended = run("list", "--where", "lang=ko", "--where", "lang=en")
    assert (ended.code, "lang is given twice" in ended.err) == (2, True)


def test_the_filters_are_those_of_the_api():
    # Single evaluations are selected on the page.
    known = {*CONDITIONS, *EXISTING, *OF_NOTES, "outcome", "tz"} - {"ids"}
    assert set(NAMES) == set(EvaluationFilter.model_fields) == known
