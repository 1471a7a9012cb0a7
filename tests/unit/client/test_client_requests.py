"""When the client sends a request again, and what it makes of what comes back. No network."""

import asyncio
import contextlib
import datetime as dt
import json
import logging
import threading
import uuid

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from searchqa_client import AsyncSearchQA, Background, Retry, SearchQA, errors, propagate_attributes
from searchqa_client.errors import retry_after
from searchqa_client.models import EvaluationCreated
from searchqa_client.requests import query
from searchqa_client.retry import look_again_after

from cases import for_each
from scripted_http import CREATED

ID = uuid.UUID(CREATED["id"])  # type: ignore[arg-type]
URL = "http://127.0.0.1:1"
AT_ONCE = Retry(tries=4, first_seconds=0, max_seconds=0)
Step = httpx.Response | type[httpx.TransportError]
PROBLEM = {"type": "about:blank", "title": "", "status": 0, "detail": "No; do this."}


class Script:
    """Answers one request after the other; the last answer is for all that follow."""

    def __init__(self, *steps: Step) -> None:
        self.steps = list(steps)
        self.asked: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        step = self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]
        if isinstance(step, httpx.Response):
            return httpx.Response(step.status_code, headers=step.headers, content=step.content)
        raise step("broken", request=request)


def client_of(script: Script, **options: object) -> SearchQA:
    given = {"retry": AT_ONCE} | options
    return SearchQA(URL, "secret", transport=httpx.MockTransport(script), **given)  # type: ignore[arg-type]


def refusal(status: int, **headers: str) -> httpx.Response:
    return httpx.Response(status, json=PROBLEM, headers=headers)


CREATED_REPLY = httpx.Response(202, json=CREATED)


@for_each(
    "first",
    [httpx.ConnectError, httpx.ReadTimeout, httpx.RemoteProtocolError, httpx.WriteError]
    + [refusal(status) for status in (429, 502, 503, 504)],
)
def test_a_submit_is_repeated_under_one_key(first):
    script = Script(first, first, CREATED_REPLY)
    with client_of(script) as client:
        assert client.submit("q", "a").id == ID
    assert len({request.headers["idempotency-key"] for request in script.asked}) == 1
    assert len({request.content for request in script.asked}) == 1
    assert len(script.asked) == 3


@for_each("status", [400, 401, 403, 404, 409, 413, 422, 500, 307])
def test_what_would_be_refused_again_is_not_repeated(status):
    script = Script(refusal(status))
    with client_of(script) as client, pytest.raises(errors.Problem) as caught:
        client.submit("q", "a")
    assert len(script.asked) == 1
    assert (caught.value.status, str(caught.value)) == (status, "No; do this.")


@for_each(
    ("first", "requests"),
    [(httpx.ConnectError, 2), (refusal(429), 2), (httpx.ReadTimeout, 1), (refusal(503), 1)],
)
def test_a_run_is_never_started_twice(first, requests):
    """Only what certainly did nothing is repeated."""
    script = Script(first, refusal(404))
    with client_of(script) as client, pytest.raises(errors.SearchQAError):
        client.runs.start(ID)
    assert len(script.asked) == requests


@for_each("lost", [httpx.ReadTimeout, httpx.RemoteProtocolError, refusal(504)])
def test_what_is_gone_after_a_lost_reply_was_deleted(lost):
    script = Script(lost, httpx.ConnectError, refusal(404))
    with client_of(script) as client:
        client.datasets.delete(ID)
        assert len(script.asked) == 3
        script.steps = [lost, refusal(404)]
        client.feedback.delete(ID, ID)


@for_each("first", [httpx.ConnectError, refusal(429), refusal(404)])
def test_what_was_never_there_cannot_be_deleted(first):
    with client_of(Script(first, refusal(404))) as client, pytest.raises(errors.NotFound):
        client.datasets.delete(ID)


def test_tries_come_to_an_end():
    script = Script(httpx.ConnectError)
    with client_of(script) as client, pytest.raises(errors.Unreachable, match="SEARCHQA_URL"):
        client.evaluations.get(ID)
    assert len(script.asked) == 4


def test_a_server_that_asks_for_hours_is_not_waited_for():
    script = Script(refusal(503, **{"retry-after": "7200"}))
    with client_of(script) as client, pytest.raises(errors.ServerFailed) as caught:
        client.evaluations.get(ID)
    assert (len(script.asked), caught.value.retry_after) == (1, 7200)


