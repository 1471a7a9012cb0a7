"""The workspace's own criteria that are in force: stored and archived."""

import uuid

from sqlalchemy.ext.asyncio import AsyncSession

from app.judges.criteria import versions
from app.judges.criteria.criterion import MAX_CRITERIA, Criterion, name_of
from app.judges.criteria.versions import CriterionVersion
from app.platform.errors import Conflict
from app.verdicts.policy import queries


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
    await _set(session, workspace_id, [*others, found.reference])
    return await versions.criterion_view(session, workspace_id, found.id)


async def archive_criterion(
    session: AsyncSession, workspace_id: uuid.UUID, criterion_id: uuid.UUID
) -> CriterionVersion:
    """Takes all versions of its name out of force; may be repeated, and the caller commits. Raises
    NotFound."""
    name = (await versions.criterion_view(session, workspace_id, criterion_id)).name
    await _set(session, workspace_id, await _in_force_but(session, workspace_id, name))
    await versions.archive(session, workspace_id, name)
    return await versions.criterion_view(session, workspace_id, criterion_id)


async def _in_force_but(session: AsyncSession, workspace_id: uuid.UUID, name: str) -> list[str]:
    """Those of other names. One change at a time: the policy is locked."""
    given = {"workspace_id": workspace_id}
    held = await session.scalar(queries.CRITERIA_IN_FORCE, given)
    return [each for each in held or [] if name_of(each) != name]


async def _set(session: AsyncSession, workspace_id: uuid.UUID, criteria: list[str]) -> None:
    given = {"workspace_id": workspace_id, "criteria": criteria}
    await session.execute(queries.SET_CRITERIA, given)
