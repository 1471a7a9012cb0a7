"""Answers given to people to label, each to one of them at a time.

What is given says nothing of the judge's verdict. An answer that somebody has open is reserved, so
that two people at once do not label the same one; a label needs no reservation.
"""

import datetime as dt
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StringConstraints
from sqlalchemy import RowMapping
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.types import Lang
from app.judges.answer import HIGH_CORRECTNESS, MEDIUM_CORRECTNESS
from app.judges.answer_parts import MAX_ANSWER_CHARS
from app.platform.db.owned_queries import MAX_SELECTED
from app.quality.review import queries
from app.quality.review.draws import drawn_queue
from app.quality.review.explorer import EvaluationRow
from app.quality.review.models import MAX_AUTHOR_CHARS
from app.text.sentences import split_sentences
from app.verdicts.policy.document import Number

LabelSource = Literal["drawn", "doubtful", "chosen"]
RESERVED_FOR = dt.timedelta(minutes=10)
MAX_ITEMS = 10
MAX_HELD = 500

Author = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, pattern=r"^[^\x00]*[^\s\x00][^\x00]*$"),
    Field(max_length=MAX_AUTHOR_CHARS),
]


class Reason(StrEnum):
    """What makes a verdict doubtful; sql/queue.sql weighs them, reasons.json words them."""

    PEOPLE_DISAGREE = "people_disagree"
    JUDGES_DISAGREE = "judges_disagree"
    CONTRADICTS_ISSUES = "contradicts_issues"
    PHASES_DISAGREE = "phases_disagree"
    NEAR_THRESHOLD = "near_threshold"
    DEGRADED = "degraded"


# Of each reason, by language.
_TEXTS: Mapping[Lang, Mapping[str, str]] = json.loads(
    Path(__file__).with_name("reasons.json").read_text("utf-8")
)


class ReasonView(BaseModel):
    """Why a verdict stands in the queue; `text` is in the caller's language."""

    reason: Reason
    weight: float
    text: str


class ReviewItem(BaseModel):
    """`score` is the sum of the weights: the higher, the sooner."""

    score: float
    reasons: list[ReasonView]
    evaluation: EvaluationRow


@dataclass(frozen=True, slots=True)
class AfterScore:
    """The last item of the page before."""

    score: Decimal
    id: uuid.UUID


async def review_queue(
    session: AsyncSession,
    workspace_id: uuid.UUID,
    *,
    author: str,
    lang: Lang,
    after: AfterScore | None,
    limit: int,
) -> list[ReviewItem]:
    """Without what the author has labelled, and without verdicts that nothing speaks against."""
    rows = await session.execute(
        queries.QUEUE,
        {
            "workspace_id": workspace_id,
            "author": author,
            **thresholds(),
            "after_score": after.score if after else None,
            "after_id": after.id if after else None,
            "limit": limit,
        },
    )
    return [_item(dict(row), lang) for row in rows.mappings()]


def thresholds() -> dict[str, float]:
    """Thresholds of a judge's grades, as parameters of the queue's statements."""
    return {"medium": MEDIUM_CORRECTNESS, "high": HIGH_CORRECTNESS}


def reason_views(reasons: Sequence[Mapping[str, Any]], lang: Lang) -> list[ReasonView]:
    """reasons: of the CTE `ranked`."""
    return [ReasonView(**each, text=_TEXTS[lang][each["reason"]]) for each in reasons]


def _item(row: dict[str, Any], lang: Lang) -> ReviewItem:
    return ReviewItem(
        score=row["review_score"],
        reasons=reason_views(row["reasons"], lang),
        evaluation=EvaluationRow.model_validate(row),
    )


class Sentence(BaseModel):
    """Characters `start` to `end` of the answer, the end excluded."""

    start: int
    end: int


class GivenNote(BaseModel):
    """A note as the answering model was given it; `note_id` is null for notes that are not ours or
    gone."""

    note_index: int
    note_id: uuid.UUID | None
    title: str
    content: str


class LabelItem(BaseModel):
    """An answer with all that labelling it needs. `evaluation_id` is what POST
    /qa-evaluations/{id}/feedback takes. number: of a drawn answer its place through all draws, from
    1; null for a doubtful one. reasons: why it is doubtful, null unless asked for."""

    evaluation_id: uuid.UUID
    answer_id: uuid.UUID
    number: int | None
    question: str
    answer: str
    lang: str
    sentences: list[Sentence]
    notes: list[GivenNote]
    reasons: list[ReasonView] | None


class LabelQueue(BaseModel):
    """items: given now, in order, beside those already held. remaining: what `author` may still
    label, the held and what others have open included. drawn: how many answers are drawn, labelled
    ones included; null for others."""

    author: str
    items: list[LabelItem]
    remaining: int
    drawn: int | None


