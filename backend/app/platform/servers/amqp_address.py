"""The address of RabbitMQ, or of each node of its cluster."""

from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, unquote, urlsplit, urlunsplit

from app.platform.errors import SetupError
from app.platform.servers.tls import AddressError, Tls

_SCHEMES = ("amqp", "amqps")
_FORMS = (
    "amqp://user:password@host:5672/vhost, with TLS amqps://…, for a cluster"
    " amqp://user:password@host/vhost;amqp://user:password@other/vhost"
)


@dataclass(frozen=True, slots=True)
class AmqpAddress:
    """kombu_url: holds the password; `shown` does not."""

    kombu_url: str
    shown: str
    tls: Tls | None = None


def is_amqp(url: str) -> bool:
    return url.partition("://")[0] in _SCHEMES


def read_amqp_address(url: str, variable: str = "BROKER_URL") -> AmqpAddress:
    """Raises SetupError that names the variable."""
    try:
        return _read(url)
    except AddressError as error:
        raise SetupError(f"{variable} is not a valid address: {error}; write {_FORMS}.") from None
    except ValueError:  # its message may hold a part of the password
        raise SetupError(f"{variable} is not a valid address; write {_FORMS}.") from None


def _read(url: str) -> AmqpAddress:
    nodes = [urlsplit(each) for each in url.split(";")]
    scheme = nodes[0].scheme
    if any(node.scheme != scheme or not node.hostname for node in nodes):
        raise AddressError("a host is missing")
    query = {name: value for node in nodes for name, value in parse_qsl(node.query)}
    tls = Tls.read(query) if scheme == "amqps" else None
    if query:
        raise AddressError(f"it has no parameter {min(query)}")
    return AmqpAddress(
        ";".join(urlunsplit((scheme, node.netloc, node.path, "", "")) for node in nodes),
        shown=";".join(
            f"{scheme}://{_user(node.username)}{node.hostname}{_port(node.port)}{node.path}"
            for node in nodes
        ),
        tls=tls,
    )


def _user(name: str | None) -> str:
    return f"{quote(unquote(name), safe='')}@" if name else ""


def _port(number: int | None) -> str:
    return f":{number}" if number else ""
