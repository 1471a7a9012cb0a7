"""Other hosts, made of Linux network namespaces: what runs there reaches the servers of a test by
a cable that can be cut. Nothing leaves this machine: no host knows a way beyond its own switch."""

import asyncio
import contextlib
import os
import random
import subprocess
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from urllib.parse import urlsplit

from harness import Stack
from psycopg.conninfo import conninfo_to_dict

from app.embedded import parts
from app.embedded.supervisor import Part
from app.settings import Settings

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Connect = Callable[[], Awaitable[Streams]]


def ip(*arguments: str) -> None:
    """Raises FileNotFoundError or CalledProcessError where this machine does not allow it."""
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)


class Host:
    """A namespace on the switch of a network."""

    def __init__(self, network: "Network", number: int) -> None:
        self._network = network
        self._name = f"{network.name}-{number}"
        address = network.address_of(number + 1)
        network.undo("netns", "add", self._name, by=("netns", "del", self._name))
        cable = ("link", "add", self._name, "type", "veth", "peer", "name", "eth0")
        network.undo(*cable, "netns", self._name, by=("link", "del", self._name))
        ip("link", "set", self._name, "master", network.name, "up")
        ip("-n", self._name, "addr", "add", f"{address}/29", "dev", "eth0")
        ip("-n", self._name, "link", "set", "eth0", "up")
        ip("-n", self._name, "link", "set", "lo", "up")
        ip("netns", "exec", self._name, "true")

    def cut(self) -> None:
        """Pulls the cable out at the switch: what is sent is gone, and nobody is told."""
        ip("link", "set", self._name, "down")

    def heal(self) -> None:
        ip("link", "set", self._name, "up")

    def worker(self, number: int, settings: Settings, environment: Mapping[str, str]) -> Part:
        """`app.embedded.parts.worker` on this host."""
        part = parts.worker(number, settings, {**environment, **self._network.addresses})
        command = ("ip", "netns", "exec", self._name, *part.program.command)
        return replace(part, program=replace(part.program, command=command))


class Network:
    """A switch with this machine and `hosts` on it. `opened` removes it."""

    def __init__(self, opened: AsyncExitStack, *, hosts: int) -> None:
        self._opened = opened
        # Of 169.254.1.0 to 169.254.160.255, where no cloud keeps a service: a subnet for each
        # test, also of test runs side by side.
        self._subnet = f"169.254.{random.randint(1, 160)}", 8 * random.randrange(32)
        self.name = f"sqa-{os.urandom(3).hex()}"
        self.addresses: dict[str, str] = {}
        self.undo("link", "add", self.name, "type", "bridge", by=("link", "del", self.name))
        ip("addr", "add", f"{self.address_of(1)}/29", "dev", self.name)
        ip("link", "set", self.name, "up")
        self.hosts = [Host(self, number) for number in range(1, hosts + 1)]

    def address_of(self, number: int) -> str:
        """1 is this machine."""
        prefix, first = self._subnet
        return f"{prefix}.{first + number}"

    def undo(self, *arguments: str, by: tuple[str, ...]) -> None:
        """Does it now, and undoes it when the network is removed."""
        ip(*arguments)
        self._opened.callback(ip, *by)

    async def serve(self, stack: Stack) -> None:
        """Opens the servers of a stack to the hosts: `addresses` is what they must be told."""
        database = conninfo_to_dict(stack.world.url)
        socket = f"{database['host']}/.s.PGSQL.{database.get('port', 5432)}"
        to_postgres = await self._forward(lambda: asyncio.open_unix_connection(socket))
        to_redis = await self._forward(_loopback(stack.redis.url))
        to_judge = await self._forward(_loopback(stack.judge.base_url))
        self.addresses = {
            "DATABASE_URL": f"postgresql://{database['user']}@{to_postgres}/{database['dbname']}",
            "REDIS_URL": f"redis://{to_redis}/0",
            "OPENAI_BASE_URL": f"http://{to_judge}/v1",
        }

    async def _forward(self, connect: Connect) -> str:
        """host:port on the switch from where connections are passed on."""
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

        server = await asyncio.start_server(accepted, self.address_of(1), 0)
        self._opened.push_async_callback(close)
        host, port = server.sockets[0].getsockname()
        return f"{host}:{port}"


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
