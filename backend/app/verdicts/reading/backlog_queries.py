"""The backlog of evaluations: how many are due or running, and for how long."""

from dataclasses import dataclass

from app.platform.broker import Queue
from app.platform.db.pool import Pool, fetch
from app.platform.db.statements import in_list, load_sql
from app.verdicts.status import WAITING

BACKLOG = load_sql(__package__, "backlog", waiting=in_list(WAITING)).encode()

# Rows due of one queue and judge are counted up to this; it takes a tenth of a second.
MAX_COUNTED = 50_000


@dataclass(frozen=True, slots=True)
class Backlog:
    """Of one queue and judge. due: rows that may be claimed now, MAX_COUNTED for more;
    oldest_seconds: since when the first of them may be, None without one. running: rows that
    workers hold; expired: those of them whose lease has ended. paused: the kind of the judge's
    pause, None while it is asked."""

    queue: Queue
    judge_model: str
    due: int
    oldest_seconds: float | None
    running: int
    expired: int
    paused: str | None


async def read_backlog(pool: Pool) -> list[Backlog]:
    """A row for each queue and judge with rows due or running, of all workspaces: the pool's role
    must see them. Raises psycopg.Error."""
    rows = await fetch(pool, BACKLOG, {"max_counted": MAX_COUNTED})
    return [Backlog(Queue(row[0]), *row[1:]) for row in rows]
