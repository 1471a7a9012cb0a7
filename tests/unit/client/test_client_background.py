"""Background against a real server on loopback that is away, slow, or refuses."""

import logging
import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator

import pytest
from searchqa_client import Background, Note, Retry
from searchqa_client.outbox import Bounds, Outbox
from searchqa_client.submission import Submission

from cases import TIMEOUT_SECONDS
from scripted_http import Asked, Reply, ScriptedHttp, problem, scripted_http

AT_ONCE = Retry(first_seconds=0.001, max_seconds=0.005)


@pytest.fixture
def server() -> Iterator[ScriptedHttp]:
    with scripted_http().serving() as server:
        yield server


def questions(server: ScriptedHttp) -> list[str]:
    return [asked.json["question"] for asked in server.asked]


def test_an_answer_is_sent_with_all_that_belongs_to_it(server):
    traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    with Background(url=server.url, token="secret") as background:
        background.submit(
            "몇 도?",
            "95도",
            ["one", Note(title="t", content="two"), {"content": "three", "title": "u"}],
            lang="ko",
            feature="insight",
            model="m",
            profile="p",
            slots={"age": 30},
            idempotency_key="key-1",
            traceparent=traceparent,
        )
        assert background.flush(TIMEOUT_SECONDS)

    (asked,) = server.asked
    assert (asked.method, asked.path) == ("POST", "/qa-evaluations")
    assert asked.headers["authorization"] == "Bearer secret"
    assert asked.headers["idempotency-key"] == "key-1"
    assert asked.headers["traceparent"] == traceparent
    assert asked.json == {
        "question": "몇 도?",
        "answer": "95도",
        "sources": [
            {"title": "", "content": "one"},
            {"title": "t", "content": "two"},
            {"title": "u", "content": "three"},
        ],
        "lang": "ko",
        "feature": "insight",
        "model": "m",
        "profile": "p",
        "slots": {"age": 30},
    }


def test_a_retry_has_the_same_key(server):
    server.script(problem(503, "away"), problem(429, "slower", retry_after="0"), Reply(502))
    with Background(url=server.url, retry=AT_ONCE) as background:
        background.submit("q", "a")
        assert background.flush(TIMEOUT_SECONDS)
        assert background.stats.sent == 1
    assert len({asked.headers["idempotency-key"] for asked in server.asked}) == 1
    assert len(server.asked) == 4


def test_one_that_is_refused_is_dropped_alone(server, caplog):
    server.script(Reply(), problem(422, "question: too long; send at most 4,000 characters."))
    with Background(url=server.url) as background:
        for n in range(3):
            background.submit(f"q{n}", "a")
        assert background.flush(TIMEOUT_SECONDS)
        stats = background.stats
    assert (stats.submitted, stats.sent, stats.dropped, stats.waiting) == (3, 2, {"http_422": 1}, 0)
    assert questions(server) == ["q0", "q1", "q2"]
    (message,) = caplog.messages
    assert message == (
        "Answers not handed to SearchQA: 1 (http_422: 1). question: too long; send at most 4,000"
        " characters."
    )


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("q", None), "invalid"),
        ((b"q", "a"), "invalid"),
        (("q", "a", [3]), "invalid"),
        (("q", "a", [{"text": "no content"}]), "invalid"),
        (("q", "a", 7), "invalid"),
        (("q", "x" * (2 * 1024 * 1024 + 1)), "too_large"),
        (("q", "a", ["x" * 1024] * 2049), "too_large"),
    ],
)
def test_unsendable_answers_never_raise(server, arguments, reason):
    with Background(url=server.url) as background:
        background.submit(*arguments)
        assert background.stats.dropped == {reason: 1}
    assert server.asked == []


@pytest.mark.parametrize(
    "options", [{"slots": {"age": object()}}, {"idempotency_key": "has a blank"}, {"slots": 3}]
)
def test_what_no_request_can_carry_is_dropped_by_the_thread(server, options):
    with Background(url=server.url) as background:
        background.submit("q", "a", **options)  # type: ignore[arg-type]
        background.submit("next", "a")
        assert background.flush(TIMEOUT_SECONDS)
        assert background.stats.dropped == {"invalid": 1}
    assert questions(server) == ["next"]


