"""SearchQA's own processes: which programs they are and when they are ready."""

import asyncio
import contextlib
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
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
    part = _beating("api", command, environment)
    return replace(part, ready=_answers(url), heartbeat=_answers(url))


def worker(number: int, settings: Settings, environment: Mapping[str, str]) -> Part:
    """A worker for fresh answers, which never wait behind a backlog."""
    name = f"worker-{number}"
    command = _worker_command(name, "live", settings)
    return _beating(name, command, {**_QUIET_AS_ROOT, **environment})


def bulk_worker(settings: Settings, environment: Mapping[str, str]) -> Part:
    """Does jobs, and judges what nobody waits for."""
    command = _worker_command("bulk", "bulk", settings)
    return _beating("bulk", command, {**_QUIET_AS_ROOT, **environment})


def isolated_worker(settings: Settings, environment: Mapping[str, str]) -> Part:
    """Takes what may have killed another worker, one at a time; so it may die often, and the
    others can do without it."""
    command = [*_worker_command("isolated", "isolated", settings), "--concurrency", "1"]
    part = _beating("isolated", command, {**_QUIET_AS_ROOT, **environment})
    return replace(part, essential=False)


def _worker_command(name: str, queues: str, settings: Settings) -> list[str]:
    return [
        *(*_PYTHON, "worker", "-Q", queues),
        *("--hostname", f"{name}@%h", "--loglevel", settings.log_level),
    ]


def dispatcher(environment: Mapping[str, str]) -> Part:
    return _beating("dispatcher", [*_PYTHON, "worker.dispatcher"], environment)


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
    return Part("flower", program, ready=_answers(url), heartbeat=_answers(url), essential=False)


def _beating(name: str, command: Sequence[str], environment: Mapping[str, str]) -> Part:
    """A part that writes its heartbeat into a file of the data folder; see app.heartbeat."""
    data_dir = environment.get("SEARCHQA_DATA_DIR", Settings.model_fields["data_dir"].default)
    file = Path(data_dir, "heartbeats", name)

    async def forget_the_last_one() -> None:
        file.unlink(missing_ok=True)  # noqa: ASYNC240  as quick

    return Part(
        name,
        Program(command, {**environment, "SEARCHQA_HEARTBEAT_FILE": str(file)}),
        before_start=forget_the_last_one,
        heartbeat=_beats(file),
    )


def _beats(file: Path) -> Callable[[], Awaitable[bool]]:
    """Whether the file has changed since it was last looked at."""
    last: str | None = None

    async def beats() -> bool:
        nonlocal last
        try:
            found = file.read_text()  # noqa: ASYNC240  a few bytes
        except OSError:
            return False
        changed, last = found != last, found
        return changed

    return beats


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
