"""SearchQA's own processes: which programs they are, their environment, and when they are ready."""

import asyncio
import base64
import os
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from http.client import HTTPException
from pathlib import Path
from urllib.request import ProxyHandler, Request, build_opener

from app.ai_router.local.model_folder import LOCAL
from app.ai_router.types import OFFLINE
from app.operations.embedded.ports import LOOPBACK, http_url
from app.operations.embedded.process import Program
from app.operations.embedded.supervisor import Part
from app.platform.processes.forker import without_secrets
from app.platform.processes.pool import WARM
from app.platform.server_settings import StackSettings
from app.platform.settings import Settings

_PYTHON = (sys.executable, "-m")
# What they import, but for what is run itself or reads settings as it is imported; see
# app.platform.processes.fork_server.
PRELOADED = (
    *("app.api.app", "worker.jobs", "worker.judge_loop", "worker.periodic", "uvloop"),
    *("worker.consumer", "worker.pool", "celery.apps.worker", "kombu.transport.redis"),
    # What Celery itself imports only as it starts.
    *("celery.app.amqp", "celery.app.control", "celery.app.events", "celery.app.log"),
    *("celery.backends.base", "celery.events.receiver", "celery.fixups.django"),
    *("celery.worker.autoscale", "celery.worker.components", "celery.worker.strategy"),
    *("celery.worker.consumer.delayed_delivery", "celery.worker.control", "celery.worker.loops"),
    *("billiard.dummy", "billiard.pool", "encodings.idna", "kombu.pidbox"),
    # What it keeps of its fields and of time zones when it is first read.
    "app.platform.settings:Settings",
)
# Of those, where a model on a server answers or judges: 16 MB in each process that asks it.
_OF_SERVERS = ("app.ai_router.providers.servers", "app.ai_router.providers.openai")


# Of vendors, and for whom else a secret of the environment is: Flower, the command line, compose.
_KEYS = frozenset(
    {"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "SEARCHQA_SERVER_KEYS", "SEARCHQA_OIDC_CLIENT_SECRET"}
)
_OTHERS = frozenset({"SEARCHQA_FLOWER_BASIC_AUTH", "FLOWER_BASIC_AUTH", "SEARCHQA_TOKEN"})
_OF_COMPOSE = ("POSTGRES_", "REDIS_PASSWORD")


def without_keys(environment: Mapping[str, str]) -> dict[str, str]:
    """Nor are they read from a .env file."""
    kept = {name: value for name, value in environment.items() if name not in _KEYS}
    return kept | {"SEARCHQA_MODEL_KEYS": "false"}


def environment_of(settings: Settings) -> dict[str, str]:
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name not in _OTHERS and not name.startswith(_OF_COMPOSE)
    }
    return {
        **inherited,
        "PYTHONUNBUFFERED": "1",
        "DATABASE_URL": settings.database.url or "",
        "DATABASE_DIRECT_URL": settings.database.direct_url or "",
        "DATABASE_READ_URL": settings.database.read_url or "",
        "REDIS_URL": settings.redis.url or "",
        "BROKER_URL": settings.redis.broker_url or "",
        "SEARCHQA_DATA_DIR": str(settings.stack.data_dir),
        "SEARCHQA_HOST": settings.api.host,
        "SEARCHQA_PORT": str(settings.api.port),
        "SEARCHQA_FLOWER_PORT": str(settings.flower.port),
        "SEARCHQA_AUTH": str(settings.api.auth).lower(),
        **(
            {"SEARCHQA_FORK_SERVER": str(settings.stack.fork_server)}
            if settings.stack.fork_server
            else {}
        ),
    }


FLOWER = "flower"
HasMessages = Callable[[str], Awaitable[bool]]
# As long as a killed process is listed (LISTED_SECONDS): before that its queue would seem to have
# lost its worker.
MAX_IDLE_SECONDS = 300
# Flower works without its list of workers; the stack waits no longer for it.
_MAX_LISTING_SECONDS = 15.0
_WITHOUT_PROXY = build_opener(ProxyHandler({}))


def preloaded(settings: Settings) -> tuple[str, ...]:
    """What the process imports whose forks the parts are."""
    asked = (settings.answering.model, settings.judge.model)
    local = all(name.startswith((f"{OFFLINE}:", f"{LOCAL}:")) for name in asked)
    return PRELOADED if local else (*PRELOADED, *_OF_SERVERS)


def api(settings: Settings, environment: Mapping[str, str]) -> Part:
    """The HTTP API."""
    command = [
        *(*_PYTHON, "app.api", "--log-level", settings.telemetry.log_level),
        *("--host", settings.api.host, "--port", str(settings.api.port)),
    ]
    url = f"{http_url(settings.api.host, settings.api.port)}/healthz"
    part = _beating("api", command, environment)
    return replace(part, ready=_answers(url), heartbeat=_answers(url))


def worker(number: int, settings: Settings, environment: Mapping[str, str]) -> Part:
    """A worker for fresh answers, which never wait behind a backlog."""
    return _worker(f"worker-{number}", "live", settings, environment)


def bulk_worker(settings: Settings, environment: Mapping[str, str]) -> Part:
    """Runs jobs, and judges the rows of the bulk queue."""
    return _worker("bulk", "bulk", settings, environment)


