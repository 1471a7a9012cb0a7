"""Judges that cannot work or keep failing, why, and how to let them work again."""

import datetime as dt
from typing import Annotated

from fastapi import APIRouter, Path, Response

from app.api.auth import Operator, Reader
from app.api.problems import Language
from app.api.schemas import JudgeLimitRead, JudgePauseRead
from app.api.services import ServicesDep
from app.platform.errors import NotFound
from app.verdicts.lifecycle import parking
from app.verdicts.lifecycle.retry import PAUSE_REASONS, UNKNOWN, reason_in_words

router = APIRouter(prefix="/judges", tags=["operation"])


@router.get("/paused")
async def list_paused_judges(
    _: Reader, services: ServicesDep, lang: Language
) -> list[JudgePauseRead]:
    """Judges that wait for somebody to mend them, and those that keep failing, which are probed.
    Their answers wait or are judged by others, and are not lost."""
    async with services.sessions() as session:
        return [
            JudgePauseRead(
                judge_model=pause.judge_model,
                kind="failing" if pause.kind == "failing" else "configuration",
                code=pause.reason if pause.reason in PAUSE_REASONS else UNKNOWN,
                reason=reason_in_words(pause.reason, lang),
                paused_at=pause.paused_at,
                probe_at=pause.probe_at,
            )
            for pause in await parking.judge_pauses(session)
        ]


@router.get("/limits")
async def list_judge_limits(_: Reader, services: ServicesDep) -> list[JudgeLimitRead]:
    """The judges whose servers limit requests, tokens or calls in flight, as SEARCHQA_JUDGE_LIMITS
    sets it or their replies state it, and how much of that is used now."""
    now = dt.datetime.now(dt.UTC)
    return [
        JudgeLimitRead(
            judge_model=state.model,
            requests_per_minute=state.limit.requests,
            tokens_per_minute=state.limit.tokens,
            max_in_flight=state.limit.in_flight,
            configured=state.configured,
            allowance=state.allowance,
            held_until=now + dt.timedelta(seconds=state.held_seconds)
            if state.held_seconds
            else None,
            in_flight=state.in_flight,
            workers=state.workers,
            waiting=state.waiting,
        )
        for state in await services.judge_limits.read()
    ]


# PostgreSQL cannot compare with NUL.
JudgeModel = Annotated[str, Path(max_length=200, pattern=r"^[^\x00]+$")]


@router.post(
    "/{judge_model:path}/resume",
    status_code=204,
    responses={404: {"description": "That judge is not paused."}},
)
async def resume_judge(judge_model: JudgeModel, _: Operator, services: ServicesDep) -> Response:
    """Lets the judge work again now, for all workspaces. Takes the scope `operator`, which only
    `searchqa token create` on the server gives."""
    async with services.sessions.begin() as session:
        if not await parking.resume_judge(session, judge_model):
            raise NotFound(
                "That judge is not paused; GET /judges/paused lists those that are.",
                ko="멈춘 평가 모델이 아닙니다. GET /judges/paused에서 확인하세요.",
            )
    return Response(status_code=204)
