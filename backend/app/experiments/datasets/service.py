"""Datasets: stored, read, reviewed, deleted."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, computed_field
from sqlalchemy import RowMapping, func, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.experiments import queries
from app.experiments.datasets.cases import CaseNote, CaseSource, TestCase
from app.experiments.models import EvalDataset, EvalTestCase
from app.notes.service import get_notebook
from app.platform.db.owned_queries import Listed, Page, existing, in_order, page
from app.platform.errors import InvalidRequest, NotFound, no_such
from app.platform.ids import new_id
from app.text.language import detect_language, lang_of

_REVIEW: Mapping[str, Literal["proposed", "accepted"]] = {
    "generated": "proposed",
    "reviewed": "accepted",
}


class DatasetView(Listed):
    """One version of a dataset; `cases` is how many it has. `origin` says where they are from.
    `review` is `proposed` for generated questions, `accepted` for what a person has left of a
    version, and null for questions that were brought in."""

    name: str
    version: int
    notebook_id: uuid.UUID | None
    origin: dict[str, Any]
    cases: int
    created_at: dt.datetime

    @computed_field  # type: ignore[prop-decorator]  # as pydantic documents it
    @property
    def review(self) -> Literal["proposed", "accepted"] | None:
        return _REVIEW.get(self.origin["kind"])


class PassageView(BaseModel):
    """A chunk that answers a question of a dataset."""

    id: str
    note_id: uuid.UUID
    title: str
    content: str


class CaseNoteView(CaseNote):
    """deleted: it was a note of the workspace, which is gone since."""

    deleted: bool


class CaseSourceView(CaseSource):
    """deleted: the answer is gone since."""

    deleted: bool


class CaseState(BaseModel):
    """How a case with notes of its own came out in runs over the versions of its dataset: it fails,
    it passes, or it passes after it failed (`mended`). release: that of the run since which it
    passes, else the run's name; null while it fails."""

    state: Literal["failing", "passing", "mended"]
    release: str | None
    run_id: uuid.UUID | None


class CaseView(BaseModel):
    """notes: its own, which runs answer it from; empty where they search. expects_refusal: the
    notes do not say, and the answer is to say so. source: the answer that it is made from. state:
    null until a run could tell."""

    model_config = ConfigDict(from_attributes=True)

    id: uuid.UUID
    position: int
    question: str
    ground_truth_chunk_ids: list[str]
    reference_answer: str | None
    lang: str
    notes: list[CaseNoteView]
    expects_refusal: bool
    source: CaseSourceView | None
    state: CaseState | None


class DatasetDetail(DatasetView):
    test_cases: list[CaseView]


class DatasetPage(Page[DatasetView, uuid.UUID]):
    """`next` continues the list; it is null on the last page."""


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
    """Stores the cases as the next version of the dataset of that name; the caller commits. Of
    cases with notes that have become the same, as by an edited question, the last one is kept.

    Raises InvalidRequest for an empty dataset and for more than 20,000 cases, NotFound for a
    notebook that the workspace does not have.
    """
    if not 0 < len(cases) <= MAX_CASES:
        raise InvalidRequest.worded("dataset-size", most=MAX_CASES, cases=len(cases))
    if notebook_id is not None:
        await get_notebook(session, workspace_id, notebook_id)
    dataset = EvalDataset(
        id=new_id(),
        workspace_id=workspace_id,
        name=name,
        version=await queries.next_version(session, workspace_id, name),
        notebook_id=notebook_id,
        origin=dict(origin),
    )
    session.add(dataset)
    await session.flush()
    unique = {case.key or place: case for place, case in enumerate(cases)}
    await insert_cases(session, workspace_id, dataset.id, [*unique.values()])
    return dataset.id


