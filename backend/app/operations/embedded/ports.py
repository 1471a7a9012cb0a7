"""Free and taken ports, and what counts as this machine alone."""

import ipaddress
import socket

from app.platform.errors import SetupError

LOOPBACK = "127.0.0.1"


def free_port(host: str) -> int:
    """A free port. The system offers it to nobody else for a minute, in which the program that it
    was chosen for has to listen there.

    A connection is opened and closed on it: its end waits for late packets, so the port is neither
    picked for port 0 nor for a connection, while a listener with SO_REUSEADDR may bind it."""
    with (
        _bound(host, 0) as listener,
        socket.create_connection(listener.getsockname()[:2]) as connection,
    ):
        # The end that closes first is the one that waits, and it has to be the one on this port.
        listener.accept()[0].close()
        connection.recv(1)
        return int(listener.getsockname()[1])


def claim_port(host: str, port: int, option: str) -> int:
    """The port itself, or a free one for 0. Raises SetupError if it cannot be listened on;
    option: what chooses another, a command line option or a setting."""
    if port == 0:
        return free_port(host)
    try:
        with _bound(host, port):
            return port
    except OSError as error:
        raise SetupError(
            f"Port {port} on {host} cannot be used ({error.strerror}): stop the program that"
            f" listens there, or choose another port with {option}."
        ) from error


def is_loopback(host: str) -> bool:
    """Whether only programs on this machine can reach the address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def http_url(host: str, port: int) -> str:
    """The address for a browser on this machine: an address that means "all" is not one."""
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  a key, no bind
    return f"http://[{reachable}]:{port}" if ":" in reachable else f"http://{reachable}:{port}"


def _bound(host: str, port: int) -> socket.socket:
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except socket.gaierror as error:
        raise SetupError(f"{host!r} is not an address of this machine: {error.strerror}.") from None
    listener = socket.socket(family, kind)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        # Binding alone succeeds beside a listener on "all addresses"; listening does not.
        listener.listen(1)
    except OSError:
        listener.close()
        raise
    return listener
