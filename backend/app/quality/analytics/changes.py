"""The newest day of a period beside the days before it, and what the difference comes from."""

import datetime as dt
import uuid
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.db.statements import SqlFile
from app.quality.analytics.releases import MIN_ANSWERS, Change, difference
from app.quality.analytics.service import applied_filters, text_and_rows
from app.quality.analytics.sources import Filters
from app.quality.analytics.true_quality import change_fields
from app.quality.drift.queries import groups
from app.quality.drift.series import Sums
from app.quality.drift.service import MAX_ANSWERS, Cause, causes_of

# A day is worse or better where chance alone gives as much on fewer than one day in 1,000, and it
# is a difference that readers would notice.
MAX_P_VALUE = 0.001
MIN_CHANGE = 0.03
# Filled in by app.quality.analytics.queries.
_SQL = SqlFile(
    __package__,
    "changes",
    filters="{filters_of_answers}",
    day="{day}",
    bucket_day="{bucket_day}",
    verdicts="{verdicts}",
)
DAYS = _SQL("days")
_DIMENSIONS = {
    "answer_model": "v.answer_model",
    "judge_model": "v.judge_model",
    "notebook": "v.notebook_id::text",
    "prompt_version": "v.prompt_version",
    "lang": "v.lang::text",
    "feature": "v.feature::text",
    "app_version": "v.app_version",
    "environment": "v.environment",
}


class WhatChanged(BaseModel):
    """The newest day with at least 10 scored answers beside the days of the period before it.

    compared_from: the first of these days. scored, scored_before: verdicts that the means are of,
    none degraded. outcome: worse or better where the means differ by 3 points or more and chance
    gives as much on fewer than one day in 1,000. causes: what differs most, the largest part first,
    of equal ones the group with fewest answers; empty for a usual day, and where nothing in
    particular stands out.
    """

    day: dt.date
    compared_from: dt.date
    scored: int
    scored_before: int
    correctness: float
    correctness_before: float
    change: Change
    outcome: Literal["worse", "better", "usual"]
    causes: list[Cause]


async def what_changed(
    session: AsyncSession, workspace_id: uuid.UUID, filters: Filters
) -> tuple[Filters, WhatChanged | None]:
    """The filters as applied; None where no day, or nothing before it, has enough scored answers.
    Raises as service.run."""
    applied = await applied_filters(session, workspace_id, filters)
    _, rows = await text_and_rows(session, workspace_id, DAYS, applied)
    days = [(day, Sums(*sums)) for day, *sums in rows]
    while days and days[-1][1].answers < MIN_ANSWERS:
        days.pop()
    if not days:
        return applied, None
    *earlier, (day, after) = days
    before = _sum_of([sums for _, sums in earlier])
    found = difference(before, after)
    if found is None:
        return applied, None
    change = Change(**change_fields(found))
    outcome = _outcome(change)
    causes: list[Cause] = []
    if outcome != "usual":
        answers = _SQL(
            "answers",
            began=f"'{day.isoformat()}'",
            values=", ".join(_DIMENSIONS.values()),
            share_before=_share(before),
            share_later=_share(after),
        )
        sql = groups(answers, _DIMENSIONS, "cited_note")
        _, of_groups = await text_and_rows(session, workspace_id, sql, applied)
        causes = causes_of(of_groups)
        # A release that answers all of the day explains less than the model of half its answers.
        causes.sort(key=lambda each: (-round(each.part, 1), each.share_after))
    return applied, WhatChanged(
        day=day,
        compared_from=earlier[0][0],
        scored=after.answers,
        scored_before=before.answers,
        correctness=after.total / after.answers,
        correctness_before=before.total / before.answers,
        change=change,
        outcome=outcome,
        causes=causes,
    )


def _sum_of(days: Sequence[Sums]) -> Sums:
    return Sums(
        sum(each.answers for each in days),
        sum(each.total for each in days),
        sum(each.squares for each in days),
    )


def _share(sums: Sums) -> str:
    return str(min(1.0, MAX_ANSWERS / sums.answers))


def _outcome(change: Change) -> Literal["worse", "better", "usual"]:
    if change.p_value >= MAX_P_VALUE or abs(change.change) < MIN_CHANGE:
        return "usual"
    return "worse" if change.change < 0 else "better"
