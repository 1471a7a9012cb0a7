"""Changes to parts of a workspace's policy: its criteria in force, and a judge's successor."""

import uuid
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel
from sqlalchemy import RowMapping
from sqlalchemy.ext.asyncio import AsyncSession

from app.judges.criteria import versions
from app.judges.criteria.criterion import MAX_CRITERIA, Criterion, name_of
from app.judges.criteria.versions import CriterionVersion
from app.platform.errors import Conflict, InvalidRequest
from app.platform.settings import Settings
from app.verdicts.policy import queries
from app.verdicts.policy.calibrations import NewCalibration, save_calibrations
from app.verdicts.policy.document import WorkspacePolicy, server_policy
from app.verdicts.policy.service import own_policy, save_policy

# Those that name judges.
_FIELDS = ("judge_model", "fallback_models", "cascade", "jury")
# With fewer judges there is no cascade, and no jury.
_MIN_JUDGES = {"cascade": 2, "jury": 3}

# Values of _FIELDS as the workspace has set them.
Judges = dict[str, Any]


class Snapshot(BaseModel):
    """Fields of a policy before and after a change, and the thresholds of its cascade and the
    guarantees that held before."""

    before: Judges
    after: Judges
    cascade_calibration: dict[str, Any] | None
    calibrations: list[dict[str, Any]]


def with_successor(
    own: WorkspacePolicy, effective: WorkspacePolicy, old: str, new: str
) -> WorkspacePolicy:
    """`own` with the new judge wherever the effective policy names the old one. A judge that
    would be named twice keeps its last place; a cascade or jury that gets too short ends. Raises
    InvalidRequest where the old one is named nowhere."""
    judges = [effective.judge_model, *(effective.fallback_models or ())]
    judges += [*(effective.cascade or ()), *(effective.jury or ())]
    if old not in judges:
        names = ", ".join(dict.fromkeys(filter(None, judges)))
        raise InvalidRequest.worded("judge-not-used", model=old, names=names)
    changed: Judges = {}
    judge_model = new if effective.judge_model == old else effective.judge_model
    if judge_model == new:
        changed["judge_model"] = new
    for field in ("cascade", "jury"):
        given = getattr(effective, field) or []
        if old in given:
            several = _replaced(given, old, new)
            changed[field] = several if len(several) >= _MIN_JUDGES[field] else []
    given = effective.fallback_models or []
    fallbacks = [each for each in _replaced(given, old, new) if each != judge_model]
    if fallbacks != given:
        changed["fallback_models"] = fallbacks
    return own.model_copy(update=changed)


def _replaced(judges: Sequence[str], old: str, new: str) -> list[str]:
    named = [new if each == old else each for each in judges]
    return [each for place, each in enumerate(named) if each not in named[place + 1 :]]


async def appoint(
    session: AsyncSession, workspace_id: uuid.UUID, old: str, new: str, settings: Settings
) -> Snapshot:
    """Puts the new judge in the old one's place; the caller commits. Thresholds and guarantees name
    judges, so that those of the old one hold no more. Raises InvalidRequest as `with_successor` and
    `save_policy`."""
    own = await _locked(session, workspace_id)
    policy = with_successor(own, own.with_defaults(server_policy(settings)), old, new)
    held = await _calibrated(session, workspace_id)
    await save_policy(session, workspace_id, policy, settings)
    return Snapshot(before=_judges(own), after=_judges(policy), **held)


async def adopt(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    settings: Settings,
    *,
    judge_model: str,
    prompt: tuple[str | None, str | None],
    guarantee: NewCalibration,
) -> Snapshot | None:
    """Gives the judge another prompt and a guarantee; the caller commits. prompt: the one that the
    policy has set, and the one that it is to have. None, and nothing changes, where the policy has
    another judge or prompt by now."""
    own = await _locked(session, workspace_id)
    effective = own.with_defaults(server_policy(settings))
    several = effective.cascade or effective.jury
    if several or (effective.judge_model, own.judge_prompt) != (judge_model, prompt[0]):
        return None
    held = await _calibrated(session, workspace_id)
    if prompt[0] != prompt[1]:
        policy = own.model_copy(update={"judge_prompt": prompt[1]})
        await save_policy(session, workspace_id, policy, settings)
    await save_calibrations(session, workspace_id, [guarantee])
    before, after = ({**_judges(own), "judge_prompt": each} for each in prompt)
    return Snapshot(before=before, after=after, **held)


