"""Policies of workspaces, set as the API sets them."""

import uuid

from app.platform.settings import Settings
from app.verdicts.policy.document import WorkspacePolicy
from app.verdicts.policy.service import save_policy
from app.workspaces.service import ensure_workspace
from verdict_world import World


async def set_policy(
    world: World, settings: Settings, *, workspace: str = "default", **fields: object
) -> uuid.UUID:
    """Replaces the policy of a workspace, whose id is returned."""
    async with world.sessions.begin() as session:
        workspace_id = await ensure_workspace(session, workspace)
    policy = WorkspacePolicy.model_validate(fields)
    # A transaction of its own: what checks models may take a moment to load.
    async with world.sessions.begin() as session:
        await save_policy(session, workspace_id, policy, settings)
    return workspace_id
