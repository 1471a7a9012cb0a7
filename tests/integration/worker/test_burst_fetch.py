"""What a worker's consumer fetches beside the message that woke it, against a real Redis."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import redis
from kombu import Connection, Consumer, Queue
from kombu.message import Message

from cases import TIMEOUT_SECONDS
from worker.consumer import MAX_BURST_MESSAGES, BurstFetch

NAME = "live"


class Hub:
    """Calls what it was asked to when the test turns it."""

    def __init__(self) -> None:
        self.ready: list[Callable[[], object]] = []

    def call_soon(self, callback: Callable[[], object]) -> None:
        self.ready.append(callback)

    def turn(self) -> None:
        ready, self.ready = self.ready, []
        for callback in ready:
            callback()


class Reader:
    """Consumes one queue with room for so many messages, and ends none of them."""

    def __init__(self, url: str, room: int) -> None:
        options = {"priority_steps": [0], "ack_emulation": False}
        self.redis = redis.Redis.from_url(url)
        self.connection = Connection(url, transport_options=options)
        self.taken: list[Message] = []
        self.consumer = Consumer(
            self.connection.channel(),
            [Queue(NAME, routing_key=NAME)],
            on_message=self.taken.append,
            accept=["json"],
        )
        self.hub = Hub()
        parts: Any = SimpleNamespace(
            task_consumer=self.consumer, pool=SimpleNamespace(num_processes=room)
        )
        BurstFetch(parts, self.hub, self.redis)
        self.consumer.consume()

    def publish(self, count: int) -> None:
        with self.connection.Producer() as producer:
            for number in range(count):
                producer.publish([number], routing_key=NAME)

    def read(self) -> None:
        self.connection.drain_events(timeout=TIMEOUT_SECONDS)
        self.hub.turn()

    @property
    def numbers(self) -> list[int]:
        return [message.payload[0] for message in self.taken]

    def close(self) -> None:
        self.consumer.cancel()
        self.connection.release()
        self.redis.close()


@pytest.fixture
def open_reader(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[int], Reader]]:
    monkeypatch.setattr("worker.consumer.BURST_SECONDS", 60)
    opened: list[Reader] = []

    def open_(room: int) -> Reader:
        opened.append(Reader(redis_url, room))
        return opened[-1]

    yield open_
    for reader in opened:
        reader.close()


def test_a_backlog_is_taken_in_order_each_message_once(open_reader):
    reader = open_reader(1000)
    reader.publish(100)
    reads = 0
    while len(reader.taken) < 100:
        reader.read()
        reads += 1
    assert reader.numbers == list(range(100))
    assert reads < 100 / MAX_BURST_MESSAGES + 3


def test_no_more_is_taken_than_there_is_room_for(open_reader):
    reader = open_reader(5)
    reader.publish(20)
    reader.read()
    reader.read()
    assert len(reader.taken) == 2 + 5
    assert reader.redis.llen(NAME) == 13


def test_a_message_alone_costs_no_second_fetch(open_reader, monkeypatch):
    monkeypatch.setattr("worker.consumer.BURST_SECONDS", 0)
    reader = open_reader(1000)
    reader.redis.config_resetstat()
    reader.publish(2)
    reader.read()
    reader.read()
    assert reader.numbers == [0, 1]
    assert "cmdstat_rpop" not in reader.redis.info("commandstats")