def isolated_worker(
    settings: Settings, environment: Mapping[str, str], has_messages: HasMessages | None = None
) -> Part:
    """Takes what may have killed another worker, one at a time; so it may die often, and the
    others can do without it. has_messages: of a queue; it runs while its own has some then, and
    else all the time."""
    name, one = "isolated", ("--concurrency", "1")
    if has_messages is None:
        return replace(_worker(name, name, settings, environment, *one), essential=False)
    idle = ("--max-idle", str(MAX_IDLE_SECONDS))
    part = _worker(name, name, settings, environment, *one, *idle)
    return replace(part, essential=False, wanted=partial(has_messages, name))


def _worker(
    name: str, queue: str, settings: Settings, environment: Mapping[str, str], *options: str
) -> Part:
    command = [
        *(*_PYTHON, "worker", "-Q", queue),
        *("--hostname", f"{name}@%h", "--loglevel", settings.telemetry.log_level, *options),
    ]
    return _beating(name, command, environment)


def dispatcher(environment: Mapping[str, str]) -> Part:
    return _beating("dispatcher", [*_PYTHON, "worker.dispatcher"], environment)


def flower(
    settings: Settings, basic_auth: str, environment: Mapping[str, str], workers: Sequence[str] = ()
) -> Part:
    """Flower shows tasks and can change nothing. Its password goes by the environment, because
    every user of the machine can read arguments. `/healthcheck` alone is open, and says OK. It is
    ready when it lists the workers of these names."""
    command = [
        *(*_PYTHON, "worker.flower", "--address=127.0.0.1", f"--port={settings.flower.port}"),
        *("--read_only=true", "--max_tasks=10000", "--purge_offline_workers=300"),
    ]
    program = Program(command, {**environment, "FLOWER_BASIC_AUTH": basic_auth})
    url = f"http://127.0.0.1:{settings.flower.port}"
    # Two of them, with a comma between, while the password changes.
    ready = _lists_workers(url, basic_auth.partition(",")[0], workers)
    answers = _answers(f"{url}/healthcheck")
    return Part(FLOWER, program, ready=ready, heartbeat=answers, essential=False)


def _lists_workers(
    url: str, basic_auth: str, names: Sequence[str]
) -> Callable[[], Awaitable[bool]]:
    """Whether Flower answers and lists the workers by their events. What its API lists, Flower has
    to ask them for, which takes a second and goes on meanwhile. True after `_MAX_LISTING_SECONDS`
    in any case."""
    answers = _answers(f"{url}/healthcheck")
    answered_at: float | None = None

    async def ready() -> bool:
        nonlocal answered_at
        if not await answers():
            answered_at = None
            return False
        answered_at = answered_at or time.monotonic()
        if time.monotonic() - answered_at > _MAX_LISTING_SECONDS:
            return True
        page = await _get(f"{url}/workers?json=1&refresh=1", basic_auth) or b""
        return all(f'"{name}@'.encode() in page for name in names)

    return ready


def with_metrics(part: Part, port: int) -> Part:
    """The part, which answers Prometheus on this port of the machine itself."""
    own = {"SEARCHQA_METRICS_HOST": LOOPBACK, "SEARCHQA_METRICS_PORT": str(port)}
    program = replace(part.program, environment={**part.program.environment, **own})
    return replace(part, program=program)


def fork_server(socket: Path, environment: Mapping[str, str]) -> Part:
    """Shares the Korean model among the other parts; without it each loads its own."""
    command = [*_PYTHON, "app.platform.processes.fork_server", str(socket), *WARM]
    return Part("texts", Program(command, without_secrets(environment)), essential=False)


def _beating(name: str, command: Sequence[str], environment: Mapping[str, str]) -> Part:
    """A part that writes its heartbeat into a file of the data folder, first when it has loaded
    its code; see app.platform.heartbeat."""
    data_dir = environment.get("SEARCHQA_DATA_DIR", StackSettings().data_dir)
    file = Path(data_dir, "heartbeats", name)

    async def delete_last_heartbeat() -> None:
        file.unlink(missing_ok=True)  # noqa: ASYNC240  as quick

    async def has_begun() -> bool:
        return file.exists()  # noqa: ASYNC240  as quick

    return Part(
        name,
        Program(command, {**environment, "SEARCHQA_HEARTBEAT_FILE": str(file)}),
        ready=has_begun,
        before_start=delete_last_heartbeat,
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
    """Whether a GET succeeds."""

    async def answers() -> bool:
        return await _get(url) is not None

    return answers


async def _get(url: str, basic_auth: str | None = None) -> bytes | None:
    """The body of the reply, None if it does not succeed; each read may take 2 s."""
    request = Request(url)  # noqa: S310  an address of this stack
    if basic_auth is not None:
        credentials = base64.b64encode(basic_auth.encode()).decode()
        request.add_header("Authorization", f"Basic {credentials}")
    return await asyncio.to_thread(_read, request)


def _read(request: Request) -> bytes | None:
    try:
        with _WITHOUT_PROXY.open(request, timeout=2) as reply:
            body: bytes = reply.read()
            return body
    except (OSError, HTTPException):
        return None
