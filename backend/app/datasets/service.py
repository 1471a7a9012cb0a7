"""Datasets and runs: stored, started, cancelled, read."""

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import RowMapping
from sqlalchemy.ext.asyncio import AsyncSession

from app.datasets import queries
from app.datasets.cases import TestCase
from app.datasets.comparison import Comparison, compare_results
from app.datasets.evaluation_type import EvaluationType
from app.datasets.models import EvalResult
from app.datasets.status import RunStatus
from app.datasets.views import (
    CaseView,
    DatasetDetail,
    DatasetPage,
    DatasetView,
    ResultView,
    RunDetail,
    RunPage,
    RunSummary,
    RunView,
)
from app.db.base import new_id
from app.errors import Conflict, InvalidRequest, NotFound
from app.jobs.service import enqueue
from app.search.service import get_notebook
from app.text.language import Lang

EVALUATE_CASES = "evaluate_cases"
# Of one job: few enough that a worker's death repeats little, many enough to be worth a claim.
CASES_PER_JOB = 20
MAX_CASES = 20_000


async def create_dataset(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    name: str,
    cases: Sequence[TestCase],
    *,
    notebook_id: uuid.UUID | None,
    origin: Mapping[str, Any],
) -> uuid.UUID:
    """Stores the cases as the next version of the dataset of that name; the caller commits.

    Raises InvalidRequest for an empty dataset and for more than 20,000 cases, NotFound for a
    notebook that the workspace does not have.
    """
    if not 0 < len(cases) <= MAX_CASES:
        raise InvalidRequest(
            f"A dataset has 1 to {MAX_CASES:,} test cases; this one has {len(cases):,}.",
            ko=f"데이터셋에는 테스트 케이스가 1~{MAX_CASES:,}개 있어야 합니다. 지금은"
            f" {len(cases):,}개입니다.",
        )
    if notebook_id is not None:
        await get_notebook(session, workspace_id, notebook_id)
    dataset_id = new_id()
    dataset = {
        "id": dataset_id,
        "workspace_id": workspace_id,
        "name": name,
        "version": await queries.next_version(session, workspace_id, name),
        "notebook_id": notebook_id,
        "origin": dict(origin),
    }
    rows = [
        {
            "workspace_id": workspace_id,
            "dataset_id": dataset_id,
            "position": position,
            "question": case.question,
            "ground_truth_chunk_ids": list(case.ground_truth_chunk_ids),
            "reference_answer": case.reference_answer,
            "lang": case.lang,
        }
        for position, case in enumerate(cases)
    ]
    await queries.add_dataset(session, dataset, rows)
    return dataset_id


def as_case(case: CaseView) -> TestCase:
    """As files carry it."""
    lang: Lang = "en" if case.lang == "en" else "ko"
    return TestCase(case.question, tuple(case.ground_truth_chunk_ids), case.reference_answer, lang)


async def dataset_view(
    session: AsyncSession, workspace_id: uuid.UUID, dataset_id: uuid.UUID
) -> DatasetDetail:
    """With its cases. Raises NotFound, also for one of another workspace."""
    row = await _dataset(session, workspace_id, dataset_id)
    cases = await queries.cases(session, workspace_id, dataset_id)
    shown = [CaseView.model_validate(case) for case in cases]
    return DatasetDetail.model_validate({**row, "test_cases": shown})


async def dataset_page(
    session: AsyncSession, workspace_id: uuid.UUID, *, after: uuid.UUID | None, limit: int
) -> DatasetPage:
    """Newest first; `after` is the last id of the page before."""
    rows = await queries.datasets(session, workspace_id, after, limit + 1)
    items = [DatasetView.model_validate(dict(row)) for row in rows[:limit]]
    return DatasetPage(items=items, next=items[-1].id if len(rows) > limit else None)


async def delete_dataset(
    session: AsyncSession, workspace_id: uuid.UUID, dataset_id: uuid.UUID
) -> None:
    """Runs over it stay, with what they have measured. Raises NotFound."""
    if not await queries.delete_dataset(session, workspace_id, dataset_id):
        raise _no_such_dataset()


async def start_run(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    dataset_id: uuid.UUID,
    *,
    k: int,
    evaluation_type: EvaluationType,
    answer_model: str,
    judge_model: str,
) -> uuid.UUID:
    """Stores the run and the jobs that do it; the caller commits. Raises NotFound."""
    dataset = await _dataset(session, workspace_id, dataset_id)
    run_id = new_id()
    await queries.add_run(
        session,
        id=run_id,
        workspace_id=workspace_id,
        dataset_id=dataset_id,
        dataset_name=dataset["name"],
        dataset_version=dataset["version"],
        k=k,
        evaluation_type=evaluation_type.value,
        answer_model=answer_model,
        judge_model=judge_model,
        cases=dataset["cases"],
    )
    for first in range(0, dataset["cases"], CASES_PER_JOB):
        last = min(first + CASES_PER_JOB, dataset["cases"]) - 1
        part = {"run_id": str(run_id), "first": first, "last": last}
        await enqueue(session, workspace_id, EVALUATE_CASES, part)
    return run_id


