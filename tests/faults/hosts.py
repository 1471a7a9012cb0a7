"""Other hosts, made of Linux network namespaces around a router: any two of them can be split, one
way or both. Nothing leaves this machine: the router has no other way than to these hosts."""

import asyncio
import contextlib
import ctypes
import os
import socket
import subprocess
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from harness import Stack
from psycopg.conninfo import conninfo_to_dict

from app.operations.embedded.supervisor import Part

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Connect = Callable[[], Awaitable[Streams]]

# For examples (RFC 5737): nothing real has these addresses. Four for each host and its router.
_NET = "192.0.2"
HOSTS_NETWORK = f"{_NET}.0/24"
_CLONE_NEWNET = 0x40000000


class Split(StrEnum):
    """What the router does with a packet, in words of `ip rule`: DROP without a word, REJECT with
    "host unreachable"."""

    DROP = "blackhole"
    REJECT = "unreachable"


def ip(*arguments: str) -> None:
    """Raises FileNotFoundError or CalledProcessError where this machine does not allow it."""
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)


class Host:
    """A namespace with a cable to the router. command: what a program starts with that runs
    there."""

    def __init__(self, network: "Network", name: str, number: int) -> None:
        self.name = name
        self.address = f"{_NET}.{4 * number + 2}"
        self._network = network
        space, router = f"{network.name}-{name}", network.name
        self._space = Path("/run/netns", space)
        self.command = ("ip", "netns", "exec", space)
        gateway = f"{_NET}.{4 * number + 1}"
        network.add_space(space)
        ip("link", "add", "eth0", "netns", space, "type", "veth", "peer", name, "netns", router)
        ip("-n", router, "addr", "add", f"{gateway}/30", "dev", name)
        ip("-n", router, "link", "set", name, "up")
        ip("-n", space, "addr", "add", f"{self.address}/30", "dev", "eth0")
        ip("-n", space, "link", "set", "eth0", "up")
        ip("-n", space, "link", "set", "lo", "up")
        ip("-n", space, "route", "add", "default", "via", gateway)
        ip("netns", "exec", space, "true")

    def cut(self) -> None:
        """What it sends and what is sent to it is lost, without notice."""
        self._network.rule("add", Split.DROP, "from", self.address)
        self._network.rule("add", Split.DROP, "to", self.address)

    def heal(self) -> None:
        self._network.rule("del", Split.DROP, "from", self.address)
        self._network.rule("del", Split.DROP, "to", self.address)

    def runs(self, make: Callable[..., Part]) -> Callable[..., Part]:
        """A function of `app.operations.embedded.parts`, for a part on this host."""

        def made(*arguments: object) -> Part:
            *others, environment = arguments
            assert isinstance(environment, dict)
            return self.run(make(*others, {**environment, **self._network.addresses}))

        return made

    def run(self, part: Part) -> Part:
        command = (*self.command, *part.program.command)
        return replace(part, program=replace(part.program, command=command))

    def listen(self) -> socket.socket:
        """A socket of this process that takes connections to the host."""
        with self._entered():
            listening = socket.socket()
        listening.bind((self.address, 0))
        return listening

    @contextmanager
    def _entered(self) -> Iterator[None]:
        """What the calling thread opens meanwhile, it opens on this host."""
        setns = ctypes.CDLL(None, use_errno=True).setns  # os.setns comes with Python 3.12
        with Path("/proc/thread-self/ns/net").open() as here, self._space.open() as there:
            if setns(there.fileno(), _CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "setns")
            try:
                yield
            finally:
                setns(here.fileno(), _CLONE_NEWNET)


