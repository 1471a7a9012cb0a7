"""Guarantees of judges as a part of the policy: read, stored and deleted.

The precision that is promised for "high" of one judge and prompt version. Whoever computes one
stands above this package, since it takes people's labels.
"""

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from app.verdicts.policy import queries
from app.verdicts.policy.cascade import CascadeCalibration


class CalibrationRead(BaseModel):
    """Of answers that this judge calls high with a correctness of at least `threshold`, more than
    a share `precision` is right, with this confidence; all 0 to 1. labels, labels_right: what that
    was tested on. stays_high: the share of its high verdicts that had such a score. cascade: the
    judges that judged in turn then, null for a judge alone. lapsed: the policy names this judge
    with this prompt, or in this cascade, no more. policy_version: that came with it."""

    judge_model: str
    prompt_version: str
    precision: float
    confidence: float
    threshold: float
    labels: int
    labels_right: int
    stays_high: float
    cascade: list[str] | None
    lapsed: bool
    policy_version: int
    created_at: dt.datetime


@dataclass(frozen=True, slots=True)
class NewCalibration:
    """As it is stored, see JudgeCalibration."""

    judge_model: str
    prompt_version: str
    precision: float
    confidence: float
    threshold: float
    labels: int
    labels_right: int
    stays_high: float
    cascade: list[str] | None
    scores: list[float]
    chances: list[float]


async def calibrations_of(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    judges: frozenset[tuple[str, str]],
    cascade: Sequence[str],
) -> list[CalibrationRead]:
    """By judge, then newest first. judges: those of the policy, with their prompt versions;
    cascade: those that judge in turn now."""
    rows = await session.execute(queries.CALIBRATIONS, {"workspace_id": workspace_id})
    return [
        CalibrationRead.model_validate(
            {
                **row,
                "lapsed": (row["judge_model"], row["prompt_version"]) not in judges
                or (row["cascade"] or []) != [*cascade],
            }
        )
        for row in rows.mappings()
    ]


async def save_calibrations(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    calibrations: Sequence[NewCalibration],
    *,
    withdrawn: Sequence[tuple[str, str]] = (),
) -> None:
    """Stores these in place of those of the same judges and prompt versions, deletes the withdrawn
    ones, and raises the policy's version; the caller commits."""
    version = await session.scalar(queries.RAISE_VERSION, {"workspace_id": workspace_id})
    for judge_model, prompt_version in withdrawn:
        about = {"judge_model": judge_model, "prompt_version": prompt_version}
        await session.execute(queries.WITHDRAW_CALIBRATION, {"workspace_id": workspace_id} | about)
    for calibration in calibrations:
        values = asdict(calibration) | {"policy_version": version}
        await session.execute(queries.save_calibration(workspace_id, values))


async def delete_calibrations(session: AsyncSession, workspace_id: uuid.UUID) -> None:
    """Deletes all; "high" is again what the judges call high. The caller commits."""
    found = await session.execute(queries.DELETE_CALIBRATIONS, {"workspace_id": workspace_id})
    if found.all():
        await session.execute(queries.RAISE_VERSION, {"workspace_id": workspace_id})


async def save_cascade(
    session: AsyncSession, workspace_id: uuid.UUID, calibration: CascadeCalibration
) -> None:
    """Makes its judges the cascade of the policy, with these thresholds, and deletes guarantees of
    cascades; the caller commits."""
    given = {
        "workspace_id": workspace_id,
        "judges": calibration.judges,
        "calibration": calibration.model_dump_json(),
    }
    await session.execute(queries.SAVE_CASCADE, given)


async def delete_cascade(session: AsyncSession, workspace_id: uuid.UUID) -> None:
    """Deletes the thresholds, so that the last judge judges alone; the caller commits."""
    await session.execute(queries.DELETE_CASCADE, {"workspace_id": workspace_id})
