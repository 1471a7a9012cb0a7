"""The checks of `searchqa doctor` on PostgreSQL, its replica and pooler, and on queues and who
serves them, by the same diagnosis as the System page. They are read-only.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import quote

import httpx
import psycopg
from alembic.script import ScriptDirectory

from app.ai_router.limits.states import LimitStates
from app.cli.checks import Finding, State, ending, model_finding
from app.cli.maintenance import REMEDIES
from app.judges.judge_names import check_judge
from app.notes.vector_indexes import Obstacle, VectorIndex, large_workspaces, obstacle
from app.notes.vectors import NO_PGVECTOR, STORES_VECTORS, embedding_model
from app.operations.system.diagnosis import (
    Condition,
    Observation,
    SystemProblem,
    diagnose,
    lives,
    waits_for_limits,
)
from app.operations.system.endings import USES, read_endings, server_models
from app.operations.system.processes import read_paused, read_processes
from app.platform.db.address import LOOK, NO_TIMEOUT, allow_pooler, psycopg_url
from app.platform.db.migrate import alembic_config
from app.platform.db.pool import CONNECT_ARGS, create_pool, fetch
from app.platform.db.replica import NO_REPLICA, PRIMARY, REPLICA, Primary
from app.platform.db.retention import PARTITIONS
from app.platform.db.statements import SqlFile, in_list
from app.platform.errors import SetupError
from app.platform.settings import Settings
from app.verdicts.lifecycle.queries import Backlog, read_backlog
from app.verdicts.lifecycle.retry import reason_in_words
from app.verdicts.status import WAITING

_SQL = SqlFile(__package__, "doctor", waiting=in_list(WAITING))
_LAST_VERDICT = _SQL("last_verdict").encode()
_MIGRATION = _SQL("migration").encode()
_NOT_PUBLISHED = _SQL("not_published").encode()
_PAUSED = _SQL("paused").encode()
_POLICY_JUDGES = _SQL("policy_judges").encode()

_OLDEST_POSTGRES, _NEWEST_POSTGRES = 15, 18


def postgres(address: str, settings: Settings, stack_api: str | None = None) -> Iterator[Finding]:
    """The server, its schema, and by the queue its dispatchers and workers. stack_api: of a running
    `searchqa up` with a Redis of its own."""
    try:
        url = psycopg_url(address)
        with psycopg.connect(url, autocommit=True, **CONNECT_ARGS) as connection:  # type: ignore[arg-type]  # options by name
            yield _server_version(connection)
            yield from pooler(connection, settings)
            migration = _migration(connection)
            yield migration
            if migration.state is State.OK:
                yield _vectors(connection, settings)
                yield from indexes(address, settings)
                yield _partitions(connection)
                yield _published(connection, settings)
                yield from queues(address, connection, settings, stack_api)
                yield from _policy_judges(connection, settings)
                yield from _paused(connection)
                yield from asyncio.run(_endings(address, settings))
    except psycopg.errors.InsufficientPrivilege:
        yield Finding.broken(
            "PostgreSQL",
            "this user may not see the verdicts of all workspaces",
            "Run it where DATABASE_URL names the role of the workers.",
        )
    except (psycopg.Error, SetupError) as error:
        reason = str(error).strip().partition("\n")[0]
        mend = "Check DATABASE_URL and that the server runs."
        yield Finding.broken("PostgreSQL", f"cannot be used ({reason})", mend)


def _server_version(connection: psycopg.Connection) -> Finding:
    number = connection.info.server_version // 10_000
    detail = f"{connection.info.parameter_status('server_version')}"
    if _OLDEST_POSTGRES <= number <= _NEWEST_POSTGRES:
        return Finding.ok("PostgreSQL", detail)
    if number > _NEWEST_POSTGRES:
        return Finding.note("PostgreSQL", f"{detail}, newer than any tested version")
    mend = f"Use PostgreSQL {_OLDEST_POSTGRES} to {_NEWEST_POSTGRES}."
    return Finding.broken("PostgreSQL", f"{detail} is too old", mend)


def _migration(connection: psycopg.Connection) -> Finding:
    head = ScriptDirectory.from_config(alembic_config()).get_current_head()
    try:
        found = connection.execute(_MIGRATION).fetchone()
    except psycopg.errors.UndefinedTable:
        found = None
    if found and found[0] == head:
        return Finding.ok("Migrations", f"at the latest, {head}")
    at = f"at {found[0]}" if found else "none applied"
    return Finding.broken("Migrations", f"{at}; the latest is {head}", "searchqa migrate")


def _vectors(connection: psycopg.Connection, settings: Settings) -> Finding:
    stored = connection.execute(STORES_VECTORS).fetchone()
    if stored and stored[0]:
        return Finding.ok("Vectors", "stored by pgvector")
    if settings.embedding.model is not None:
        return Finding.broken_by("Vectors", SetupError(NO_PGVECTOR), "; ")
    return Finding.note("Vectors", "not stored: the server has no pgvector, no model needs it")


def _partitions(connection: psycopg.Connection) -> Finding:
    """Rows of months that have no partition, which retention deletes one by one."""
    rows = connection.execute(PARTITIONS).fetchall()
    astray = [f"{count:,} of {table}" for table, month, count, _ in rows if not month and count]
    if not astray:
        return Finding.ok("Partitions", "each row is in the partition of its month")
    detail = f"rows whose month has no partition, about: {', '.join(astray)}"
    mend = (
        "searchqa partitions add. For months that are over, add --month YYYY-MM; docs/partitions.md"
        " says how to find them."
    )
    return Finding.note("Partitions", detail, mend)


def _published(connection: psycopg.Connection, settings: Settings) -> Finding:
    found = connection.execute(_NOT_PUBLISHED, [settings.worker.republish_after_seconds]).fetchone()
    count, age = found or (0, 0.0)
    if age > settings.stack.max_queue_wait_seconds:
        detail = f"{count:,} due verdicts are not published to workers, the oldest for {age:.0f} s"
        return Finding.broken("Dispatcher", detail, START_DISPATCHER)
    return Finding.ok("Dispatcher", "all due verdicts are published")


def _policy_judges(connection: psycopg.Connection, settings: Settings) -> Iterator[Finding]:
    """The judges that policies name in the place of the server's."""
    found = connection.execute(_POLICY_JUDGES, [settings.judge.model]).fetchall()
    for model, workspaces in found:
        about = f"Judge model of {workspaces}"
        yield model_finding(about, partial(check_judge, settings=settings), model)


