"""Trials as readers get them."""

import datetime as dt
import uuid
from typing import Self

from pydantic import BaseModel

from app.ai_router.types import Lang
from app.judges.phases.feedback import FeedbackResult
from app.judges.quality_gate import QualityResult
from app.judges.search_qa.evaluator import SearchQAEvaluation
from app.platform.db.page import Listed
from app.platform.jobs.status import JobStatus
from app.verdicts.lifecycle.feedback_rows import claim_rows
from app.verdicts.reading.feedback_views import ClaimView


class TrialVerdict(BaseModel):
    """What the judge says. evaluation: as it would be stored, with the confidence that it would
    have; claims: null where the prompt asks for none; overall_score: of the phases, 0 to 1, null
    without any."""

    evaluation: SearchQAEvaluation
    quality: QualityResult | None
    claims: list[ClaimView] | None
    overall_score: float | None
    prompt_version: str

    @classmethod
    def of(
        cls,
        evaluation: SearchQAEvaluation,
        quality: QualityResult | None,
        feedback: FeedbackResult | None,
        prompt_version: str,
    ) -> Self:
        claims = None
        if feedback is not None and feedback.phase3 is not None:
            claims = [
                ClaimView(**row, start=row["start_char"], end=row["end_char"])
                for row in claim_rows(feedback)
            ]
        return cls(
            evaluation=evaluation,
            quality=quality,
            claims=claims,
            overall_score=feedback.overall_score if feedback else None,
            prompt_version=prompt_version,
        )


class TrialView(Listed):
    """A trial. prompt: the version; instructions: what replaced those of it in `lang`, null where
    nothing did. status: of its job; verdict: null until it has succeeded, error until it has
    failed. What it took is null where nobody knows: tokens, US dollars, milliseconds."""

    evaluation_id: uuid.UUID
    judge_model: str
    prompt: str
    instructions: str | None
    lang: Lang
    made_by: str
    status: JobStatus
    error: str | None
    verdict: TrialVerdict | None
    calls: int | None
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_usd: float | None
    judge_ms: float | None
    created_at: dt.datetime
    finished_at: dt.datetime | None
