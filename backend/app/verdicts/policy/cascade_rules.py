"""What a policy's cascade must be, and what of it does not work as things stand."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from app.judges.judge_names import RULES_MODEL
from app.platform.errors import InvalidRequest
from app.platform.settings import Settings
from app.verdicts.policy import queries
from app.verdicts.policy.cascade import CascadeCalibration
from app.verdicts.policy.document import WorkspacePolicy
from app.verdicts.policy.evaluation_policy import EvaluationPolicy
from app.verdicts.policy.usable import unusable


class CascadeCalibrationRead(CascadeCalibration):
    """lapsed: the cascade has other judges or prompts now, so the last judge judges alone."""

    lapsed: bool


def cascade_read(policy: EvaluationPolicy) -> CascadeCalibrationRead | None:
    """The calibration of a policy's cascade; None without one."""
    found = policy.cascade_calibration
    if found is None:
        return None
    return CascadeCalibrationRead(**found.model_dump(), lapsed=not policy.active_cascade)


def cascade_problems(effective: WorkspacePolicy, settings: Settings) -> list[InvalidRequest]:
    """Why a cascade is refused."""
    judges = effective.cascade or []
    if not judges:
        return []
    last = effective.judge_model or RULES_MODEL
    found = [one for each in judges if (one := unusable("cascade", each, settings))]
    if len(judges) < 2 or judges[-1] != last:
        found.append(
            InvalidRequest(
                f"cascade: it takes two judges or more, of whom the last is judge_model ({last}),"
                " who has the last word; `off` judges without one.",
                ko=f"cascade: 평가 모델이 둘 이상 필요하고, 마지막은 최종 판단을 하는"
                f" judge_model({last})이어야 합니다. `off`로 해제합니다.",
                code="unusable-cascade",
            )
        )
    if len(set(judges)) < len(judges):
        found.append(
            InvalidRequest(
                "cascade: a judge stands there twice; name each one once.",
                ko="cascade: 같은 평가 모델이 두 번 있습니다. 한 번씩만 쓰세요.",
                code="unusable-cascade",
            )
        )
    return found


async def cascade_notices(
    session: AsyncSession, policy: EvaluationPolicy
) -> Sequence[InvalidRequest]:
    """What does not work now of a cascade that is set: sentences for the policy's readers."""
    judges = policy.document.cascade or []
    if not judges:
        return []
    found = []
    if not policy.active_cascade:
        last = policy.judge_model
        found.append(
            InvalidRequest(
                f"cascade: it has no thresholds for these judges and prompts, so {last} judges"
                " alone; set them with `searchqa policy cascade`.",
                ko=f"cascade: 이 평가 모델과 프롬프트에 맞는 기준이 없어 {last}만 평가합니다."
                " `searchqa policy cascade`로 기준을 정하세요.",
                code="cascade-not-calibrated",
            )
        )
    paused = await session.scalars(queries.PAUSED_AMONG, {"judges": judges[:-1]})
    return found + [_is_paused(judge) for judge in paused]


def _is_paused(judge: str) -> InvalidRequest:
    return InvalidRequest(
        f"cascade: {judge} is paused and is passed over until it works again; `searchqa judges"
        " list` says why.",
        ko=f"cascade: {judge}이(가) 일시 중지되어 다시 작동할 때까지 건너뜁니다. 이유는"
        " `searchqa judges list`에 있습니다.",
        code="judge-paused",
    )
