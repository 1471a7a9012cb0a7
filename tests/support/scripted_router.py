"""A model that says what a test wrote down for it."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.ai_router.types import ChatResponse, Grounding, Message, ModelName, OutputSchema
from app.errors import ProviderError


@dataclass(frozen=True)
class Asked:
    messages: Sequence[Message]
    temperature: float
    max_tokens: int
    output: OutputSchema | None

    @property
    def prompt(self) -> str:
        return self.messages[-1].content


class ScriptedRouter:
    """A ChatRouter that gives the replies in turn and remembers what it was asked."""

    model = ModelName("stub", "scripted")

    def __init__(self, *replies: str | ProviderError) -> None:
        self._replies = list(replies)
        self.asked: list[Asked] = []

    @property
    def left(self) -> int:
        """Replies that nobody has asked for yet."""
        return len(self._replies)

    async def chat(
        self,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        output: OutputSchema | None = None,
        grounding: Grounding | None = None,
    ) -> ChatResponse:
        self.asked.append(Asked(messages, temperature, max_tokens, output))
        reply = self._replies.pop(0)
        if isinstance(reply, ProviderError):
            raise reply
        return ChatResponse(content=reply, provider="stub", model="scripted")
