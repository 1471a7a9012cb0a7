"""Clients of Redis. With Sentinel each new connection asks for the present primary."""

from typing import Any

import redis
from redis.asyncio import BlockingConnectionPool, Redis, SSLConnection, UnixDomainSocketConnection
from redis.asyncio.retry import Retry as AsyncRetry
from redis.asyncio.sentinel import Sentinel as AsyncSentinel
from redis.asyncio.sentinel import SentinelConnectionPool, SentinelManagedSSLConnection
from redis.backoff import NoBackoff
from redis.retry import Retry
from redis.sentinel import Sentinel

from app.platform.servers.redis_address import RedisAddress, read_redis_address


def open_redis(url: str, *, seconds: float, variable: str = "REDIS_URL") -> redis.Redis:
    """Does not connect yet. What takes longer, or fails once, raises. Raises SetupError for an
    address that is none of Redis; variable: the setting that it names."""
    address = read_redis_address(url, variable)
    options: dict[str, Any] = {
        "socket_timeout": seconds,
        "socket_connect_timeout": seconds,
        "retry": Retry(NoBackoff(), 0),
    }
    if address.master_name:
        sentinel = Sentinel(
            address.nodes,
            sentinel_kwargs=address.sentinel_arguments() | options,
            **address.arguments(),
            **options,
            **_ssl(address),
        )
        primary: redis.Redis = sentinel.master_for(address.master_name)
        return primary
    if address.path is not None:
        return redis.Redis(unix_socket_path=address.path, **address.arguments(), **options)
    host, port = address.nodes[0]
    return redis.Redis(host, port, **address.arguments(), **options, **_ssl(address))


def open_async_redis(url: str, *, seconds: float, **options: Any) -> Redis:
    """The same for one event loop; closing it closes its connections."""
    return Redis.from_pool(
        async_pool(url, socket_timeout=seconds, socket_connect_timeout=seconds, **options)
    )


def async_pool(url: str, *, max_connections: int = 50, **options: Any) -> BlockingConnectionPool:
    """Connections that do not retry. Raises SetupError for an address that is none of Redis."""
    address = read_redis_address(url)
    options |= {"max_connections": max_connections, "retry": AsyncRetry(NoBackoff(), 0)}
    if address.master_name:
        return _primary_pool(address, options)
    if address.path is not None:
        place: dict[str, Any] = {
            "connection_class": UnixDomainSocketConnection,
            "path": address.path,
        }
    else:
        host, port = address.nodes[0]
        place = {"host": host, "port": port}
        if address.tls:
            place["connection_class"] = SSLConnection
    return BlockingConnectionPool(**place, **address.arguments(), **options)


class _PrimaryPool(SentinelConnectionPool, BlockingConnectionPool):
    """Waits for a free connection, as without Sentinel, and closes those to the Sentinels too."""

    async def disconnect(self, inuse_connections: bool = True) -> None:
        await super().disconnect(inuse_connections)
        # False: it looks for the primary at this moment.
        if inuse_connections:
            for client in self.sentinel_manager.sentinels:
                await client.aclose()


def _primary_pool(address: RedisAddress, options: dict[str, Any]) -> BlockingConnectionPool:
    timeouts = {name: value for name, value in options.items() if name.startswith("socket_")}
    sentinel = AsyncSentinel(
        list(address.nodes),
        sentinel_kwargs=address.sentinel_arguments() | timeouts | {"retry": options["retry"]},
    )
    secure = {"connection_class": SentinelManagedSSLConnection} if address.tls else {}
    return _PrimaryPool(address.master_name, sentinel, **address.arguments(), **options, **secure)


def _ssl(address: RedisAddress) -> dict[str, Any]:
    return {"ssl": True} if address.tls else {}
