"""Human review: feedback, the review queue, labelling, random draws, agreement."""

import asyncio
import datetime as dt
import uuid
from decimal import Decimal
from typing import Annotated, Self

from fastapi import APIRouter, Query
from pydantic import Field, model_validator

from app.api.explorer import Moment, Name
from app.api.openapi import not_found
from app.api.parameters import decode_cursor, encode_cursor, exact
from app.api.problems import Language
from app.api.qa_evaluations import NO_SUCH_EVALUATION
from app.api.schemas import NonEmpty, StrictBody
from app.api.sessions import ReadAccess, StepwiseAccess, WriteAccess
from app.notes.service import get_notebook
from app.platform.db.owned_queries import Page
from app.quality.review import agreement as agreements
from app.quality.review import draws, labelling
from app.quality.review import feedback as human_feedback
from app.quality.review.feedback import HumanFeedbackView, Label, UtilityLabel
from app.quality.review.labelling import Author
from app.quality.review.models import MAX_COMMENT_CHARS
from app.quality.review.queries import STRATIFY, StratifyBy
from app.verdicts.policy.document import Number
from app.workspaces.tokens import Scope

feedback_router = APIRouter(prefix="/qa-evaluations/{evaluation_id}/feedback", tags=["people"])

MAX_CLAIM_POSITION = 100_000


class FeedbackCreate(StrictBody):
    """`claim_position` names one claim of the evaluation; without it the answer as a whole is
    meant, and only that may have a `utility_label`. `author` is the token's name when left out;
    another one takes the scope `admin`."""

    label: Label
    utility_label: UtilityLabel | None = None
    claim_position: Annotated[int, Field(ge=1, le=MAX_CLAIM_POSITION), Number] | None = None
    comment: Annotated[str, NonEmpty, Field(max_length=MAX_COMMENT_CHARS)] | None = None
    author: Author | None = None

    @model_validator(mode="after")
    def _claims_are_not_useful(self) -> Self:
        if self.utility_label is not None and self.claim_position is not None:
            raise ValueError("utility_label is of the whole answer; leave claim_position out")
        return self


@feedback_router.post("", responses=NO_SUCH_EVALUATION)
async def upsert_feedback(
    evaluation_id: uuid.UUID, body: FeedbackCreate, access: WriteAccess
) -> HumanFeedbackView:
    """Labels the answer or one of its claims. What the same author said of it before is
    replaced. An answer may be labelled whatever became of its verdict; claims are there once it
    has succeeded."""
    name = access.principal.name
    author = body.author or name
    if author != name and Scope.ADMIN not in access.principal.scopes:
        raise human_feedback.not_their_label()
    given = body.model_dump() | {"author": author, "by": name}
    return await human_feedback.upsert_feedback(*access.workspace, evaluation_id, **given)


@feedback_router.get("", responses=NO_SUCH_EVALUATION)
async def list_feedback(evaluation_id: uuid.UUID, access: ReadAccess) -> list[HumanFeedbackView]:
    """Everybody's, the whole answer first, then claim by claim."""
    return list(await human_feedback.list_feedback(*access.workspace, evaluation_id))


@feedback_router.delete(
    "/{feedback_id}",
    status_code=204,
    responses=not_found("There is no such feedback of this evaluation."),
)
async def delete_feedback(
    evaluation_id: uuid.UUID, feedback_id: uuid.UUID, access: WriteAccess
) -> None:
    """Deletes a label of the token's name, with the scope `admin` anybody's."""
    await human_feedback.delete_feedback(
        *access.workspace,
        evaluation_id,
        feedback_id,
        by=access.principal.name,
        anybodys=Scope.ADMIN in access.principal.scopes,
    )


router = APIRouter(prefix="/qa-evaluations", tags=["people"])

_ORDER = "review"


class ReviewPage(Page[labelling.ReviewItem, str]):
    """`next` continues the list; it is null on the last page."""


@router.get("/review-queue")
async def get_review_queue(
    access: ReadAccess,
    lang: Language,
    author: Author | None = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
    after: Annotated[str | None, Query(max_length=200)] = None,
) -> ReviewPage:
    """The verdicts that are most uncertain or most disputed first, of the newest 5,000, without
    those whose answer `author` (the token's name when left out) has labelled."""
    items = await labelling.review_queue(
        *access.workspace,
        author=author or access.principal.name,
        lang=lang,
        after=labelling.AfterScore(*decode_cursor(after, _ORDER, exact)) if after else None,
        limit=limit + 1,
    )
    return ReviewPage.of(items, limit, _cursor)


def _cursor(item: labelling.ReviewItem) -> str:
    return encode_cursor(_ORDER, Decimal(str(item.score)), item.evaluation.id)


