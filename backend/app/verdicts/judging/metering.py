"""What the calls to a model take."""

from app.ai_router.types import ChatRequest, ChatResponse, ChatRouter, ModelName
from app.platform.errors import ProviderError
from app.verdicts.lifecycle.outcome import Usage, usage_of

_NOTHING = Usage()


class MeteredRouter:
    """Wraps a router and sums tokens and cost of its calls, also of replies of no use."""

    def __init__(self, router: ChatRouter) -> None:
        self._router = router
        self.usage = _NOTHING

    @property
    def model(self) -> ModelName:
        return self._router.model

    async def chat(self, request: ChatRequest) -> ChatResponse:
        """As AIRouter.chat."""
        try:
            response = await self._router.chat(request)
        except ProviderError as error:
            self.count(reply_of(error))
            raise
        self.count(response)
        return response

    def count(self, reply: ChatResponse | None) -> None:
        self.usage += usage_of(reply)

    def take_usage(self) -> Usage:
        """What was used since this was last called."""
        taken, self.usage = self.usage, _NOTHING
        return taken


def reply_of(error: ProviderError) -> ChatResponse | None:
    """The reply of no use that the error is about, which was paid for."""
    return error.reply if isinstance(error.reply, ChatResponse) else None
