"""The judge of checklists under its published path, with its published signature."""

from app.ai_router.types import ChatRouter, Lang
from app.judges.answer import AnswerToJudge
from app.judges.checklists import (
    CHECKLISTS,
    QualityChecklist,
    QualityItem,
    QualityJudge,
    QualityResult,
)

__all__ = ["CHECKLISTS", "QualityChecklist", "QualityGate", "QualityItem", "QualityResult"]


class QualityGate(QualityJudge):
    def __init__(self, ai_router: ChatRouter) -> None:
        super().__init__(ai_router)

    async def evaluate(
        self, feature: str, question: str, ai_response: str, lang: Lang = "ko"
    ) -> QualityResult | None:
        """As `QualityJudge.judge`."""
        return await self.judge(AnswerToJudge(question, ai_response, lang=lang, feature=feature))
