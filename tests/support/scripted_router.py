"""A model that says what a test wrote down for it."""

import asyncio
import inspect
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from app.ai_router.types import ChatRequest, ChatResponse, ModelName

# A text, a whole response, or an error to raise.
Reply = str | ChatResponse | Exception
Respond = Callable[[ChatRequest], Reply | Awaitable[Reply]]

UNPAID = ChatResponse("", "stub", "scripted")
PAID = ChatResponse("", "openai", "scripted", 10, 5, Decimal("0.001"), 1.0, "{}")


@dataclass(frozen=True)
class Asked(ChatRequest):
    @property
    def prompt(self) -> str:
        return self.messages[-1].content


class ScriptedRouter:
    """A ChatRouter that gives the replies in turn, or else what `respond` makes of each request,
    and remembers what it was asked. like: the response that a reply of text alone becomes."""

    def __init__(
        self, *replies: Reply, respond: Respond | None = None, like: ChatResponse = UNPAID
    ) -> None:
        self._replies = list(replies)
        self._like = like
        self.model = ModelName(like.provider, like.model)
        self.respond = respond
        self.asked: list[Asked] = []

    @property
    def left(self) -> int:
        """Replies that nobody has asked for yet."""
        return len(self._replies)

    @property
    def tasks(self) -> list[str]:
        """The schemas that were asked for, by name."""
        return [asked.output.name for asked in self.asked if asked.output]

    async def chat(self, request: ChatRequest) -> ChatResponse:
        self.asked.append(
            Asked(
                request.messages,
                request.temperature,
                request.max_tokens,
                request.output,
                request.grounding,
            )
        )
        reply = self.respond(request) if self.respond else self._replies.pop(0)
        await asyncio.sleep(0)
        if inspect.isawaitable(reply):
            reply = await reply
        if isinstance(reply, Exception):
            raise reply
        return replace(self._like, content=reply) if isinstance(reply, str) else reply


def by_task(replies: Mapping[str, Reply | Mapping[str, Any]]) -> Respond:
    """Answers by the name of the schema that is asked for."""

    def respond(request: ChatRequest) -> Reply:
        assert request.output is not None
        reply = replies[request.output.name]
        return json.dumps(reply) if isinstance(reply, Mapping) else reply

    return respond
