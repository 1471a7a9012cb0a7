"""Policies of workspaces: read, checked and changed."""

import datetime as dt
import uuid
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.types import Lang
from app.judges.judge_names import RULES_MODEL, takes_batches
from app.judges.prompt_versions import usable_prompt
from app.judges.verdict_prompts import VERDICT_PROMPTS, is_of_workspace
from app.platform.errors import InvalidRequest, PreconditionFailed
from app.platform.jobs.service import wake_deferred
from app.platform.settings import Settings
from app.text.redaction import BadPattern, check_pattern
from app.verdicts.models.policy import EvaluationPolicyRow
from app.verdicts.policy import queries
from app.verdicts.policy.calibrations import (
    CalibrationRead,
    CascadeCalibrationRead,
    calibrations_of,
    cascade_notices,
    cascade_problems,
    cascade_read,
    unusable,
)
from app.verdicts.policy.document import WorkspacePolicy, server_policy
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.verdicts.policy.judge_prices import JudgePrices
from app.verdicts.status import BUDGET_REASONS


async def policy_of(
    session: AsyncSession, workspace_id: uuid.UUID, settings: Settings
) -> EvaluationPolicy:
    """What holds for a workspace now."""
    own = await session.scalar(queries.POLICY_ROW, {"workspace_id": workspace_id})
    return EvaluationPolicy.from_settings(settings).with_workspace(own)


def own_policy(row: EvaluationPolicyRow | None) -> WorkspacePolicy:
    """What the workspace itself has set."""
    if row is None:
        return WorkspacePolicy()
    values = {name: getattr(row, name) for name in WorkspacePolicy.model_fields}
    if row.daily_budget_usd is not None:
        values["daily_budget_usd"] = float(row.daily_budget_usd)
    return WorkspacePolicy.from_row(values)


class BudgetRead(BaseModel):
    """The running day, midnight to midnight in the policy's time zone. spent_usd: what judges
    have cost; held_usd: what those at work may cost; deferred: answers that wait for the next
    day."""

    day_start: dt.datetime
    day_end: dt.datetime
    spent_usd: float
    held_usd: float
    deferred: int


class EvaluationSettings(BaseModel):
    """policy: what the workspace has set; server: what holds where it has not; effective: what
    holds; sources: who says so, by field. version: 0 while nothing was ever set. problems: what of
    it cannot work as things stand. budget: null without a daily budget. calibrations: which judges
    have a guarantee, and since when. cascade_calibration: the thresholds of the cascade; null where
    it was never calibrated."""

    version: int
    updated_at: dt.datetime | None
    policy: WorkspacePolicy
    server: WorkspacePolicy
    effective: WorkspacePolicy
    sources: dict[str, Literal["workspace", "server"]]
    problems: list[str]
    budget: BudgetRead | None
    calibrations: list[CalibrationRead]
    cascade_calibration: CascadeCalibrationRead | None


async def evaluation_settings(
    session: AsyncSession, workspace_id: uuid.UUID, settings: Settings, lang: Lang
) -> EvaluationSettings:
    """What a workspace has judged, and how today's budget stands. lang: of the problems."""
    row = await session.scalar(queries.stored(workspace_id))
    policy = own_policy(row)
    server = server_policy(settings)
    effective = policy.with_defaults(server)
    holds = await policy_of(session, workspace_id, settings)
    problems = [*_problems(effective, settings), *await cascade_notices(session, holds)]
    return EvaluationSettings(
        version=row.version if row else 0,
        updated_at=row.updated_at if row else None,
        policy=policy,
        server=server,
        effective=effective,
        sources={name: "server" if value is None else "workspace" for name, value in policy},
        problems=[problem.detail[lang] for problem in problems],
        budget=await _budget(session, workspace_id, effective),
        calibrations=await calibrations_of(
            session, workspace_id, holds.judge_versions, holds.active_cascade
        ),
        cascade_calibration=cascade_read(holds),
    )


async def _budget(
    session: AsyncSession, workspace_id: uuid.UUID, effective: WorkspacePolicy
) -> BudgetRead | None:
    if effective.daily_budget_usd is None:
        return None
    parameters = {"workspace_id": workspace_id, "zone": effective.time_zone}
    today = (await session.execute(queries.BUDGET_TODAY, parameters)).one()
    return BudgetRead.model_validate(today, from_attributes=True)


