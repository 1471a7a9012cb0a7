"""Everything that is deleted after a time, for the dispatcher and `searchqa retention`.

Each package owns its statements; answers, replies and events have rules of each workspace, see
VerdictRetention.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from app.experiments import trial_queries
from app.integrations.traces import queries as traces
from app.integrations.webhooks import backlog_queries as webhooks
from app.platform.db.pool import Pool
from app.platform.db.retention import BATCH, Retention, RetentionByStatements
from app.platform.jobs import queries as jobs
from app.platform.settings import Settings
from app.quality.drift import queries as drift
from app.verdicts.batches import queries as batches
from app.verdicts.lifecycle.retention import VerdictRetention
from app.workspaces import queries as workspaces

# Spans that come later than this do not complete a trace any more.
LATE_HOURS = 1


class Kept(NamedTuple):
    """A kind of row, the statement that deletes old ones (at most `limit`), and the one that counts
    them."""

    kind: str
    delete_old: bytes
    count_old: bytes


# By subject, in the order of deletion: the setting that holds the age in days, None where a
# statement says it, and the kinds. Jobs of refinements go with their answer. The last alarm of a
# watched series stays, for the series begins anew with it, and so do the points since. Of tokens,
# those go that are in no list: readers' once they have expired, sessions and login codes a day
# later. A batch may have fifty thousand lines, so they go first.
RETENTION: Mapping[str, tuple[str | None, Sequence[Kept]]] = {
    "traces": (
        "traces_days",
        (
            Kept("spans_of_traces", traces.DROP_SPANS, traces.COUNT_SPANS),
            Kept("traces", traces.DELETE_TRACES, traces.COUNT_OLD),
        ),
    ),
    "quality": (
        "quality_days",
        (
            Kept("points", drift.DELETE_POINTS, drift.COUNT_OLD_POINTS),
            Kept("alarms", drift.DELETE_ALARMS, drift.COUNT_OLD_ALARMS),
        ),
    ),
    "webhooks": (
        "webhook_deliveries_days",
        (
            Kept("webhook_secrets", webhooks.DELETE_SECRETS, webhooks.COUNT_SECRETS),
            Kept("webhook_deliveries", webhooks.DELETE_DELIVERIES, webhooks.COUNT_DELIVERIES),
        ),
    ),
    "jobs": ("jobs_days", (Kept("jobs", jobs.DELETE_ENDED, jobs.COUNT_ENDED),)),
    "batches": (
        "jobs_days",
        (
            Kept("judge_batch_lines", batches.DELETE_ENDED_LINES, batches.COUNT_ENDED_LINES),
            Kept("judge_batches", batches.DELETE_ENDED, batches.COUNT_ENDED),
        ),
    ),
    "trials": (
        "jobs_days",
        (Kept("judge_trials", trial_queries.DELETE_OLD, trial_queries.COUNT_OLD),),
    ),
    "tokens": (
        None,
        (
            Kept(
                "reader_tokens", workspaces.DELETE_EXPIRED_READERS, workspaces.COUNT_EXPIRED_READERS
            ),
            Kept("sessions", workspaces.DELETE_EXPIRED_SESSIONS, workspaces.COUNT_EXPIRED_SESSIONS),
        ),
    ),
}


def retention_for(
    subject: str, pool: Pool, settings: Settings, *, batch: int = BATCH
) -> RetentionByStatements:
    """One subject of RETENTION."""
    setting, kinds = RETENTION[subject]
    days = setting and getattr(settings.retention, setting)
    given = {"hours": LATE_HOURS, "days": days, "limit": batch}
    return RetentionByStatements(pool, given, kinds)


def retentions(pool: Pool, settings: Settings) -> tuple[Retention, ...]:
    by_subject = (retention_for(subject, pool, settings) for subject in RETENTION)
    return VerdictRetention(pool, settings), *by_subject
