"""What a person should look at first, and why."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.types import Lang
from app.judges.search_qa.evaluator import HIGH_CORRECTNESS, MEDIUM_CORRECTNESS
from app.quality.review import queue_queries as queries
from app.quality.review.explorer import EvaluationRow


class Reason(StrEnum):
    """What makes a verdict doubtful; sql/queue.sql weighs them."""

    PEOPLE_DISAGREE = "people_disagree"
    JUDGES_DISAGREE = "judges_disagree"
    CONTRADICTS_ISSUES = "contradicts_issues"
    PHASES_DISAGREE = "phases_disagree"
    NEAR_THRESHOLD = "near_threshold"
    DEGRADED = "degraded"


_TEXTS: Mapping[Lang, Mapping[Reason, str]] = {
    "en": {
        Reason.PEOPLE_DISAGREE: "people see it otherwise than the judge",
        Reason.JUDGES_DISAGREE: "judges see it differently",
        Reason.CONTRADICTS_ISSUES: "score and issues of the verdict contradict each other",
        Reason.PHASES_DISAGREE: "the verdict on the answer and those on its claims disagree",
        Reason.NEAR_THRESHOLD: "the score is close to a threshold",
        Reason.DEGRADED: "rules stood in for the judge",
    },
    "ko": {
        Reason.PEOPLE_DISAGREE: "사람의 의견이 평가 모델과 다릅니다",
        Reason.JUDGES_DISAGREE: "평가 모델마다 점수가 다릅니다",
        Reason.CONTRADICTS_ISSUES: "평가의 점수와 근거 이슈가 서로 맞지 않습니다",
        Reason.PHASES_DISAGREE: "답변 전체의 평가와 주장별 평가가 서로 다릅니다",
        Reason.NEAR_THRESHOLD: "점수가 기준값에 가깝습니다",
        Reason.DEGRADED: "평가 모델 대신 규칙 평가를 썼습니다",
    },
}


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
    """Where a judge's grades begin, as the statements of the queue take them."""
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
