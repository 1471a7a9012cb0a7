"""Processes as they reported themselves, the storage of tables, and the clocks."""

import datetime as dt
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from app.notes.vector_indexes import Obstacle, Unindexed
from app.operations.system.presence import LISTED_SECONDS, ProcessKind
from app.platform.broker import Queue
from app.platform.db.pool import Pool, fetch
from app.platform.db.statements import SqlFile
from app.verdicts.lifecycle.queries import Backlog

_SQL = SqlFile(__package__, "queries")
_PROCESSES = _SQL("processes").encode()
_PAUSED = _SQL("paused").encode()
_OBSERVE_CLOCK = _SQL("observe_clock").encode()
_TABLES = _SQL("tables").encode()
_DATABASE = _SQL("database").encode()

_BACKLOG_FIELDS = frozenset(each.name for each in fields(Backlog))


@dataclass(frozen=True, slots=True)
class Process:
    """Seconds are before now. seen_seconds: since its last report; steady_seconds: for how long its
    reports have come without a gap. claim_seconds: since the last claim, by judge.
    tick_seconds: since a dispatcher's last complete sweep. backlog: what a dispatcher
    has read of the queues at its last report; unindexed: as it found them when it last looked."""

    id: uuid.UUID
    kind: ProcessKind
    hostname: str
    pid: int
    release: str
    queues: tuple[str, ...]
    started_at: dt.datetime
    seen_seconds: float
    steady_seconds: float
    in_flight: int = 0
    claim_seconds: Mapping[str, float] = field(default_factory=dict)
    tick_seconds: float | None = None
    backlog: tuple[Backlog, ...] | None = None
    unindexed: Unindexed | None = None


async def read_processes(pool: Pool) -> list[Process]:
    """Processes that reported within LISTED_SECONDS, by kind and host. Another release may report
    more than this one knows. Raises psycopg.Error."""
    rows = await fetch(pool, _PROCESSES, {"seconds": LISTED_SECONDS})
    return [_process(row) for row in rows]


def _process(row: Sequence[Any]) -> Process:
    """row: as the statement returns it."""
    read = Process(*row)
    claims, seen = read.claim_seconds, read.seen_seconds
    return replace(
        read,
        kind=ProcessKind(read.kind),
        queues=tuple(read.queues),
        claim_seconds={judge: seen + seconds for judge, seconds in claims.items()},
        backlog=None if read.backlog is None else tuple(_aged(row[-2], seen)),
        unindexed=None if read.unindexed is None else _unindexed(row[-1]),
    )


async def read_paused(pool: Pool) -> list[str]:
    """The names of judges that are paused. Raises psycopg.Error."""
    return [judge for (judge,) in await fetch(pool, _PAUSED)]


def _unindexed(written: Mapping[str, object]) -> Unindexed:
    """An obstacle that this release does not know becomes None."""
    why = written.get("obstacle")
    known = Obstacle(str(why)) if why in set(Obstacle) else None
    return Unindexed(int(str(written["workspaces"])), known)


def _aged(written: Iterable[Mapping[str, object]], seconds: float) -> Iterator[Backlog]:
    """A backlog as a dispatcher has written it, so many seconds ago."""
    for row in written:
        if row["queue"] not in set(Queue):
            continue
        known = {name: value for name, value in row.items() if name in _BACKLOG_FIELDS}
        found = Backlog(**known | {"queue": Queue(str(row["queue"]))})  # type: ignore[arg-type]  # JSON of the same fields
        yield found.aged(seconds)


MAX_TABLES = 15


@dataclass(frozen=True, slots=True)
class TableSize:
    """total_bytes: with indexes and large values. estimated_rows: by the last ANALYZE. parts: 0
    where it is not partitioned."""

    name: str
    total_bytes: int
    index_bytes: int
    estimated_rows: int
    parts: int


@dataclass(frozen=True, slots=True)
class Database:
    """schema: the last migration. tables: the largest, at most MAX_TABLES."""

    total_bytes: int
    server_version: str
    schema: str
    tables: list[TableSize]


async def read_database(pool: Pool) -> Database:
    """Raises psycopg.Error."""
    ((total, server, schema),) = await fetch(pool, _DATABASE)
    rows = await fetch(pool, _TABLES, {"limit": MAX_TABLES})
    return Database(total, server, schema, [TableSize(*row) for row in rows])


LEAP_SECONDS = 3600.0
# How long nobody may have looked before a clock that went on is doubted.
AWAY_SECONDS = 7 * 86_400.0
# How long people have to set it right.
HOLD_SECONDS = 86_400.0


async def observe_clock(pool: Pool, *, leapt: bool) -> dt.datetime | None:
    """Until when nothing may be deleted by age, None while the clock is steady. leapt: somebody
    has just seen it leap. It has leapt, too, if it is before the last look by more than
    LEAP_SECONDS or after it by AWAY_SECONDS. Raises psycopg.Error."""
    given = {"leapt": leapt, "leap": LEAP_SECONDS, "away": AWAY_SECONDS, "hold": HOLD_SECONDS}
    held_until: dt.datetime | None
    [(held_until,)] = await fetch(pool, _OBSERVE_CLOCK, given)
    return held_until
