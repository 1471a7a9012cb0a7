"""What the calls of a loop take."""

from collections.abc import Sequence

from app.ai_router.types import (
    ChatResponse,
    ChatRouter,
    Grounding,
    Message,
    ModelName,
    OutputSchema,
)
from app.verdicts.outcome import Usage


class MeteredRouter:
    """Wraps a router and sums tokens and cost of its calls."""

    def __init__(self, router: ChatRouter) -> None:
        self._router = router
        self._usage = Usage()

    @property
    def model(self) -> ModelName:
        return self._router.model

    async def chat(
        self,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        output: OutputSchema | None = None,
        grounding: Grounding | None = None,
    ) -> ChatResponse:
        """As AIRouter.chat."""
        response = await self._router.chat(
            messages,
            temperature=temperature,
            max_tokens=max_tokens,
            output=output,
            grounding=grounding,
        )
        self._usage += Usage(response.prompt_tokens, response.completion_tokens, response.cost_usd)
        return response

    def take_usage(self) -> Usage:
        """What was used since this was last called."""
        taken, self._usage = self._usage, Usage()
        return taken
