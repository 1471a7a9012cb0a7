"""A question against a server of a few lines, and calls by path as the commands make them."""

import json
from collections.abc import Callable, Sequence
from types import SimpleNamespace

import httpx
import pytest
from pydantic import SecretStr
from searchqa_client import SearchQA
from searchqa_client.errors import Problem, Unauthorized, UnexpectedReply, Unreachable

from app.cli import server
from app.cli.ask import ask_question
from app.platform.errors import SetupError
from scripted_http import EVENT_STREAM, URL, api_of

Handler = Callable[[httpx.Request], httpx.Response]

ID = "019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11"


def sse(*events: tuple[str, object] | tuple[str, object, str]) -> bytes:
    written = []
    for name, data, *id_ in events:
        text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
        lines = [f"id: {id_[0]}"] if id_ else []
        lines += [f"event: {name}"] if name else []
        written.append("\n".join([*lines, f"data: {text}", "", ""]))
    return "".join(written).encode()


def test_a_reply_that_is_no_json_names_the_setting_to_check():
    with (
        api_of(lambda _: httpx.Response(200, text="<html>")) as client,
        pytest.raises(UnexpectedReply, match="SEARCHQA_URL"),
    ):
        client.get("/notes")


def test_a_server_that_is_not_there_is_one_sentence():
    tries = 0

    def refuse(_: httpx.Request) -> httpx.Response:
        nonlocal tries
        tries += 1
        raise httpx.ConnectError("connection refused")

    with api_of(refuse) as client, pytest.raises(Unreachable, match=r"cannot be reached") as raised:
        client.get("/notes")
    assert (raised.value.url, raised.value.reason) == (URL, "connection refused")
    assert tries == 1, "a person waits"


@pytest.mark.parametrize(("given", "used"), [("sqa_mine", "sqa_mine"), ("", "sqa_operator")])
def test_a_token_is_used_also_on_the_stack_of_the_data_folder(monkeypatch, given, used):
    seen: list[str] = []

    def client(url: str, token: str | Callable[[], str], _: object) -> SearchQA:
        seen.append(token if isinstance(token, str) else token())
        return SearchQA(url, seen[-1])

    cli = SimpleNamespace(url=None, token=SecretStr(given) if given else None)
    monkeypatch.setattr(server, "get_settings", lambda: SimpleNamespace(cli=cli))
    monkeypatch.setattr(server, "stack_on_data_dir", lambda _: SimpleNamespace(api_url=URL))
    monkeypatch.setattr(server, "_session_token", lambda _: "sqa_operator")
    monkeypatch.setattr(server, "client_of", client)
    with server.connect():
        assert seen == [used]


def test_requests_carry_token_and_language_and_leave_out_none():
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json=[])

    with api_of(answer, "sqa_secret", "ko") as client:
        assert client.get("/notes", after=None, limit=5, id=["a", "b"]) == []
    assert seen[0].headers["authorization"] == "Bearer sqa_secret"
    assert seen[0].headers["accept-language"] == "ko"
    assert str(seen[0].url) == f"{URL}/notes?limit=5&id=a&id=b"


def test_an_expired_token_is_made_again_and_a_refused_one_is_not():
    made = iter(["one", "two"])

    def answer(request: httpx.Request) -> httpx.Response:
        if request.headers["authorization"] == "Bearer two" or "first" in str(request.url):
            return httpx.Response(200, json={})
        return httpx.Response(401, json={"detail": "no"})

    with api_of(answer, lambda: next(made)) as client:
        client.get("/first")
        client.get("/second")
    with api_of(answer, lambda: "bad") as client, pytest.raises(Unauthorized, match="no"):
        client.get("/second")


def state(status: str, id_: str) -> tuple[str, object, str]:
    return ("evaluation", {"id": ID, "status": status, "reason": None, "error": None}, id_)


def answer_stream(*after: tuple[str, object]) -> bytes:
    return sse(
        ("metadata", {"matched_notes": [{"note_index": 1, "title": "PCR"}], "lang": "ko"}),
        ("", {"chunk": "95도"}),
        ("", {"chunk": "입니다."}),
        ("", "[DONE]"),
        *after,
    )


