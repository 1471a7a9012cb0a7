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
from app.errors import ProviderError
from app.verdicts.lifecycle.outcome import Usage, usage_of


class MeteredRouter:
    """Wraps a router and sums tokens and cost of its calls, also of replies of no use."""

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
        try:
            response = await self._router.chat(
                messages,
                temperature=temperature,
                max_tokens=max_tokens,
                output=output,
                grounding=grounding,
            )
        except ProviderError as error:
            self._usage += usage_of(error.reply if isinstance(error.reply, ChatResponse) else None)
            raise
        self._usage += usage_of(response)
        return response

    def take_usage(self) -> Usage:
        """What was used since this was last called."""
        taken, self._usage = self._usage, Usage()
        return taken
