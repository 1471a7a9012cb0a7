"""Cascades of workspaces, with thresholds as a calibration stores them."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence

from app.platform.settings import Settings
from app.verdicts.policy.calibrations import save_cascade
from app.verdicts.policy.cascade import CascadeCalibration, StepThresholds
from app.verdicts.policy.service import policy_of
from policies import set_policy
from verdict_world import World

SURE = StepThresholds(low=0.2, high=0.9)
CALIBRATED_AT = dt.datetime(2026, 11, 22, tzinfo=dt.UTC)


async def set_cascade(
    world: World,
    settings: Settings,
    judges: Sequence[str],
    *,
    steps: Mapping[str, StepThresholds] | None = None,
    at: dt.datetime = CALIBRATED_AT,
    **policy: object,
) -> uuid.UUID:
    """A policy with this cascade, each step sure by SURE where nothing else is said, none of them
    checked. Returns the workspace."""
    fields = {"judge_model": judges[-1], "cascade": [*judges], "cascade_check": 0, "phases": []}
    workspace_id = await set_policy(world, settings, **fields | policy)
    async with world.sessions.begin() as session:
        holds = await policy_of(session, workspace_id, settings)
        calibration = CascadeCalibration(
            judges=[*judges],
            prompt_versions=[*holds.versions_of(judges)],
            steps=dict.fromkeys(judges[:-1], SURE) if steps is None else dict(steps),
            max_loss=0.01,
            confidence=0.9,
            labels=600,
            worse=1,
            loss_bound=0.0065,
            decided=0.8,
            saving=0.6,
            calibrated_at=at,
        )
        await save_cascade(session, workspace_id, calibration)
    return workspace_id
