"""The parts of a policy that calibrations set: guarantees of judges, and cascades."""

import datetime as dt
import uuid
from collections.abc import Iterator, Sequence

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from app.judges.judge_names import RULES_MODEL, check_judge
from app.platform.errors import ConfigurationError, InvalidRequest
from app.platform.settings import Settings
from app.verdicts.policy import queries
from app.verdicts.policy.cascade import CascadeCalibration
from app.verdicts.policy.document import WorkspacePolicy
from app.verdicts.policy.evaluation_policy import EvaluationPolicy


class _Calibration(BaseModel):
    judge_model: str
    prompt_version: str
    precision: float
    confidence: float
    threshold: float
    labels: int
    labels_right: int
    stays_high: float
    cascade: list[str] | None


class CalibrationRead(_Calibration):
    """Of answers that this judge calls high with a correctness of at least `threshold`, more than
    a share `precision` is right, with this confidence; all 0 to 1. labels, labels_right: what that
    was tested on. stays_high: the share of its high verdicts that had such a score. cascade: the
    judges that judged in turn then, null for a judge alone. lapsed: the policy names this judge
    with this prompt, or in this cascade, no more. policy_version: that came with it."""

    lapsed: bool
    policy_version: int
    created_at: dt.datetime


class NewCalibration(_Calibration):
    """As it is stored, see JudgeCalibration."""

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
        values = calibration.model_dump() | {"policy_version": version}
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


def unusable(field: str, model: str, settings: Settings) -> InvalidRequest | None:
    """What is wrong with a judge in this field, None where nothing is."""
    if model == RULES_MODEL and field in {"judge_model", "cascade"}:
        return None
    try:
        if check_judge(model, settings).provider != "offline":
            return None
        if model != RULES_MODEL:
            reason = f"{model} answers, it does not judge; use offline:rules."
        elif field == "jury":
            reason = "offline:rules has no vote; name models."
        else:
            reason = (
                "offline:rules cannot fail, so nothing comes after it; leave it out and set"
                " judge_fallback to rules."
            )
    except ConfigurationError as error:
        reason = str(error)
    return InvalidRequest.worded("unusable-model", field=field, reason=reason)


class CascadeCalibrationRead(CascadeCalibration):
    """lapsed: the cascade has other judges or prompts now, so the last judge judges alone."""

    lapsed: bool


def cascade_read(policy: EvaluationPolicy) -> CascadeCalibrationRead | None:
    """The calibration of a policy's cascade; None without one."""
    found = policy.cascade_calibration
    if found is None:
        return None
    lapsed = policy.active_cascade != found.active
    return CascadeCalibrationRead(**found.model_dump(), lapsed=lapsed)


def cascade_problems(effective: WorkspacePolicy, settings: Settings) -> list[InvalidRequest]:
    """Why a cascade or a jury is refused."""
    cascade, jury = effective.cascade or [], effective.jury or []
    last = effective.judge_model or RULES_MODEL
    found = [
        *_unusable_sequence("cascade", cascade, last, settings),
        *_unusable_sequence("jury", jury, last, settings),
    ]
    if cascade and jury:
        en = "jury: a policy has a cascade or a jury; set one of them to `off`."
        ko = "jury: 정책에는 cascade와 jury 중 하나만 둘 수 있습니다. 하나를 `off`로 해제하세요."
        found.append(InvalidRequest(en, ko=ko, code="unusable-cascade"))
    return found


# The least number of judges, in words.
_AT_LEAST = {"cascade": (2, "two", "둘"), "jury": (3, "three", "셋")}


def _unusable_sequence(
    field: str, judges: Sequence[str], last: str, settings: Settings
) -> Iterator[InvalidRequest]:
    if not judges:
        return
    least, en, ko = _AT_LEAST[field]
    for each in judges:
        if problem := unusable(field, each, settings):
            yield problem
    if len(judges) < least or judges[-1] != last:
        yield InvalidRequest.worded("sequence-too-short", field=field, en=en, last=last, ko=ko)
    if len(set(judges)) < len(judges):
        yield InvalidRequest.worded("judge-twice", field=field)


async def cascade_notices(
    session: AsyncSession, policy: EvaluationPolicy
) -> Sequence[InvalidRequest]:
    """What does not work now of the cascade or jury: sentences for the policy's readers."""
    cascade, jury = policy.document.cascade, policy.document.jury
    field, judges = ("cascade", cascade) if cascade else ("jury", jury)
    if not judges:
        return []
    found = []
    if cascade and not policy.active_cascade:
        last = policy.judge_model
        found.append(InvalidRequest.worded("cascade-not-calibrated", last=last))
    paused = await session.scalars(queries.PAUSED_AMONG, {"judges": judges[:-1]})
    return found + [_is_paused(field, judge) for judge in paused]


def _is_paused(field: str, judge: str) -> InvalidRequest:
    return InvalidRequest.worded("judge-paused", field=field, judge=judge)
