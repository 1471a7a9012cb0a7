"""What a policy would judge a day, and at what cost, by the answers of the last seven days."""

import uuid
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.estimate import CallsEstimate, PricedModel
from app.judges.answer_parts import parts_needed
from app.judges.estimate import TextBytes, estimate_calls, verdict_calls
from app.judges.judge_names import takes_prompts
from app.platform.settings import Settings
from app.text.language import lang_of
from app.verdicts.policy import queries
from app.verdicts.policy.document import WorkspacePolicy, server_policy
from app.verdicts.policy.evaluation_policy import EvaluationPolicy, filtered
from app.verdicts.policy.service import check_usable
from app.verdicts.status import Status

_SAMPLE = 400
# A policy without a row, and what a draft leaves as it is.
_UNSET = {"version": 0, "criteria": None, "cascade_calibration": None}


class PolicyForecast(BaseModel):
    """A day of this policy: answers, those that are judged, and US dollars without a budget, null
    where nobody knows a price. at_most: several judges may be asked, and all of them are counted.
    All are 0 where there were no answers."""

    answers: float
    judged: float
    cost_usd: float | None
    at_most: bool


async def forecast(
    session: AsyncSession, workspace_id: uuid.UUID, settings: Settings, draft: WorkspacePolicy
) -> PolicyForecast:
    """By a sample of recent answers, priced as in judging again. Stores nothing. Raises
    InvalidRequest as saving would."""
    check_usable(draft.with_defaults(server_policy(settings)), settings)
    stored = await session.scalar(queries.POLICY_ROW, {"workspace_id": workspace_id}) or _UNSET
    policy = EvaluationPolicy.from_settings(settings).with_workspace(stored | draft.model_dump())
    given = {"workspace_id": workspace_id, "sample": _SAMPLE}
    rows: Sequence[Any] = (await session.execute(queries.RECENT_ANSWERS, given)).all()
    await session.close()
    # The share is counted exactly, also where it leaves nothing of a sample.
    unsampled = replace(policy, sample_rate=1.0)
    judged, cost = 0, CallsEstimate()
    for row in rows:
        has_notes = row.note_bytes > 0
        parts = parts_needed(row.answer_chars)
        plan = unsampled.plan(
            row.id,
            feature=row.feature,
            from_notes=has_notes or row.feature == "search_qa",
            has_notes=has_notes,
            filtered=filtered(policy.document, row, row.answer_chars),
        )
        if plan.status is Status.SKIPPED:
            continue
        judged += 1
        texts = TextBytes(row.question_bytes, row.answer_bytes, row.note_bytes, parts)
        calls = verdict_calls(plan.evaluators, lang_of(row.lang), plan.judge_prompt)
        for judge in filter(takes_prompts, plan.cascade or (plan.judge_model,)):
            cost += estimate_calls(calls, texts, PricedModel.from_name(judge, settings))
    a_day = rows[0].total / min(max(rows[0].days, 1), 7) if rows else 0
    share = a_day * policy.sample_rate / max(len(rows), 1)
    return PolicyForecast(
        answers=a_day,
        judged=judged * share,
        cost_usd=None if cost.cost_usd is None else float(cost.cost_usd) * share,
        at_most=bool(policy.active_cascade),
    )
