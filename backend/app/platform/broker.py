"""What API, dispatcher and worker agree on about the message broker."""

import enum
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

from celery import Celery
from kombu.entity import Queue as KombuQueue
from kombu.exceptions import OperationalError
from kombu.messaging import Producer
from kombu.serialization import dumps
from pydantic_core import to_json
from redis.exceptions import RedisError

from app.platform.errors import SearchQAError
from app.platform.metrics import PUBLISH_FAILURES
from app.platform.servers.redis_address import read_redis_address
from app.platform.settings import Settings
from app.platform.spans import TRACEPARENT

TASK_NAME = "searchqa.judge"
JOB_TASK_NAME = "searchqa.job"
BROKER_ERRORS = (OperationalError, RedisError, OSError)


class PublishError(SearchQAError):
    """Redis did not reply to a publish. The message may have arrived all the same."""


class Queue(enum.StrEnum):
    """`live`: fresh answers. `bulk`: jobs, and background evaluations. `isolated`: what
    killed a worker."""

    LIVE = "live"
    BULK = "bulk"
    ISOLATED = "isolated"


def celery_settings(broker_url: str, settings: Settings, *, fail_fast: bool) -> dict[str, Any]:
    """Celery's configuration for the broker and its queues.

    fail_fast: gives up after a second or two, for a caller that others wait for. Raises SetupError
    for an address that is not one of Redis.
    """
    variable = "BROKER_URL" if broker_url == settings.redis.broker_url else "REDIS_URL"
    address = read_redis_address(broker_url, variable)
    options = _transport_options(fail_fast=fail_fast)
    if address.master_name:
        timeouts = {name: options[name] for name in ("socket_connect_timeout", "socket_timeout")}
        options["master_name"] = address.master_name
        options["sentinel_kwargs"] = address.sentinel_arguments() | timeouts
    return {
        "broker_url": address.kombu_url,
        "broker_use_ssl": address.tls.for_redis() if address.tls else False,
        "broker_transport_options": options,
        # Flower reads their names, and does not accept queues given as a dict.
        "task_queues": [
            KombuQueue(queue.value, routing_key=queue.value)  # type: ignore[no-untyped-call]  # kombu's
            for queue in Queue
        ],
        "task_default_queue": Queue.LIVE.value,
        "task_create_missing_queues": False,
        "task_ignore_result": True,
        "task_serializer": "json",
        "accept_content": ["json"],
        **({"broker_connection_timeout": 2} if fail_fast else {}),
    }


def _transport_options(*, fail_fast: bool) -> dict[str, Any]:
    """Kombu's Redis options. A message is gone from Redis when a worker has fetched it: PostgreSQL
    redelivers, so Redis keeps no list of unacknowledged messages (`ack_emulation`)."""
    options: dict[str, Any] = {
        "ack_emulation": False,
        # With the default of ten, commands fail under load.
        "max_connections": 300,
        "socket_connect_timeout": 2,
        "socket_timeout": 5,
        "socket_keepalive": True,
        "health_check_interval": 10,
        "priority_steps": [0],
    }
    if fail_fast:
        options |= {"socket_connect_timeout": 1, "socket_timeout": 2, "max_retries": 1}
    return options


def _trace_headers(ids: Sequence[uuid.UUID], traces: Mapping[uuid.UUID, str]) -> dict[str, Any]:
    """`traceparent` where all ids have the same one; else `traceparents`, by id: a message may
    bring answers of several callers."""
    if not traces:
        return {}
    distinct = {traces.get(id_) for id_ in ids}
    if len(distinct) == 1:
        return {TRACEPARENT: distinct.pop()}
    return {f"{TRACEPARENT}s": {str(id_): traceparent for id_, traceparent in traces.items()}}


class Publisher:
    """Sends ids to the workers, failing fast: under a second when the broker refuses, a few seconds
    when it is frozen (with Celery's defaults over 75)."""

    def __init__(self, broker_url: str, settings: Settings) -> None:
        """Does not connect yet. Raises SetupError for an address that is not one of Redis."""
        self._celery = Celery("searchqa-publisher", set_as_current=False)
        self._celery.conf.update(
            celery_settings(broker_url, settings, fail_fast=True),
            task_publish_retry_policy={"max_retries": 1, "interval_start": 0, "interval_step": 0.1},
        )

    def publish(
        self,
        queue: Queue,
        ids: Sequence[uuid.UUID],
        task: str = TASK_NAME,
        *,
        traces: Mapping[uuid.UUID, str] = MappingProxyType({}),
    ) -> None:
        """Sends one message with a few ids. A message of one id has that as its task id, so that
        Flower shows an evaluation as one task through all of its tries. traces: the traceparent of
        each id that has one; it becomes a header. Raises PublishError."""
        # The message of `send_task`, made by the same code of Celery and kombu, in one command.
        # `send_task` also looks for a queue to declare, of which Redis has none, and kombu makes a
        # client for each message: half of the CPU.
        task_id = ids[0] if len(ids) == 1 else uuid.uuid4()
        amqp, given = self._celery.amqp, [[str(id_) for id_ in ids]]
        # What Flower shows of the arguments; Celery's own repr of them takes half of the message's
        # CPU.
        shown = {"argsrepr": repr(given)[: amqp.argsrepr_maxsize], "kwargsrepr": "{}"}
        made = amqp.as_task_v2(str(task_id), task, given, {}, **shown)
        made.headers.update(_trace_headers(ids, traces))
        kind, encoding, body = dumps(made.body, serializer="json")  # type: ignore[no-untyped-call]  # kombu's
        properties = {**made.properties, "delivery_mode": 2}
        with self._producer() as producer:
            channel: Any = producer.channel
            message = channel.prepare_message(body, 0, kind, encoding, made.headers, properties)
            channel._inplace_augment_message(message, "", queue.value)  # noqa: SLF001  as `basic_publish`
            channel.client.lpush(queue.value, to_json(message))

    def waiting(self, queue: Queue) -> int:
        """Messages in the queue that no worker has fetched yet. Raises PublishError."""
        with self._producer() as producer:
            return int(producer.channel.client.llen(queue.value))

    @contextmanager
    def _producer(self) -> Iterator[Producer]:
        try:
            with self._celery.producer_pool.acquire(block=True, timeout=2) as producer:
                try:
                    yield producer
                except BROKER_ERRORS:
                    # What comes late would be taken for the reply to what is sent next.
                    producer.connection.collect()
                    raise
        except BROKER_ERRORS as error:
            PUBLISH_FAILURES.inc()
            raise PublishError(f"Redis did not reply: {error}") from error

    def close(self) -> None:
        self._celery.close()
