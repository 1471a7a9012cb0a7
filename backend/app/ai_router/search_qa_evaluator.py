"""The judge of answers from notes under its published path, with its published signature."""

from collections.abc import Sequence

from app.ai_router.types import ChatRouter, Lang
from app.judges.answer import AnswerToJudge, SearchQAEvaluation, SourceCoverage
from app.judges.published.search_qa import SearchQAJudge

__all__ = ["SearchQAEvaluation", "SearchQAEvaluator", "SourceCoverage"]


class SearchQAEvaluator(SearchQAJudge):
    def __init__(self, ai_router: ChatRouter) -> None:
        super().__init__(ai_router)

    async def evaluate(
        self,
        question: str,
        context_notes: Sequence[str],
        note_titles: Sequence[str],
        ai_response: str,
        lang: Lang = "ko",
    ) -> SearchQAEvaluation | None:
        """As `SearchQAJudge.judge`. note_titles: of the first notes; the others have none."""
        return await self.judge(
            AnswerToJudge.from_texts(question, ai_response, context_notes, note_titles, lang=lang)
        )