async def cancel_run(session: AsyncSession, workspace_id: uuid.UUID, run_id: uuid.UUID) -> None:
    """Ends a run that is under way; what it has measured stays. The caller commits. Raises
    NotFound, and Conflict for one that has ended."""
    run = await _run(session, workspace_id, run_id)
    if not await queries.end(session, workspace_id, run_id, RunStatus.CANCELLED):
        raise Conflict(
            f"The run has ended already ({run['status']}); there is nothing to cancel.",
            ko=f"이미 끝난 실행입니다({run['status']}). 취소할 것이 없습니다.",
            code="run-ended",
        )
    await queries.cancel_jobs(session, workspace_id, EVALUATE_CASES, run_id)


async def run_view(session: AsyncSession, workspace_id: uuid.UUID, run_id: uuid.UUID) -> RunView:
    """Without its results. Raises NotFound, also for one of another workspace."""
    return RunView.model_validate(_figures(await _run(session, workspace_id, run_id)))


async def run_detail(
    session: AsyncSession, workspace_id: uuid.UUID, run_id: uuid.UUID
) -> RunDetail:
    """With its results, in the order of the cases. Raises NotFound."""
    row = await _run(session, workspace_id, run_id)
    results = await queries.results(session, workspace_id, run_id)
    shown = [_result(result) for result in results]
    return RunDetail.model_validate({**_figures(row), "results": shown})


async def run_page(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    *,
    dataset_id: uuid.UUID | None,
    after: uuid.UUID | None,
    limit: int,
) -> RunPage:
    """Newest first; `after` is the last id of the page before."""
    rows = await queries.runs(
        session, workspace_id, dataset_id=dataset_id, after=after, limit=limit + 1
    )
    items = [RunView.model_validate(_figures(row)) for row in rows[:limit]]
    return RunPage(items=items, next=items[-1].id if len(rows) > limit else None)


async def compare_runs(
    session: AsyncSession, workspace_id: uuid.UUID, first_id: uuid.UUID, second_id: uuid.UUID
) -> Comparison:
    """Raises NotFound, and Conflict while one of them is not completed."""
    for id_ in (first_id, second_id):
        run = await _run(session, workspace_id, id_)
        if run["status"] != RunStatus.COMPLETED:
            raise Conflict(
                f"The run {id_} is {run['status']}; only completed runs can be compared.",
                ko=f"실행 {id_}의 상태가 {run['status']}입니다. 끝난 실행만 비교할 수 있습니다.",
                code="run-not-completed",
            )
    first, second = [
        await queries.results(session, workspace_id, id_) for id_ in (first_id, second_id)
    ]
    return await asyncio.to_thread(compare_results, first_id, second_id, first, second)


def _figures(row: RowMapping) -> dict[str, Any]:
    summary = RunSummary.model_validate(row["summary"]) if row["summary"] else None
    generation = summary and summary.generation
    return {
        **row,
        "summary": summary,
        "metrics": summary and summary.metrics,
        "mean_faithfulness": generation and generation.mean_faithfulness,
        "mean_answer_relevancy": generation and generation.mean_answer_relevancy,
    }


def _result(row: EvalResult) -> ResultView:
    values = {name: getattr(row, name) for name in ResultView.model_fields if name != "id"}
    return ResultView(id=f"{row.run_id}-{row.position}", **values)


async def _dataset(
    session: AsyncSession, workspace_id: uuid.UUID, dataset_id: uuid.UUID
) -> RowMapping:
    row = await queries.dataset(session, workspace_id, dataset_id)
    if row is None:
        raise _no_such_dataset()
    return row


def _no_such_dataset() -> NotFound:
    return NotFound(
        "There is no such dataset; GET /evaluation/datasets lists yours.",
        ko="그런 데이터셋이 없습니다. GET /evaluation/datasets에서 목록을 확인하세요.",
    )


async def _run(session: AsyncSession, workspace_id: uuid.UUID, run_id: uuid.UUID) -> RowMapping:
    row = await queries.run(session, workspace_id, run_id)
    if row is None:
        raise NotFound(
            "There is no such run; GET /evaluation/runs lists yours.",
            ko="그런 실행이 없습니다. GET /evaluation/runs에서 목록을 확인하세요.",
        )
    return row
