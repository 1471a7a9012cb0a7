"""Jobs for tests."""

import uuid
from typing import Any

from app.platform.jobs.service import enqueue
from app.workspaces.service import ensure_workspace
from verdict_world import World

KIND = "count"


async def put(
    world: World,
    kind: str = KIND,
    *,
    workspace: str = "default",
    dedupe_key: str | None = None,
    **payload: object,
) -> uuid.UUID:
    """A committed job."""
    async with world.sessions.begin() as session:
        workspace_id = await ensure_workspace(session, workspace)
        return await enqueue(session, workspace_id, kind, payload, dedupe_key)


async def job(world: World, id_: uuid.UUID) -> dict[str, Any]:
    return (await world.rows("SELECT * FROM jobs WHERE id = %s", id_))[0]


async def end_lease(world: World, id_: uuid.UUID) -> None:
    """What the time does to a job of a worker that gives no sign of life."""
    await world.rows("UPDATE jobs SET lease_until = now() WHERE id = %s", id_)
