"""Publishing beside the answers: in bursts, through failures, and to a clean end."""

import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence

import pytest

from app.platform.broker import PublishError, Queue
from app.verdicts.lifecycle import publisher as publishing
from app.verdicts.lifecycle.publisher import BackgroundPublisher
from cases import TIMEOUT_SECONDS


class SlowPublisher:
    """Publishes one message for each `go_on`, and fails while `refuses`."""

    def __init__(self) -> None:
        self.messages: list[list[uuid.UUID]] = []
        self.traces: list[dict[uuid.UUID, str]] = []
        self.entered = threading.Semaphore(0)
        self.go_on = threading.Semaphore(0)
        self.refuses = False

    def publish(
        self, queue: Queue, ids: Sequence[uuid.UUID], *, traces: Mapping[uuid.UUID, str]
    ) -> None:
        assert queue is Queue.LIVE
        self.entered.release()
        assert self.go_on.acquire(timeout=TIMEOUT_SECONDS)
        if self.refuses:
            raise PublishError("Redis is away")
        self.messages.append(list(ids))
        self.traces.append(dict(traces))


@pytest.fixture
def publisher() -> SlowPublisher:
    return SlowPublisher()


@pytest.fixture
def background(publisher: SlowPublisher) -> Iterator[BackgroundPublisher]:
    background = BackgroundPublisher(publisher, batch=3)  # type: ignore[arg-type]
    background.start()
    yield background
    for _ in range(10):
        publisher.go_on.release()
    background.stop()
    assert not background._thread.is_alive()


def test_one_goes_alone_and_a_burst_in_lists(publisher, background):
    ids = [uuid.uuid4() for _ in range(6)]

    background.publish(ids[0])
    publisher.entered.acquire(timeout=TIMEOUT_SECONDS)
    for id_ in ids[1:]:
        background.publish(id_, f"trace of {id_}" if id_ == ids[2] else None)
    for _ in range(3):
        publisher.go_on.release()
    for _ in range(2):
        publisher.entered.acquire(timeout=TIMEOUT_SECONDS)
    background.stop()

    assert publisher.messages == [ids[:1], ids[1:4], ids[4:]]
    assert publisher.traces == [{}, {ids[2]: f"trace of {ids[2]}"}, {}]


def test_a_failure_costs_only_its_own_message(publisher, background):
    lost, kept = uuid.uuid4(), uuid.uuid4()
    publisher.refuses = True

    background.publish(lost)
    publisher.entered.acquire(timeout=TIMEOUT_SECONDS)
    background.publish(kept)
    publisher.go_on.release()
    publisher.entered.acquire(timeout=TIMEOUT_SECONDS)
    publisher.refuses = False
    publisher.go_on.release()
    background.stop()

    assert publisher.messages == [[kept]]


def test_stopping_is_quick_whatever_is_under_way(publisher, background):
    background.publish(uuid.uuid4())
    publisher.entered.acquire(timeout=TIMEOUT_SECONDS)
    background.publish(uuid.uuid4())
    stopping = threading.Thread(target=background.stop)
    stopping.start()
    publisher.go_on.release()
    stopping.join(timeout=TIMEOUT_SECONDS)

    assert not background._thread.is_alive()
    assert len(publisher.messages) == 1


def test_a_full_backlog_never_blocks_an_answer(monkeypatch):
    monkeypatch.setattr(publishing, "MAX_BACKLOG", 1)
    not_started = BackgroundPublisher(SlowPublisher(), batch=3)  # type: ignore[arg-type]

    for _ in range(5):
        not_started.publish(uuid.uuid4())

    assert not_started._waiting.qsize() == 1