class ReservationCreate(BaseModel):
    """holder: an id that the window or command has chosen for itself, by which it renews and
    releases what it has open. source: answers drawn at random, verdicts that are doubtful, or
    `chosen`: the answers of `evaluation_ids` in this order, without those that the author has
    labelled. again: of the first two, what others have labelled, for a second label, in place of
    what nobody has. held: answers that are open still; the holder's others are released. count: how
    many more; 0 renews those held. reasons: with why verdicts are doubtful, which hints at them.
    author: the token's name when left out."""

    model_config = ConfigDict(extra="forbid")

    holder: uuid.UUID
    source: LabelSource = "drawn"
    again: StrictBool = False
    author: Author | None = None
    evaluation_ids: Annotated[tuple[uuid.UUID, ...], Field(max_length=MAX_SELECTED)] = ()
    held: Annotated[tuple[uuid.UUID, ...], Field(max_length=MAX_HELD)] = ()
    count: Annotated[int, Field(ge=0, le=MAX_ITEMS), Number] = 2
    reasons: StrictBool = False


@dataclass(frozen=True, slots=True)
class Reserved:
    """rows: of queries.ITEMS. numbers, reasons: by answer."""

    rows: Sequence[RowMapping]
    numbers: Mapping[uuid.UUID, int]
    reasons: Mapping[uuid.UUID, Sequence[Mapping[str, Any]]]
    remaining: int
    drawn: int | None


async def reserve(
    session: AsyncSession, workspace_id: uuid.UUID, request: ReservationCreate, author: str
) -> Reserved:
    """Renews what the holder has open for RESERVED_FOR, releases what it no longer holds, and
    reserves the next; the caller commits. author: of the request, or the token's name."""
    here = {"workspace_id": workspace_id, "holder": request.holder}
    minutes = int(RESERVED_FOR.total_seconds() / 60)
    await session.execute(queries.LOCK_LABELLING, {"workspace_id": str(workspace_id)})
    await session.execute(queries.RELEASE, here | {"ids": list(request.held)})
    await session.execute(queries.RESERVE, here | {"ids": list(request.held), "minutes": minutes})
    given = await _SOURCES[request.source](session, workspace_id, request, author)
    ids = [row["answer_id"] for row in given.rows]
    await session.execute(queries.RESERVE, here | {"ids": ids, "minutes": minutes})
    return given


async def release(session: AsyncSession, workspace_id: uuid.UUID, holder: uuid.UUID) -> None:
    """Releases all that the holder has open; the caller commits."""
    about = {"workspace_id": workspace_id, "holder": holder, "ids": []}
    await session.execute(queries.RELEASE, about)


async def _drawn(
    session: AsyncSession, workspace_id: uuid.UUID, request: ReservationCreate, author: str
) -> Reserved:
    again, limit = request.again, request.count
    found = await drawn_queue(
        session, workspace_id, author=author, again=again, limit=limit, free=True
    )
    numbers = {item.evaluation.answer_id: item.number for item in found.queue}
    rows = await _rows(session, workspace_id, list(numbers))
    return Reserved(rows, numbers, {}, found.remaining, found.drawn)


async def _doubtful(
    session: AsyncSession, workspace_id: uuid.UUID, request: ReservationCreate, author: str
) -> Reserved:
    about = {"workspace_id": workspace_id, "author": author, "again": request.again}
    found = await session.execute(queries.DOUBTFUL, about | thresholds() | {"limit": request.count})
    ranked = found.mappings().all()
    reasons = {row["answer_id"]: row["reasons"] for row in ranked if row["answer_id"]}
    rows = await _rows(session, workspace_id, list(reasons))
    return Reserved(rows, {}, reasons, ranked[0]["remaining"], None)


async def _chosen(
    session: AsyncSession, workspace_id: uuid.UUID, request: ReservationCreate, author: str
) -> Reserved:
    about = {"workspace_id": workspace_id, "author": author, "limit": request.count}
    about["ids"] = list(request.evaluation_ids)
    found = (await session.execute(queries.CHOSEN, about)).all()
    ids = [row.answer_id for row in found if row.answer_id]
    rows = await _rows(session, workspace_id, ids)
    return Reserved(rows, {}, {}, found[0].remaining, None)


_SOURCES = {"drawn": _drawn, "doubtful": _doubtful, "chosen": _chosen}


async def _rows(
    session: AsyncSession, workspace_id: uuid.UUID, ids: list[uuid.UUID]
) -> Sequence[RowMapping]:
    about = {"workspace_id": workspace_id, "ids": ids}
    return (await session.execute(queries.ITEMS, about)).mappings().all()


def label_queue(given: Reserved, author: str, lang: Lang, *, reasons: bool) -> LabelQueue:
    """The shown part of it. reasons: with why answers are doubtful. Blocks for up to a third of a
    second for each answer that somebody wrote to be slow."""
    items = [
        LabelItem(
            **row,
            number=given.numbers.get(row["answer_id"]),
            sentences=_sentences(row["answer"]),
            reasons=reason_views(given.reasons[row["answer_id"]], lang)
            if reasons and row["answer_id"] in given.reasons
            else None,
        )
        for row in given.rows
    ]
    return LabelQueue(author=author, items=items, remaining=given.remaining, drawn=given.drawn)


def _sentences(answer: str) -> list[Sentence]:
    spans = split_sentences(answer[:MAX_ANSWER_CHARS])
    return [Sentence(start=span.start, end=span.end) for span in spans]