async def insert_cases(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    dataset_id: uuid.UUID,
    cases: Sequence[TestCase],
    first: int = 0,
) -> None:
    """At positions from `first` on."""
    rows = [
        {
            "workspace_id": workspace_id,
            "dataset_id": dataset_id,
            "position": position,
            "question": case.question,
            "ground_truth_chunk_ids": list(case.ground_truth_chunk_ids),
            "reference_answer": case.reference_answer,
            "lang": case.lang,
            "notes": [note.model_dump(mode="json") for note in case.notes] or None,
            "expects_refusal": case.expects_refusal,
            "source": case.source and case.source.model_dump(mode="json"),
            "case_key": case.key,
        }
        for position, case in enumerate(cases, start=first)
    ]
    # A statement for a thousand, as RETURNING has it, is one event of the audit log.
    await session.execute(insert(EvalTestCase).returning(EvalTestCase.id), rows)


async def stored_cases(
    session: AsyncSession, workspace_id: uuid.UUID, dataset_id: uuid.UUID
) -> Sequence[EvalTestCase]:
    """In their order."""
    of_dataset = EvalTestCase.dataset_id == dataset_id
    return await in_order(session, EvalTestCase, workspace_id, of_dataset)


def as_case(case: EvalTestCase) -> TestCase:
    """As files carry it."""
    return TestCase(
        case.question,
        tuple(case.ground_truth_chunk_ids),
        case.reference_answer,
        lang_of(case.lang),
        notes=tuple(map(CaseNote.model_validate, case.notes or ())),
        expects_refusal=case.expects_refusal,
        source=CaseSource.model_validate(case.source) if case.source else None,
    )


async def dataset_view(
    session: AsyncSession, workspace_id: uuid.UUID, dataset_id: uuid.UUID
) -> DatasetDetail:
    """With its cases. Raises NotFound, also for one of another workspace."""
    row = await stored_dataset(session, workspace_id, dataset_id)
    cases = await stored_cases(session, workspace_id, dataset_id)
    shown = await case_views(session, workspace_id, dataset_id, cases)
    return DatasetDetail.model_validate({**row, "test_cases": shown})


async def case_views(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    dataset_id: uuid.UUID,
    cases: Sequence[EvalTestCase],
) -> list[CaseView]:
    """With what became of them, of their notes and of their answers."""
    given = {
        "workspace_id": workspace_id,
        "note_ids": list({note["note_id"] for case in cases for note in case.notes or ()} - {None}),
        "answer_ids": [case.source["answer_id"] for case in cases if case.source],
    }
    left = {str(id_) for id_ in await session.scalars(queries.LEFT_OF_CASES, given)}
    states = await case_states(session, workspace_id, dataset_id)
    return [
        CaseView(
            **{name: getattr(case, name) for name in _PLAIN},
            notes=[
                CaseNoteView(**note, deleted=note["note_id"] not in {None, *left})
                for note in case.notes or ()
            ],
            source=case.source
            and CaseSourceView(**case.source, deleted=case.source["answer_id"] not in left),
            state=states.get(case.id),
        )
        for case in cases
    ]


_PLAIN = (
    *("id", "position", "question", "ground_truth_chunk_ids", "reference_answer", "lang"),
    "expects_refusal",
)


async def case_states(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    dataset_id: uuid.UUID,
    until: uuid.UUID | None = None,
) -> dict[uuid.UUID, CaseState]:
    """Of those cases of the dataset that a run could tell of, by id. until: the last run that
    counts; by default the newest."""
    given = {"workspace_id": workspace_id, "dataset_id": dataset_id, "until": until}
    rows = await session.execute(queries.CASE_STATES, given)
    return {
        row.case_id: CaseState(
            state="failing" if row.run_id is None else "mended" if row.failed else "passing",
            release=row.release,
            run_id=row.run_id,
        )
        for row in rows
    }


async def dataset_page(
    session: AsyncSession, workspace_id: uuid.UUID, *, after: uuid.UUID | None, limit: int
) -> DatasetPage:
    """Newest first; `after` is the last id of the page before."""
    rows = await page(session, queries.DATASET_PAGE, workspace_id, after=after, limit=limit)
    return DatasetPage.of([DatasetView.model_validate(dict(row)) for row in rows], limit)


