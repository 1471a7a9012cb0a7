"""Trials as readers get them."""

import datetime as dt
import uuid
from dataclasses import dataclass
from decimal import Decimal
from typing import Self

from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncSession

from app.ai_router.types import Lang
from app.experiments.playground import queries
from app.judges.answer import AnswerToJudge, SearchQAEvaluation
from app.judges.answer_parts import parts_needed
from app.judges.checklists import QualityResult
from app.judges.judge import BY_MODEL
from app.judges.phases.run import FeedbackResult, Phase
from app.judges.prompts.one_call import OneCallPrompt
from app.platform.db.owned_queries import Listed
from app.platform.jobs.status import JobStatus
from app.text.evidence import evidence_from_json
from app.text.language import lang_of
from app.verdicts.lifecycle.verdict_rows import claim_rows
from app.verdicts.policy.judge_prices import JudgePrices
from app.verdicts.reading.feedback_views import ClaimView

_CLAIMS: Phase = "groundedness"


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


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """An answer with what its verdict was asked for, and by whom."""

    subject: AnswerToJudge
    evaluators: tuple[str, ...]
    judge_model: str
    judge_prompt: str | None

    @property
    def judged_by_notes(self) -> bool:
        return "search_qa" in self.evaluators

    @property
    def trial_evaluators(self) -> tuple[str, ...]:
        """Those of its verdict, and claims, which come in the same call."""
        has_claims = {_CLAIMS, _CLAIMS + BY_MODEL} & {*self.evaluators}
        return self.evaluators if has_claims else (*self.evaluators, _CLAIMS)

    def max_cost(
        self, judge_model: str, prompt: str | OneCallPrompt, prices: JudgePrices
    ) -> Decimal | None:
        """US dollars that judging it may cost at most; None where nobody knows."""
        answer = self.subject
        texts = (answer.question, answer.answer, *answer.contents)
        return prices.estimate(
            [judge_model],
            self.trial_evaluators,
            sum(len(text.encode()) for text in texts),
            prompt,
            parts_needed(len(answer.answer)),
        )


async def stored_answer(
    session: AsyncSession, workspace_id: uuid.UUID, evaluation_id: uuid.UUID
) -> StoredAnswer | None:
    """None if the workspace has no such evaluation."""
    given = {"workspace_id": workspace_id, "id": evaluation_id}
    row = (await session.execute(queries.ANSWER, given)).one_or_none()
    if row is None:
        return None
    subject = AnswerToJudge.from_texts(
        row.question,
        row.answer,
        row.contents,
        row.titles,
        evidence=evidence_from_json(row.evidence),
        lang=lang_of(row.lang),
        feature=row.feature,
    )
    return StoredAnswer(subject, tuple(row.evaluators), row.judge_model, row.judge_prompt)
