"""kombu's Redis channel, made to outlive its connection."""

from typing import Any

from kombu.transport import redis
from redis.exceptions import ConnectionError as RedisConnectionError


class Channel(redis.Channel):
    """When Redis goes away, Celery closes the connection, and its channel still gives back or
    acknowledges the messages that it holds. kombu 5.7 looks for the address of Redis in the
    closed connection then, and dies of an AttributeError that ends the worker with all that is in
    flight. As an error of the connection it is logged, and the worker connects again; the
    messages come back after the visibility timeout."""

    def _connparams(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        if self.connection is None or self.connection.client is None:
            raise RedisConnectionError("The connection of this channel was closed.")
        found: dict[str, Any] = super()._connparams(*args, **kwargs)  # type: ignore[no-untyped-call]
        return found


def use() -> None:
    """For every connection of this process from now on, whatever its URL's scheme."""
    redis.Transport.Channel = Channel
