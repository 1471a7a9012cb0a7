"""Answers that people have labelled, as a benchmark of judges reads them."""

import uuid
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy import RowMapping, TextClause
from sqlalchemy.ext.asyncio import AsyncSession

from app.quality.review import queries
from app.quality.review.feedback import Label

_PAGE = 200


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """An answer with what people say of it as a whole.

    passages: the notes as the answering model saw them, in their order.
    label: the middle of the authors' labels, the worse of two; hallucinated: it is not `right`.
    spans: (start, end) in characters of the answer, end excluded, of the claims that people
    called wrong; empty also where no claim is labelled.
    judge_correctness: 0 to 1, of the verdict that counts; None without one. judge_model: the
    judge that was asked; None where the answer has no such row any more. made_by: who gave the
    verdict, and cost_usd: what it cost; None where that is not known.
    """

    answer_id: uuid.UUID
    question: str
    passages: list[str]
    answer: str
    lang: str
    hallucinated: bool
    spans: list[tuple[int, int]]
    label: Label
    judge_correctness: float | None
    judge_model: str | None
    made_by: str | None
    cost_usd: Decimal | None


@dataclass(frozen=True, slots=True)
class LabelledGrade:
    """Of a LabelledAnswer what is needed to choose it. judgeable: neither the answer nor all of its
    notes are blank."""

    answer_id: uuid.UUID
    hallucinated: bool
    judgeable: bool


async def labelled_grades(
    session: AsyncSession, workspace_id: uuid.UUID, ids: Sequence[uuid.UUID] | None = None
) -> AsyncIterator[LabelledGrade]:
    """Those of `ids`, None for all of a workspace, in the order of their ids."""
    async for row in _rows(session, workspace_id, queries.GRADES, ids):
        yield LabelledGrade(**row)


async def labelled_answers(
    session: AsyncSession, workspace_id: uuid.UUID, ids: Sequence[uuid.UUID] | None = None
) -> AsyncIterator[LabelledAnswer]:
    """Those of `ids`, None for all of a workspace, in the order of their ids, a page in memory at
    a time."""
    async for row in _rows(session, workspace_id, queries.LABELLED, ids):
        spans = sorted((start, end) for start, end in row["spans"] or [])
        yield LabelledAnswer(**{**row, "spans": spans}, hallucinated=row["label"] != "right")


async def _rows(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    query: TextClause,
    ids: Sequence[uuid.UUID] | None,
) -> AsyncIterator[RowMapping]:
    after: uuid.UUID | None = None
    about = {"workspace_id": workspace_id, "ids": ids, "limit": _PAGE}
    while True:
        rows = (await session.execute(query, about | {"after": after})).mappings().all()
        for row in rows:
            yield row
        if len(rows) < _PAGE:
            return
        after = rows[-1]["answer_id"]
