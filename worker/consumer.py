"""A step of Celery's consumer: bursts of messages, events for Flower in batches, a heartbeat."""

import logging
import os
import signal
from functools import partial
from time import monotonic
from typing import Any

import redis
from celery import bootsteps
from celery.worker.state import reserved_requests
from pydantic_core import from_json
from redis.exceptions import RedisError
from vine import promise

from app.platform.heartbeat import heartbeat
from app.platform.servers.redis_client import open_redis
from app.platform.settings import get_settings

logger = logging.getLogger(__name__)

# Flower shows events this many seconds late at most; sending each task's three events as they come
# costs as much as taking its message.
EVENTS_INTERVAL_SECONDS = 0.2
# With this many events a batch is sent before its time.
MAX_BUFFERED_EVENTS = 1000
# Messages that arrive within this time of each other may have more behind them.
BURST_SECONDS = 0.01
# Fetched in one command; other workers may be waiting for the rest.
MAX_BURST_MESSAGES = 32
IDLE_LOOK_SECONDS = 1.0
_LOOP = "consumer"
_SHOWN_OF_BROKER = ("transport", "hostname", "port", "virtual_host", "userid")
# Celery's own commands block the consumer's thread on a frozen Redis, one time limit and one retry
# after the other, while the calls in flight go on.
_MAX_SILENCE_SECONDS = 300.0


class BurstFetch:
    """Fetches what has piled up behind a message in one command. Celery takes one message in each
    turn of its loop, which costs a fifth of the worker's CPU at 200 answers a second.

    client: a connection of its own, because the consumer's is blocked by BRPOP.
    """

    def __init__(self, consumer: Any, hub: Any, client: redis.Redis) -> None:
        self._client = client
        self._pool = consumer.pool
        self._call_soon = partial(hub.call_soon, promise(self._fetch))
        self._consumer = consumer.task_consumer
        self._handle = self._consumer.on_message
        self._arrived_at = 0.0
        self._fetching = False
        self._consumer.on_message = self._on_message

    def _on_message(self, message: Any) -> None:
        last, self._arrived_at = self._arrived_at, monotonic()
        self._handle(message)
        if not self._fetching and self._arrived_at - last < BURST_SECONDS:
            self._call_soon()

    def _fetch(self) -> None:
        self._fetching = True
        try:
            for queue in self._consumer.queues:
                self._fetch_from(queue.name)
        except RedisError as error:
            # What it may have lost is redelivered; the consumer notices an outage by itself.
            logger.warning("Redis did not reply to a fetch (%s)", error)
        finally:
            self._fetching = False

    def _fetch_from(self, queue: str) -> None:
        room = min(MAX_BURST_MESSAGES, self._pool.num_processes - len(reserved_requests))
        fetched: Any = self._client.rpop(queue, room) if room > 0 else None
        channel = self._consumer.channel
        for item in fetched or ():
            channel.connection.on_message_ready(channel, from_json(item), queue)
        if fetched and len(fetched) == MAX_BURST_MESSAGES:
            self._call_soon()


def end_if_idle(pool: Any, max_idle: float) -> None:
    """As if somebody asked this process to stop: a message that arrives now is not lost."""
    if pool.idle_seconds >= max_idle:
        logger.info("No message for %g s: this worker ends until there is work again", max_idle)
        os.kill(os.getpid(), signal.SIGTERM)


class ConsumerStep(bootsteps.StartStopStep):  # type: ignore[misc]
    """The consumer's heartbeat, its events for Flower in batches, and what it shows of Redis."""

    requires = ("celery.worker.consumer.tasks:Tasks",)
    _client: redis.Redis | None = None

    def register_with_event_loop(self, consumer: Any, hub: Any) -> None:
        events = consumer.event_dispatcher
        events.buffer_limit = MAX_BUFFERED_EVENTS
        events.on_send_buffered = None
        hub.call_repeatedly(EVENTS_INTERVAL_SECONDS, events.flush)
        settings = get_settings()
        self._client = open_redis(settings.redis.message_url or "", seconds=2)
        BurstFetch(consumer, hub, self._client)
        if max_idle := consumer.app.conf.get("worker_max_idle"):
            hub.call_repeatedly(IDLE_LOOK_SECONDS, end_if_idle, consumer.pool, max_idle)
        heartbeat.expect(_LOOP, _MAX_SILENCE_SECONDS)
        hub.call_repeatedly(heartbeat.interval, heartbeat.beat, _LOOP)

    def stop(self, consumer: Any) -> None:
        """Also called when the connection is lost: Celery waits for Redis with this thread."""
        heartbeat.release(_LOOP)
        if self._client is not None:
            self._client.close()

    def info(self, consumer: Any) -> dict[str, Any]:
        """For Flower and `celery inspect stats`, in the place of what Celery shows of the broker:
        its transport options hold the password of the Sentinels."""
        if consumer.connection is None:
            return {}
        shown = consumer.connection.info()
        return {"broker": {name: shown.get(name) for name in _SHOWN_OF_BROKER}}