@given(st.integers(1, 10_000), st.none() | st.floats(0, 1000))
def test_pauses_grow_to_their_bound_and_honour_what_is_asked(failures, asked):
    retry = Retry(first_seconds=0.5, max_seconds=30)
    pause = retry.pause(failures, asked)
    least = min(asked or 0, 300)
    assert least <= pause <= least + min(30, 0.5 * 2 ** min(failures - 1, 10))


def test_pauses_are_spread():
    assert len({Retry().pause(5) for _ in range(100)}) > 90


NOW = "Wed, 21 Oct 2026 07:28:00 GMT"


@for_each(
    ("headers", "seconds"),
    [
        ({"retry-after": "120"}, 120),
        ({"retry-after": " 3 "}, 3),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:30 GMT", "date": NOW}, 30),
        ({"retry-after": "Wed, 21 Oct 2026 07:27:30 GMT", "date": NOW}, 0),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:30 -0000", "date": NOW}, 30),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "1" * 500}, 111_111_111),
        ({}, None),
    ],
)
def test_retry_after_is_seconds_or_a_date(headers, seconds):
    assert retry_after(httpx.Response(503, headers=headers.items())) == seconds  # type: ignore[arg-type]


def test_a_verdict_is_looked_for_quickly_at_first_and_as_asked_later():
    assert [round(look_again_after(n, 1.0), 1) for n in range(1, 5)] == [0.2, 0.4, 0.8, 1.0]
    assert look_again_after(1, 30.0) == 30


PAGES = "<html>a proxy</html>"


@for_each(
    ("reply", "message"),
    [
        (httpx.Response(202, text=PAGES), "SEARCHQA_URL"),
        (httpx.Response(202, json={"id": str(ID)}), r"\(answer_id: Field required\)"),
        (httpx.Response(502, text=PAGES), "502 without saying why"),
        (httpx.Response(404, json=["no problem"]), "404 without saying why"),
    ],
)
def test_who_is_no_searchqa_server_is_found_out(reply, message):
    with client_of(Script(reply)) as client, pytest.raises(errors.SearchQAError, match=message):
        client.submit("q", "a")


def test_fields_and_values_of_a_newer_server_are_taken():
    newer = CREATED | {"status": "dreaming", "weather": {"sun": True}}
    with client_of(Script(httpx.Response(202, json=newer))) as client:
        assert client.submit("q", "a").status == "dreaming"
    assert EvaluationCreated.model_validate(newer).id == ID


def test_a_problem_has_all_its_fields():
    body = PROBLEM | {
        "type": "/problems/invalid",
        "errors": [{"at": "body.a", "message": "first"}, {"at": "body.b", "message": "second"}],
    }
    refused = Script(httpx.Response(422, json=body))
    with client_of(refused) as client, pytest.raises(errors.Invalid) as caught:
        client.submit("q", "a")
    assert caught.value.type == "/problems/invalid"
    assert [each.at for each in caught.value.errors] == ["body.a", "body.b"]
    assert str(caught.value) == "No; do this.\n  body.b: second"


@for_each("traceparent", ["", "nonsense", "00-A-b-c", None])
def test_a_trace_context_that_is_none_is_left_out(traceparent):
    script = Script(CREATED_REPLY)
    with client_of(script) as client:
        client.submit("q", "a", traceparent=traceparent)
    assert "traceparent" not in script.asked[0].headers


def test_filters_are_written_as_the_api_reads_them():
    since = dt.datetime(2026, 1, 2, tzinfo=dt.UTC)
    assert query({"a": None, "b": True, "c": since, "d": ID, "e": 0.5}) == {
        "b": "true",
        "c": "2026-01-02T00:00:00+00:00",
        "d": str(ID),
        "e": "0.5",
    }


@for_each("id_", ["../../tokens", "", "1 2"])
def test_an_invalid_id_becomes_no_path(id_):
    script = Script(CREATED_REPLY)
    with client_of(script) as client, pytest.raises(ValueError, match="UUID"):
        client.evaluations.get(id_)
    assert not script.asked


def stream(*events: str) -> httpx.Response:
    return httpx.Response(200, text="".join(events), headers={"content-type": "text/event-stream"})


def state(status: str, place: str | None) -> str:
    body = f'{{"id":null,"answer_id":null,"status":"{status}","reason":null,"error":null}}'
    return f"event: evaluation\ndata: {body}\n" + (f"id: {place}\n\n" if place else "\n")


OTHER = "event: other\ndata: {}\n\n"


