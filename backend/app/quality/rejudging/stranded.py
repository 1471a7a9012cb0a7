"""Answers that wait for a paused judge which the workspace's policy no longer names."""

import json
import uuid
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncSession

from app.quality.rejudging.queries import Judge
from app.quality.rejudging.service import with_costs
from app.verdicts.lifecycle import parking
from app.verdicts.policy.evaluation_policy import EvaluationPolicy

# As many are counted, and given to another judge at once.
MAX_WAITING = 10_000


@dataclass(frozen=True, slots=True)
class Waiting:
    """Answers of a workspace without a verdict, each at most MAX_WAITING. stranded: those whose
    judge is paused and none of the policy's."""

    answers: int
    stranded: int


async def count_waiting(
    session: AsyncSession, workspace_id: uuid.UUID, policy: EvaluationPolicy
) -> Waiting:
    """Those that wait now."""
    given = {"workspace_id": workspace_id, "judges": list(policy.judges), "limit": MAX_WAITING}
    row = (await session.execute(parking.COUNT_WAITING, given)).one()
    return Waiting(row.answers, row.stranded)


async def reassign(
    session: AsyncSession, workspace_id: uuid.UUID, policy: EvaluationPolicy, judge: Judge
) -> int:
    """Gives the stranded ones, at most MAX_WAITING, to `judge`; the caller commits. Returns how
    many."""
    given = {"workspace_id": workspace_id, "judges": list(policy.judges), "limit": MAX_WAITING}
    found: list[Row[Any]] = list(await session.execute(parking.STRANDED, given))
    rows = with_costs((judge.row(row.answer_id, row.evaluators) for row in found), policy.prices)
    stopped = sorted({row.judge_model for row in found})
    moved = {"workspace_id": workspace_id, "rows": json.dumps(rows), "stopped": stopped}
    return await session.scalar(parking.REASSIGN, moved) or 0