class Hostile(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


def test_a_note_that_fails_in_every_way_does_no_harm(server):
    def notes() -> Iterator[str]:
        yield "first"
        raise Hostile

    with Background(url=server.url) as background:
        background.submit("q", "a", notes())
        assert background.stats.dropped == {"invalid": 1}


def test_slots_are_sent_as_they_were_submitted(server):
    slots: dict[str, object] = {"age": 30}
    with Background(url=server.url, senders=0) as background:
        background.submit("q", "a", slots=slots)
        slots["age"] = object()
        taken = background._outbox.take()
        assert taken.submission.slots == {"age": 30}
        background.close(0)


def test_half_a_surrogate_pair_is_sent_as_a_question_mark(server):
    with Background(url=server.url) as background:
        background.submit("cut \ud83c", "a")
        assert background.flush(TIMEOUT_SECONDS)
    assert questions(server) == ["cut ?"]


def test_the_newest_are_kept_while_the_server_is_away_and_sent_when_it_is_back(caplog):
    away = threading.Event()
    tried = threading.Event()

    def answer(_: Asked) -> Reply:
        tried.set()
        return problem(503, "away; try again later.") if away.is_set() else Reply()

    away.set()
    with (
        scripted_http(answer).serving() as server,
        Background(url=server.url, max_waiting=10, retry=AT_ONCE) as background,
    ):
        background.submit("first", "a")
        assert tried.wait(TIMEOUT_SECONDS)
        for n in range(100):
            background.submit(f"q{n}", "a")
        assert not background.flush(0)
        away.clear()
        assert background.flush(TIMEOUT_SECONDS)
        stats = background.stats
        sent = {question for question in questions(server) if question != "first"}

    assert {f"q{n}" for n in range(91, 100)} <= sent
    assert stats.submitted == stats.sent + stats.dropped["queue_full"] == 101
    assert 90 <= stats.dropped["queue_full"] <= 91
    said = [message for message in caplog.messages if "queue_full" in message]
    assert 1 <= len(said) <= 2, "when the first were dropped, and at the end"
    assert f"The server at {server.url} is away or too slow" in said[0]


def test_nobody_listening_is_waited_out(caplog):
    with scripted_http().serving() as server:
        gone = server.url
    background = Background(url=gone, retry=AT_ONCE)
    with caplog.at_level(logging.WARNING, "searchqa_client"):
        background.submit("q", "a")
        assert not background.flush(0.05)
        assert background.stats.waiting == 1
        background.close(0)
    background.submit("late", "a")
    assert background.stats.dropped["closed"] >= 1


def test_an_answer_that_hangs_lets_the_others_pass():
    release, all_came = threading.Event(), threading.Event()
    came = set()

    def answer(asked: Asked) -> Reply:
        came.add(asked.json["question"])
        if len(came) == 3:
            all_came.set()
        if asked.json["question"] == "poison":
            release.wait(TIMEOUT_SECONDS)
        return Reply()

    with (
        scripted_http(answer).serving() as server,
        Background(url=server.url, timeout=0.2, retry=AT_ONCE) as background,
    ):
        for question in ("poison", "b", "c"):
            background.submit(question, "a")
        assert all_came.wait(TIMEOUT_SECONDS)
        release.set()
        assert background.flush(TIMEOUT_SECONDS)
        assert background.stats.sent == 3


def test_several_senders_have_several_answers_on_the_way():
    all_here = threading.Barrier(4)

    def answer(_: Asked) -> Reply:
        all_here.wait(TIMEOUT_SECONDS)
        return Reply()

    with (
        scripted_http(answer).serving() as server,
        Background(url=server.url, senders=4, retry=AT_ONCE) as background,
    ):
        for n in range(8):
            background.submit(f"q{n}", "a")
        assert background.flush(TIMEOUT_SECONDS)
    assert sorted(questions(server)) == [f"q{n}" for n in range(8)]


def test_a_limit_of_threads_leaves_those_that_could_be_started(server, monkeypatch):
    start = threading.Thread.start
    started = []

    def start_one(thread: threading.Thread) -> None:
        if thread.name.startswith("searchqa-background"):
            if not thread.name.endswith("-0"):
                raise RuntimeError("can't start new thread")
            started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_one)
    with Background(url=server.url, senders=2) as background:
        for n in range(5):
            background.submit(f"q{n}", "a")
        assert background.flush(TIMEOUT_SECONDS)
    assert len(started) == 1


