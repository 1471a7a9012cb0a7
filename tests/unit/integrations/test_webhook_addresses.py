"""Where deliveries may go, and that nothing else is connected to."""

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import Sequence
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest

from app.integrations.webhooks.addresses import checked_url, is_allowed
from app.integrations.webhooks.events import FailureCode
from app.integrations.webhooks.sending import Reply, Sender
from app.platform.errors import InvalidRequest
from cases import for_each
from webhook_world import hook_receiver, hook_settings


@for_each(
    "address",
    [
        *("127.0.0.1", "127.255.255.254", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1"),
        *("169.254.169.254", "100.64.0.1", "224.0.0.1", "239.1.1.1", "255.255.255.255"),
        *("240.0.0.1", "192.0.2.1", "198.18.0.1", "203.0.113.9", "192.0.0.1"),
        *("::", "::1", "fe80::1", "fc00::1", "fd12::1", "ff02::1", "2001:db8::1", "fec0::1"),
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "::ffff:169.254.169.254"),
        *("64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::", "2001::1"),
    ],
)
def test_an_address_that_is_not_public_is_refused(address):
    assert not is_allowed(ip_address(address), ())


def test_public_addresses_and_those_of_the_operators_networks_are_allowed():
    for public in ("8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"):
        assert is_allowed(ip_address(public), ()), public
    allowed = (ip_network("10.2.0.0/16"), ip_network("fd00::/8"))

    assert is_allowed(ip_address("10.2.3.4"), allowed)
    assert is_allowed(ip_address("::ffff:10.2.3.4"), allowed)
    assert is_allowed(ip_address("fd00::1"), allowed)
    assert not is_allowed(ip_address("10.3.0.1"), allowed)


@pytest.mark.parametrize(
    "url",
    [
        *("http://[::1]:80/", "http://169.254.169.254/latest", "https://user@example.com/"),
        *("file:///etc/passwd", "gopher://example.com/", "https:///x", "//example.com", ""),
        *("https://example.com/#x", "https://example.com:0x50/", "https://example.com/\n"),
    ],
)
def test_an_address_that_cannot_work_is_refused_at_once(url):
    with pytest.raises(InvalidRequest):
        checked_url(url, ())


def names(*answers: Sequence[str]) -> tuple[list[str], object]:
    """A name server that gives these answers, one for each question."""
    asked: list[str] = []
    left = list(answers)

    async def resolve(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return left.pop(0) if len(left) > 1 else left[0]

    return asked, resolve


async def post(url: str, *answers: Sequence[str], **changes: object) -> tuple[Reply, list[str]]:
    asked, resolve = names(*answers) if answers else ([], None)
    sender = Sender(hook_settings(**changes), resolve)  # type: ignore[arg-type]
    try:
        return await sender.post(url, b"{}", {}), asked
    finally:
        await sender.aclose()


async def test_the_checked_address_is_connected_to_and_the_name_kept():
    async with hook_receiver() as receiver:
        url = f"http://hooks.example:{receiver.port}/a?b=c"
        # A second answer would lead elsewhere.
        reply, asked = await post(url, ["127.0.0.1"], ["127.0.0.9"])

    assert reply.status == 200
    assert asked == ["hooks.example"]
    assert receiver.hooks[0].headers["host"] == f"hooks.example:{receiver.port}"
    assert receiver.hooks[0].path == "/a?b=c"


async def test_a_name_that_leads_inside_is_not_connected_to():
    inside = (["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["::ffff:127.0.0.1"], ["0.0.0.0"])
    ways = ("localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1")
    async with hook_receiver() as receiver:
        url = f"http://rebound.example:{receiver.port}/"
        for answer in inside:
            reply, _ = await post(url, answer, webhook_allowed_networks="")
            assert reply.failure is FailureCode.ADDRESS_NOT_ALLOWED, answer
        for host in ways:
            reply, _ = await post(f"http://{host}:{receiver.port}/", webhook_allowed_networks="")
            assert reply.failure is not None, host

        assert receiver.hooks == []


async def test_the_next_address_is_tried_where_none_listens():
    async with hook_receiver() as receiver:
        url = f"http://hooks.example:{receiver.port}/"
        networks = "127.0.0.0/8,::1/128"
        reply, _ = await post(url, ["::1", "127.0.0.1"], webhook_allowed_networks=networks)

    assert reply.status == 200


async def test_proxies_of_the_environment_are_not_used(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    async with hook_receiver() as receiver:
        reply, _ = await post(f"http://hooks.example:{receiver.port}/", ["127.0.0.1"])

    assert reply.status == 200


async def test_a_name_server_that_hangs_is_not_waited_for():
    async def resolve(host: str, port: int) -> Sequence[str]:
        await asyncio.Event().wait()
        raise AssertionError

    sender = Sender(hook_settings(webhook_timeout=0.05), resolve)
    reply = await sender.post("http://hooks.example/", b"{}", {})
    await sender.aclose()

    assert reply.failure is FailureCode.TIMED_OUT


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """Of hooks.example, which this process trusts."""
    key, trusted = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1"
    named = ["-subj", "/CN=hooks.example", "-addext", "subjectAltName=DNS:hooks.example"]
    files = ["-keyout", str(key), "-out", str(trusted)]
    subprocess.run([*command.split(), *named, *files], check=True, capture_output=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(trusted, key)
    return context


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
@pytest.mark.parametrize(
    ("name", "failure"), [("hooks.example", None), ("other.example", FailureCode.TLS_FAILED)]
)
async def test_a_certificate_is_verified_for_the_name_not_the_address(certificate, name, failure):
    async with hook_receiver(tls=certificate) as receiver:
        reply, _ = await post(f"https://{name}:{receiver.port}/", ["127.0.0.1"])

    assert reply.failure is failure
    assert len(receiver.hooks) == (failure is None)
