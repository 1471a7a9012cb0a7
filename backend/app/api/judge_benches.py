"""Judge benches: how far judges agree with people."""

import asyncio
import uuid
from dataclasses import replace
from typing import Annotated, Any, Literal, Self

from fastapi import APIRouter, Form, Query, Response, UploadFile
from pydantic import Field, model_validator

from app.api.datasets import Name
from app.api.openapi import ACCEPTED, conflict, not_found
from app.api.parameters import After, Limit
from app.api.schemas import StrictBody
from app.api.services import Services, ServicesDep, import_limits
from app.api.sessions import Access, ReadAccess, StepwiseAccess, WriteAccess
from app.experiments.benches import service
from app.experiments.benches.judging import estimate_bench
from app.experiments.benches.labelled import LabelledItems, parse_labelled, read_labelled, sample
from app.experiments.benches.report import BenchReportFormat, write_report
from app.experiments.benches.request import THRESHOLD, BenchRequest, Labels, usable_prompts
from app.experiments.benches.service import labelled_feedback
from app.experiments.benches.views import BenchDetail, BenchEstimate, BenchPage, BenchView
from app.experiments.parts import cost_fields
from app.experiments.queries import BENCHES
from app.platform.processes.pool import import_lane
from app.verdicts.policy.document import Number
from app.verdicts.policy.service import policy_of
from app.workspaces.tokens import Scope

router = APIRouter(prefix="/evaluation/judge-benches", tags=["judge benches"])

# May be larger than other bodies.
IMPORT_PATHS = ("/evaluation/judge-benches/import", "/evaluation/judge-benches/estimate")
# Paths take `:uuid`, so that `import` and `estimate` are no ids, and `Allow` is right.
_NO_BENCH = not_found("The workspace has no such bench.")

_Judge = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00]*$")]
# A jury of five, and it.
_Judges = Annotated[list[_Judge], Field(min_length=1, max_length=6)]
_Size = Annotated[int, Field(ge=1, le=20_000)]
_Repeats = Annotated[int, Field(ge=1, le=10)]
_Seed = Annotated[int, Field(ge=0, lt=2**31)]
_Threshold = Annotated[float, Field(ge=0, le=1)]
_JUDGES_HELP = (
    "provider:model, with `@search-qa-eval-6` or `@workspace:NAME@1` for another prompt, `offline`"
    " for the rules; `stored` with feedback; `jury` for the majority of the models named."
)


class BenchCreate(StrictBody):
    """judges: provider:model, which `@` and a version of the prompt may follow, `offline` for the
    rules, and with feedback also `stored`, the verdicts that readers got; `jury` is the majority of
    the models named, three or more, and takes no call. items: labelled answers,
    as lines of a file are; left out, the stored feedback is measured against. labels: of feedback,
    only those of answers `drawn` at random, or `all`; left out, the drawn ones where there are any,
    else all. limit: a sample drawn by `seed`; it keeps the share of hallucinated ones, unless
    answers were drawn at random. judge_spans: compare the claims that nothing supports with the
    places that people marked. repeats: how often models judge each answer, which shows how steady
    they are and costs as many times as much."""

    name: Name = "bench"
    judges: _Judges
    items: Annotated[list[dict[str, Any]], Field(min_length=1, max_length=20_000)] | None = None
    limit: Annotated[_Size, Number] | None = None
    seed: Annotated[_Seed, Number] = 0
    threshold: Annotated[_Threshold, Number] = THRESHOLD
    judge_spans: bool = True
    labels: Labels | None = None
    repeats: Annotated[_Repeats, Number] = 1

    @model_validator(mode="after")
    def _labels_of_feedback(self) -> Self:
        if self.items is not None and self.labels is not None:
            raise ValueError("labels choose among feedback; leave them out where items are given")
        return self


@router.post("", status_code=202, responses=ACCEPTED)
async def create_bench(
    body: BenchCreate, access: StepwiseAccess, services: ServicesDep, response: Response
) -> BenchDetail:
    """Has judges measured on labelled answers, or on the answers with feedback."""
    request = BenchRequest(
        **body.model_dump(exclude={"items", "judges"}), judges=tuple(body.judges)
    )
    if body.items is None:
        labelled = await labelled_feedback(*access.workspace, request)
    else:
        labelled = await asyncio.to_thread(parse_labelled, body.items)
    source: Literal["file", "feedback"] = "feedback" if body.items is None else "file"
    return await _create(services, access, request, labelled, source, response)


@router.post("/import", status_code=202, responses=ACCEPTED)
async def import_bench(
    file: UploadFile,
    judges: Annotated[_Judges, Form(description=_JUDGES_HELP)],
    access: StepwiseAccess,
    services: ServicesDep,
    response: Response,
    name: Annotated[Name, Form()] = "bench",
    limit: Annotated[_Size | None, Form()] = None,
    seed: Annotated[_Seed, Form()] = 0,
    threshold: Annotated[_Threshold, Form()] = THRESHOLD,
    judge_spans: Annotated[bool, Form()] = True,
    repeats: Annotated[_Repeats, Form()] = 1,
) -> BenchDetail:
    """The same from a file of JSON lines. Bad lines are left out and told by their numbers; a
    file without a good one is refused."""
    request = BenchRequest(
        name, tuple(judges), limit, seed, threshold, judge_spans, repeats=repeats
    )
    labelled = await _read(file, services)
    return await _create(services, access, request, labelled, "file", response)


