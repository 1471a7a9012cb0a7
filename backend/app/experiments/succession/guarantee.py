"""The guarantee of a judge that goes over to its successor, where the labelled answers of the
succession show that the successor keeps it."""

import uuid
from collections.abc import Iterator, Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from app.experiments import queries
from app.experiments.succession.report import Result
from app.platform.settings import Settings
from app.quality.review.calibrating import CalibratedJudge, Target, calibrate_successor
from app.quality.review.calibration_labels import HELD_BACK, TrialVerdict
from app.verdicts.lifecycle.cascade import LOWERED
from app.verdicts.policy import calibrations
from app.verdicts.policy.service import policy_of

_LOWERED = frozenset(f"{LOWERED}:{why}" for why in HELD_BACK)


async def results_of(
    session: AsyncSession, workspace_id: uuid.UUID, succession_id: uuid.UUID
) -> list[Result]:
    """What both judges said so far."""
    given = {"workspace_id": workspace_id, "succession_id": succession_id}
    rows = await session.execute(queries.SUCCESSION_RESULTS, given)
    return [dict(row) for row in rows.mappings()]


async def promised(
    session: AsyncSession, workspace_id: uuid.UUID, old: str, settings: Settings
) -> Target | None:
    """What the guarantee of the policy's judge promises now; None without one that holds."""
    policy = await policy_of(session, workspace_id, settings)
    given = policy.judge_versions, policy.active_cascade
    for each in await calibrations.calibrations_of(session, workspace_id, *given):
        if each.judge_model == old == policy.judge_model and not each.lapsed:
            return Target(precision=each.precision, confidence=each.confidence)
    return None


async def hand_over(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    target: Target,
    new: str,
    results: Sequence[Result],
    settings: Settings,
    *,
    dry_run: bool = False,
) -> CalibratedJudge:
    """The same promise for the new judge, by the threshold that its own verdicts need. A jury has
    none: its votes are not among the results. The caller commits."""
    policy = await policy_of(session, workspace_id, settings)
    version = new, policy.versions_of([new])[0]
    trials = [] if policy.document.jury else list(_trials(version, results))
    return await calibrate_successor(
        session, workspace_id, target, version, trials, dry_run=dry_run
    )


def _trials(version: tuple[str, str], results: Sequence[Result]) -> Iterator[TrialVerdict]:
    for row in results:
        verdict = row["verdict"] if row["judge_model"] == version[0] else None
        if verdict is not None and verdict["prompt_version"] == version[1]:
            found = verdict["evaluation"]
            high = found["confidence"] == "high" or not _LOWERED.isdisjoint(found["flags"])
            yield TrialVerdict(*version, str(row["answer_id"]), found["correctness"], high)
