"""Random draws of answers for people to label: the labels that estimates may rest on.

A label counts in an estimate only where its answer had a known chance of being drawn. The review
queue shows doubtful verdicts first; labels given there say nothing of answers in general.
"""

import asyncio
import datetime as dt
import secrets
import uuid
from collections.abc import Sequence

from pydantic import BaseModel
from sqlalchemy import RowMapping
from sqlalchemy.ext.asyncio import AsyncSession

from app.platform.errors import InvalidRequest
from app.platform.ids import new_id
from app.quality.metrics.inclusion import MIN_OF_STRATUM, allocate, pick
from app.quality.review import queries
from app.quality.review.queries import StratifyBy

DEFAULT_SIZE = 200
MAX_SIZE = 10_000
DEFAULT_DAYS = 30
# What a draw records of its frame is 16 bytes for each answer.
MAX_FRAME = 100_000
MAX_SEED = 2**53 - 1
MAX_DRAWS = 100


class Frame(BaseModel):
    """Which answers may be drawn: those with a verdict that counts and is not degraded, stored
    from `since` to before `until`, of one notebook or judge where it is named."""

    since: dt.datetime
    until: dt.datetime
    notebook_id: uuid.UUID | None = None
    judge_model: str | None = None


class Stratum(BaseModel):
    """answers: of the frame, at the time of the draw; drawn, labelled: of these, by this draw, and
    by anybody; inclusion_probability: above 0 to 1, null where none was drawn."""

    name: str
    answers: int
    drawn: int
    labelled: int
    inclusion_probability: float | None


class Draw(BaseModel):
    """size: as asked for; drawn may be less where there were fewer answers. answers: size of the
    frame. The same seed over the same answers draws the same."""

    id: uuid.UUID
    created_at: dt.datetime
    seed: int
    size: int
    since: dt.datetime
    until: dt.datetime
    notebook_id: uuid.UUID | None
    judge_model: str | None
    stratify: list[StratifyBy]
    answers: int
    drawn: int
    labelled: int
    strata: list[Stratum]


class DrawnAnswer(BaseModel):
    """By the verdict that counts, `id`, but without anything that it says: who has seen it agrees
    with it more often."""

    id: uuid.UUID
    answer_id: uuid.UUID
    question: str
    lang: str


class DrawnItem(BaseModel):
    """position: in its draw, from 1; number: through all draws, from 1."""

    draw_id: uuid.UUID
    position: int
    number: int
    inclusion_probability: float
    evaluation: DrawnAnswer


class DrawnQueue(BaseModel):
    """queue: what is to be labelled next, in the order drawn, `remaining` in all; labelled of drawn
    answers have a label by anybody."""

    queue: list[DrawnItem]
    remaining: int
    labelled: int
    drawn: int


async def draw(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    frame: Frame,
    *,
    size: int,
    stratify: Sequence[StratifyBy],
    seed: int | None = None,
) -> Draw:
    """Draws up to `size` answers that no draw has picked yet, and stores with each its chance;
    the caller commits.

    Raises InvalidRequest for a frame that is empty, drawn already or too large, and for more
    strata than `size` allows.
    """
    about = {"workspace_id": workspace_id, **frame.model_dump()}
    await session.execute(queries.LOCK_DRAWS, {"workspace_id": str(workspace_id)})
    strata = (await session.execute(queries.draw_frame(stratify), about)).mappings().all()
    _check(strata, size)
    available = [stratum["available"] for stratum in strata]
    counts = allocate([len(ids) for ids in available], size)
    seed = secrets.randbelow(MAX_SEED) if seed is None else seed
    picked = await asyncio.to_thread(pick, available, counts, seed)
    draw_id = new_id()
    of_draw = {"workspace_id": workspace_id, "draw_id": draw_id}
    about |= {"id": draw_id, "seed": seed, "size": size, "stratify": list(stratify)}
    await session.execute(queries.INSERT_DRAW, about)
    rows = [
        {**of_draw, "id": new_id(), "name": each["name"], "answer_ids": each["answer_ids"]}
        for each in strata
    ]
    await session.execute(queries.INSERT_STRATUM, rows)
    items = {
        "answer_ids": [answer_id for _, answer_id in picked],
        "stratum_ids": [rows[place]["id"] for place, _ in picked],
        "probabilities": [counts[place] / len(available[place]) for place, _ in picked],
    }
    await session.execute(queries.INSERT_ITEMS, of_draw | items)
    return (await list_draws(session, workspace_id, draw_id))[0]


def _check(strata: Sequence[RowMapping], size: int) -> None:
    answers = sum(len(stratum["answer_ids"]) for stratum in strata)
    if not any(stratum["available"] for stratum in strata):
        drawn = f" All {answers} were drawn already." if answers else ""
        drawn_ko = f" {answers}개 모두 이미 추출되었습니다." if answers else ""
        raise InvalidRequest.worded("nothing-to-draw", drawn=drawn, drawn_ko=drawn_ko)
    if answers > MAX_FRAME:
        raise InvalidRequest.worded("frame-too-large", answers=answers, most=MAX_FRAME)
    needed = MIN_OF_STRATUM * len(strata)
    if needed > size:
        raise InvalidRequest.worded("too-many-strata", strata=len(strata), needed=needed)


async def list_draws(
    session: AsyncSession, workspace_id: uuid.UUID, id_: uuid.UUID | None = None
) -> list[Draw]:
    """The newest MAX_DRAWS, newest first, or that one."""
    about = {"workspace_id": workspace_id, "id": id_, "limit": MAX_DRAWS}
    rows = await session.execute(queries.DRAWS, about)
    return [Draw.model_validate(dict(row)) for row in rows.mappings()]


async def drawn_queue(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    *,
    author: str,
    again: bool,
    limit: int,
    free: bool = False,
) -> DrawnQueue:
    """Answers without a label. again: what others have labelled and `author` has not, for a second
    label. free: without what somebody has open."""
    about = {"workspace_id": workspace_id, "author": author, "again": again}
    rows = await session.execute(queries.DRAW_QUEUE, about | {"free": free, "limit": limit})
    items = [
        DrawnItem(**row, evaluation=DrawnAnswer.model_validate(row))
        for row in map(dict, rows.mappings())
    ]
    progress = (await session.execute(queries.PROGRESS, about)).mappings().one()
    return DrawnQueue(queue=items, **progress)
