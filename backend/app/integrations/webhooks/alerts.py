"""Alerts that no single event raises: backlogs and daily thresholds. The dispatcher looks for
them; however many dispatchers run, each crossing is told once."""

import psycopg

from app.integrations.webhooks.events import MAX_WAITING
from app.platform.db.pool import Pool, fetch
from app.platform.db.statements import in_list, load_sql
from app.verdicts.status import BUDGET_REASONS, UNFINISHED

# Verdicts of a day before a share of them says anything.
MIN_VERDICTS = 20

_FRESH = (
    f"is_current AND queue <> 'bulk' AND COALESCE(reason, '') NOT IN ({in_list(BUDGET_REASONS)})"
)
_BACKLOG = load_sql(__package__, "backlog", unfinished=in_list(UNFINISHED), fresh=_FRESH).encode()
_THRESHOLDS = load_sql(__package__, "thresholds").encode()
_GIVEN = {"least": MIN_VERDICTS, "max_waiting": MAX_WAITING}


async def raise_alerts(pool: Pool) -> int:
    """Puts what has been crossed into the outbox. Returns how many. Raises psycopg.Error; one kind
    of alert that fails does not keep the others back."""
    raised, failure = 0, None
    for statement in (_BACKLOG, _THRESHOLDS):
        try:
            [(count,)] = await fetch(pool, statement, _GIVEN)
        except psycopg.Error as error:
            failure = error
        else:
            raised += count
    if failure:
        raise failure
    return raised
