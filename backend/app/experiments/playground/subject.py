"""The stored answer that a trial is made with."""

import uuid
from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy.ext.asyncio import AsyncSession

from app.experiments.playground import queries
from app.judges.answer import AnswerToJudge
from app.judges.answer_parts import parts_needed
from app.judges.judge import BY_MODEL
from app.judges.phases.feedback import Phase
from app.judges.prompts.one_call import OneCallPrompt
from app.judges.verdict_prompts import one_call_prompt
from app.text.evidence import evidence_from_json
from app.text.language import lang_of
from app.verdicts.policy.judge_prices import JudgePrices

_CLAIMS: Phase = "groundedness"


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

    def evaluators_of(self, prompt: str | OneCallPrompt) -> tuple[str, ...]:
        """Those of its verdict, and claims where they come in the same call."""
        has_claims = {_CLAIMS, _CLAIMS + BY_MODEL} & {*self.evaluators}
        if has_claims or one_call_prompt(prompt) is None:
            return self.evaluators
        return (*self.evaluators, _CLAIMS)

    def max_cost(
        self, judge_model: str, prompt: str | OneCallPrompt, prices: JudgePrices
    ) -> Decimal | None:
        """US dollars that judging it may cost at most; None where nobody knows."""
        answer = self.subject
        texts = (answer.question, answer.answer, *answer.contents)
        return prices.estimate(
            [judge_model],
            self.evaluators_of(prompt),
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
