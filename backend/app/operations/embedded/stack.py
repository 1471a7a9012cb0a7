"""The whole stack, from an empty folder to a ready API and back."""

import asyncio
import contextlib
import os
import secrets
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from anyio.from_thread import start_blocking_portal
from pydantic import SecretStr

from app.ai_router.router import Providers
from app.judges.judge_names import check_judge
from app.operations.embedded import parts, redis
from app.operations.embedded.data_dir import (
    StackInfo,
    announce,
    announce_broker,
    announce_metrics,
    hold,
)
from app.operations.embedded.parts import HasMessages, environment_of, without_keys
from app.operations.embedded.ports import LOOPBACK, claim_port, free_port, http_url, is_loopback
from app.operations.embedded.postgres import EmbeddedPostgres
from app.operations.embedded.redis import EmbeddedRedis
from app.operations.embedded.supervisor import (
    SLOW_STOP_SECONDS,
    Log,
    Part,
    RestartPolicy,
    Supervisor,
)
from app.operations.embedded.zygote import forking
from app.platform.db.address import is_newest
from app.platform.errors import SetupError
from app.platform.judge_settings import DEFAULT_PACK
from app.platform.processes.forker import without_secrets
from app.platform.processes.system import usable_cores
from app.platform.servers.redis_address import read_redis_address
from app.platform.settings import Settings

# A core each. More than these, PostgreSQL would need cores of its own.
_MAX_LIVE_WORKERS = 8


@dataclass(frozen=True)
class RunningStack:
    """A stack that is ready.

    settings: what its processes were given, with the ports and servers that were chosen.
    wait_for_failure: runs for as long as the stack does; parts that end are restarted.
    """

    info: StackInfo
    settings: Settings
    wait_for_failure: Callable[[], Awaitable[None]]

    @property
    def database_url(self) -> str:
        return self.settings.database.url or ""

    @property
    def flower_basic_auth(self) -> str:
        """`user:password` for Flower; made for this start when none was configured."""
        secret = self.settings.flower.basic_auth
        return secret.get_secret_value() if secret else ""


@contextlib.asynccontextmanager
async def stack(
    given: Settings, log: Log, kill_now: asyncio.Event | None = None, *, flower: bool = True
) -> AsyncIterator[RunningStack]:
    """Starts everything, gives it when it is ready, and stops it when the block ends.

    given: addresses, ports (0 picks a free one), data folder, models, and how many workers there
    are for fresh answers; there is one for bulk work, and the isolated one, besides. kill_now: once
    it is set, what has not stopped yet is killed. flower: whether Flower runs.

    The block must not hold the event loop: the log of every process passes through it.
    Raises SetupError with one sentence when the stack cannot start: a folder in use, a port in
    use, a server that is missing or not reached, a part that ends while starting; and
    ConfigurationError for a model whose name is wrong or whose key is missing.
    """
    _check(given)
    data_dir = given.stack.data_dir.absolute()
    with hold(data_dir):
        settings = _settle(given, data_dir, flower=flower)
        # It imports while the servers start, and its forks have in their memory what it was given.
        environment = without_secrets(environment_of(settings))
        async with forking(parts.preloaded(settings), environment, log) as spawning:
            supervisor = Supervisor(log, _restart_policy(settings), spawning, kill_now)
            embedded = None if settings.redis.url else EmbeddedRedis(data_dir)
            try:
                settings = await _start_servers(settings, embedded, supervisor)
                if settings.stack.fork_server:
                    # It stops after those that use it.
                    sharing = parts.fork_server(
                        settings.stack.fork_server, environment_of(settings)
                    )
                    await supervisor.start([sharing])
                announce_broker(data_dir, settings.redis.message_url or "")
                queues = None if settings.redis.broker_url else embedded
                own = _own_parts(settings, queues.has_messages if queues else None)
                info = _info(settings)
                await _start_announced(own, info, data_dir, supervisor)
                yield RunningStack(info, settings, supervisor.wait_for_failure)
            finally:
                await supervisor.stop()