def _paused(connection: psycopg.Connection) -> Iterator[Finding]:
    for model, kind, reason, probe_at in connection.execute(_PAUSED).fetchall():
        why = reason_in_words(reason, "en").rstrip(".")
        detail = f"{model}: {why} (next attempt at {probe_at.astimezone():%H:%M:%S})"
        resume = f"searchqa api POST /judges/{quote(model, safe='')}/resume"
        automatic = f"It is retried automatically; to retry now: {resume}"
        yield Finding.broken(
            "Paused judge", detail, automatic if kind == "failing" else f"Fix that, then: {resume}"
        )


async def _endings(address: str, settings: Settings) -> list[Finding]:
    """Models that end soon and that workspaces use, or whose own server says so."""
    async with create_pool(address, max_size=1) as pool:
        found = await read_endings(pool, settings)
        rows = await fetch(pool, USES, {"models": [each.model for each in found]})
    server = server_models(settings)
    uses = {
        each.model: [
            *(server.get(each.model, ()) if each.source == "server" else ()),
            *(
                f"{kind} {name} of {where}"
                for model, kind, name, where in rows
                if model == each.model
            ),
        ]
        for each in found
    }
    return [
        ending(each.model, each.ends_on, each.days, uses[each.model])
        for each in found
        if uses[each.model]
    ]


