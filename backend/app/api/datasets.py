"""Datasets of questions with known answers: stored, generated, imported, exported."""

import asyncio
import uuid
from typing import Annotated

from fastapi import APIRouter, Form, Query, Response, UploadFile
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.ext.asyncio import AsyncSession

from app.api.openapi import ACCEPTED, conflict, not_found
from app.api.parameters import After, Limit
from app.api.schemas import NOT_BLANK, StrictBody
from app.api.services import ServicesDep, import_limits
from app.api.sessions import ReadAccess, WriteAccess, record_export
from app.experiments.datasets import from_answers, service
from app.experiments.datasets.cases import TestCase
from app.experiments.datasets.files import CaseFormat, read_cases, write_cases
from app.experiments.datasets.generation import GENERATE_DATASET
from app.experiments.datasets.service import CaseChange, DatasetDetail, DatasetPage, PassageView
from app.experiments.runs import service as runs
from app.notes.service import get_notebook
from app.platform.errors import InvalidRequest
from app.platform.jobs.service import JobView, enqueue, job_view
from app.platform.processes.pool import import_lane
from app.text.language import detect_language
from app.verdicts.policy.document import Number

router = APIRouter(prefix="/evaluation", tags=["datasets and runs"])

# May be larger than other bodies.
IMPORT_PATH = "/evaluation/datasets/import"

# Paths take `:uuid`, so that `import` and `generate` are no ids, and `Allow` is right.
NO_DATASET = not_found("The workspace has no such dataset.")

Name = Annotated[str, Field(min_length=1, max_length=200, pattern=NOT_BLANK)]


class CaseCreate(StrictBody):
    """A question, the ids of the chunks that answer it, and the answer where it is known."""

    question: service.Question
    ground_truth_chunk_ids: service.ChunkIds
    reference_answer: service.ReferenceAnswer | None = None


class DatasetCreate(StrictBody):
    """A new version of the dataset of that name. notebook_id: the only notebook to search."""

    name: Name
    notebook_id: uuid.UUID | None = None
    test_cases: Annotated[list[CaseCreate], Field(min_length=1, max_length=5_000)]


class CaseFromAnswer(StrictBody):
    """dataset_id: any version; name: of a dataset that is there, or of a new one; neither: the
    dataset that an answer was put into last. reference_answer: the right answer, empty for none;
    left out, the comment of the newest label `wrong` or `partly`. expects_refusal: the notes do not
    say, and the answer is to say so."""

    evaluation_id: uuid.UUID
    dataset_id: uuid.UUID | None = None
    name: Name | None = None
    reference_answer: service.ReferenceAnswer | None = None
    expects_refusal: bool = False


class DatasetReview(BaseModel):
    """Cases by their ids; those that are not named are accepted as they are."""

    model_config = ConfigDict(extra="forbid")

    reject: Annotated[list[uuid.UUID], Field(max_length=20_000)] = []
    edit: Annotated[list[CaseChange], Field(max_length=5_000)] = []


class DatasetGenerate(StrictBody):
    """The same seed samples the same chunks of the same notes."""

    name: Name
    notebook_id: uuid.UUID
    questions_per_chunk: Annotated[int, Field(ge=1, le=10), Number] = 2
    max_chunks_sample: Annotated[int, Field(ge=1, le=2_000), Number] = 50
    seed: Annotated[int, Field(ge=0, lt=2**31), Number] = 0


@router.post("/datasets", status_code=201)
async def create_dataset(body: DatasetCreate, access: WriteAccess) -> DatasetDetail:
    """Stores test cases; under a name that is taken they become its next version."""
    cases = [
        TestCase(
            question=case.question,
            ground_truth_chunk_ids=tuple(case.ground_truth_chunk_ids),
            reference_answer=case.reference_answer or None,
            lang=detect_language(case.question),
        )
        for case in body.test_cases
    ]
    return await _create(*access.workspace, body.name, cases, body.notebook_id)


@router.post(
    "/datasets/generate",
    status_code=202,
    responses=ACCEPTED | not_found("The workspace has no such notebook."),
)
async def generate_dataset(
    body: DatasetGenerate, access: WriteAccess, response: Response
) -> JobView:
    """Makes questions from sampled chunks in the background; poll the job at its Location."""
    workspace_id = access.workspace_id
    await get_notebook(access.session, workspace_id, body.notebook_id)
    job_id = await enqueue(
        access.session, workspace_id, GENERATE_DATASET, body.model_dump(mode="json")
    )
    job = await job_view(access.session, workspace_id, job_id)
    assert job is not None
    response.headers["Location"] = f"/jobs/{job_id}"
    return job