@contextlib.contextmanager
def stack_in_background(settings: Settings, log: Log) -> Iterator[RunningStack]:
    """`stack` for callers without an event loop: it runs in a thread of its own."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(stack(settings, log)) as running,
    ):
        yield running


def run(
    settings: Settings, log: Log, on_ready: Callable[[RunningStack], None], *, flower: bool
) -> None:
    """Runs the stack until Ctrl-C, SIGTERM or a closed terminal, then stops it: within 10 s, or a
    minute more where PostgreSQL has much to write. A later one kills what has not stopped yet.

    Raises SetupError if it cannot start. Once it runs, only its operator ends it.
    """
    asyncio.run(_run(settings, log, on_ready, flower=flower))


async def _run(
    settings: Settings, log: Log, on_ready: Callable[[RunningStack], None], *, flower: bool
) -> None:
    kill_now = asyncio.Event()

    async def serve() -> None:
        async with stack(settings, log, kill_now, flower=flower) as running:
            await asyncio.to_thread(on_ready, running)
            await running.wait_for_failure()

    serving = asyncio.create_task(serve())

    def stop() -> None:
        # A terminal and a wrapper may both pass on what is one Ctrl-C.
        handle_signals(lambda: None)
        loop.call_later(SLOW_STOP_SECONDS, offer_to_kill)
        log("stack", "stopping")
        serving.cancel()

    def offer_to_kill() -> None:
        log("stack", "still stopping; Ctrl-C again kills what has not stopped")
        handle_signals(kill_now.set)

    def handle_signals(handler: Callable[[], object]) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, handler)

    loop = asyncio.get_running_loop()
    handle_signals(stop)
    with contextlib.suppress(asyncio.CancelledError):
        await serving
    log("stack", "stopped")


def _check(settings: Settings) -> None:
    if not settings.api.auth and not is_loopback(settings.api.host):
        raise SetupError(
            f"--no-auth would open every note to the network on {settings.api.host}: leave it out,"
            " or listen on 127.0.0.1."
        )
    secret = settings.flower.basic_auth
    logins = secret.get_secret_value().split(",") if secret else []
    if not all(all(login.partition(":")) for login in logins):
        raise SetupError(
            "SEARCHQA_FLOWER_BASIC_AUTH must be written as user:password, or several with commas"
            " between them."
        )
    Providers(settings).check(settings.answering.model)
    check_judge(settings.judge.model, settings)
    if settings.embedding.model is not None:
        Providers(settings).check_embedding(settings.embedding.model)
    if settings.evaluation.domain_pack != DEFAULT_PACK:
        _check_pack(settings.evaluation.domain_pack)


def _check_pack(name: str) -> None:
    # With it comes YAML: 3 MB for as long as this process runs.
    from app.text.packs.loader import PackError, load_pack

    try:
        load_pack(name)
    except PackError as error:
        raise SetupError(str(error)) from None


def _settle(given: Settings, data_dir: Path, *, flower: bool) -> Settings:
    """The settings with the choices that are left to the start: free ports, and Flower's password,
    which is None without Flower."""
    chosen: dict[str, object] = {
        "data_dir": data_dir,
        "port": claim_port(given.api.host, given.api.port, "--port"),
        "live_workers": given.stack.live_workers or min(usable_cores(), _MAX_LIVE_WORKERS),
        "fork_server": data_dir / "texts.sock" if sys.platform == "linux" else None,
        "flower_basic_auth": None,
    }
    if flower:
        chosen["flower_port"] = claim_port("127.0.0.1", given.flower.port, "--flower-port")
        chosen["flower_basic_auth"] = given.flower.basic_auth or SecretStr(
            f"searchqa:{secrets.token_urlsafe(12)}"
        )
    return given.replace(**chosen)


async def _start_servers(
    settings: Settings, embedded: EmbeddedRedis | None, supervisor: Supervisor
) -> Settings:
    """Starts the servers that were not given, and brings the schema to the newest migration."""
    data_dir = settings.stack.data_dir
    database_url, redis_url = settings.database.url, settings.redis.url
    servers: list[Part] = []
    postgres: EmbeddedPostgres | None = None
    if embedded:
        servers.append(embedded.part())
        redis_url = embedded.redis_url
    else:
        await redis.check(redis_url or "", "REDIS_URL", "to use the embedded one")
    if settings.redis.broker_url:
        await redis.check(settings.redis.broker_url, "BROKER_URL", "to send messages by REDIS_URL")
    if not database_url:
        postgres = EmbeddedPostgres(data_dir)
        await postgres.prepare()
        servers.append(postgres.part())
        database_url = postgres.database_url
        # They are of a database that is not this one.
        settings = settings.replace(database_direct_url=None, database_read_url=None)
    if servers:
        await supervisor.start(servers)
    if postgres:
        await postgres.create_database()
    await _migrate(settings.database.direct_url or database_url)
    return settings.replace(database_url=database_url, redis_url=redis_url)


async def _migrate(database_url: str) -> None:
    """In a process of its own: what it loads is 90 MB, which this one would keep."""
    if await asyncio.to_thread(is_newest, database_url):
        return
    migrating = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "app.platform.db.migrate"),
        env={**os.environ, "DATABASE_URL": database_url},
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        _, errors = await migrating.communicate()
    finally:
        if migrating.returncode is None:
            migrating.kill()
            await migrating.wait()
    if migrating.returncode:
        raise SetupError(errors.decode(errors="replace").strip() or "The migration was ended.")


def _restart_policy(settings: Settings) -> RestartPolicy:
    """A part that hangs ends itself, with a report of where it stands, unless it is frozen as a
    whole: so we are later."""
    return RestartPolicy(hung_after=1.5 * settings.stack.heartbeat_limit_seconds)


def _own_parts(settings: Settings, has_messages: HasMessages | None) -> list[Part]:
    """has_messages: None where the queues are not on a server of ours."""
    environment = environment_of(settings)
    # The dispatcher and Flower call no model.
    keyless = without_keys(environment)
    workers = [
        *(
            parts.worker(n + 1, settings, environment)
            for n in range(settings.stack.live_workers or 1)
        ),
        parts.bulk_worker(settings, environment),
        parts.isolated_worker(settings, environment, has_messages),
    ]
    own = [parts.api(settings, environment), *workers, parts.dispatcher(keyless)]
    secret = settings.flower.basic_auth
    if secret:
        watching = {
            name: value for name, value in keyless.items() if not name.startswith("DATABASE_")
        }
        names = [worker.name for worker in workers if not worker.wanted]
        own.append(parts.flower(settings, secret.get_secret_value(), watching, names))
    return own


async def _start_announced(
    own: Sequence[Part], info: StackInfo, data_dir: Path, supervisor: Supervisor
) -> None:
    """Each with a port of its own for Prometheus, on this machine alone. Flower has one already."""
    ports = {part.name: free_port(LOOPBACK) for part in own if part.name != parts.FLOWER}
    await supervisor.start(
        [parts.with_metrics(part, ports[part.name]) if part.name in ports else part for part in own]
    )

    def announce_parts() -> None:
        awake = {name: port for name, port in ports.items() if name not in supervisor.asleep}
        announce_metrics(data_dir, awake)
        announce(data_dir, replace(info, down=supervisor.down))

    supervisor.on_change = announce_parts
    announce_parts()


def _info(settings: Settings) -> StackInfo:
    return StackInfo(
        pid=os.getpid(),
        api_url=http_url(settings.api.host, settings.api.port),
        flower_url=http_url("127.0.0.1", settings.flower.port)
        if settings.flower.basic_auth
        else None,
        database_url=_without_password(settings.database.url or ""),
        redis_url=read_redis_address(settings.redis.url or "").shown,
    )


def _without_password(url: str) -> str:
    """Of the parts of an address only the user's name, the server and the database are shown. A
    query may hold a password too: only its `host`, the folder of a unix socket, is kept."""
    scheme, netloc, path, query, _ = urlsplit(url)
    user_info, _, server = netloc.rpartition("@")
    user = user_info.partition(":")[0]
    shown = f"{user}@{server}" if user else server
    host = urlencode([(name, value) for name, value in parse_qsl(query) if name == "host"])
    return urlunsplit((scheme, shown, path, host, ""))