def pooler(connection: psycopg.Connection, settings: Settings) -> Iterator[Finding]:
    """Nothing where the server itself answers."""
    pid, timeout = _one(connection, LOOK.encode())
    if not allow_pooler(connection, pid, timeout):
        return
    if settings.database.direct_url is None:
        detail = "is before PostgreSQL, and LISTEN and migrations need a session of their own"
        yield Finding.broken("Pooler", detail, "Set DATABASE_DIRECT_URL to PostgreSQL itself.")
    elif timeout == NO_TIMEOUT:
        detail = "statements have no time limit behind it"
        yield Finding.broken("Pooler", detail, "Run deploy/pgbouncer/roles.sql.")
    else:
        yield Finding.ok("Pooler", "no statement is prepared; LISTEN has DATABASE_DIRECT_URL")


def replica(primary_url: str, replica_url: str, max_lag: float) -> Finding:
    """The age of the data at DATABASE_READ_URL."""
    try:
        with psycopg.connect(psycopg_url(primary_url), connect_timeout=3) as connection:
            primary = Primary(*_one(connection, PRIMARY))
        with psycopg.connect(psycopg_url(replica_url), connect_timeout=3) as connection:
            is_replica, age = _one(connection, REPLICA, primary._asdict())
    except (psycopg.Error, SetupError) as error:
        reason = str(error).strip().partition("\n")[0]
        mend = "Check DATABASE_READ_URL; the primary is read meanwhile."
        return Finding.broken("Replica", f"cannot be used ({reason})", mend)
    if not is_replica:
        mend = "Correct DATABASE_READ_URL; the primary is read meanwhile."
        return Finding.broken("Replica", NO_REPLICA, mend)
    if age is None:
        mend = "See its log; the primary is read meanwhile."
        return Finding.broken("Replica", "it has replayed nothing since its start", mend)
    if age > max_lag:
        mend = f"See its log; over {max_lag:g} s the primary is read."
        return Finding.broken("Replica", f"its data is {age:,.0f} s old", mend)
    return Finding.ok("Replica", f"its data is {age:,.0f} s old")


def _one(
    connection: psycopg.Connection, statement: bytes, parameters: Mapping[str, object] | None = None
) -> tuple[Any, ...]:
    row = connection.execute(statement, parameters).fetchone()
    assert row is not None
    return row


_VECTOR_INDEXES = "Vector indexes"
_WAIT_FOR_INDEXES = (
    "A worker makes them; see `searchqa api GET /jobs`. At once: `searchqa vectors index`."
)


def indexes(address: str, settings: Settings) -> Iterator[Finding]:
    """Nothing while no workspace is large. Raises ConfigurationError for a model that is none."""
    model = embedding_model(settings)
    if model is None:
        return
    large, why = asyncio.run(_look(address, model, settings.embedding.index_min_vectors))
    missing = [each for each in large if not each.ready]
    if missing:
        names = ", ".join(str(each.of.workspace_id) for each in missing[:3])
        count = f"{len(missing)} of {len(large)} large workspaces"
        detail = f"missing in {count}, which are searched slowly: {names}"
        yield Finding.note(_VECTOR_INDEXES, detail, REMEDIES[why] if why else _WAIT_FOR_INDEXES)
    elif large:
        yield Finding.ok(_VECTOR_INDEXES, f"there for each large workspace ({len(large)})")


async def _look(
    address: str, model: str, at_least: int
) -> tuple[list[VectorIndex], Obstacle | None]:
    async with create_pool(address, max_size=1) as pool, pool.connection() as connection:
        return await large_workspaces(connection, model, at_least), await obstacle(connection)


