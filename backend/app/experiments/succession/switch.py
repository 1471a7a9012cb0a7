"""The switch of a policy from an old judge to its successor, with its guarantee where the labelled
answers of the succession show that the successor keeps it; and the way back."""

import uuid
from collections.abc import Iterator, Sequence

from sqlalchemy import func, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.experiments import queries
from app.experiments.models import JudgeSuccession
from app.experiments.succession.plan import SuccessionDetail
from app.experiments.succession.report import MIN_PAIRS, Result, SuccessionReport
from app.platform.db.owned_queries import row_of
from app.platform.errors import Conflict, error_text
from app.platform.jobs.status import RunStatus
from app.platform.settings import Settings
from app.quality.review.calibrating import (
    CalibratedJudge,
    Target,
    calibrate_successor,
    guarantee_of,
)
from app.quality.review.calibration_labels import HELD_BACK, TrialVerdict
from app.verdicts.lifecycle.cascade import LOWERED
from app.verdicts.policy import calibrations
from app.verdicts.policy.changes import Snapshot, appoint, reinstate
from app.verdicts.policy.service import policy_of

_LOWERED = frozenset(f"{LOWERED}:{why}" for why in HELD_BACK)


async def succession_detail(
    session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID
) -> SuccessionDetail:
    """Raises NotFound, also for one of another workspace."""
    row = await queries.SUCCESSIONS.read(session, workspace_id, id_)
    return SuccessionDetail.model_validate(dict(row))


async def switch(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    id_: uuid.UUID,
    settings: Settings,
    *,
    force: bool,
) -> SuccessionDetail:
    """Puts the new judge in the old one's place, with its guarantee where its labelled answers
    show that it holds; the caller commits. force: in spite of objections.
    Raises NotFound, Conflict for one that is not completed, switched already or objected to, and
    InvalidRequest where the policy names the old judge no more."""
    row, found = await _locked(session, workspace_id, id_)
    if found.status != RunStatus.COMPLETED or found.summary is None:
        raise Conflict.worded("succession-under-way", status=found.status)
    if found.switched_at:
        raise Conflict.worded("succession-switched")
    if found.summary.objections and not force:
        raise _objected(found.summary)
    old, new, summary = found.old_model, found.new_model, found.summary
    target = await current_target(session, workspace_id, old, settings)
    snapshot = await appoint(session, workspace_id, old, new, settings)
    summary.guarantee = None
    if target:
        results = await results_of(session, workspace_id, id_)
        summary.guarantee = await transfer_guarantee(
            session, workspace_id, target, new, results, settings
        )
    return await _changed(
        session,
        row,
        summary=summary.model_dump(mode="json"),
        before=snapshot.model_dump(mode="json"),
        forced=bool(found.summary.objections),
        switched_at=func.now(),
    )


async def undo(
    session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID, settings: Settings
) -> SuccessionDetail:
    """Puts the old judge back and deletes the new one's guarantee; the caller commits. Raises
    NotFound, Conflict where that was not switched, was undone, or the policy's judges have changed
    since, and InvalidRequest where the old judge cannot be used any more."""
    row, found = await _locked(session, workspace_id, id_)
    if row.before is None or row.undone_at:
        raise Conflict.worded("succession-not-switched")
    summary = found.summary
    if summary and summary.guarantee and summary.guarantee.outcome == "guaranteed":
        version = summary.guarantee.judge_model, summary.guarantee.prompt_version
        await calibrations.save_calibrations(session, workspace_id, [], withdrawn=[version])
    await reinstate(session, workspace_id, Snapshot.model_validate(row.before), settings)
    return await _changed(session, row, undone_at=func.now())


async def _locked(
    session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID
) -> tuple[JudgeSuccession, SuccessionDetail]:
    row = await row_of(session, JudgeSuccession, workspace_id, id_, lock=True)
    found = await succession_detail(session, workspace_id, id_)
    assert row is not None
    return row, found


async def _changed(
    session: AsyncSession, row: JudgeSuccession, **values: object
) -> SuccessionDetail:
    workspace_id, id_ = row.workspace_id, row.id
    await session.execute(
        update(JudgeSuccession)
        .where(JudgeSuccession.workspace_id == workspace_id, JudgeSuccession.id == id_)
        .values(**values, updated_at=func.now())
    )
    return await succession_detail(session, workspace_id, id_)


def _objected(found: SuccessionReport) -> Conflict:
    en, ko = (" ".join(objections_in_words(found, lang)) for lang in ("en", "ko"))
    return Conflict.worded("successor-unsuitable", en=en, ko=ko)


def objections_in_words(found: SuccessionReport, lang: str) -> Iterator[str]:
    """A sentence for each."""
    new, model = found.new, found.new.judge_model
    for objection in found.objections:
        match objection:
            case "fails":
                yield error_text(
                    "successor-fails",
                    lang,
                    model=model,
                    failed=new.failed,
                    asked=new.verdicts + new.failed,
                    error=new.first_error or "-",
                )
            case "less_accurate":
                assert found.people is not None
                old_share, new_share = 100 * found.people.first, 100 * found.people.second
                yield error_text(
                    "successor-less-accurate", lang, model=model, old=old_share, new=new_share
                )
            case "too_few":
                yield error_text("successor-too-few", lang, pairs=found.pairs, needed=MIN_PAIRS)


async def results_of(
    session: AsyncSession, workspace_id: uuid.UUID, succession_id: uuid.UUID
) -> list[Result]:
    """What both judges said so far."""
    given = {"workspace_id": workspace_id, "succession_id": succession_id}
    rows = await session.execute(queries.SUCCESSION_RESULTS, given)
    return [dict(row) for row in rows.mappings()]


async def current_target(
    session: AsyncSession, workspace_id: uuid.UUID, old: str, settings: Settings
) -> Target | None:
    """What the guarantee of the policy's judge promises now; None without one that holds."""
    policy = await policy_of(session, workspace_id, settings)
    found = await guarantee_of(session, workspace_id, policy)
    if found is None or policy.judge_model != old:
        return None
    return Target(precision=found.precision, confidence=found.confidence)


async def transfer_guarantee(
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
