"""Answers given to people to label, and how far those people agree with each other."""

import asyncio
import uuid
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field, StrictBool

from app.api.human_feedback import Author
from app.api.problems import Language
from app.api.schemas import StrictBody
from app.api.sessions import ReadAccess, StepwiseAccess, WriteAccess
from app.platform.db.owned_queries import MAX_SELECTED
from app.quality.review import labelling
from app.quality.review.agreement import PeopleAgreement, double_labels, people_agreement
from app.quality.review.labelling import MAX_HELD, MAX_ITEMS, LabelQueue, LabelSource, Wanted
from app.verdicts.policy.document import Number

router = APIRouter(prefix="/review", tags=["people"])


class ReservationCreate(StrictBody):
    """holder: an id that the window or command has chosen for itself, by which it renews and
    releases what it has open. source: answers drawn at random, verdicts that are doubtful, or
    `chosen`: the answers of `evaluation_ids` in this order, without those that the author has
    labelled. again: of the first two, what others have labelled, for a second label, in place of
    what nobody has. held: answers that are open still; the holder's others are released. count: how
    many more; 0 renews those held. reasons: with why verdicts are doubtful, which hints at them.
    author: the token's name when left out."""

    holder: uuid.UUID
    source: LabelSource = "drawn"
    again: StrictBool = False
    author: Author | None = None
    evaluation_ids: Annotated[tuple[uuid.UUID, ...], Field(max_length=MAX_SELECTED)] = ()
    held: Annotated[tuple[uuid.UUID, ...], Field(max_length=MAX_HELD)] = ()
    count: Annotated[int, Field(ge=0, le=MAX_ITEMS), Number] = 2
    reasons: StrictBool = False


@router.post("/reservations")
async def reserve_answers(
    body: ReservationCreate, access: StepwiseAccess, lang: Language
) -> LabelQueue:
    """The next answers to label, without anything of their verdicts. They and those `held` are
    reserved for ten minutes: nobody else is given them. Ask again to renew. A label takes no
    reservation, and ends none."""
    author = body.author or access.principal.name
    wanted = Wanted(author=author, **body.model_dump(exclude={"author", "reasons"}))
    async with access.session.begin():
        given = await labelling.reserve(access.session, access.workspace_id, wanted)
    await access.session.close()
    return await asyncio.to_thread(labelling.label_queue, given, author, lang, reasons=body.reasons)


@router.delete("/reservations", status_code=204)
async def release_answers(holder: Annotated[uuid.UUID, Query()], access: WriteAccess) -> None:
    """Releases all that the holder has open."""
    await labelling.release(access.session, access.workspace_id, holder)


@router.get("/agreement")
async def get_people_agreement(access: ReadAccess) -> PeopleAgreement:
    """How far people agree with each other: for each two authors the answers that both have
    labelled as a whole, and weighted kappa with its 95 % interval, or null and why not. Of the
    newest 50,000 pairs of labels, the 50 pairs of authors with the most answers in common."""
    labels = await double_labels(access.session, access.workspace_id)
    await access.session.close()
    return await asyncio.to_thread(people_agreement, labels)