def test_a_stream_that_ends_early_is_resumed_behind_the_last_place():
    """Events before a place that has not come are given once, when they come again with it."""
    script = Script(
        stream(state("queued", "1-1"), OTHER),
        httpx.ConnectError,
        refusal(503),
        stream(OTHER, state("running", "2-1")),
        stream(),
        stream(OTHER, state("succeeded", "3-1")),
    )
    with client_of(script) as client:
        received = list(client.evaluations.events(ID))
    assert [event.event_id for event in received] == ["1-1", None, "2-1", None, "3-1"]
    places = [request.headers.get("last-event-id") for request in script.asked]
    assert places == [None, "1-1", "1-1", "1-1", "2-1", "2-1"]


def test_a_stream_that_has_been_heard_out_ends():
    script = Script(httpx.Response(204))
    with client_of(script) as client:
        assert list(client.evaluations.events(ID, "3-1")) == []
    assert script.asked[0].headers["last-event-id"] == "3-1"


@pytest.mark.parametrize("reply", [httpx.Response(200, text=PAGES), refusal(404)])
def test_another_reply_than_a_stream_raises(reply):
    with client_of(Script(reply)) as client, pytest.raises(errors.SearchQAError):
        list(client.evaluations.events(ID))


def test_a_stream_is_given_up_when_the_server_stays_away():
    script = Script(stream(state("queued", "1-1")), httpx.ConnectError)
    with client_of(script) as client, pytest.raises(errors.Unreachable):
        list(client.evaluations.events(ID))
    assert len(script.asked) == 4


def test_the_asynchronous_half_does_the_same():
    script = Script(httpx.ConnectError, refusal(503), CREATED_REPLY)

    async def use() -> object:
        transport = httpx.MockTransport(script)
        async with AsyncSearchQA(URL, retry=AT_ONCE, transport=transport) as client:
            return (await client.submit("q", "a")).id

    assert asyncio.run(use()) == ID
    assert len(script.asked) == 3


def test_the_token_is_shown_nowhere(caplog):
    caplog.set_level(logging.DEBUG)
    script = Script(refusal(401))
    with client_of(script) as client, pytest.raises(errors.Unauthorized) as caught:
        client.submit("q", "a")
    background = Background(client)
    shown = [repr(client), repr(background), str(caught.value), repr(caught.value), caplog.text]
    assert not any("secret" in text for text in shown)
    assert "secret" not in str(script.asked[0].url)
    assert script.asked[0].headers["authorization"] == "Bearer secret"


@for_each(
    ("url", "token"),
    [
        ("127.0.0.1:8765", None),
        ("ftp://host", None),
        ("http://", None),
        ("http://host:port", None),
        ("http://user:pass@host", None),
        ("http://host?token=x", None),
        (URL, "two words"),
        (URL, "line\nbreak"),
        (URL, "토큰"),
    ],
)
def test_an_address_or_token_that_cannot_be_used_is_refused_at_once(url, token):
    with pytest.raises(errors.ConfigurationError) as caught:
        SearchQA(url, token)
    assert "pass" not in str(caught.value).replace("password", "")


@pytest.mark.parametrize(
    ("url", "warned"),
    [
        ("http://example.org", True),
        ("https://example.org", False),
        ("http://localhost:1", False),
        ("http://[::1]:1", False),
    ],
)
def test_a_token_that_would_travel_in_the_clear_is_warned_of(url, warned, caplog):
    SearchQA(url, "secret").close()
    assert ("unencrypted" in caplog.text) is warned
    assert "secret" not in caplog.text


def test_settings_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("SEARCHQA_URL", "https://judge.example.org/")
    with SearchQA() as client:
        assert client.url == "https://judge.example.org"
    with SearchQA(URL) as client:
        assert client.url == URL


def test_attributes_go_with_whatever_is_sent_within(monkeypatch):
    monkeypatch.setenv("SEARCHQA_APP_VERSION", "1.4.2")
    monkeypatch.setenv("SEARCHQA_ENVIRONMENT", "")
    script = Script(CREATED_REPLY)
    with client_of(script) as client:
        with propagate_attributes(session_id="s-1", tags=["a"], attributes={"n": 1}):
            with propagate_attributes(user_ref="kim", tags=["b", "a"], attributes={"m": True}):
                client.submit("q", "a", ["n"])
            client.submit("q", "a", ["n"])
        client.submit("q", "a", ["n"])
        with contextlib.suppress(errors.UnexpectedReply), propagate_attributes(session_id="s-2"):
            client.chat("q", session_id="s-3")
    bodies = [json.loads(request.content) for request in script.asked]
    bodies[-1] = bodies[-1]["options"]
    names = ("app_version", "environment", "user_ref", "session_id", "tags", "attributes")

    assert [{name: body[name] for name in names if name in body} for body in bodies] == [
        {
            "app_version": "1.4.2",
            "user_ref": "kim",
            "session_id": "s-1",
            "tags": ["a", "b"],
            "attributes": {"n": 1, "m": True},
        },
        {"app_version": "1.4.2", "session_id": "s-1", "tags": ["a"], "attributes": {"n": 1}},
        {"app_version": "1.4.2"},
        {"app_version": "1.4.2", "session_id": "s-3"},
    ]


