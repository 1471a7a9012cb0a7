"""Runs over datasets: priced, started, followed, compared."""

import asyncio
import time
import uuid
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, Field

from app.api.datasets import NO_DATASET, Name
from app.api.jobs import SEEN_TO_THE_END, ProgressDep
from app.api.openapi import ACCEPTED, conflict, not_found
from app.api.parameters import After, Limit
from app.api.problems import Language
from app.api.schemas import NOT_BLANK, StrictBody
from app.api.services import Services, ServicesDep
from app.api.sessions import Access, ReadAccess, StepwiseAccess, WriteAccess
from app.experiments.datasets.service import dataset_view
from app.experiments.models import MAX_OTHERS, EvaluationType, Retrieval
from app.experiments.parts import cost_fields
from app.experiments.queries import RUNS
from app.experiments.runs import service
from app.experiments.runs.changes import ComparedCases, Shown, compare_cases
from app.experiments.runs.comparison import (
    BaselineComparison,
    Comparison,
    compare_results,
    compare_with_baseline,
)
from app.experiments.runs.diagnosis import parse_gates
from app.experiments.runs.findings import FoundPassage, RunFindings, case_passages, run_findings
from app.experiments.runs.likeness import Measured
from app.experiments.runs.reports import RunReportFormat, report
from app.experiments.runs.run_models import RunModels, estimate_run_cost
from app.experiments.runs.service import RunDetail, RunPage, RunView, measured_runs
from app.judges.prompt_versions import usable_prompt
from app.platform.errors import InvalidRequest
from app.verdicts.policy.document import Model, Number, Prompt
from app.verdicts.policy.service import policy_of
from app.workspaces.tokens import Scope


class RunEvaluation(StrictBody):
    """name: by default that of the dataset with a number. app_version: the release of the
    application that the run measures. k: how many chunks the search gives;
    full_rag answers each question and has the answer judged, three model calls a case. retrieval:
    which search; left out it is `hybrid` where an embedding model is configured, else `text`.

    answer_model, judge_model, prompt: only for full_rag. Left out, the judge is that of the
    workspace's policy and the answer model that of the server; others than the policy names take
    the scope `admin`. prompt: a version of the judge's prompt; left out, that of the policy where
    it names another than the usual one, else the two prompts of runs."""

    name: Name | None = None
    app_version: Annotated[str, Field(min_length=1, max_length=200, pattern=NOT_BLANK)] | None = (
        None
    )
    k: Annotated[int, Field(ge=1, le=50), Number] = 5
    evaluation_type: EvaluationType = EvaluationType.RETRIEVAL_ONLY
    retrieval: Retrieval | None = None
    answer_model: Model | None = None
    judge_model: Model | None = None
    prompt: Prompt | None = None

    @property
    def names_models(self) -> bool:
        return bool(self.answer_model or self.judge_model or self.prompt)


async def run_models(
    body: RunEvaluation, access: Access, services: Services, *, spends: bool
) -> RunModels:
    """Who is to answer and to judge, if the token may have it so. No transaction is open while
    names and prices are looked up: the first time that takes a moment."""
    settings = services.settings
    session, workspace_id = access.workspace
    policy = await policy_of(session, workspace_id, settings)
    own = await usable_prompt(session, workspace_id, body.prompt or policy.judge_prompt)
    await session.close()
    if body.evaluation_type is EvaluationType.RETRIEVAL_ONLY:
        if body.names_models:
            raise InvalidRequest.worded("search-asks-no-model")
        return RunModels.search_only(policy, settings)
    models = RunModels.resolve(
        body.answer_model, body.judge_model, body.prompt, policy, settings, own
    )
    if spends:
        models.check_allowed(policy, settings, admin=Scope.ADMIN in access.principal.scopes)
    return models


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
    dataset = await dataset_view(*access.workspace, dataset_id)
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
    session, workspace_id = access.workspace
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
            app_version=body.app_version,
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
    access: ReadAccess,
    dataset_id: uuid.UUID | None = None,
    name: Annotated[str | None, Query(max_length=200, pattern=NOT_BLANK)] = None,
    after: After = None,
    limit: Limit = 50,
) -> RunPage:
    """Newest first. `after` is the `next` of the page before."""
    return await service.run_page(
        *access.workspace, dataset_id=dataset_id, name=name, after=after, limit=limit
    )


