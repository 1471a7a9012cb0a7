"""The review queue, and the agreement of people with the judge."""

import asyncio
from decimal import Decimal
from typing import Annotated

from fastapi import APIRouter, Query

from app.api.explorer import Name
from app.api.human_feedback import Author
from app.api.parameters import decode_cursor, encode_cursor, exact
from app.api.problems import Language
from app.api.sessions import ReadAccess
from app.platform.db.owned_queries import Page
from app.quality.review.agreement import JudgeAgreement, agreement, answer_pairs, claim_pairs
from app.quality.review.labelling import AfterScore, ReviewItem, review_queue

router = APIRouter(prefix="/qa-evaluations", tags=["people"])

_ORDER = "review"


class ReviewPage(Page[ReviewItem, str]):
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
    items = await review_queue(
        access.session,
        access.workspace_id,
        author=author or access.principal.name,
        lang=lang,
        after=AfterScore(*decode_cursor(after, _ORDER, exact)) if after else None,
        limit=limit + 1,
    )
    return ReviewPage.of(items, limit, _cursor)


def _cursor(item: ReviewItem) -> str:
    return encode_cursor(_ORDER, Decimal(str(item.score)), item.evaluation.id)


@router.get("/agreement")
async def get_agreement(
    access: ReadAccess, judge_model: Annotated[Name | None, Query()] = None
) -> JudgeAgreement:
    """How far the judge and people agree, of the newest 10,000 labels: weighted kappa with its
    95 % interval, or null and why not. Without `judge_model`, of the verdicts that count."""
    answers = await answer_pairs(access.session, access.workspace_id, judge_model)
    claims = await claim_pairs(access.session, access.workspace_id, judge_model)
    await access.session.close()
    return JudgeAgreement(
        judge_model=judge_model,
        of_answers=await asyncio.to_thread(agreement, answers),
        of_claims=await asyncio.to_thread(agreement, claims),
    )
