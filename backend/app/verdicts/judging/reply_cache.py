"""A router that never pays twice: replies are stored before anybody reads them."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from app.ai_router.types import (
    ChatResponse,
    ChatRouter,
    Grounding,
    Message,
    ModelName,
    OutputSchema,
)
from app.errors import ProviderError, TransientProviderError
from app.verdicts.judging.call_budget import CallBudget
from app.verdicts.lifecycle.lifecycle import StashedCall
from app.verdicts.lifecycle.outcome import Lease, Usage, usage_of
from app.verdicts.lifecycle.retry import describe

CUT_OFF = "transient: cut off before the reply came; it may be billed all the same"

Stash = Callable[[StashedCall], Awaitable[None]]
Part = TypeVar("Part")


@dataclass(slots=True)
class ReplyCache:
    """Wraps a router for one lease. Each reply goes to judge_calls and is committed before it
    is returned; a reply that an earlier attempt stored is returned without a call.

    `usage` sums what its calls took, stored ones included; `asked` has their hashes. A call that
    `calls` has no room for is not made.
    """

    router: ChatRouter
    lease: Lease
    stash: Stash
    stored: Mapping[str, ChatResponse]
    calls: CallBudget
    usage: Usage = field(default_factory=Usage)
    asked: list[str] = field(default_factory=list)
    _deadline: asyncio.Timeout | None = None

    @property
    def model(self) -> ModelName:
        return self.router.model

    async def chat(
        self,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        output: OutputSchema | None = None,
        grounding: Grounding | None = None,
    ) -> ChatResponse:
        """As AIRouter.chat. A call that failed or was cut off is stored with its error. Raises
        CallLimitReached."""
        key = _request_hash(self.model, messages, temperature, max_tokens, output)
        self.asked.append(key)
        response = self.stored.get(key)
        if response is None:
            response = await self._call(
                key,
                messages,
                temperature=temperature,
                max_tokens=max_tokens,
                output=output,
                grounding=grounding,
            )
        self.usage += usage_of(response)
        return response

    async def _call(
        self,
        key: str,
        messages: Sequence[Message],
        *,
        temperature: float,
        max_tokens: int,
        output: OutputSchema | None,
        grounding: Grounding | None,
    ) -> ChatResponse:
        self.calls.take()
        provider, model = self.model
        try:
            response = await self.router.chat(
                messages,
                temperature=temperature,
                max_tokens=max_tokens,
                output=output,
                grounding=grounding,
            )
        except ProviderError as error:
            reply = error.reply if isinstance(error.reply, ChatResponse) else None
            self.usage += usage_of(reply)
            await self._save(
                StashedCall(self.lease, key, provider, model, reply, error=describe(error))
            )
            raise
        except asyncio.CancelledError:
            # The deadline of the lease has passed, or the worker stops.
            await self.stash(StashedCall(self.lease, key, provider, model, None, error=CUT_OFF))
            raise
        await self._save(StashedCall(self.lease, key, provider, model, response))
        return response

    async def in_time(self, part: Awaitable[Part], seconds: float) -> Part:
        """Awaits what asks this router. Raises TransientProviderError when the model takes longer
        than `seconds` altogether; the time that storing its replies takes does not count."""
        try:
            async with asyncio.timeout(seconds) as self._deadline:
                return await part
        except TimeoutError:
            raise TransientProviderError(f"The judge took longer than {seconds:g} s.") from None

    async def _save(self, call: StashedCall) -> None:
        """PostgreSQL may be away for long, and the judge is not to blame for it."""
        deadline, clock = self._deadline, asyncio.get_running_loop().time
        when, began = deadline and deadline.when(), clock()
        if deadline is None or when is None:
            await self.stash(call)
            return
        deadline.reschedule(None)
        try:
            await self.stash(call)
        finally:
            deadline.reschedule(when + clock() - began)


def _request_hash(
    model: ModelName,
    messages: Sequence[Message],
    temperature: float,
    max_tokens: int,
    output: OutputSchema | None,
) -> str:
    how = (str(model), temperature, max_tokens, output.name if output else None)
    digest = hashlib.sha256(repr(how).encode())
    for message in messages:
        content = message.content.encode("utf-8", "surrogatepass")
        digest.update(f"\n{message.role} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()
