"""The address of Redis: a server, one behind TLS, a unix socket, or the primary that Sentinels
name. Nothing else reads REDIS_URL."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

from app.platform.errors import SetupError
from app.platform.servers.tls import AddressError, Tls

_SOCKETS = ("unix", "redis+socket")
_SENTINELS = ("sentinel", "sentinels")
_SCHEMES = ("redis", "rediss", *_SOCKETS, *_SENTINELS)
_RABBITMQ = ("amqp", "amqps")
_WITH_TLS = ("rediss", "sentinels")
_FORMS = (
    "redis://:password@host:6379/0, with TLS rediss://…, with Sentinel"
    " sentinel://host:26379;sentinel://other:26379/0?master_name=mymaster"
)
_PORT, _SENTINEL_PORT = 6379, 26379


@dataclass(frozen=True, slots=True)
class RedisAddress:
    """nodes: host and port of the server, or of each Sentinel; none for a unix socket (`path`).
    master_name: what Sentinels call the primary. sentinel_login: user and password for the
    Sentinels themselves, as redis-py names them."""

    scheme: str
    nodes: tuple[tuple[str, int], ...] = ()
    path: str | None = None
    database: int = 0
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: Tls | None = None
    master_name: str | None = None
    sentinel_login: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def shown(self) -> str:
        """Without passwords and parameters."""
        user = f"{quote(self.username, safe='')}@" if self.username else ""
        return f"{self.scheme}://{user}{','.join(self._hosts())}{self.path or ''}/{self.database}"

    @property
    def kombu_url(self) -> str:
        """As Celery and Flower write it; TLS and Sentinels' own logins are options there."""
        login = ""
        if self.username or self.password:
            parts = (quote(part or "", safe="") for part in (self.username, self.password))
            login = f"{':'.join(parts)}@"
        if self.path is not None:
            return f"redis+socket://{login}{self.path}?virtual_host={self.database}"
        scheme = "sentinel" if self.master_name else self.scheme
        return ";".join(f"{scheme}://{login}{host}/{self.database}" for host in self._hosts())

    def arguments(self) -> dict[str, Any]:
        """Of redis-py's connections to the server itself."""
        found = {"username": self.username, "password": self.password, "db": self.database}
        return found | (self.tls.for_redis() if self.tls else {})

    def sentinel_arguments(self) -> dict[str, Any]:
        """Of redis-py's clients of the Sentinels."""
        return {
            **self.sentinel_login,
            **({"ssl": True, **self.tls.for_redis()} if self.tls else {}),
        }

    def _hosts(self) -> Iterator[str]:
        for host, port in self.nodes:
            yield f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def read_redis_address(url: str, variable: str = "REDIS_URL") -> RedisAddress:
    """Raises SetupError that names the variable."""
    try:
        return _read([urlsplit(each) for each in url.split(";")])
    except AddressError as error:
        raise SetupError(f"{variable} is not a valid address: {error}; write {_FORMS}.") from None
    except ValueError:  # its message may hold a part of the password
        raise SetupError(f"{variable} is not a valid address; write {_FORMS}.") from None


def _read(urls: list[SplitResult]) -> RedisAddress:
    scheme = urls[0].scheme
    if scheme in _RABBITMQ:
        raise AddressError("Redis or Valkey carries the messages, RabbitMQ no longer can")
    if scheme not in _SCHEMES or any(url.scheme != scheme for url in urls):
        raise AddressError("it begins with none of redis://, rediss://, sentinel:// and unix://")
    if len(urls) > 1 and scheme not in _SENTINELS:
        raise AddressError("only Sentinels may be several")
    query = {name: value for url in urls for name, value in parse_qsl(url.query)}
    known = _read_sentinels(query) if scheme in _SENTINELS else {}
    tls = Tls.read(query) if scheme in _WITH_TLS else None
    login = next((url for url in urls if url.username or url.password), urls[0])
    address = RedisAddress(
        scheme,
        nodes=() if scheme in _SOCKETS else tuple(_node(url) for url in urls),
        path=unquote(urls[0].path) if scheme in _SOCKETS else None,
        database=_database(urls, query),
        username=unquote(login.username or "") or None,
        password=unquote(login.password or "") or None,
        tls=tls,
        **known,
    )
    if query:
        raise AddressError(f"it has no parameter {min(query)}")
    return address


def _read_sentinels(query: dict[str, str]) -> dict[str, Any]:
    names = {"username": "sentinel_username", "password": "sentinel_password"}
    login = {name: query.pop(given) for name, given in names.items() if given in query}
    return {"master_name": query.pop("master_name", "mymaster"), "sentinel_login": login}


def _node(url: SplitResult) -> tuple[str, int]:
    if not url.hostname and url.netloc:
        raise AddressError("a host is missing")
    default = _SENTINEL_PORT if url.scheme in _SENTINELS else _PORT
    return url.hostname or "127.0.0.1", url.port or default


def _database(urls: list[SplitResult], query: dict[str, str]) -> int:
    paths = [url.path.strip("/") for url in urls if url.scheme not in _SOCKETS]
    in_query = (query.pop("db", ""), query.pop("virtual_host", ""))
    written = next(filter(None, (*in_query, *paths)), "0")
    if not written.isdecimal():
        raise AddressError("the database is a number")
    return int(written)