@router.post("/datasets/import", status_code=201)
async def import_dataset(
    file: UploadFile,
    access: WriteAccess,
    services: ServicesDep,
    name: Annotated[Name, Form()],
    format_: Annotated[CaseFormat, Form(alias="format")] = CaseFormat.JSONL,
    notebook_id: Annotated[uuid.UUID | None, Form()] = None,
) -> DatasetDetail:
    """The same from a file. One with a mistake stores nothing; the error names its line."""
    cases = await import_lane().run(
        import_limits(services.settings), read_cases, await file.read(), format_
    )
    return await _create(*access.workspace, name, cases, notebook_id)


async def _create(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    name: str,
    cases: list[TestCase],
    notebook_id: uuid.UUID | None,
) -> DatasetDetail:
    id_ = await service.create_dataset(
        session,
        workspace_id,
        name.strip(),
        cases,
        notebook_id=notebook_id,
        origin={"kind": "imported"},
    )
    return await service.dataset_view(session, workspace_id, id_)


@router.post(
    "/datasets/from-answer",
    status_code=201,
    responses={
        **not_found("The workspace has no such evaluation or dataset."),
        **conflict("The verdict is not finished."),
        200: {"description": "The dataset had the case.", "model": from_answers.AddedCase},
    },
)
async def add_from_answer(
    body: CaseFromAnswer, access: WriteAccess, response: Response
) -> from_answers.AddedCase:
    """Makes a test case of an answer, with the notes that it was given. A version grows until its
    first run; then the next one begins."""
    if body.dataset_id is not None and body.name is not None:
        raise InvalidRequest.worded("dataset-named-twice")
    given = body.model_dump(exclude={"evaluation_id", "name"})
    name = body.name and body.name.strip()
    author = access.principal.name
    added = await from_answers.add_answer(
        *access.workspace, body.evaluation_id, name=name, added_by=author, **given
    )
    if not added.added:
        response.status_code = 200
    return added


@router.get("/datasets")
async def list_datasets(access: ReadAccess, after: After = None, limit: Limit = 50) -> DatasetPage:
    """Newest first. `after` is the `next` of the page before."""
    return await service.dataset_page(*access.workspace, after=after, limit=limit)


@router.get("/datasets/{dataset_id:uuid}", responses=NO_DATASET)
async def read_dataset(dataset_id: uuid.UUID, access: ReadAccess) -> DatasetDetail:
    """One version with its test cases."""
    return await service.dataset_view(*access.workspace, dataset_id)


@router.get("/datasets/{dataset_id:uuid}/passages", responses=NO_DATASET)
async def read_passages(dataset_id: uuid.UUID, access: ReadAccess) -> list[PassageView]:
    """The chunks that answer its questions; those of notes that have changed are gone."""
    return await service.dataset_passages(*access.workspace, dataset_id)


@router.post("/datasets/{dataset_id:uuid}/review", status_code=201, responses=NO_DATASET)
async def review_dataset(
    dataset_id: uuid.UUID, body: DatasetReview, access: WriteAccess
) -> DatasetDetail:
    """Stores what a person leaves of a version, with their corrections, as the next version."""
    id_ = await service.review_dataset(
        *access.workspace, dataset_id, reject=body.reject, edit=body.edit
    )
    return await service.dataset_view(*access.workspace, id_)


@router.get("/datasets/{dataset_id:uuid}/export", response_class=Response, responses=NO_DATASET)
async def export_dataset(
    dataset_id: uuid.UUID,
    access: ReadAccess,
    services: ServicesDep,
    format_: Annotated[CaseFormat, Query(alias="format")] = CaseFormat.JSONL,
) -> Response:
    """Its test cases as a file that can be imported again."""
    await service.stored_dataset(*access.workspace, dataset_id)
    cases = [
        service.as_case(each) for each in await service.stored_cases(*access.workspace, dataset_id)
    ]
    await access.session.close()
    given = {"id": dataset_id, "cases": len(cases), "format": format_}
    await record_export(services, access.principal, "dataset", given)
    content = await asyncio.to_thread(write_cases, cases, format_)
    return Response(content, media_type=format_.media_type)


@router.delete("/datasets/{dataset_id:uuid}", status_code=204, responses=NO_DATASET)
async def delete_dataset(dataset_id: uuid.UUID, access: WriteAccess) -> None:
    """Runs over it stay, with what they have measured; those under way are cancelled."""
    await runs.delete_dataset(*access.workspace, dataset_id)
