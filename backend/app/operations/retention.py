"""All that is deleted after a time, for the dispatcher and `searchqa retention`."""

from app.experiments.playground.queries import trial_retention
from app.integrations.traces.retention import trace_retention
from app.integrations.webhooks.retention import webhook_retention
from app.platform.db.pool import Pool
from app.platform.db.retention import Retention
from app.platform.jobs.retention import job_retention
from app.platform.settings import Settings
from app.quality.drift.retention import alarm_retention
from app.verdicts.batches.retention import batch_retention
from app.verdicts.lifecycle.retention import VerdictRetention
from app.workspaces.retention import token_retention


def retentions(pool: Pool, settings: Settings) -> tuple[Retention, ...]:
    return (
        VerdictRetention(pool, settings),
        trace_retention(pool, settings),
        alarm_retention(pool, settings),
        webhook_retention(pool, settings),
        job_retention(pool, settings),
        batch_retention(pool, settings),
        trial_retention(pool, settings),
        token_retention(pool),
    )
