"""A succession: planned and priced before anything is asked, begun, and read."""

import asyncio
import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import RowMapping, insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.estimate import CallsEstimate
from app.experiments import queries
from app.experiments.models import JudgeSuccession, JudgeTrial
from app.experiments.succession.report import SuccessionReport
from app.experiments.trials import with_claims
from app.judges.judge_names import takes_prompts
from app.judges.prompt_versions import usable_prompt
from app.judges.verdict_prompts import DEFAULT_PROMPT
from app.platform.db.owned_queries import Listed, Page
from app.platform.errors import Conflict, InvalidRequest
from app.platform.ids import new_id
from app.platform.jobs.status import RunStatus
from app.platform.settings import Settings
from app.quality.rejudging.queries import Judge
from app.quality.rejudging.service import estimated_cost
from app.verdicts.policy.changes import with_successor
from app.verdicts.policy.document import Model, Number, server_policy
from app.verdicts.policy.service import check_usable, policy_of

DEFAULT_ANSWERS = 200
# Answers drawn are among so many of the newest.
_WINDOW = 20_000


class SuccessionCreate(BaseModel):
    """old: a judge of the policy; new: who is to take its place. answers: how many of the stored
    ones both judge, labelled ones first, then drawn ones, both in an order that `seed` gives.
    max_cost_usd: as many of them as are expected to cost no more."""

    model_config = ConfigDict(extra="forbid")

    old: Model
    new: Model
    answers: Annotated[int, Field(ge=1, le=2_000), Number] = DEFAULT_ANSWERS
    max_cost_usd: Annotated[float, Field(gt=0, le=100_000), Number] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**31), Number] = 0


class SuccessionView(Listed):
    """Of `total` verdicts, two of each answer, `done` are there, `failed` of them without one;
    spent_usd: what they took, null where nobody knows. switched_at: when the policy was given the
    new judge, undone_at: when it was given the old one back; null where it was not. forced: in
    spite of what the report objects."""

    old_model: str
    new_model: str
    seed: int
    max_cost_usd: float | None
    made_by: str
    status: RunStatus
    total: int
    done: int
    failed: int
    spent_usd: float | None
    error_message: str | None
    forced: bool
    switched_at: dt.datetime | None
    undone_at: dt.datetime | None
    created_at: dt.datetime
    updated_at: dt.datetime
    finished_at: dt.datetime | None


class SuccessionDetail(SuccessionView):
    """`summary` is null until it is completed."""

    summary: SuccessionReport | None


class SuccessionPage(Page[SuccessionView, uuid.UUID]):
    """`next` continues the list; it is null on the last page."""


@dataclass(frozen=True, slots=True)
class Plan:
    """judges: the old one and the new one. sample: rows of `succession_sample`; too_dear: how many
    more were asked for than the budget has room for."""

    judges: tuple[Judge, Judge]
    sample: Sequence[RowMapping]
    cost: CallsEstimate
    too_dear: int

    @property
    def labelled(self) -> int:
        return sum(row["labelled"] for row in self.sample)


async def plan_succession(
    session: AsyncSession, workspace_id: uuid.UUID, settings: Settings, request: SuccessionCreate
) -> Plan:
    """Nothing is stored. Raises InvalidRequest for judges that cannot follow each other in the
    policy or whose price a budget needs, and Conflict where no answer was judged yet, or none is
    cheap enough."""
    if request.old == request.new:
        raise InvalidRequest.worded("own-successor", model=request.new)
    policy = await policy_of(session, workspace_id, settings)
    switched = with_successor(policy.document, policy.document, request.old, request.new)
    check_usable(switched.with_defaults(server_policy(settings)), settings)
    own = await usable_prompt(session, workspace_id, policy.judge_prompt)

    def judge(model: str) -> Judge:
        prompt = policy.judge_prompt if takes_prompts(model) else None
        found = Judge.asked_for(model, prompt, settings, own)
        return replace(found, criteria=policy.criteria)

    judges = judge(request.old), judge(request.new)
    given = {"workspace_id": workspace_id, "window": _WINDOW}
    given |= {"limit": request.answers, "seed": request.seed}
    rows = (await session.execute(queries.SUCCESSION_SAMPLE, given)).mappings().all()
    if not rows:
        raise Conflict.worded("nothing-to-succeed-on")
    return await asyncio.to_thread(_within_budget, judges, rows, settings, request.max_cost_usd)


def _within_budget(
    judges: tuple[Judge, Judge],
    rows: Sequence[RowMapping],
    settings: Settings,
    max_cost_usd: float | None,
) -> Plan:
    """Blocks for a second with thousands of rows."""
    limit = None if max_cost_usd is None else Decimal(str(max_cost_usd))
    total, fit = CallsEstimate(), 0
    for row in rows:
        more = total
        for judge in judges:
            more += _cost(judge, row, settings)
            if limit is not None and more.cost_usd is None:
                raise InvalidRequest.worded("succession-unpriced", model=judge.model)
        if limit is not None and more.cost_usd is not None and more.cost_usd > limit:
            break
        total, fit = more, fit + 1
    if not fit:
        raise Conflict.worded("succession-too-dear", cost=f"{more.cost_usd:.4f}")
    return Plan(judges, rows[:fit], total, len(rows) - fit)


def _cost(judge: Judge, row: RowMapping, settings: Settings) -> CallsEstimate:
    evaluators = with_claims(row["evaluators"])
    sampled = [{**row, "evaluators": evaluators}]
    return estimated_cost(sampled, {evaluators: 1}, judge, settings)


async def begin_succession(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    request: SuccessionCreate,
    plan: Plan,
    made_by: str,
) -> uuid.UUID:
    """Stores it with its trials and their jobs; the caller commits."""
    about: dict[str, Any] = {"workspace_id": workspace_id, "made_by": made_by}
    succession = JudgeSuccession(
        **about,
        id=new_id(),
        old_model=plan.judges[0].model,
        new_model=plan.judges[1].model,
        seed=request.seed,
        max_cost_usd=request.max_cost_usd,
    )
    session.add(succession)
    await session.flush()
    trials = [
        about
        | {
            "id": new_id(),
            "succession_id": succession.id,
            "position": position,
            "evaluation_id": row["id"],
            "judge_model": judge.model,
            "prompt": judge.prompt or DEFAULT_PROMPT,
            "lang": row["lang"],
        }
        for position, row in enumerate(plan.sample)
        for judge in plan.judges
    ]
    await session.execute(insert(JudgeTrial), trials)
    await queries.SUCCESSIONS.enqueue(session, workspace_id, succession.id, len(plan.sample))
    return succession.id
