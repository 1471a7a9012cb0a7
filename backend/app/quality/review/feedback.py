"""Human labels of answers and claims: stored, replaced, deleted, and read to measure judges."""

import datetime as dt
import uuid
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from pydantic import BaseModel
from sqlalchemy import RowMapping, TextClause
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.errors import Forbidden, InvalidRequest, NotFound, no_such
from app.platform.ids import new_id
from app.quality.review import queries
from app.verdicts.policy.queries import redactor_in

Label = Literal["right", "partly", "wrong"]
UtilityLabel = Literal["useful", "partly", "useless"]

_OF_CLAIM = "fk_qa_feedback_evaluation_id_claim_position_qa_claims"

_PAGE = 200


class HumanFeedbackView(BaseModel):
    """What `author` says of the answer, or where `claim_position` is set, of that claim."""

    id: uuid.UUID
    evaluation_id: uuid.UUID
    answer_id: uuid.UUID
    claim_position: int | None
    label: Label
    utility_label: UtilityLabel | None
    comment: str | None
    author: str
    created_at: dt.datetime
    updated_at: dt.datetime


async def upsert_feedback(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    evaluation_id: uuid.UUID,
    *,
    author: str,
    by: str,
    label: Label,
    claim_position: int | None,
    utility_label: UtilityLabel | None,
    comment: str | None,
) -> HumanFeedbackView:
    """Stores or replaces what the author says; the caller commits. by: who sends it. An answer may
    be labelled whatever became of its verdict: people judge the answer. Raises NotFound, and
    InvalidRequest where the evaluation has no such claim."""
    if comment and (redactor := await redactor_in(session, workspace_id)):
        comment = redactor.redact(comment)
    try:
        rows = await session.execute(
            queries.UPSERT_OF_ANSWER if claim_position is None else queries.UPSERT_OF_CLAIM,
            {
                "id": new_id(),
                "workspace_id": workspace_id,
                "evaluation_id": evaluation_id,
                "author": author,
                "by": by,
                "past_id": new_id(),
                "label": label,
                "claim_position": claim_position,
                "utility_label": utility_label,
                "comment": comment,
            },
        )
    except IntegrityError as error:
        if _OF_CLAIM in str(error.orig) and claim_position is not None:
            raise InvalidRequest.worded("unknown-claim", claim=claim_position) from None
        raise no_such_evaluation() from None  # it was deleted at this very moment
    row = rows.mappings().one_or_none()
    if row is None:
        raise no_such_evaluation()
    return HumanFeedbackView.model_validate(dict(row))


async def list_feedback(
    session: AsyncSession, workspace_id: uuid.UUID, evaluation_id: uuid.UUID
) -> Sequence[HumanFeedbackView]:
    """All of it, the whole answer first. Raises NotFound."""
    await check_exists(session, workspace_id, evaluation_id)
    about = {"workspace_id": workspace_id, "evaluation_id": evaluation_id}
    rows = await session.execute(queries.FEEDBACK_OF_EVALUATION, about)
    return [HumanFeedbackView.model_validate(dict(row)) for row in rows.mappings()]


async def delete_feedback(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    evaluation_id: uuid.UUID,
    id_: uuid.UUID,
    *,
    by: str,
    anybodys: bool,
) -> None:
    """Deletes a label of the author `by`, or anybody's; the caller commits. Raises NotFound, and
    Forbidden for the label of another author."""
    about = {"workspace_id": workspace_id, "evaluation_id": evaluation_id, "id": id_}
    given = {"by": by, "author": None if anybodys else by, "past_id": new_id()}
    if await session.scalar(queries.DELETE_FEEDBACK, about | given) is not None:
        return
    if await session.scalar(queries.FEEDBACK_AUTHOR, about) is not None:
        raise not_their_label()
    raise NotFound.worded("no-such-feedback")


def not_their_label() -> Forbidden:
    return Forbidden.worded("not-your-label")


async def check_exists(
    session: AsyncSession, workspace_id: uuid.UUID, evaluation_id: uuid.UUID
) -> None:
    """Raises NotFound, with one message for a missing one and another workspace's."""
    about = {"workspace_id": workspace_id, "evaluation_id": evaluation_id}
    if not await session.scalar(queries.EXISTS, about):
        raise no_such_evaluation()


def no_such_evaluation() -> NotFound:
    return no_such("evaluation", "평가가", "/qa-evaluations")


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
    """Grades of the answers `ids`, None for all of a workspace, in the order of their ids."""
    async for row in _rows(session, workspace_id, queries.GRADES, ids):
        yield LabelledGrade(**row)


async def labelled_answers(
    session: AsyncSession, workspace_id: uuid.UUID, ids: Sequence[uuid.UUID] | None = None
) -> AsyncIterator[LabelledAnswer]:
    """Answers of `ids`, None for all of a workspace, in the order of their ids, a page in memory at
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


@dataclass(frozen=True, slots=True)
class DrawnCell:
    """Stored answers that had the same chance of being drawn: those in the same strata of the same
    draws. stratum: the name of one of these; labelled: those whose label counts."""

    stratum: str
    answers: int
    labelled: list[uuid.UUID]


async def drawn_cells(session: AsyncSession, workspace_id: uuid.UUID) -> list[DrawnCell]:
    """All of a workspace, also those without a label."""
    rows = await session.execute(queries.CELLS, {"workspace_id": workspace_id})
    return [DrawnCell(**row) for row in rows.mappings()]
