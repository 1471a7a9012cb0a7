"""Judges an answer in three respects and names what a better one needs."""

import asyncio
import logging
import secrets
from collections.abc import Sequence

from app.ai_router.types import ChatRouter, Lang
from app.judges.answer import AnswerToJudge, Note
from app.judges.model.ask_judge import (
    JudgeReply,
    JudgeText,
    Score,
    ask_judge,
    output_schema,
    parse_reply,
)
from app.judges.prompts.phases import REFINEMENT_VERSION as PROMPT_VERSION
from app.judges.prompts.phases import TOP_DOCUMENTS, build_refinement
from app.judges.published.refinement import (
    QUALITY_THRESHOLD,
    Document,
    EvaluationResult,
    estimate,
    result,
)
from app.platform.errors import ProviderError

__all__ = ["PROMPT_VERSION", "QUALITY_THRESHOLD", "EvaluationResult", "QualityEvaluator"]

logger = logging.getLogger(__name__)

# Low, so that the same answer is judged alike.
TEMPERATURE = 0.3
MAX_TOKENS = 768


class _Reply(JudgeReply):
    missing_info: list[JudgeText]
    improvement_suggestions: list[JudgeText]
    reason: JudgeText
    grounding_score: Score
    completeness_score: Score
    accuracy_score: Score
    needs_retrieval: bool


OUTPUT = output_schema("refine_evaluation", _Reply)


class QualityEvaluator:
    """Judges answers with the model behind `router`, or by a heuristic where there is none.

    threshold: overall score below which `needs_retrieval` is true.
    fence_key: as in SearchQAJudge.
    """

    def __init__(
        self,
        router: ChatRouter | None,
        *,
        threshold: float = QUALITY_THRESHOLD,
        fence_key: bytes | None = None,
    ) -> None:
        # The offline models neither judge by a prompt nor write queries.
        self._router = router if router and router.model.provider != "offline" else None
        self._threshold = threshold
        self._fence_key = fence_key or secrets.token_bytes(32)

    async def evaluate(
        self,
        user_query: str,
        answer: str,
        retrieved_docs: Sequence[Document],
        profile_summary: str | None = None,
        previous_feedback: EvaluationResult | None = None,
        lang: Lang = "ko",
    ) -> EvaluationResult:
        """The evaluation, by the five best documents.

        Without a model, after an error of it, and after two replies that cannot be used, the
        result is the heuristic's and marked so. Raises no ProviderError.
        """
        notes = tuple(Note(one.title, one.content) for one in retrieved_docs[:TOP_DOCUMENTS])
        subject = AnswerToJudge(user_query, answer, notes, lang=lang)
        if self._router is None:
            logger.info("No model evaluates the answer; its quality is estimated")
            return await self._estimate(subject, model_failed=False)
        feedback = previous_feedback.feedback if previous_feedback else None
        messages = build_refinement(subject, profile_summary, feedback, self._fence_key)
        try:
            reply = await ask_judge(
                self._router,
                messages,
                output=OUTPUT,
                max_tokens=MAX_TOKENS,
                parse=lambda text: parse_reply(text, _Reply),
                lang=lang,
                temperature=TEMPERATURE,
            )
        except ProviderError as error:
            # The kind and not the error, which may quote what readers wrote.
            logger.warning("The evaluation failed (%s); its quality is estimated", error.kind)
            return await self._estimate(subject, model_failed=True)
        return result(
            reply.grounding_score,
            reply.completeness_score,
            reply.accuracy_score,
            missing_info=reply.missing_info,
            improvement_suggestions=reply.improvement_suggestions,
            reason=reply.reason,
            heuristic=False,
            threshold=self._threshold,
            asked_to_retrieve=reply.needs_retrieval,
        )

    async def _estimate(self, subject: AnswerToJudge, *, model_failed: bool) -> EvaluationResult:
        return await asyncio.to_thread(
            estimate, subject, threshold=self._threshold, model_failed=model_failed
        )