def gate_reply(**changes: object) -> httpx.Response:
    ids = {"answer_id": CREATED["answer_id"], "evaluation_id": CREATED["id"]}
    quality = {**ids, "status": "queued", "reason": None}
    found = {"decision": "allow", "outcome": "matches", "reason": "Good.", "claims": []}
    return httpx.Response(200, json=found | {"quality": quality, "elapsed_ms": 3} | changes)


UNDECIDED = {"decision": "unknown", "outcome": "undecided"}


@for_each(
    ("step", "options", "decision", "outcome"),
    [
        (gate_reply(), {}, "allow", "matches"),
        (gate_reply(decision="hold", outcome="mismatch"), {}, "hold", "mismatch"),
        (gate_reply(**UNDECIDED), {}, "unknown", "undecided"),
        (gate_reply(**UNDECIDED), {"undecided": "hold"}, "hold", "undecided"),
        (gate_reply(decision="later", outcome="new"), {}, "later", "new"),
        (refusal(422), {}, "unknown", "refused"),
        (refusal(429), {}, "unknown", "refused"),
        (refusal(503), {}, "unknown", "refused"),
        (httpx.Response(200, text="<html>"), {}, "unknown", "failed"),
        (httpx.ConnectError, {}, "unknown", "unreachable"),
        (httpx.ReadTimeout, {}, "unknown", "unreachable"),
        (gate_reply(), {"notes": [object()]}, "unknown", "failed"),
        (gate_reply(), {"notes": (1 / 0 for _ in "a")}, "unknown", "failed"),
        (gate_reply(), {"within": "soon"}, "unknown", "failed"),
        (gate_reply(), {"idempotency_key": "한"}, "unknown", "failed"),
        (gate_reply(), {"answer": object()}, "unknown", "failed"),
        (gate_reply(), {"history": [("q",)]}, "unknown", "failed"),
    ],
)
def test_a_guard_raises_nothing(step, options, decision, outcome):
    given = {"question": "q", "answer": "a", "within": 60} | options
    script = Script(step)
    with client_of(script) as client:
        found = client.guard(**given)
    assert (found.decision, found.outcome) == (decision, outcome)
    assert found.reason
    assert found.allowed == (decision == "allow")
    assert len(script.asked) <= 1, "there is no time for another"


def test_a_guard_sends_the_turns_before():
    script = Script(gate_reply())
    with client_of(script) as client:
        assert client.guard("그럼 겨울에는?", "a", history=[("여름에는?", "37도")]).allowed
    body = json.loads(script.asked[0].content)
    assert body["history"] == [{"question": "여름에는?", "answer": "37도"}]


async def test_a_guard_takes_no_longer_than_it_may():
    """The server never answers: neither half waits for it."""
    ended, hangs = threading.Event(), asyncio.Event()

    def never(request: httpx.Request) -> httpx.Response:
        ended.wait()
        return gate_reply()

    async def never_either(request: httpx.Request) -> httpx.Response:
        await hangs.wait()
        return gate_reply()

    try:
        with SearchQA(URL, transport=httpx.MockTransport(never)) as client:
            found = await asyncio.to_thread(client.guard, "q", "a", within=0.05)
        async with AsyncSearchQA(URL, transport=httpx.MockTransport(never_either)) as other:
            also = await other.guard("q", "a", within=0.05)
    finally:
        ended.set()
    for each in (found, also):
        assert (each.decision, each.outcome) == ("unknown", "over_budget")
        assert each.elapsed_ms >= 50


async def test_a_cancelled_guard_is_cancelled():
    hangs = asyncio.Event()

    async def never(request: httpx.Request) -> httpx.Response:
        await hangs.wait()
        return gate_reply()

    async with AsyncSearchQA(URL, transport=httpx.MockTransport(never)) as client:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(client.guard("q", "a", within=60), 0.05)
