"""Ports are claimed before anything starts."""

import socket

import pytest

from app.operations.embedded.ports import claim_port, free_port, http_url, is_loopback
from app.platform.errors import SetupError
from cases import for_each


def test_a_port_in_use_is_refused_and_the_option_named():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SetupError, match=rf"Port {port} .*--flower-port"):
            claim_port("127.0.0.1", port, "--flower-port")
    assert claim_port("127.0.0.1", port, "--port") == port


def test_zero_picks_a_free_port():
    port = claim_port("127.0.0.1", 0, "--port")
    with socket.create_server(("127.0.0.1", port)):
        assert port > 0


def test_a_free_port_is_offered_once_and_can_be_listened_on():
    """There are 28,000: without a reservation one of 600 comes twice in nearly every run."""
    ports = [free_port("127.0.0.1") for _ in range(600)]
    assert len(set(ports)) == len(ports)
    for port in ports[:20]:
        with socket.create_server(("127.0.0.1", port)):
            pass


def test_a_host_that_is_not_here_is_refused():
    with pytest.raises(SetupError, match=r"192\.0\.2\.1"):
        claim_port("192.0.2.1", 8765, "--port")


@for_each(
    ("host", "loopback"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("example.com", False),
    ],
)
def test_loopback(host, loopback):
    assert is_loopback(host) is loopback


def test_the_address_for_a_browser():
    assert http_url("0.0.0.0", 80) == "http://127.0.0.1:80"
    assert http_url("::1", 80) == "http://[::1]:80"