@router.post("/estimate")
async def estimate_bench_cost(
    judges: Annotated[_Judges, Form(description=_JUDGES_HELP)],
    access: ReadAccess,
    services: ServicesDep,
    file: UploadFile | None = None,
    limit: Annotated[_Size | None, Form()] = None,
    seed: Annotated[_Seed, Form()] = 0,
    judge_spans: Annotated[bool, Form()] = True,
    labels: Annotated[Labels | None, Form(description="Of the stored feedback.")] = None,
    repeats: Annotated[_Repeats, Form()] = 1,
) -> BenchEstimate:
    """What a bench of this file, or of the stored feedback, would take, before anything is spent.
    Nothing is stored."""
    request = BenchRequest(
        "", tuple(judges), limit, seed, judge_spans=judge_spans, labels=labels, repeats=repeats
    )
    session, workspace_id = access.workspace
    request = request.checked(services.settings, from_feedback=file is None)
    policy = await policy_of(session, workspace_id, services.settings)
    request = replace(request, criteria=policy.criteria)
    own = await usable_prompts(session, workspace_id, request.model_judges())
    if file is None:
        labelled = await labelled_feedback(session, workspace_id, request)
    await session.close()
    if file is not None:
        labelled = await _read(file, services)
    items = sample(labelled.items, limit, seed)
    cost = await asyncio.to_thread(estimate_bench, items, request, own, services.settings)
    return BenchEstimate(
        items=len(items),
        hallucinated=sum(item.hallucinated for item in items),
        **cost_fields(cost),
        rejected=labelled.bad,
    )


async def _read(file: UploadFile, services: Services) -> LabelledItems:
    limits = import_limits(services.settings)
    return await import_lane().run(limits, read_labelled, await file.read())


async def _create(
    services: Services,
    access: Access,
    request: BenchRequest,
    labelled: LabelledItems,
    source: Literal["file", "feedback"],
    response: Response,
) -> BenchDetail:
    session, workspace_id = access.workspace
    await session.close()
    checked = request.checked(services.settings, from_feedback=source == "feedback")
    async with session.begin():
        policy = await policy_of(session, workspace_id, services.settings)
        if Scope.ADMIN not in access.principal.scopes:
            checked.check_allowed(policy.judges)
        checked = replace(checked, criteria=policy.criteria)
        await usable_prompts(session, workspace_id, checked.model_judges())
        id_ = await service.create_bench(session, workspace_id, checked, labelled, source=source)
    response.headers["Location"] = f"/evaluation/judge-benches/{id_}"
    return await service.bench_detail(session, workspace_id, id_)


@router.get("")
async def list_benches(access: ReadAccess, after: After = None, limit: Limit = 50) -> BenchPage:
    """Newest first. `after` is the `next` of the page before."""
    return await service.bench_page(*access.workspace, after=after, limit=limit)


@router.get("/{bench_id:uuid}", responses=_NO_BENCH)
async def read_bench(bench_id: uuid.UUID, access: ReadAccess) -> BenchDetail:
    """A bench, once it is completed with its figures."""
    return await service.bench_detail(*access.workspace, bench_id)


@router.get("/{bench_id:uuid}/progress", responses=_NO_BENCH)
async def bench_progress(bench_id: uuid.UUID, access: ReadAccess) -> BenchView:
    """The same without figures and bad lines."""
    return await service.bench_view(*access.workspace, bench_id)


@router.get("/{bench_id:uuid}/report", response_class=Response, responses=_NO_BENCH)
async def bench_report(
    bench_id: uuid.UUID,
    access: ReadAccess,
    format_: Annotated[BenchReportFormat, Query(alias="format")] = BenchReportFormat.MARKDOWN,
) -> Response:
    """The figures as a page of its own (`html`), Markdown or JSON."""
    bench = await service.bench_detail(*access.workspace, bench_id)
    await access.session.close()
    content = await asyncio.to_thread(write_report, bench, format_)
    return Response(content, media_type=format_.media_type)


@router.post(
    "/{bench_id:uuid}/cancel", responses=_NO_BENCH | conflict("The bench has ended already.")
)
async def cancel_bench(bench_id: uuid.UUID, access: WriteAccess) -> BenchView:
    """Ends a bench with all of its jobs; what was judged stays. Cancelling one of its jobs does
    the same."""
    await BENCHES.cancel(*access.workspace, bench_id)
    return await service.bench_view(*access.workspace, bench_id)


@router.delete("/{bench_id:uuid}", status_code=204, responses=_NO_BENCH)
async def delete_bench(bench_id: uuid.UUID, access: WriteAccess) -> None:
    """With its answers and results."""
    await BENCHES.delete(*access.workspace, bench_id)