START_DISPATCHER = (
    "Check that a dispatcher runs (python -m worker.dispatcher) and reaches the broker."
)
_ABOUT = {
    Condition.NO_DISPATCHER: ("Dispatcher", "none works", START_DISPATCHER),
    Condition.NO_WORKER: (
        "Queue",
        "no worker serves it",
        "Start one: python -m worker -Q {queue}, or searchqa up.",
    ),
    Condition.STUCK: (
        "Queue",
        "workers live, and none claims them",
        "See the logs of workers and dispatchers; then restart the workers.",
    ),
    Condition.SLOW_JUDGE: (
        "Queue",
        "they are being judged more slowly than answers come",
        "Start more workers, or use a faster judge or one with higher limits.",
    ),
    Condition.UNKNOWN: (
        "Queue",
        "no process has reported for long enough to say why",
        "Start the stack, or run this again in a minute.",
    ),
}


def queues(
    address: str, connection: psycopg.Connection, settings: Settings, stack_api: str | None
) -> Iterator[Finding]:
    """Which processes live, and what is wrong with the queues. stack_api: of a running
    `searchqa up` with a Redis of its own."""
    seen = asyncio.run(_observe(address, settings, stack_api))
    living = [process for process in seen.processes if lives(process, settings)]
    kinds = sorted({process.kind for process in living})
    if living:
        counts = (f"{sum(p.kind is kind for p in living)} {kind}" for kind in kinds)
        yield Finding.ok("Processes", ", ".join(counts))
    found = [
        finding for problem in diagnose(seen, settings).problems if (finding := _finding(problem))
    ]
    yield from found
    if not any(finding.about == "Queue" for finding in found):
        yield _in_time(connection, seen.backlog or ())


def _finding(problem: SystemProblem) -> Finding | None:
    """None for what other checks show, and for silence while nothing waits."""
    condition = problem.condition
    if condition not in _ABOUT or (condition is Condition.UNKNOWN and not problem.due):
        return None
    about, why, mend = _ABOUT[condition]
    names = " ".join(filter(None, (problem.queue, problem.judge_model)))
    waiting = ""
    if problem.due:
        waiting = f"{problem.due:,} verdicts wait, the oldest for {problem.oldest_seconds:.0f} s; "
    detail = f"{names}: {waiting}{why}" if names else f"{waiting}{why}"
    mend = mend.format(queue=problem.queue)
    if condition is Condition.SLOW_JUDGE:
        return Finding.note(about, detail, mend)
    return Finding.broken(about, detail, mend)


def _in_time(connection: psycopg.Connection, backlog: Sequence[Backlog]) -> Finding:
    due = sum(one.due for one in backlog)
    waiting = f"{due:,} verdicts wait, none for too long" if due else "no backlog"
    found = connection.execute(_LAST_VERDICT).fetchone()
    last: float | None = found[0] if found else None
    latest = "no verdict yet" if last is None else f"last verdict {age(last)} ago"
    return Finding.ok("Queue", f"{waiting}; {latest}")


async def _observe(address: str, settings: Settings, stack_api: str | None) -> Observation:
    async with create_pool(address, max_size=1) as pool:
        backlog = await read_backlog(pool)
        limited = await _limited(settings)
        if stack_api and await _api_responds(stack_api):
            limited = frozenset(one.judge_model for one in backlog)
        return Observation(
            backlog=backlog,
            processes=await read_processes(pool),
            paused=await read_paused(pool),
            limited=limited,
        )


async def _limited(settings: Settings) -> frozenset[str]:
    # What is wrong with REDIS_URL is a finding of its own.
    with suppress(SetupError):
        if settings.redis.url:
            limits = LimitStates(settings.judge.limits, settings.redis.url)
            limited = waits_for_limits(await limits.read())
            await limits.aclose()
            return limited
    return frozenset()


async def _api_responds(api: str) -> bool:
    """Whether this API has found no queue stuck. It may read the limits in the Redis of
    `searchqa up`, whose password only its processes have."""
    with suppress(httpx.HTTPError, ValueError):
        async with httpx.AsyncClient(timeout=5, trust_env=False) as client:
            return (await client.get(f"{api}/readyz")).json().get("verdicts") in {"ok", "delayed"}
    return False


def age(seconds: float) -> str:
    """In words, as `3 min`."""
    for size, unit in ((86_400, "days"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"