@router.get("/agreement")
async def get_agreement(
    access: ReadAccess, judge_model: Annotated[Name | None, Query()] = None
) -> agreements.JudgeAgreement:
    """How far the judge and people agree, of the newest 10,000 labels: weighted kappa with its
    95 % interval, or null and why not. Without `judge_model`, of the verdicts that count."""
    answers = await agreements.answer_pairs(*access.workspace, judge_model)
    claims = await agreements.claim_pairs(*access.workspace, judge_model)
    await access.session.close()
    return agreements.JudgeAgreement(
        judge_model=judge_model,
        of_answers=await asyncio.to_thread(agreements.agreement, answers),
        of_claims=await asyncio.to_thread(agreements.agreement, claims),
    )


labelling_router = APIRouter(prefix="/review", tags=["people"])


@labelling_router.post("/reservations")
async def reserve_answers(
    body: labelling.ReservationCreate, access: StepwiseAccess, lang: Language
) -> labelling.LabelQueue:
    """The next answers to label, without anything of their verdicts. They and those `held` are
    reserved for ten minutes: nobody else is given them. Ask again to renew. A label takes no
    reservation, and ends none."""
    author = body.author or access.principal.name
    async with access.session.begin():
        given = await labelling.reserve(*access.workspace, body, author)
    await access.session.close()
    return await asyncio.to_thread(labelling.label_queue, given, author, lang, reasons=body.reasons)


@labelling_router.delete("/reservations", status_code=204)
async def release_answers(holder: Annotated[uuid.UUID, Query()], access: WriteAccess) -> None:
    """Releases all that the holder has open."""
    await labelling.release(*access.workspace, holder)


@labelling_router.get("/agreement")
async def get_people_agreement(access: ReadAccess) -> agreements.PeopleAgreement:
    """How far people agree with each other: for each two authors the answers that both have
    labelled as a whole, and weighted kappa with its 95 % interval, or null and why not. Of the
    newest 50,000 pairs of labels, the 50 pairs of authors with the most answers in common."""
    labels = await agreements.double_labels(*access.workspace)
    await access.session.close()
    return await asyncio.to_thread(agreements.people_agreement, labels)


class DrawCreate(StrictBody):
    """`since` is included, `until` is not; without them the 30 days until now. `stratify` divides
    the answers, and draws from each part. `seed` repeats an earlier draw over the same answers."""

    size: Annotated[int, Field(ge=1, le=draws.MAX_SIZE), Number] = draws.DEFAULT_SIZE
    stratify: Annotated[tuple[StratifyBy, ...], Field(max_length=len(STRATIFY))] = ()
    since: Moment | None = None
    until: Moment | None = None
    notebook_id: uuid.UUID | None = None
    judge_model: Name | None = None
    seed: Annotated[int, Field(ge=0, le=draws.MAX_SEED), Number] | None = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if len(set(self.stratify)) < len(self.stratify):
            raise ValueError("stratify names the same twice")
        if self.since and self.until and self.since >= self.until:
            raise ValueError("since must be before until")
        return self


@labelling_router.post(
    "/samples", status_code=201, responses=not_found("The workspace has no such notebook.")
)
async def draw_sample(body: DrawCreate, access: WriteAccess) -> draws.Draw:
    """Draws judged answers at random for people to label, and stores with each the chance it had.
    What earlier draws have picked is not drawn again."""
    if body.notebook_id is not None:
        await get_notebook(*access.workspace, body.notebook_id)
    until = body.until or dt.datetime.now(dt.UTC)
    frame = draws.Frame(
        since=body.since or until - dt.timedelta(days=draws.DEFAULT_DAYS),
        until=until,
        notebook_id=body.notebook_id,
        judge_model=body.judge_model,
    )
    return await draws.draw(
        *access.workspace, frame, size=body.size, stratify=body.stratify, seed=body.seed
    )


@labelling_router.get("/samples")
async def list_samples(access: ReadAccess) -> list[draws.Draw]:
    """The newest 100 draws, newest first, with what is labelled of each stratum."""
    return await draws.list_draws(*access.workspace)


@labelling_router.get("/sampled")
async def list_sampled(
    access: ReadAccess,
    author: Author | None = None,
    again: bool = False,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> draws.DrawnQueue:
    """The drawn answers that nobody has labelled, in the order drawn. Estimates count a draw's
    labels from its first answer on, so label them in this order. With `again`, those that others
    have labelled and `author` (the token's name when left out) has not."""
    return await draws.drawn_queue(
        *access.workspace, author=author or access.principal.name, again=again, limit=limit
    )