async def withdraw(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    snapshot: Snapshot,
    settings: Settings,
    *,
    judge: tuple[str, str],
) -> None:
    """Undoes `adopt`; judge: the model and prompt version of its guarantee. Raises Conflict as
    `reinstate`."""
    await save_calibrations(session, workspace_id, [], withdrawn=[judge])
    await reinstate(session, workspace_id, snapshot, settings)


async def _calibrated(session: AsyncSession, workspace_id: uuid.UUID) -> RowMapping:
    about = {"workspace_id": workspace_id}
    return (await session.execute(queries.CALIBRATED, about)).mappings().one()


async def reinstate(
    session: AsyncSession, workspace_id: uuid.UUID, snapshot: Snapshot, settings: Settings
) -> None:
    """Puts the fields of before back, with their thresholds and guarantees; other settings stay as
    they are. The caller commits. Raises Conflict where these fields have changed by now."""
    own = await _locked(session, workspace_id)
    if own.model_dump(include={*snapshot.after}) != snapshot.after:
        raise Conflict.worded("judges-changed-since")
    await save_policy(session, workspace_id, own.model_copy(update=snapshot.before), settings)
    given = snapshot.model_dump_json(include={"cascade_calibration", "calibrations"})
    await session.execute(queries.RECALIBRATE, {"workspace_id": workspace_id, "given": given})


def _judges(policy: WorkspacePolicy) -> Judges:
    return policy.model_dump(include={*_FIELDS})


async def _locked(session: AsyncSession, workspace_id: uuid.UUID) -> WorkspacePolicy:
    return own_policy(await session.scalar(queries.stored(workspace_id).with_for_update()))


async def add_criterion(
    session: AsyncSession, workspace_id: uuid.UUID, new: Criterion, *, note: str, made_by: str
) -> CriterionVersion:
    """Stores the next version of a checked criterion, in force from the next answer on in the place
    of the one before; the caller commits. Raises Conflict where there are MAX_CRITERIA others, or
    nothing differs."""
    others = await _in_force_but(session, workspace_id, new.name)
    if len(others) >= MAX_CRITERIA:
        raise Conflict.worded("too-many-criteria", most=MAX_CRITERIA)
    found = await versions.add_version(session, workspace_id, new, note=note, made_by=made_by)
    await _enforce(session, workspace_id, [*others, found.reference])
    return await versions.criterion_view(session, workspace_id, found.id)


async def archive_criterion(
    session: AsyncSession, workspace_id: uuid.UUID, criterion_id: uuid.UUID
) -> CriterionVersion:
    """Takes all versions of its name out of force; may be repeated, and the caller commits. Raises
    NotFound."""
    name = (await versions.criterion_view(session, workspace_id, criterion_id)).name
    await _enforce(session, workspace_id, await _in_force_but(session, workspace_id, name))
    await versions.archive(session, workspace_id, name)
    return await versions.criterion_view(session, workspace_id, criterion_id)


async def _in_force_but(session: AsyncSession, workspace_id: uuid.UUID, name: str) -> list[str]:
    """Those of other names. One change at a time: the policy is locked."""
    given = {"workspace_id": workspace_id}
    held = await session.scalar(queries.CRITERIA_IN_FORCE, given)
    return [each for each in held or [] if name_of(each) != name]


async def _enforce(session: AsyncSession, workspace_id: uuid.UUID, criteria: list[str]) -> None:
    given = {"workspace_id": workspace_id, "criteria": criteria}
    await session.execute(queries.SET_CRITERIA, given)