@router.get("/runs/{run_id}", responses=_NO_RUN)
async def read_run(run_id: uuid.UUID, access: ReadAccess) -> RunDetail:
    """A run with the results so far."""
    return await service.run_detail(*access.workspace, run_id)


@router.get("/runs/{run_id}/progress", responses=_NO_RUN)
async def run_progress(run_id: uuid.UUID, access: ReadAccess) -> RunView:
    """The same without the results."""
    return await service.run_view(*access.workspace, run_id)


async def until_final(run_id: uuid.UUID, access: ReadAccess, progress: ProgressDep) -> RunView:
    """Raises HTTPException 204 when the client has seen the end."""
    return progress.unseen(await service.run_view(*access.workspace, run_id))


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
    run = await service.run_detail(*access.workspace, run_id)
    await access.session.close()
    content = await asyncio.to_thread(report, run, gates, format_, lang)
    return Response(content, media_type=format_.media_type)


@router.get("/runs/{run_id}/findings", responses=_NO_RUN)
async def read_findings(run_id: uuid.UUID, access: ReadAccess, lang: Language) -> RunFindings:
    """What its figures mean, in the language of Accept-Language, and its cases, worst first."""
    return await run_findings(*access.workspace, run_id, lang)


@router.get(
    "/runs/{run_id}/cases/{test_case_id}/passages",
    responses=not_found("There is no such run, or it has no result of this case."),
)
async def read_case_passages(
    run_id: uuid.UUID, test_case_id: uuid.UUID, access: ReadAccess
) -> list[FoundPassage]:
    """What the search found for a case, and what it missed; texts of notes that have changed
    since are gone."""
    return await case_passages(*access.workspace, run_id, test_case_id)


@router.post("/runs/{run_id}/cancel", responses=_NO_RUN | conflict("The run has ended already."))
async def cancel_run(run_id: uuid.UUID, access: WriteAccess) -> RunView:
    """Ends a run; what it has measured stays."""
    await RUNS.cancel(*access.workspace, run_id)
    return await service.run_view(*access.workspace, run_id)


_REFUSED = not_found("The workspace has no such run.") | conflict(
    "One of the runs is not completed, or they have nothing that can be compared."
)
comparison_router = APIRouter(
    prefix="/evaluation/runs", tags=["datasets and runs"], responses=_REFUSED
)


async def _measured(access: Access, *ids: uuid.UUID) -> list[Measured]:
    """Resampling takes seconds with thousands of cases, which no transaction should be open for."""
    runs = await measured_runs(*access.workspace, ids)
    await access.session.close()
    return runs


@comparison_router.get("/{run_id}/compare/{other_id}")
async def compare_runs(run_id: uuid.UUID, other_id: uuid.UUID, access: ReadAccess) -> Comparison:
    """The second run against the first: paired differences with their significance, and the
    cases that flipped. Means of the search are not compared where k or the dataset differ, those
    of the answers where the judge or its prompt do."""
    first, second = await _measured(access, run_id, other_id)
    return await asyncio.to_thread(compare_results, first, second)


@comparison_router.get("/{run_id}/compare/{other_id}/cases")
async def compared_cases(
    run_id: uuid.UUID,
    other_id: uuid.UUID,
    access: ReadAccess,
    show: Shown = "all",
    after: Annotated[int, Query(ge=0, le=1_000_000, description="`next` of the page before.")] = 0,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> ComparedCases:
    """The questions of both runs with both answers: first those that failed or flipped, then by
    the size of the change."""
    first, second = await _measured(access, run_id, other_id)
    return await asyncio.to_thread(
        compare_cases, first, second, show=show, after=after, limit=limit
    )


@comparison_router.get("/{run_id}/comparison")
async def baseline_comparison(
    run_id: uuid.UUID,
    access: ReadAccess,
    other_id: Annotated[list[uuid.UUID], Query(max_length=MAX_OTHERS, default_factory=list)],
) -> BaselineComparison:
    """Up to six runs against this one, their baseline: means over the cases that all of them
    measured, and paired differences whose p values count how many runs are compared. An id that
    is there twice counts once."""
    others = [id_ for id_ in dict.fromkeys(other_id) if id_ != run_id]
    baseline, *runs = await _measured(access, run_id, *others)
    return await asyncio.to_thread(compare_with_baseline, baseline, runs)