def test_memory_is_bounded_by_bytes():
    outbox = Outbox(Bounds(max_waiting=1000, max_bytes=100_000, warn_seconds=60), "url")
    for n in range(20):
        outbox.put(Submission(f"q{n}", "가" * 10_000, []))
    stats = outbox.stats
    assert stats.waiting == 4, "20 kB of memory each"
    assert stats.dropped == {"queue_full": 16}
    outbox.put(Submission("q", "가" * 60_000, []))
    assert outbox.stats.dropped == {"queue_full": 16, "too_large": 1}
    taken = outbox.take()
    assert taken.submission.question == "q16"


def test_a_submit_within_a_submit_does_not_wait_for_itself():
    """As from a destructor or a signal handler."""
    outbox = Outbox(Bounds(10, 1_000_000, 60), "url")
    with outbox._lock:
        outbox.put(Submission("q", "a", []))
    assert outbox.stats.waiting == 1


def test_a_sender_sleeps_while_nothing_waits_also_where_every_drop_is_told():
    outbox = Outbox(Bounds(10, 1_000_000, warn_seconds=0), "url")
    sender = threading.Thread(target=outbox.take)
    sender.start()
    sender.join(0.1)
    asleep = sender.is_alive()
    outbox.close()
    sender.join(TIMEOUT_SECONDS)
    assert asleep


def test_drops_are_said_once_per_interval(server, caplog):
    with Background(url=server.url, warn_seconds=3600) as background:
        for _ in range(50):
            background.submit("q", "x" * 3_000_000)
        assert background.flush(TIMEOUT_SECONDS)
    said = [message for message in caplog.messages if "too_large" in message]
    assert 1 <= len(said) <= 2, "the first at once, the others when it is closed"
    assert "Send fewer or shorter notes" in said[-1]


def run(script: str, url: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-X", "faulthandler", "-W", "error", "-c", textwrap.dedent(script)],
        env=os.environ | {"SEARCHQA_URL": url, "SEARCHQA_TOKEN": "from-the-environment"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_what_waits_at_the_end_of_the_process_is_sent(server):
    done = run(
        """
        from searchqa_client import Background
        background = Background()
        for n in range(20):
            background.submit(f"q{n}", "a")
        """,
        server.url,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert questions(server) == [f"q{n}" for n in range(20)]
    assert server.asked[0].headers["authorization"] == "Bearer from-the-environment"


def test_the_end_of_the_process_does_not_wait_for_a_server_that_is_frozen():
    release = threading.Event()

    def answer(_: Asked) -> Reply:
        release.wait(TIMEOUT_SECONDS)
        return Reply()

    with scripted_http(answer).serving() as server:
        done = run(
            """
            from searchqa_client import Background
            background = Background(exit_seconds=0.2)
            for n in range(20):
                background.submit(f"q{n}", "a")
            """,
            server.url,
        )
        release.set()
    assert done.returncode == 0
    assert "(closed: 19)" in done.stderr


def test_one_that_is_closed_is_not_waited_for_again():
    release = threading.Event()
    tried, answered = threading.Event(), threading.Event()

    def answer(_: Asked) -> Reply:
        tried.set()
        release.wait(TIMEOUT_SECONDS)
        answered.set()
        return Reply()

    with scripted_http(answer).serving() as server:
        background = Background(url=server.url, exit_seconds=2 * TIMEOUT_SECONDS)
        background.submit("q", "a")
        assert tried.wait(TIMEOUT_SECONDS)
        background.close(0)
        background.close()
        assert not answered.is_set()
        release.set()
        assert background.flush(TIMEOUT_SECONDS)
        background.close()


def test_a_forked_child_sends_its_own_and_leaves_its_parent_the_others(server):
    done = run(
        """
        import os, sys, warnings
        warnings.simplefilter("ignore", DeprecationWarning)  # of forking beside a thread
        warnings.simplefilter("ignore", ResourceWarning)  # of the parent's sockets, in its children
        from searchqa_client import Background
        background = Background()
        background.submit("before", "a")
        children = []
        for n in range(3):
            if not (child := os.fork()):
                background.submit(f"child {n}", "a")
                flushed = background.flush(30) and background.stats.sent == 1
                sys.exit(0 if flushed else f"child {n}: {background.stats}")
            children.append(child)
        background.submit("parent", "a")
        failed = [os.waitpid(child, 0)[1] for child in children]
        sys.exit(f"children {failed}" if any(failed) else not background.flush(30))
        """,
        server.url,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(questions(server)) == ["before", "child 0", "child 1", "child 2", "parent"]
