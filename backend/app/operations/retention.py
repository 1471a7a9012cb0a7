"""Retention of every table, for the dispatcher and `searchqa retention`.

Each package owns its statements; answers, replies and events have rules of each workspace, see
VerdictRetention.
"""

from typing import NamedTuple

from app.experiments.queries import COUNT_OLD_TRIALS, DELETE_OLD_TRIALS
from app.integrations.traces import intake as traces
from app.integrations.webhooks import outbox as webhooks
from app.platform.db.pool import Pool
from app.platform.db.retention import BATCH, Retention, RetentionByStatements
from app.platform.jobs import store as jobs
from app.platform.settings import Settings
from app.quality.drift import queries as drift
from app.quality.failures.models import FAILURES_SQL
from app.verdicts.batches import queries as batches
from app.verdicts.lifecycle.retention import VerdictRetention
from app.workspaces import audit_queries as audit
from app.workspaces import queries as workspaces

# Spans that come later than this do not complete a trace any more.
LATE_HOURS = 1


class Kept(NamedTuple):
    """A kind of row: the setting that holds its age in days, None where a statement says it; the
    statement that deletes old ones (at most `limit`), and the one that counts them."""

    subject: str
    days: str | None
    kind: str
    delete_old: bytes
    count_old: bytes


# In the order of deletion. Jobs of refinements go with their answer. The last alarm of a watched
# series stays, for the series begins anew with it, and so do the points since. Of tokens, those go
# that are in no list: readers' once they have expired, sessions and login codes a day later. A
# batch may have fifty thousand lines, so they go first. A failure that recurs goes with the last of
# its answers.
RETENTION = (
    Kept("traces", "traces_days", "spans_of_traces", traces.DROP_SPANS, traces.COUNT_SPANS),
    Kept("traces", "traces_days", "traces", traces.DELETE_TRACES, traces.COUNT_OLD),
    Kept("quality", "quality_days", "points", drift.DELETE_POINTS, drift.COUNT_OLD_POINTS),
    Kept("quality", "quality_days", "alarms", drift.DELETE_ALARMS, drift.COUNT_OLD_ALARMS),
    Kept(
        *("failures", None, "empty_failures"),
        *(FAILURES_SQL("delete_empty").encode(), FAILURES_SQL("count_empty").encode()),
    ),
    Kept(
        *("webhooks", "webhook_deliveries_days", "webhook_secrets"),
        *(webhooks.DELETE_SECRETS, webhooks.COUNT_SECRETS),
    ),
    Kept(
        *("webhooks", "webhook_deliveries_days", "webhook_deliveries"),
        *(webhooks.DELETE_DELIVERIES, webhooks.COUNT_DELIVERIES),
    ),
    Kept("jobs", "jobs_days", "jobs", jobs.DELETE_ENDED, jobs.COUNT_ENDED),
    Kept(
        *("batches", "jobs_days", "judge_batch_lines"),
        *(batches.DELETE_ENDED_LINES, batches.COUNT_ENDED_LINES),
    ),
    Kept("batches", "jobs_days", "judge_batches", batches.DELETE_ENDED, batches.COUNT_ENDED),
    Kept("trials", "jobs_days", "judge_trials", DELETE_OLD_TRIALS, COUNT_OLD_TRIALS),
    Kept(
        *("tokens", None, "reader_tokens"),
        *(workspaces.DELETE_EXPIRED_READERS, workspaces.COUNT_EXPIRED_READERS),
    ),
    Kept(
        *("tokens", None, "sessions"),
        *(workspaces.DELETE_EXPIRED_SESSIONS, workspaces.COUNT_EXPIRED_SESSIONS),
    ),
    Kept("audit", "audit_days", "audit_events", audit.DELETE_OLD, audit.COUNT_OLD),
)


def retention_for(
    subject: str, pool: Pool, settings: Settings, *, batch: int = BATCH
) -> RetentionByStatements:
    """One subject of RETENTION."""
    kept = [each for each in RETENTION if each.subject == subject]
    days = kept[0].days and getattr(settings.retention, kept[0].days)
    given = {"hours": LATE_HOURS, "days": days, "limit": batch}
    return RetentionByStatements(
        pool, given, [(each.kind, each.delete_old, each.count_old) for each in kept]
    )


def retentions(pool: Pool, settings: Settings) -> tuple[Retention, ...]:
    subjects = dict.fromkeys(each.subject for each in RETENTION)
    by_subject = (retention_for(subject, pool, settings) for subject in subjects)
    return VerdictRetention(pool, settings), *by_subject