async def dataset_passages(
    session: AsyncSession, workspace_id: uuid.UUID, dataset_id: uuid.UUID
) -> list[PassageView]:
    """The chunks that answer its questions, those that still exist. Raises NotFound."""
    await stored_dataset(session, workspace_id, dataset_id)
    ids = await session.scalars(
        select(func.unnest(EvalTestCase.ground_truth_chunk_ids))
        .where(EvalTestCase.workspace_id == workspace_id, EvalTestCase.dataset_id == dataset_id)
        .distinct()
    )
    given = {"workspace_id": workspace_id, "ids": ids.all()}
    rows = await session.execute(queries.PASSAGES, given)
    return [PassageView.model_validate(dict(row)) for row in rows.mappings()]


async def stored_dataset(
    session: AsyncSession, workspace_id: uuid.UUID, dataset_id: uuid.UUID
) -> RowMapping:
    """Its row, without its cases. Raises NotFound."""
    return await existing(session, queries.DATASET, workspace_id, dataset_id, no_such_dataset())


def no_such_dataset() -> NotFound:
    return no_such("dataset", "데이터셋이", "/evaluation/datasets")


Question = Annotated[str, Field(min_length=1, max_length=4_000, pattern=r"^[^\x00]*$")]
ChunkIds = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00]*$")]],
    Field(min_length=1, max_length=100),
]
ReferenceAnswer = Annotated[str, Field(max_length=10_000, pattern=r"^[^\x00]*$")]


class CaseChange(BaseModel):
    """What of a case is to be otherwise. An empty reference answer removes it."""

    model_config = ConfigDict(extra="forbid")

    id: uuid.UUID
    question: Question | None = None
    ground_truth_chunk_ids: ChunkIds | None = None
    reference_answer: ReferenceAnswer | None = None


async def review_dataset(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    dataset_id: uuid.UUID,
    *,
    reject: Collection[uuid.UUID],
    edit: Sequence[CaseChange],
) -> uuid.UUID:
    """Stores the cases that are not rejected, edited where that is wanted, as the next version of
    the dataset; the caller commits.

    Raises NotFound, and InvalidRequest for a case that the dataset does not have or that is both
    rejected and edited, and when no case is left.
    """
    dataset = await stored_dataset(session, workspace_id, dataset_id)
    cases = await stored_cases(session, workspace_id, dataset_id)
    edits = {each.id: each for each in edit}
    rejected = set(reject)
    _check(rejected, edits.keys(), {case.id for case in cases})
    left = [
        _edited(as_case(case), edits[case.id]) if case.id in edits else as_case(case)
        for case in cases
        if case.id not in rejected
    ]
    origin = {
        "kind": "reviewed",
        "dataset_id": str(dataset_id),
        "version": dataset["version"],
        "rejected": len(rejected),
        "edited": len(edits),
        "from": dataset["origin"],
    }
    name, notebook_id = dataset["name"], dataset["notebook_id"]
    return await create_dataset(
        session, workspace_id, name, left, notebook_id=notebook_id, origin=origin
    )


def _check(
    rejected: Collection[uuid.UUID], edited: Collection[uuid.UUID], there: Collection[uuid.UUID]
) -> None:
    both = set(rejected) & set(edited)
    if both:
        raise InvalidRequest.worded("case-rejected-and-edited", case=min(both))
    unknown = (set(rejected) | set(edited)) - set(there)
    if unknown:
        raise InvalidRequest.worded("no-such-case", case=min(unknown))


def _edited(case: TestCase, edit: CaseChange) -> TestCase:
    ids, answer = edit.ground_truth_chunk_ids, edit.reference_answer
    changes: dict[str, Any] = {}
    if edit.question is not None:
        changes = {"question": edit.question, "lang": detect_language(edit.question)}
    if ids is not None:
        changes["ground_truth_chunk_ids"] = tuple(ids)
    if answer is not None:
        changes["reference_answer"] = answer or None
    return replace(case, **changes)
