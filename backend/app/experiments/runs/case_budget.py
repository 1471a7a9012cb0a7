"""What the cases of a run take from the daily budget of their workspace."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.jobs.job import Deferred, JobContext
from app.verdicts.policy.spending import hold_budget, settle
from app.verdicts.status import WaitReason

# Beyond the deadlines of a case's calls: for its statements.
_SLACK_SECONDS = 60

_WAITS: Mapping[str, str] = {
    WaitReason.BUDGET_SPENT: "the daily budget of the workspace is spent until midnight.",
    WaitReason.BUDGET_HELD: "the rest of the daily budget is held by work under way.",
    WaitReason.BUDGET_UNPRICED: "the workspace has a daily budget, and a model of the run has no"
    " known price.",
}


@dataclass(frozen=True, slots=True)
class CaseBudget:
    """Of one run, for the job of `context`."""

    context: JobContext
    run_id: uuid.UUID

    async def hold(self, position: int, max_cost_usd: Decimal | None) -> None:
        """Sets aside what a case may cost, before any of it is paid for. Raises Deferred where
        there is no money for it now."""
        if max_cost_usd == 0:
            return
        async with self.context.writing() as session:
            wait = await hold_budget(
                session,
                self.context.job.workspace_id,
                self.run_id,
                position,
                max_cost_usd,
                seconds=self._seconds,
            )
        if wait:
            raise Deferred(wait.reason, _WAITS[wait.reason], wait.seconds)

    async def settle(self, session: AsyncSession, position: int, cost_usd: Decimal | None) -> None:
        """Counts what the case has cost instead; the caller commits."""
        workspace_id = self.context.job.workspace_id
        await settle(session, workspace_id, self.run_id, position, cost_usd)

    @property
    def _seconds(self) -> float:
        """Of one answer, and of a judge who is asked twice at most."""
        settings = self.context.settings
        return (
            settings.answering.deadline_seconds
            + 2 * settings.judge.deadline_seconds
            + _SLACK_SECONDS
        )