def serve(
    stream: bytes, *, follow: bytes = b"", status: str = "succeeded", paused: Sequence[object] = ()
) -> Handler:
    def answer(request: httpx.Request) -> httpx.Response:
        path = request.url.path
        if path == "/ai/stream":
            return httpx.Response(200, content=stream, headers=EVENT_STREAM)
        if path == "/judges/paused":
            return httpx.Response(200, json=paused)
        if path.endswith("/events"):
            assert follow, "nobody should have subscribed"
            return httpx.Response(200, content=follow, headers=EVENT_STREAM)
        view = {"id": ID, "status": status, "judge_model": "openai:gpt-4o-mini"}
        return httpx.Response(200, json=view)

    return answer


def evaluation_event(status: str) -> tuple[str, object]:
    return ("evaluation", {"id": ID, "status": status})


def test_the_answer_comes_in_pieces_and_then_its_verdict():
    happened: list[object] = []
    stream = answer_stream(evaluation_event("queued"))
    follow = sse(state("running", "1-1"), state("succeeded", "2-2"))
    with api_of(serve(stream, follow=follow)) as client:
        asked = ask_question(
            client,
            {"content": "?"},
            on_chunk=happened.append,
            on_answered=lambda asked: happened.append(("done", asked.answer)),
        )
    assert happened == ["95도", "입니다.", ("done", "95도입니다.")]
    assert asked.matched_notes[0]["title"] == "PCR"
    assert asked.evaluation
    assert asked.evaluation["status"] == "succeeded"


def test_a_verdict_that_fails_after_a_retry():
    stream = answer_stream(evaluation_event("queued"))
    follow = sse(state("retrying", "1-1"), state("failed", "2-2"))
    with api_of(serve(stream, follow=follow, status="failed")) as client:
        asked = ask_question(client, {"content": "?"})
    assert asked.evaluation
    assert (asked.evaluation["status"], asked.judge_paused) == ("failed", None)


def test_the_client_does_not_wait_for_a_paused_judge():
    paused = [
        {"judge_model": "other", "reason": "not this one"},
        {"judge_model": "openai:gpt-4o-mini", "reason": "the key is not valid"},
    ]
    follow = sse(state("queued", "1-1"))
    stream = answer_stream(evaluation_event("queued"))
    handler = serve(stream, follow=follow, status="queued", paused=paused)
    with api_of(handler) as client:
        asked = ask_question(client, {"content": "?"})
    assert asked.judge_paused == "the key is not valid"
    assert asked.evaluation
    assert asked.evaluation["status"] == "queued"


def test_the_client_does_not_wait_for_tomorrows_budget():
    deferred = {"id": ID, "status": "queued", "reason": "budget_spent"}
    follow = sse(state("queued", "1-1"), ("evaluation", deferred, "2-2"), state("failed", "3-3"))
    handler = serve(answer_stream(evaluation_event("queued")), follow=follow, status="queued")
    with api_of(handler) as client:
        asked = ask_question(client, {"content": "?"})
    assert asked.evaluation
    assert (asked.evaluation["status"], asked.judge_paused) == ("queued", None)


def test_not_waiting_gives_the_id_alone():
    with api_of(serve(answer_stream(evaluation_event("queued")))) as client:
        asked = ask_question(client, {"content": "?"}, wait=False)
    assert (asked.evaluation_id, asked.evaluation) == (ID, None)


def test_an_answer_that_could_not_be_stored_has_no_verdict():
    lost = {"answer_id": None, "evaluation_id": None, "status": "not_stored", "reason": None}
    with api_of(serve(answer_stream(("evaluation", lost)))) as client:
        asked = ask_question(client, {"content": "?"})
    assert (asked.answer, asked.evaluation_id) == ("95도입니다.", None)


def test_an_answer_that_breaks_off_is_an_error():
    with (
        api_of(
            lambda _: httpx.Response(200, content=sse(("", {"chunk": "95"})), headers=EVENT_STREAM)
        ) as client,
        pytest.raises(SetupError, match="broke off"),
    ):
        ask_question(client, {"content": "?"})


def test_a_model_that_fails_in_the_stream_is_a_problem():
    failed = {"type": "x", "status": 503, "detail": "잠시 후 다시 질문해 주세요."}
    stream = sse(("", {"chunk": "95"}), ("error", failed))
    with (
        api_of(lambda _: httpx.Response(200, content=stream, headers=EVENT_STREAM)) as client,
        pytest.raises(Problem, match="잠시 후 다시") as raised,
    ):
        ask_question(client, {"content": "?"})
    assert raised.value.status == 503
