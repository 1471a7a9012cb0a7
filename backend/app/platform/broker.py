"""What API, dispatcher and worker agree on about the message broker."""

import enum
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

from amqp.exceptions import AMQPError, MessageNacked
from celery import Celery
from kombu.entity import Queue as KombuQueue
from kombu.exceptions import OperationalError
from kombu.messaging import Producer
from kombu.serialization import dumps
from pydantic_core import to_json
from redis.exceptions import RedisError

from app.platform.errors import SearchQAError
from app.platform.servers.amqp_address import is_amqp, read_amqp_address
from app.platform.servers.redis_address import read_redis_address
from app.platform.settings import Settings
from app.platform.telemetry.metrics import PUBLISH_FAILURES
from app.platform.trace_context import TRACEPARENT

TASK_NAME = "searchqa.judge"
JOB_TASK_NAME = "searchqa.job"
BROKER_ERRORS = (OperationalError, RedisError, OSError, AMQPError, MessageNacked)


class PublishError(SearchQAError):
    """The broker did not confirm a message. It may have arrived all the same."""


class Queue(enum.StrEnum):
    """`live`: fresh answers. `bulk`: jobs, and background evaluations. `isolated`: what
    killed a worker."""

    LIVE = "live"
    BULK = "bulk"
    ISOLATED = "isolated"


def celery_settings(broker_url: str, settings: Settings, *, fail_fast: bool) -> dict[str, Any]:
    """How Celery reaches the broker, and its queues. fail_fast: gives up after a second or two, for
    whoever has others waiting. Raises SetupError for an address that is none of a broker."""
    seconds = {"broker_connection_timeout": 2} if fail_fast else {}
    make = _rabbitmq if is_amqp(broker_url) else _redis
    variable = "BROKER_URL" if broker_url == settings.redis.broker_url else "REDIS_URL"
    return {
        "task_queues": queues(broker_url),
        "task_default_queue": Queue.LIVE.value,
        "task_create_missing_queues": False,
        "task_ignore_result": True,
        "task_serializer": "json",
        "accept_content": ["json"],
        **seconds,
        **make(broker_url, settings, variable, fail_fast=fail_fast),
    }


def queues(broker_url: str) -> list[KombuQueue]:
    """In RabbitMQ they are replicated: a message that it has confirmed outlives a node."""
    arguments = {"x-queue-type": "quorum"} if is_amqp(broker_url) else None
    # Flower reads their names, and does not accept queues given as a dict.
    return [
        KombuQueue(queue.value, routing_key=queue.value, queue_arguments=arguments)  # type: ignore[no-untyped-call]  # kombu's
        for queue in Queue
    ]


def _redis(url: str, settings: Settings, variable: str, *, fail_fast: bool) -> dict[str, Any]:
    """Kombu's Redis options, measured: with the default sweep a message of a killed worker came
    back after 90 s, with these after 10 s; with the default ten connections acknowledgements
    fail under load."""
    address = read_redis_address(url, variable)
    options: dict[str, Any] = {
        "visibility_timeout": settings.judge.visibility_timeout_seconds,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "max_connections": 300,
        "socket_connect_timeout": 2,
        "socket_timeout": 5,
        "socket_keepalive": True,
        "health_check_interval": 10,
        "priority_steps": [0],
    }
    if fail_fast:
        options |= {"socket_connect_timeout": 1, "socket_timeout": 2, "max_retries": 1}
    if address.master_name:
        timeouts = {name: options[name] for name in ("socket_connect_timeout", "socket_timeout")}
        options["master_name"] = address.master_name
        options["sentinel_kwargs"] = address.sentinel_arguments() | timeouts
    return {
        "broker_url": address.kombu_url,
        "broker_use_ssl": address.tls.for_redis() if address.tls else False,
        "broker_transport_options": options,
    }


def _rabbitmq(url: str, settings: Settings, variable: str, *, fail_fast: bool) -> dict[str, Any]:
    """Publishing waits until RabbitMQ has the message. Workers publish nothing that must arrive:
    events for Flower, and replies to it. Without time limits a frozen RabbitMQ is waited for."""
    address = read_amqp_address(url, variable)
    seconds = 2 if fail_fast else 10
    return {
        "broker_url": address.kombu_url,
        "broker_use_ssl": address.tls.for_amqp() if address.tls else False,
        "broker_heartbeat": 10,
        "broker_transport_options": {
            "confirm_publish": fail_fast,
            "read_timeout": seconds,
            "write_timeout": seconds,
            **({"max_retries": 1, "interval_start": 0} if fail_fast else {}),
        },
    }


def rabbitmq_version(broker_url: str, settings: Settings) -> str:
    """Connects. Raises PublishError when it cannot be reached or refuses the login."""
    celery = Celery("searchqa-ping", set_as_current=False)
    celery.conf.update(celery_settings(broker_url, settings, fail_fast=True))
    try:
        with celery.connection_for_read() as connection:
            connection.ensure_connection(max_retries=1, interval_start=0)
            properties = connection.connection.server_properties
            return f"{properties['product']} {properties['version']}"
    except BROKER_ERRORS as error:
        raise PublishError(f"RabbitMQ did not reply: {error}") from error
    finally:
        celery.close()


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
        """Does not connect yet. Raises SetupError for an address that is none of a broker."""
        self._is_rabbitmq = is_amqp(broker_url)
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
        """One message with a few ids. traces: the traceparent of each id that has one; it becomes
        a header, for whoever watches the broker. Raises PublishError."""
        headers = _trace_headers(ids, traces)
        arguments = [[str(id_) for id_ in ids]]
        with self._producer() as producer:
            if self._is_rabbitmq:
                self._celery.send_task(
                    task, args=arguments, queue=queue.value, headers=headers, producer=producer
                )
            else:
                self._push(producer.channel, queue.value, task, arguments, headers)

    def _push(
        self, channel: Any, queue: str, task: str, arguments: list[Any], headers: dict[str, Any]
    ) -> None:
        """The message that `send_task` makes, by the same code of Celery and kombu, in one command.
        On its way there `send_task` looks for a queue to declare, of which Redis has none, and
        kombu makes a client for each message: half of the CPU."""
        made = self._celery.amqp.as_task_v2(str(uuid.uuid4()), task, arguments, {})
        made.headers.update(headers)
        kind, encoding, body = dumps(made.body, serializer="json")  # type: ignore[no-untyped-call]  # kombu's
        message = channel.prepare_message(
            body, 0, kind, encoding, made.headers, {**made.properties, "delivery_mode": 2}
        )
        channel._inplace_augment_message(message, "", queue)  # noqa: SLF001  as `basic_publish`
        channel.client.lpush(queue, to_json(message))

    def waiting(self, queue: Queue) -> int:
        """Messages in the queue that no worker has fetched yet. Raises PublishError."""
        with self._producer() as producer:
            if not self._is_rabbitmq:
                return int(producer.channel.client.llen(queue.value))
            declared = self._celery.amqp.queues[queue.value]
            found = producer.channel.queue_declare(
                queue.value,
                durable=declared.durable,
                auto_delete=declared.auto_delete,
                arguments=declared.queue_arguments,
            )
            return int(found.message_count)

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
            broker = "RabbitMQ" if self._is_rabbitmq else "Redis"
            raise PublishError(f"{broker} did not reply: {error}") from error

    def close(self) -> None:
        self._celery.close()
