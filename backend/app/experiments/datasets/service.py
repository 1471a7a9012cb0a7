"""Datasets: stored, read, deleted."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import RowMapping
from sqlalchemy.ext.asyncio import AsyncSession

from app.experiments.datasets import queries
from app.experiments.datasets.cases import TestCase
from app.experiments.datasets.models import EvalDataset, EvalTestCase
from app.experiments.datasets.views import (
    CaseView,
    DatasetDetail,
    DatasetPage,
    DatasetView,
    PassageView,
)
from app.notes.service import get_notebook
from app.platform.db.owned_queries import delete_one, existing, in_order, page
from app.platform.errors import InvalidRequest, NotFound, no_such
from app.platform.ids import new_id
from app.text.language import lang_of

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
    ids, lang = tuple(case.ground_truth_chunk_ids), lang_of(case.lang)
    return TestCase(case.question, ids, case.reference_answer, lang)


async def dataset_view(
    session: AsyncSession, workspace_id: uuid.UUID, dataset_id: uuid.UUID
) -> DatasetDetail:
    """With its cases. Raises NotFound, also for one of another workspace."""
    row = await stored_dataset(session, workspace_id, dataset_id)
    cases = await in_order(
        session, EvalTestCase, workspace_id, EvalTestCase.dataset_id == dataset_id
    )
    shown = [CaseView.model_validate(case) for case in cases]
    return DatasetDetail.model_validate({**row, "test_cases": shown})


async def dataset_page(
    session: AsyncSession, workspace_id: uuid.UUID, *, after: uuid.UUID | None, limit: int
) -> DatasetPage:
    """Newest first; `after` is the last id of the page before."""
    rows = await page(session, queries.DATASET_PAGE, workspace_id, after=after, limit=limit)
    return DatasetPage.of(
        [DatasetView.model_validate(dict(row)) for row in rows], limit, lambda row: row.id
    )


async def dataset_passages(
    session: AsyncSession, workspace_id: uuid.UUID, dataset_id: uuid.UUID
) -> list[PassageView]:
    """The chunks that answer its questions, those that still exist. Raises NotFound."""
    await stored_dataset(session, workspace_id, dataset_id)
    rows = await queries.passages(session, workspace_id, dataset_id)
    return [PassageView.model_validate(dict(row)) for row in rows]


async def delete_dataset(
    session: AsyncSession, workspace_id: uuid.UUID, dataset_id: uuid.UUID
) -> None:
    """One without runs under way; app.experiments.runs.service has what else there is to do. The
    caller commits. Raises NotFound."""
    if not await delete_one(session, EvalDataset, workspace_id, dataset_id):
        raise _no_such_dataset()


async def stored_dataset(
    session: AsyncSession, workspace_id: uuid.UUID, dataset_id: uuid.UUID
) -> RowMapping:
    """Its row, without its cases. Raises NotFound."""
    return await existing(session, queries.DATASET, workspace_id, dataset_id, _no_such_dataset())


def _no_such_dataset() -> NotFound:
    return no_such("dataset", "데이터셋이", "/evaluation/datasets")
