"""What the workers' channel makes of messages, against a real Redis."""

from collections.abc import Iterator
from threading import Thread

import pytest
import redis
from kombu import Connection, Consumer, Queue
from kombu.asynchronous import Hub, get_event_loop, set_event_loop
from kombu.message import Message
from kombu.transport.redis import Transport as RedisTransport

from worker.redis_channel import Channel

NAME = "live"


class Transport(RedisTransport):
    Channel = Channel


class Reader:
    """Takes messages of one queue and confirms none by itself."""

    def __init__(self, url: str, prefetch: int = 0) -> None:
        self.redis = redis.Redis.from_url(url)
        self.connection = Connection(
            url, transport=Transport, transport_options={"priority_steps": [0]}
        )
        self.channel = self.connection.channel()
        self.taken: list[Message] = []
        self.consumer = Consumer(
            self.channel,
            [Queue(NAME, routing_key=NAME)],
            on_message=self.taken.append,
            accept=["json"],
            prefetch_count=prefetch,
        )

    def publish(self, count: int) -> None:
        with self.connection.Producer() as producer:
            for number in range(count):
                producer.publish([number], routing_key=NAME)

    def read(self) -> None:
        self.connection.drain_events(timeout=5)

    def unconfirmed(self) -> tuple[int, int]:
        """Messages and their times, as a sweep would find them."""
        return self.redis.hlen("unacked"), self.redis.zcard("unacked_index")

    def close(self) -> None:
        self.consumer.cancel()
        self.connection.release()
        self.redis.close()


@pytest.fixture
def reader(redis_url: str) -> Iterator[Reader]:
    reader = Reader(redis_url)
    reader.consumer.consume()
    yield reader
    reader.close()


@pytest.fixture
def few(redis_url: str) -> Iterator[Reader]:
    """A reader with room for five."""
    reader = Reader(redis_url, prefetch=5)
    reader.consumer.consume()
    yield reader
    reader.close()


@pytest.fixture
def hub() -> Iterator[Hub]:
    hub = Hub()
    set_event_loop(hub)
    yield hub
    set_event_loop(None)
    hub.close()


def numbers(messages: list[Message]) -> list[int]:
    return [message.payload[0] for message in messages]


def test_what_has_piled_up_is_taken_in_order_each_message_once(reader: Reader) -> None:
    reader.publish(100)
    reads = 0
    while len(reader.taken) < 100:
        reader.read()
        reads += 1
    assert numbers(reader.taken) == list(range(100))
    assert reads < 100
    assert reader.unconfirmed() == (100, 100)


def test_no_more_is_taken_than_there_is_room_for(few: Reader) -> None:
    few.publish(20)
    few.read()
    while len(few.taken) < 5:
        few.read()
    assert len(few.taken) == 5
    assert few.redis.llen(NAME) == 15


def test_confirmed_messages_are_forgotten(reader: Reader) -> None:
    reader.publish(3)
    while len(reader.taken) < 3:
        reader.read()
    for message in reader.taken:
        message.ack()
    assert reader.unconfirmed() == (0, 0)


def test_task_threads_confirm_by_way_of_the_event_loop(reader: Reader, hub: Hub) -> None:
    assert get_event_loop() is hub
    reader.publish(10)
    while len(reader.taken) < 10:
        reader.read()
    threads = [Thread(target=message.ack) for message in reader.taken]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert reader.unconfirmed() == (10, 10)
    before = reader.redis.info("commandstats")["cmdstat_zrem"]["calls"] if _ran(reader) else 0
    next(hub.loop)
    assert reader.unconfirmed() == (0, 0)
    assert reader.redis.info("commandstats")["cmdstat_zrem"]["calls"] == before + 1


def _ran(reader: Reader) -> bool:
    return "cmdstat_zrem" in reader.redis.info("commandstats")


def test_what_is_done_is_confirmed_before_the_rest_is_given_back(reader: Reader, hub: Hub) -> None:
    reader.publish(4)
    while len(reader.taken) < 4:
        reader.read()
    reader.taken[0].ack()
    reader.consumer.cancel()
    reader.channel.close()
    assert reader.unconfirmed() == (0, 0)
    assert reader.redis.llen(NAME) == 3


def test_one_client_serves_all_commands(reader: Reader) -> None:
    with reader.channel.conn_or_acquire() as first, reader.channel.conn_or_acquire() as second:
        assert first is second
    reader.channel._disconnect_pools()
    with reader.channel.conn_or_acquire() as later:
        assert later is not first
