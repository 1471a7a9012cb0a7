"""Test cases made from answers that went wrong."""

import datetime as dt
import uuid
from typing import Any

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from app.experiments import queries
from app.experiments.datasets import service
from app.experiments.datasets.cases import CaseNote, CaseSource, TestCase
from app.experiments.models import EvalDataset, EvalTestCase
from app.platform.db.owned_queries import in_order
from app.platform.errors import Conflict, InvalidRequest
from app.quality.review.feedback import no_such_evaluation
from app.text.language import lang_of
from app.verdicts.status import Status

_KIND = "answers"


class AddedCase(BaseModel):
    """The case that an answer is in. added: false where the dataset had it already, with the same
    question and notes."""

    added: bool
    dataset_id: uuid.UUID
    dataset_name: str
    dataset_version: int
    test_case: service.CaseView


async def add_answer(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    evaluation_id: uuid.UUID,
    *,
    dataset_id: uuid.UUID | None,
    name: str | None,
    reference_answer: str | None,
    expects_refusal: bool,
    added_by: str,
) -> AddedCase:
    """Puts the answer of a verdict into the newest version of a dataset as long as no run has used
    it, else into its next one; the caller commits.

    dataset_id: any version; name: of one that is there or a new one; neither means the dataset that
    an answer was put into last. reference_answer: the right answer, "" for none; None means the
    comment of the newest label that finds the answer wanting. Raises NotFound, Conflict for an
    unfinished verdict, InvalidRequest for an answer without notes and for no dataset.
    """
    given = {"workspace_id": workspace_id, "id": evaluation_id}
    row = (await session.execute(queries.ANSWER_OF_CASE, given)).mappings().one_or_none()
    if row is None:
        raise no_such_evaluation()
    if not Status(row["status"]).final:
        raise Conflict.worded("verdict-unfinished", status=row["status"])
    if dataset_id is not None:
        name = (await service.stored_dataset(session, workspace_id, dataset_id))["name"]
    name = name or await queries.last_answered_into(session, workspace_id)
    if name is None:
        raise InvalidRequest.worded("no-dataset-yet")
    if not row["notes"]:
        raise InvalidRequest.worded("answer-without-notes")
    if reference_answer is None and not expects_refusal:
        reference_answer = row["comment"]
    doubted = row["doubted"] or expects_refusal or bool(reference_answer)
    case = TestCase(
        row["question"],
        (),
        reference_answer or None,
        lang_of(row["lang"]),
        notes=tuple(map(CaseNote.model_validate, row["notes"])),
        expects_refusal=expects_refusal,
        source=CaseSource(
            **{field: row[field] for field in CaseSource.model_fields if field in row},
            was_bad=row["label"] != "right" if row["label"] else doubted,
            added_at=dt.datetime.now(dt.UTC),
            added_by=added_by,
        ),
    )
    newest = await queries.lock_newest(session, workspace_id, name)
    added = newest is None or await _same(session, newest, case) is None
    if added:
        newest = await _added_to(session, workspace_id, name, newest, case)
    assert newest is not None, "there is one, or it was made"
    stored = await _same(session, newest, case)
    assert stored is not None, "it was there, or it was added"
    [view] = await service.case_views(session, workspace_id, newest.id, [stored])
    return AddedCase(
        added=added,
        dataset_id=newest.id,
        dataset_name=newest.name,
        dataset_version=newest.version,
        test_case=view,
    )


async def _same(session: AsyncSession, dataset: EvalDataset, case: TestCase) -> EvalTestCase | None:
    of_key = (EvalTestCase.dataset_id == dataset.id) & (EvalTestCase.case_key == case.key)
    found = await in_order(session, EvalTestCase, dataset.workspace_id, of_key)
    return found[0] if found else None


async def _added_to(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    name: str,
    newest: EvalDataset | None,
    case: TestCase,
) -> EvalDataset:
    """The version that has the case now."""
    cases: list[TestCase] = []
    notebook_id = None
    origin: dict[str, Any] = {"kind": _KIND}
    if newest is not None:
        number = (await service.stored_dataset(session, workspace_id, newest.id))["cases"]
        grows = newest.origin["kind"] == _KIND and number < service.MAX_CASES
        if grows and not await queries.has_runs(session, workspace_id, newest.id):
            await service.insert_cases(session, workspace_id, newest.id, [case], number)
            return newest
        stored = await service.stored_cases(session, workspace_id, newest.id)
        cases = list(map(service.as_case, stored))
        notebook_id = newest.notebook_id
        origin["version"] = newest.version
    id_ = await service.create_dataset(
        session, workspace_id, name, [*cases, case], notebook_id=notebook_id, origin=origin
    )
    return await session.get_one(EvalDataset, id_)