class Network:
    """A router and its hosts. `opened` removes them. addresses: what the parts on hosts are told
    in their environment. Skips the test where this machine allows none."""

    def __init__(self, opened: AsyncExitStack, *names: str) -> None:
        self._opened = opened
        self.name = f"sqa-{os.urandom(3).hex()}"
        # No proxy of the environment stands between hosts.
        self.addresses = {"NO_PROXY": "*", "no_proxy": "*"}
        try:
            self.add_space(self.name)
            forward = "echo 1 > /proc/sys/net/ipv4/ip_forward"
            ip("netns", "exec", self.name, "sh", "-c", forward)
            self.hosts = {name: Host(self, name, n) for n, name in enumerate(names)}
        except FileNotFoundError:
            pytest.skip("network namespaces need the program `ip`, which is not installed here")
        except subprocess.CalledProcessError as error:
            pytest.skip(f"this machine allows no network namespaces: {error.stderr.strip()}")

    def add_space(self, name: str) -> None:
        ip("netns", "add", name)
        self._opened.callback(ip, "netns", "del", name)

    def rule(self, verb: str, split: Split, *packets: str) -> None:
        ip("-n", self.name, "rule", verb, *packets, split)

    @contextmanager
    def split(self, one: Host, other: Host, how: Split, *, both: bool = True) -> Iterator[None]:
        """Meanwhile nothing of `one` arrives at `other`, and unless `both` is False nothing of
        `other` at `one`."""
        ways = [(one, other), (other, one)] if both else [(one, other)]
        packets = [("from", sender.address, "to", receiver.address) for sender, receiver in ways]
        for each in packets:
            self.rule("add", how, *each)
        try:
            yield
        finally:
            for each in packets:
                self.rule("del", how, *each)

    async def serve(self, stack: Stack, at: Host) -> None:
        """Opens the servers of a stack, which run on this machine, to the hosts."""
        database = conninfo_to_dict(stack.world.url)
        postgres = await self._forward(at, to_postgres(database))
        redis = await self._forward(at, _loopback(stack.redis.url))
        self.addresses |= {
            "DATABASE_URL": f"postgresql://{database['user']}@{postgres}/{database['dbname']}",
            "REDIS_URL": f"redis://{redis}/0",
        }
        await self.serve_judge(stack, at)

    async def serve_judge(self, stack: Stack, at: Host) -> None:
        to_judge = await self._forward(at, _loopback(stack.judge.base_url))
        self.addresses["OPENAI_BASE_URL"] = f"http://{to_judge}/v1"

    async def _forward(self, at: Host, connect: Connect) -> str:
        """host:port from where connections are passed on."""
        listening = at.listen()
        await forward(self._opened, listening, connect)
        return "{}:{}".format(*listening.getsockname())


async def forward(opened: AsyncExitStack, listening: socket.socket, connect: Connect) -> None:
    """Passes connections on until `opened` closes."""
    passing: set[asyncio.Task[None]] = set()

    async def accepted(*ours: *Streams) -> None:
        task = asyncio.current_task()
        assert task
        passing.add(task)
        with contextlib.suppress(OSError, asyncio.CancelledError):
            await _join(ours, await connect())
        ours[1].transport.abort()
        passing.discard(task)

    async def close() -> None:
        server.close()
        for task in passing:
            task.cancel()
        await asyncio.gather(*passing)

    server = await asyncio.start_server(accepted, sock=listening)
    opened.push_async_callback(close)


def to_postgres(database: Mapping[str, object]) -> Connect:
    """To the unix socket of a server, by the parts of its address."""
    path = f"{database['host']}/.s.PGSQL.{database.get('port', 5432)}"
    return lambda: asyncio.open_unix_connection(path)


def _loopback(url: str) -> Connect:
    address = urlsplit(url)
    return lambda: asyncio.open_connection(address.hostname, address.port)


async def _join(one: Streams, other: Streams) -> None:
    """Copies both ways until one of them ends."""
    ways = [_copy(one[0], other[1]), _copy(other[0], one[1])]
    tasks = [asyncio.create_task(way) for way in ways]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        other[1].transport.abort()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65_536):
        writer.write(data)
        await writer.drain()
