"""kombu's Redis channel, made to outlive its connection and to make less of each message.

A message that holds one id costs Celery's main thread more than judging costs the loop. So a
channel keeps its client, which kombu makes anew for each command; it takes what has piled up in
one command; and what the task threads have done is confirmed by the main thread, all of it at a
time.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, time
from typing import Any

from kombu.asynchronous import get_event_loop
from kombu.transport import redis, virtual
from kombu.utils.encoding import bytes_to_str
from kombu.utils.json import dumps, loads
from redis.exceptions import ConnectionError as RedisConnectionError
from vine import promise

from worker.fetching import PAUSED

# A queue that answers sooner than this (seconds) had messages waiting.
IMMEDIATE_SECONDS = 0.005
# The most that is taken beside the first message; other workers may be waiting for the rest.
MAX_BATCH_MESSAGES = 32


class QoS(redis.QoS):
    """A worker that dies before it has confirmed what is done gets those messages again, and
    finds their rows taken."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._done: deque[str] = deque()
        self._confirming = promise(self.confirm)
        self._taken: list[tuple[str, Any]] | None = None

    def can_consume(self) -> bool:
        return not PAUSED.is_set() and super().can_consume()

    def append(self, message: Any, delivery_tag: str) -> None:
        if self._taken is None:
            super().append(message, delivery_tag)
        else:
            self._taken.append((delivery_tag, message))
            virtual.QoS.append(self, message, delivery_tag)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Notes the messages appended inside as one."""
        self._taken = []
        try:
            yield
        finally:
            taken, self._taken = self._taken, None
            if taken:
                self._note(taken)

    def ack(self, delivery_tag: str) -> None:
        """Thread-safe; sent by the event loop's thread, which has noted the message before."""
        loop = get_event_loop()
        self._done.append(delivery_tag)
        if loop is None:
            self.confirm()
        else:
            loop.call_soon(self._confirming)

    def confirm(self) -> None:
        tags = [self._done.popleft() for _ in range(len(self._done))]
        if not tags:
            return
        with self.pipe_or_acquire() as pipe:
            pipe.zrem(self.unacked_index_key, *tags).hdel(self.unacked_key, *tags).execute()
        for tag in tags:
            virtual.QoS.ack(self, tag)

    def restore_unacked_once(self, stderr: Any = None) -> None:
        self.confirm()
        super().restore_unacked_once(stderr)

    def _note(self, taken: list[tuple[str, Any]]) -> None:
        now = time()
        # As kombu's own `append` writes one, because its sweep reads them.
        bodies = {
            tag: dumps(
                [
                    message._raw,  # noqa: SLF001  the same
                    message.delivery_info["exchange"],
                    message.delivery_info["routing_key"],
                ]
            )
            for tag, message in taken
        }
        with self.pipe_or_acquire() as pipe:
            pipe.zadd(self.unacked_index_key, dict.fromkeys(bodies, now))
            pipe.hset(self.unacked_key, mapping=bodies).execute()


class Channel(redis.Channel):
    """When Redis goes away, Celery closes the connection, and its channel still gives back or
    acknowledges the messages that it holds. kombu 5.7 looks for the address of Redis in the
    closed connection then, and dies of an AttributeError that ends the worker with all that is in
    flight. As an error of the connection it is logged, and the worker connects again; the
    messages come back after the visibility timeout."""

    QoS = QoS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._kept: tuple[Any, Any] | None = None
        super().__init__(*args, **kwargs)

    def _connparams(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        if self.connection is None or self.connection.client is None:
            raise RedisConnectionError("The connection of this channel was closed.")
        found: dict[str, Any] = super()._connparams(*args, **kwargs)
        return found

    @contextmanager
    def conn_or_acquire(self, client: Any = None) -> Iterator[Any]:
        """The one client of the present pool of connections."""
        if client is None:
            pool = self.pool
            if self._kept is None or self._kept[0] is not pool:
                self._kept = (pool, self._create_client())
            client = self._kept[1]
        yield client

    def _brpop_read(self, **options: Any) -> Any:
        waited = monotonic() - (self._brpop_sent_at or 0.0)
        with self.qos.together():
            read = super()._brpop_read(**options)
            if read and waited < IMMEDIATE_SECONDS:
                self._take_more()
        return read

    def _take_more(self) -> None:
        """What waits behind a message that was there at once, as far as this worker has room."""
        for queue in self.active_queues:
            room = self.qos.can_consume_max_estimate()  # None: no limit
            if room == 0:
                return
            most = MAX_BATCH_MESSAGES if room is None else min(room, MAX_BATCH_MESSAGES)
            with self.conn_or_acquire() as client:
                items = client.rpop(queue, most) or []
            for item in items:
                self.connection._deliver(loads(bytes_to_str(item)), queue)  # noqa: SLF001


class SentinelChannel(Channel, redis.SentinelChannel):
    """The same over the primary that Sentinels name."""


def use() -> None:
    """For every connection of this process to Redis from now on, whatever its URL's scheme."""
    redis.Transport.Channel = Channel
    redis.SentinelTransport.Channel = SentinelChannel
