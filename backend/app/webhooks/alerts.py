"""Alerts that no single event raises: backlogs and daily thresholds. The dispatcher looks for
them; however many dispatchers run, each crossing is told once."""

from app.db.pool import Pool, fetch
from app.db.statements import in_list, load_sql
from app.verdicts.status import BUDGET_REASONS, UNFINISHED

# Verdicts of a day before a share of them says anything.
MIN_VERDICTS = 20

_BACKLOG = load_sql(
    __package__,
    "backlog",
    unfinished=in_list(UNFINISHED),
    budget_reasons=in_list(BUDGET_REASONS),
).encode()
_THRESHOLDS = load_sql(__package__, "thresholds").encode()


async def raise_alerts(pool: Pool) -> int:
    """Puts what has been crossed into the outbox. Returns how many. Raises psycopg.Error."""
    backlogs = await fetch(pool, _BACKLOG)
    thresholds = await fetch(pool, _THRESHOLDS, {"least": MIN_VERDICTS})
    return int(backlogs[0][0] + thresholds[0][0])
