"""Verdicts as server-sent events."""

import json
import uuid
from collections.abc import AsyncIterator, Mapping
from typing import Any

from fastapi.sse import ServerSentEvent

from app.answering.refine.service import refinement_view
from app.api.services import Services
from app.platform.db.session import in_workspace
from app.platform.errors import NotFound
from app.platform.jobs.status import JobStatus
from app.verdicts.reading.following import Change, is_settled
from app.verdicts.reading.views import EvaluationView
from app.verdicts.status import Status
from app.workspaces.service import Principal


def sse(event: str | None, data: Mapping[str, Any]) -> ServerSentEvent:
    """One event with its data as JSON, Korean letters as they are."""
    return ServerSentEvent(event=event, raw_data=json.dumps(data, ensure_ascii=False))


def state_event(
    view: EvaluationView, timing_ms: Mapping[str, float] | None = None
) -> ServerSentEvent:
    """`event: evaluation`: where the verdict stands, and where to read on. timing_ms: how long the
    parts of the answer took, where it has just been given."""
    data = {
        "id": str(view.id),
        "answer_id": str(view.answer_id),
        "status": view.status,
        "reason": view.reason,
        "error": view.error,
        "poll": f"/qa-evaluations/{view.id}",
        "events": f"/qa-evaluations/{view.id}/events",
    }
    return sse("evaluation", data | ({"timing_ms": timing_ms} if timing_ms else {}))


def not_stored_event(timing_ms: Mapping[str, float]) -> ServerSentEvent:
    """The same for an answer that the database did not take: there will be no verdict."""
    nothing = dict.fromkeys(("id", "answer_id", "reason", "error", "poll", "events"))
    return sse("evaluation", nothing | {"status": "not_stored", "timing_ms": timing_ms})


def verdict_events(view: EvaluationView) -> list[ServerSentEvent]:
    """`event: quality`, `event: qa_evaluation`, `event: feedback`: those that were run."""
    events = []
    about = {
        "evaluation_id": str(view.id),
        "degraded": view.degraded,
        "judged_by": view.judged_by,
        "provider": view.provider,
        "model": view.model,
    }
    results = {
        "quality": view.quality,
        "qa_evaluation": view.qa_evaluation,
        "feedback": view.feedback,
    }
    for name, result in results.items():
        if result is not None:
            events.append(sse(name, result.model_dump(mode="json") | about))
    return events


async def wait_for_verdict(
    services: Services,
    principal: Principal,
    evaluation_id: uuid.UUID,
    timing_ms: Mapping[str, float],
) -> AsyncIterator[ServerSentEvent]:
    """For the end of an answer's stream: the state, then the verdict when it comes. After the
    stated wait, or when the judge is paused or today's budget spent, the state is sent once more
    and the client goes on with poll or events."""
    waited = False
    wait = services.settings.answering.stream_wait_seconds
    async for view in services.follower.wait(principal, evaluation_id, wait):
        if not waited or view.status is not Status.SUCCEEDED:
            yield state_event(view, None if waited else timing_ms)
        if waited or is_settled(view):
            for event in verdict_events(view):
                yield event
        waited = True


async def change_events(
    services: Services, principal: Principal, changes: AsyncIterator[Change]
) -> AsyncIterator[ServerSentEvent]:
    """Only the last event of a change has its cursor: a reader that is cut off before it gets all
    of them again."""
    async for change in changes:
        shown: list[ServerSentEvent] = []
        if view := change.verdict:
            shown += [state_event(view), *(verdict_events(view) if view.status.final else ())]
        if change.refinement:
            shown += await _refinement_events(services, principal.workspace_id, *change.refinement)
        if shown:
            shown[-1] = shown[-1].model_copy(update={"id": str(change.place)})
        for event in shown:
            yield event


async def _refinement_events(
    services: Services, workspace_id: uuid.UUID, refinement_id: uuid.UUID, status: JobStatus
) -> list[ServerSentEvent]:
    """`event: refinement`: how far it is; with its end, and only if there is a better answer,
    `event: refined_answer` offers that. None of them when it was deleted."""
    async with in_workspace(services.sessions, workspace_id) as session:
        try:
            view = await refinement_view(session, workspace_id, refinement_id)
        except NotFound:
            return []
    state = view.model_dump(mode="json", exclude={"iterations"}) | {"status": status}
    shown = [sse("refinement", state)]
    if status.final and (better := view.better):
        offer = better.model_dump(mode="json", include={"answer", "overall_score", "documents"})
        about = {"evaluation_id": str(view.evaluation_id), "refinement_id": str(view.id)}
        shown.append(sse("refined_answer", about | offer | {"lift": view.lift}))
    return shown