async def save_policy(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    policy: WorkspacePolicy,
    settings: Settings,
    *,
    expected: int | None = None,
) -> None:
    """Replaces the policy; the caller commits. expected: the version that is replaced, None for
    whichever. Raises InvalidRequest for what this server cannot do, PreconditionFailed when
    another version stands there."""
    check_usable(policy.with_defaults(server_policy(settings)), settings)
    _check_pattern(policy.redact_pattern)
    await _check_stored_things(session, workspace_id, policy)
    values = policy.model_dump()
    row = await session.scalar(queries.stored(workspace_id).with_for_update())
    version = None
    if expected is None or expected == (row.version if row else 0):
        version = await session.scalar(queries.save(workspace_id, values, expected))
    if version is None:
        raise PreconditionFailed.worded("policy-changed-meanwhile")
    await session.execute(queries.WAKE_DEFERRED, {"workspace_id": workspace_id})
    if policy.with_defaults(server_policy(settings)).bulk_by != "batch":
        await session.execute(queries.RELEASE_UNBATCHED, {"workspace_id": workspace_id})
    await wake_deferred(session, workspace_id, BUDGET_REASONS)


def check_usable(effective: WorkspacePolicy, settings: Settings) -> None:
    """Raises InvalidRequest for what this server cannot do."""
    for problem in _problems(effective, settings):
        raise problem


def _check_pattern(pattern: str | None) -> None:
    try:
        if pattern is not None:
            check_pattern(pattern)
    except BadPattern as error:
        if error.reason == "broken":
            raise InvalidRequest.worded("redact-pattern-broken", problem=str(error)) from None
        if error.reason == "too-large":
            raise InvalidRequest.worded("redact-pattern-too-large") from None
        raise InvalidRequest.worded("redact-pattern-too-broad") from None


async def _check_stored_things(
    session: AsyncSession, workspace_id: uuid.UUID, policy: WorkspacePolicy
) -> None:
    zone = policy.time_zone
    if zone is not None and not await session.scalar(queries.ZONE_EXISTS, {"zone": zone}):
        raise InvalidRequest.worded("unknown-policy-time-zone", zone=zone)
    await check_notebooks(session, workspace_id, policy.notebook_ids or [])
    await usable_prompt(session, workspace_id, policy.judge_prompt, "judge_prompt")


async def check_notebooks(
    session: AsyncSession, workspace_id: uuid.UUID, wanted: Sequence[uuid.UUID]
) -> None:
    """Raises InvalidRequest where one is no notebook of the workspace."""
    known = set(await session.scalars(queries.notebooks_among(workspace_id, list(wanted))))
    for position, notebook_id in enumerate(wanted, start=1):
        if notebook_id not in known:
            raise InvalidRequest.worded("unknown-notebook-of-policy", position=position)


def _problems(effective: WorkspacePolicy, settings: Settings) -> list[InvalidRequest]:
    """What of the models and the budget this server cannot do, in the order of the fields."""
    fallbacks = effective.fallback_models or []
    judges = [("judge_model", effective.judge_model or RULES_MODEL)]
    judges += [("fallback_models", model) for model in fallbacks]
    found = [problem for field, model in judges if (problem := unusable(field, model, settings))]
    names = [model for _, model in judges]
    if len(set(names)) < len(names):
        found.append(InvalidRequest.worded("fallback-model-twice"))
    judges += [("cascade", model) for model in (effective.cascade or [])[:-1]]
    judges += [("jury", model) for model in (effective.jury or [])[:-1]]
    found += cascade_problems(effective, settings)
    prompt = effective.judge_prompt
    if prompt is not None and prompt not in VERDICT_PROMPTS and not is_of_workspace(prompt):
        found.append(_no_prompt(prompt))
    if effective.bulk_by == "batch" and not found and not takes_batches(judges[0][1]):
        found.append(_no_batches(judges[0][1]))
    if effective.daily_budget_usd is not None and not found:
        prices = JudgePrices(settings)
        found += [unpriced(model, field) for field, model in judges if not prices.known(model)]
    return found


def _no_prompt(prompt: str) -> InvalidRequest:
    known = ", ".join(VERDICT_PROMPTS)
    return InvalidRequest.worded("no-such-judge-prompt-of-policy", prompt=prompt, known=known)


def _no_batches(model: str) -> InvalidRequest:
    return InvalidRequest.worded("no-batches", model=model)


def unpriced(model: str, field: str = "judge_model") -> InvalidRequest:
    """Why a judge without a known price is refused where there is a budget."""
    return InvalidRequest.worded("unpriced-judge", model=model, field=field)
