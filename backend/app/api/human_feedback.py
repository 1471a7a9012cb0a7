"""Human labels of answers and claims."""

import uuid
from typing import Annotated, Self

from fastapi import APIRouter
from pydantic import Field, model_validator

from app.api.openapi import not_found
from app.api.qa_evaluations import NO_SUCH_EVALUATION
from app.api.schemas import NonEmpty, StrictBody
from app.api.sessions import ReadAccess, WriteAccess
from app.quality.review import feedback as human_feedback
from app.quality.review.feedback import HumanFeedbackView, Label, UtilityLabel
from app.quality.review.models import MAX_AUTHOR_CHARS, MAX_COMMENT_CHARS

router = APIRouter(prefix="/qa-evaluations/{evaluation_id}/feedback", tags=["people"])

MAX_CLAIM_POSITION = 100_000

Author = Annotated[str, NonEmpty, Field(max_length=MAX_AUTHOR_CHARS)]


class FeedbackCreate(StrictBody):
    """`claim_position` names one claim of the evaluation; without it the answer as a whole is
    meant, and only that may have a `utility_label`. `author` is the token's name when left out."""

    label: Label
    utility_label: UtilityLabel | None = None
    claim_position: Annotated[int, Field(ge=1, le=MAX_CLAIM_POSITION)] | None = None
    comment: Annotated[str, NonEmpty, Field(max_length=MAX_COMMENT_CHARS)] | None = None
    author: Author | None = None

    @model_validator(mode="after")
    def _claims_are_not_useful(self) -> Self:
        if self.utility_label is not None and self.claim_position is not None:
            raise ValueError("utility_label is of the whole answer; leave claim_position out")
        return self


@router.post("", responses=NO_SUCH_EVALUATION)
async def upsert_feedback(
    evaluation_id: uuid.UUID, body: FeedbackCreate, access: WriteAccess
) -> HumanFeedbackView:
    """Labels the answer or one of its claims. What the same author said of it before is
    replaced. An answer may be labelled whatever became of its verdict; claims are there once it
    has succeeded."""
    given = body.model_dump() | {"author": body.author or access.principal.name}
    return await human_feedback.upsert_feedback(
        access.session, access.workspace_id, evaluation_id, **given
    )


@router.get("", responses=NO_SUCH_EVALUATION)
async def list_feedback(evaluation_id: uuid.UUID, access: ReadAccess) -> list[HumanFeedbackView]:
    """Everybody's, the whole answer first, then claim by claim."""
    return list(
        await human_feedback.list_feedback(access.session, access.workspace_id, evaluation_id)
    )


@router.delete(
    "/{feedback_id}",
    status_code=204,
    responses=not_found("There is no such feedback of this evaluation."),
)
async def delete_feedback(
    evaluation_id: uuid.UUID, feedback_id: uuid.UUID, access: WriteAccess
) -> None:
    """Deletes a label."""
    await human_feedback.delete_feedback(
        access.session, access.workspace_id, evaluation_id, feedback_id
    )
