"""What API, dispatcher and worker agree on about the message broker."""

import enum
import uuid
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from celery import Celery
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from app.errors import SearchQAError
from app.settings import Settings
from app.telemetry.metrics import PUBLISH_FAILURES
from app.trace_context import TRACEPARENT

TASK_NAME = "searchqa.judge"
JOB_TASK_NAME = "searchqa.job"


class PublishError(SearchQAError):
    """The broker did not confirm a message. It may have arrived all the same."""


class Queue(enum.StrEnum):
    """`live`: fresh answers. `bulk`: jobs, and background evaluations. `isolated`: what
    killed a worker."""

    LIVE = "live"
    BULK = "bulk"
    ISOLATED = "isolated"


def transport_options(settings: Settings) -> dict[str, Any]:
    """Kombu's Redis options, measured: with the default sweep a message of a killed worker came
    back after 90 s, with these after 10 s; with the default ten connections acknowledgements
    fail under load."""
    return {
        "visibility_timeout": settings.visibility_timeout,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "max_connections": 300,
        "socket_connect_timeout": 2,
        "socket_timeout": 5,
        "socket_keepalive": True,
        "health_check_interval": 10,
        "priority_steps": [0],
    }


def redis_py_url(redis_url: str) -> str:
    """REDIS_URL for redis-py: Celery writes the path of a unix socket as redis+socket://."""
    return redis_url.replace("redis+socket://", "unix://", 1)


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
    """Sends ids to the workers, failing fast: under a second when Redis refuses, a few seconds
    when it is frozen (with Celery's defaults over 75)."""

    def __init__(self, redis_url: str, settings: Settings) -> None:
        self._celery = Celery("searchqa-publisher", broker=redis_url, set_as_current=False)
        self._celery.conf.update(
            task_ignore_result=True,
            task_serializer="json",
            accept_content=["json"],
            broker_connection_timeout=2,
            broker_transport_options=transport_options(settings)
            | {"socket_connect_timeout": 1, "socket_timeout": 2, "max_retries": 1},
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
        try:
            self._celery.send_task(
                task,
                args=[[str(id_) for id_ in ids]],
                queue=queue.value,
                headers=_trace_headers(ids, traces),
            )
        except (OperationalError, RedisError, OSError) as error:
            PUBLISH_FAILURES.inc()
            raise PublishError(f"Redis did not take the message: {error}") from error

    def waiting(self, queue: Queue) -> int:
        """Messages in the queue that no worker has fetched yet. Raises PublishError."""
        try:
            with self._celery.pool.acquire(block=True, timeout=2) as connection:
                return int(connection.default_channel.client.llen(queue.value))
        except (OperationalError, RedisError, OSError) as error:
            raise PublishError(f"Redis cannot be reached: {error}") from error

    def close(self) -> None:
        self._celery.close()
