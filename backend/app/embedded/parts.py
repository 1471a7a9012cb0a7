"""SearchQA's own processes: which programs they are and when they are ready."""

import asyncio
import contextlib
import sys
from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import urlsplit

from app.embedded.ports import http_url
from app.embedded.process import Program
from app.embedded.supervisor import Part
from app.settings import Settings

_PYTHON = (sys.executable, "-m")
# Celery fears pickled messages sent to a worker of root; ours takes JSON only.
_QUIET_AS_ROOT = {"PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges"}


def api(settings: Settings, environment: Mapping[str, str]) -> Part:
    """The HTTP API."""
    command = [
        *(*_PYTHON, "app.api", "--log-level", settings.log_level),
        *("--host", settings.host, "--port", str(settings.port)),
    ]
    url = f"{http_url(settings.host, settings.port)}/healthz"
    return Part("api", Program(command, environment), ready=_answers(url))


def worker(number: int, settings: Settings, environment: Mapping[str, str]) -> Part:
    """A worker for fresh answers, which never wait behind a backlog."""
    name = f"worker-{number}"
    command = _worker_command(name, "live", settings)
    return Part(name, Program(command, {**_QUIET_AS_ROOT, **environment}))


def bulk_worker(settings: Settings, environment: Mapping[str, str]) -> Part:
    """Does jobs, and judges what nobody waits for."""
    command = _worker_command("bulk", "bulk", settings)
    return Part("bulk", Program(command, {**_QUIET_AS_ROOT, **environment}))


def isolated_worker(settings: Settings, environment: Mapping[str, str]) -> Part:
    """Takes what may have killed another worker, one at a time."""
    command = [*_worker_command("isolated", "isolated", settings), "--concurrency", "1"]
    return Part("isolated", Program(command, {**_QUIET_AS_ROOT, **environment}))


def _worker_command(name: str, queues: str, settings: Settings) -> list[str]:
    return [
        *(*_PYTHON, "worker", "-Q", queues),
        *("--hostname", f"{name}@%h", "--loglevel", settings.log_level),
    ]


def dispatcher(environment: Mapping[str, str]) -> Part:
    return Part("dispatcher", Program([*_PYTHON, "worker.dispatcher"], environment))


def flower(settings: Settings, basic_auth: str, environment: Mapping[str, str]) -> Part:
    """Flower shows tasks and can change nothing. Its password goes by the environment, because
    every user of the machine can read arguments. `/metrics` and `/healthcheck` are open by its
    design; they name workers and tasks, never their arguments."""
    command = [
        *(*_PYTHON, "celery", "--quiet", "-A", "worker.monitor", "flower"),
        *("--address=127.0.0.1", f"--port={settings.flower_port}"),
        *("--read_only=true", "--max_tasks=10000", "--purge_offline_workers=300"),
    ]
    program = Program(command, {**environment, "FLOWER_BASIC_AUTH": basic_auth})
    url = f"http://127.0.0.1:{settings.flower_port}/healthcheck"
    return Part("flower", program, ready=_answers(url))


def _answers(url: str) -> Callable[[], Awaitable[bool]]:
    """Whether a GET succeeds. It is asked often while both cores are busy, and a client of HTTP
    takes 20 ms to make, for the certificates that it reads."""
    address = urlsplit(url)
    request = f"GET {address.path} HTTP/1.0\r\nHost: {address.netloc}\r\n\r\n".encode()

    async def answers() -> bool:
        try:
            async with asyncio.timeout(2):
                reader, writer = await asyncio.open_connection(address.hostname, address.port)
                with contextlib.closing(writer):
                    writer.write(request)
                    return b" 200 " in await reader.readline()
        except (OSError, TimeoutError, ValueError):
            return False

    return answers
