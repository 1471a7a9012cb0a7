"""Random draws of answers for people to label."""

import datetime as dt
import uuid
from typing import Annotated, Self

from fastapi import APIRouter, Query
from pydantic import Field, model_validator

from app.api.explorer import Moment, Name
from app.api.human_feedback import Author
from app.api.openapi import not_found
from app.api.schemas import StrictBody
from app.api.sessions import ReadAccess, WriteAccess
from app.notes.service import get_notebook
from app.quality.review import draws
from app.quality.review.draw_queries import STRATIFY, StratifyBy
from app.quality.review.draws import (
    DEFAULT_DAYS,
    DEFAULT_SIZE,
    MAX_SEED,
    MAX_SIZE,
    Draw,
    DrawnQueue,
    Frame,
)

router = APIRouter(prefix="/review", tags=["people"])


class DrawCreate(StrictBody):
    """`since` is included, `until` is not; without them the 30 days until now. `stratify` divides
    the answers, and draws from each part. `seed` repeats an earlier draw over the same answers."""

    size: Annotated[int, Field(ge=1, le=MAX_SIZE)] = DEFAULT_SIZE
    stratify: Annotated[tuple[StratifyBy, ...], Field(max_length=len(STRATIFY))] = ()
    since: Moment | None = None
    until: Moment | None = None
    notebook_id: uuid.UUID | None = None
    judge_model: Name | None = None
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)] | None = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if len(set(self.stratify)) < len(self.stratify):
            raise ValueError("stratify names the same twice")
        if self.since and self.until and self.since >= self.until:
            raise ValueError("since must be before until")
        return self


@router.post(
    "/samples", status_code=201, responses=not_found("The workspace has no such notebook.")
)
async def draw_sample(body: DrawCreate, access: WriteAccess) -> Draw:
    """Draws judged answers at random for people to label, and stores with each the chance it had.
    What earlier draws have picked is not drawn again."""
    if body.notebook_id is not None:
        await get_notebook(access.session, access.workspace_id, body.notebook_id)
    until = body.until or dt.datetime.now(dt.UTC)
    frame = Frame(
        since=body.since or until - dt.timedelta(days=DEFAULT_DAYS),
        until=until,
        notebook_id=body.notebook_id,
        judge_model=body.judge_model,
    )
    return await draws.draw(
        access.session,
        access.workspace_id,
        frame,
        size=body.size,
        stratify=body.stratify,
        seed=body.seed,
    )


@router.get("/samples")
async def list_samples(access: ReadAccess) -> list[Draw]:
    """The newest 100 draws, newest first, with what is labelled of each stratum."""
    return await draws.list_draws(access.session, access.workspace_id)


@router.get("/sampled")
async def list_sampled(
    access: ReadAccess,
    author: Author | None = None,
    again: bool = False,
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> DrawnQueue:
    """The drawn answers that nobody has labelled, in the order drawn. Estimates count a draw's
    labels from its first answer on, so label them in this order. With `again`, those that others
    have labelled and `author` (the token's name when left out) has not."""
    return await draws.drawn_queue(
        access.session,
        access.workspace_id,
        author=author or access.principal.name,
        again=again,
        limit=limit,
    )
