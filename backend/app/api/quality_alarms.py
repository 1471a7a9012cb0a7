"""Alarms when quality has changed."""

import uuid

from fastapi import APIRouter, Response

from app.api.openapi import not_found
from app.api.sessions import ReadAccess, WriteAccess
from app.quality.drift import service
from app.quality.drift.service import QualityAlarms

router = APIRouter(prefix="/analytics", tags=["analytics"])


@router.get("/alarms")
async def list_alarms(access: ReadAccess) -> QualityAlarms:
    """The newest 100 changes of quality that were noticed, newest first, and what is watched. Each
    closed day is looked at once, some hours after its end; on average at most one alarm a year of a
    judge is false."""
    return await service.list_alarms(access.session, access.workspace_id)


@router.post(
    "/alarms/{alarm_id}/acknowledge",
    status_code=204,
    responses=not_found("The workspace has no such alarm."),
)
async def acknowledge_alarm(alarm_id: uuid.UUID, access: WriteAccess) -> Response:
    """Marks the alarm as seen; the quality page then shows it no more. May be repeated."""
    await service.acknowledge(access.session, access.workspace_id, alarm_id)
    return Response(status_code=204)
