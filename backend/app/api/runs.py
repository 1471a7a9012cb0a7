"""Runs over datasets: priced, started, watched."""

import asyncio
import time
import uuid
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel

from app.api.datasets import NO_DATASET
from app.api.openapi import ACCEPTED, conflict, not_found
from app.api.parameters import After, Limit
from app.api.problems import Language
from app.api.progress_stream import SEEN_TO_THE_END, ProgressDep
from app.api.run_request import RunEvaluation, run_models
from app.api.services import ServicesDep
from app.api.sessions import ReadAccess, StepwiseAccess, WriteAccess
from app.experiments.datasets.service import dataset_view
from app.experiments.parts import cost_fields
from app.experiments.runs import service
from app.experiments.runs.diagnosis import parse_gates
from app.experiments.runs.findings import FoundPassage, RunFindings, case_passages, run_findings
from app.experiments.runs.queries import RUNS
from app.experiments.runs.reports import RunReportFormat, report
from app.experiments.runs.run_models import estimate_run_cost
from app.experiments.runs.service import RunDetail, RunPage, RunView

router = APIRouter(prefix="/evaluation", tags=["datasets and runs"])

MAX_WAIT_SECONDS = 60.0
_POLL_SECONDS = 0.2
_NO_RUN = not_found("The workspace has no such run.")


class EstimateRead(BaseModel):
    """Calls of models, tokens and US dollars; null where nobody knows a price."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None


@router.post("/datasets/{dataset_id:uuid}/estimate", responses=NO_DATASET)
async def estimate_run(
    dataset_id: uuid.UUID, body: RunEvaluation, access: ReadAccess, services: ServicesDep
) -> EstimateRead:
    """What a run would take, before anything is spent."""
    models = await run_models(body, access, services, spends=False)
    dataset = await dataset_view(access.session, access.workspace_id, dataset_id)
    await access.session.close()
    cost = estimate_run_cost(dataset, body.k, body.evaluation_type, models, services.settings)
    return EstimateRead(**cost_fields(cost))


@router.post(
    "/datasets/{dataset_id:uuid}/runs",
    status_code=202,
    responses={
        **ACCEPTED,
        **NO_DATASET,
        **conflict("No note has a vector yet."),
        201: {"description": "The run, completed within `wait`.", "model": RunDetail},
    },
)
async def start_run(
    dataset_id: uuid.UUID,
    body: RunEvaluation,
    access: StepwiseAccess,
    services: ServicesDep,
    response: Response,
    wait: Annotated[float, Query(ge=0, le=MAX_WAIT_SECONDS)] = 0,
) -> RunDetail:
    """Starts a run on all workers; poll its Location. With `wait` (seconds) a run that is done
    by then is returned as 201."""
    session, workspace_id = access.session, access.workspace_id
    models = await run_models(body, access, services, spends=True)
    # Committed at once: the workers are to find it while this waits.
    async with session.begin():
        id_ = await service.start_run(
            session,
            workspace_id,
            dataset_id,
            k=body.k,
            evaluation_type=body.evaluation_type,
            retrieval=body.retrieval,
            models=models,
            settings=services.settings,
            name=body.name,
        )
    response.headers["Location"] = f"/evaluation/runs/{id_}"
    deadline = time.monotonic() + wait
    view = await service.run_view(session, workspace_id, id_)
    while not view.status.final and time.monotonic() < deadline:
        # No connection is held meanwhile.
        await session.rollback()
        await asyncio.sleep(_POLL_SECONDS)
        view = await service.run_view(session, workspace_id, id_)
    if view.status.final:
        response.status_code = 201
    return await service.run_detail(session, workspace_id, id_)


@router.get("/runs")
async def list_runs(
    access: ReadAccess, dataset_id: uuid.UUID | None = None, after: After = None, limit: Limit = 50
) -> RunPage:
    """Newest first. `after` is the `next` of the page before."""
    return await service.run_page(
        access.session, access.workspace_id, dataset_id=dataset_id, after=after, limit=limit
    )


@router.get("/runs/{run_id}", responses=_NO_RUN)
async def read_run(run_id: uuid.UUID, access: ReadAccess) -> RunDetail:
    """A run with the results so far."""
    return await service.run_detail(access.session, access.workspace_id, run_id)


@router.get("/runs/{run_id}/progress", responses=_NO_RUN)
async def run_progress(run_id: uuid.UUID, access: ReadAccess) -> RunView:
    """The same without the results."""
    return await service.run_view(access.session, access.workspace_id, run_id)


async def until_final(run_id: uuid.UUID, access: ReadAccess, progress: ProgressDep) -> RunView:
    """Raises HTTPException 204 when the client has seen the end."""
    return progress.unseen(await service.run_view(access.session, access.workspace_id, run_id))


@router.get(
    "/runs/{run_id}/events", response_class=EventSourceResponse, responses=_NO_RUN | SEEN_TO_THE_END
)
async def run_events(
    view: Annotated[RunView, Depends(until_final)], progress: ProgressDep
) -> AsyncIterator[ServerSentEvent]:
    """How far the run is, whenever that changes; ends with the run."""
    async for event in progress.follow(view.id, service.run_view):
        yield event


@router.get("/runs/{run_id}/report", response_class=Response, responses=_NO_RUN)
async def run_report(
    run_id: uuid.UUID,
    access: ReadAccess,
    lang: Language,
    format_: Annotated[RunReportFormat, Query(alias="format")] = RunReportFormat.JUNIT,
    fail_under: Annotated[
        str | None, Query(max_length=500, description="Means to reach: `recall=0.85,mrr=0.7`.")
    ] = None,
) -> Response:
    """A run for a CI server, in whatever state it is. JUnit: a test for the run, one for each
    gate of `fail_under`, one for each case that failed."""
    gates = parse_gates(fail_under) if fail_under else {}
    run = await service.run_detail(access.session, access.workspace_id, run_id)
    await access.session.close()
    content = await asyncio.to_thread(report, run, gates, format_, lang)
    return Response(content, media_type=format_.media_type)


@router.get("/runs/{run_id}/findings", responses=_NO_RUN)
async def read_findings(run_id: uuid.UUID, access: ReadAccess, lang: Language) -> RunFindings:
    """What its figures mean, in the language of Accept-Language, and its cases, worst first."""
    return await run_findings(access.session, access.workspace_id, run_id, lang)


@router.get(
    "/runs/{run_id}/cases/{test_case_id}/passages",
    responses=not_found("There is no such run, or it has no result of this case."),
)
async def read_case_passages(
    run_id: uuid.UUID, test_case_id: uuid.UUID, access: ReadAccess
) -> list[FoundPassage]:
    """What the search found for a case, and what it missed; texts of notes that have changed
    since are gone."""
    return await case_passages(access.session, access.workspace_id, run_id, test_case_id)


@router.post("/runs/{run_id}/cancel", responses=_NO_RUN | conflict("The run has ended already."))
async def cancel_run(run_id: uuid.UUID, access: WriteAccess) -> RunView:
    """Ends a run; what it has measured stays."""
    await RUNS.cancel(access.session, access.workspace_id, run_id)
    return await service.run_view(access.session, access.workspace_id, run_id)
