"""Review of generated questions: what a person leaves of a dataset is its next version."""

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from app.experiments.datasets.cases import TestCase
from app.experiments.datasets.service import as_case, create_dataset, dataset_view
from app.experiments.datasets.views import CaseView
from app.platform.errors import InvalidRequest
from app.text.language import detect_language


@dataclass(frozen=True, slots=True)
class CaseEdit:
    """Changes of a case; None keeps a field. An empty reference answer removes it."""

    id: uuid.UUID
    question: str | None = None
    ground_truth_chunk_ids: Sequence[str] | None = None
    reference_answer: str | None = None


async def review_dataset(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    dataset_id: uuid.UUID,
    *,
    reject: Collection[uuid.UUID],
    edit: Sequence[CaseEdit],
) -> uuid.UUID:
    """Stores the cases that are not rejected, edited where that is wanted, as the next version of
    the dataset; the caller commits.

    Raises NotFound, and InvalidRequest for a case that the dataset does not have or that is both
    rejected and edited, and when no case is left.
    """
    dataset = await dataset_view(session, workspace_id, dataset_id)
    edits = {each.id: each for each in edit}
    rejected = set(reject)
    _check(rejected, edits.keys(), {case.id for case in dataset.test_cases})
    left = [
        _edited(case, edits[case.id]) if case.id in edits else as_case(case)
        for case in dataset.test_cases
        if case.id not in rejected
    ]
    origin = {
        "kind": "reviewed",
        "dataset_id": str(dataset_id),
        "version": dataset.version,
        "rejected": len(rejected),
        "edited": len(edits),
        "from": dataset.origin,
    }
    return await create_dataset(
        session,
        workspace_id,
        dataset.name,
        left,
        notebook_id=dataset.notebook_id,
        origin=origin,
    )


def _check(
    rejected: Collection[uuid.UUID], edited: Collection[uuid.UUID], there: Collection[uuid.UUID]
) -> None:
    both = set(rejected) & set(edited)
    if both:
        raise InvalidRequest(
            f"The case {min(both)} is rejected and edited; do one of them.",
            ko=f"케이스 {min(both)}을(를) 제외하면서 고칠 수는 없습니다. 하나만 하세요.",
        )
    unknown = (set(rejected) | set(edited)) - set(there)
    if unknown:
        raise InvalidRequest(
            f"The dataset has no case {min(unknown)}; GET /evaluation/datasets/… lists them.",
            ko=f"데이터셋에 케이스 {min(unknown)}이(가) 없습니다. GET /evaluation/datasets/…에서"
            " 확인하세요.",
        )


def _edited(case: CaseView, edit: CaseEdit) -> TestCase:
    ids, answer = edit.ground_truth_chunk_ids, edit.reference_answer
    before = as_case(case)
    return TestCase(
        question=before.question if edit.question is None else edit.question,
        ground_truth_chunk_ids=before.ground_truth_chunk_ids if ids is None else tuple(ids),
        reference_answer=before.reference_answer if answer is None else answer or None,
        lang=before.lang if edit.question is None else detect_language(edit.question),
    )
