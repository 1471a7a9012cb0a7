"""Routers that sum what calls take, and that store each reply before it is parsed."""

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from time import perf_counter
from typing import TypeVar

from app.ai_router.prompts.quoting import without_nonce
from app.ai_router.types import (
    ChatRequest,
    ChatResponse,
    ChatRouter,
    Message,
    ModelName,
    OutputSchema,
)
from app.platform.errors import ProviderError, TransientProviderError
from app.verdicts.judging.context import CallBudget, FindReply, SaveReply
from app.verdicts.lifecycle.lifecycle import ReplyKey, StoredCall
from app.verdicts.lifecycle.outcome import Lease, Usage, usage_of
from app.verdicts.lifecycle.retry import describe

CUT_OFF = "transient: cut off before the reply came; it may be billed all the same"

Part = TypeVar("Part")


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


@dataclass(slots=True)
class ReplyCache:
    """Wraps a router for one lease. Each reply goes to judge_calls and is committed before it
    is returned; a reply that an earlier attempt stored is returned without a call, and so is one
    that `find_reply` finds.

    router: its `usage` counts stored replies too. `asked` has the hashes of all requests, `reused`
    says whether `find_reply` had a reply to one of them. A call that `calls` has no room for is not
    made.
    """

    router: MeteredRouter
    lease: Lease
    save_reply: SaveReply
    replies: Mapping[str, ChatResponse]
    calls: CallBudget
    find_reply: FindReply | None = None
    reused: bool = False
    asked: list[str] = field(default_factory=list)
    _deadline: asyncio.Timeout | None = None

    @property
    def model(self) -> ModelName:
        return self.router.model

    async def chat(self, request: ChatRequest) -> ChatResponse:
        """As AIRouter.chat. A call that failed or was cut off is stored with its error. Raises
        CallLimitReached."""
        key = request_hash(self.model, request)
        self.asked.append(key)
        if (stored := self.replies.get(key) or await self._find_reply_of_another(key)) is not None:
            self.router.count(stored)
            return stored
        self.calls.take()
        start = perf_counter()

        def ended(reply: ChatResponse | None, error: str | None = None) -> StoredCall:
            return StoredCall(
                self.lease,
                key,
                *self.model,
                reply,
                error,
                purpose=request.purpose,
                re_ask=request.re_ask,
                elapsed_ms=(perf_counter() - start) * 1000,
            )

        try:
            response = await self.router.chat(request)
        except ProviderError as error:
            await self._save(ended(reply_of(error), describe(error)))
            raise
        except asyncio.CancelledError:
            # The deadline of the lease has passed, or the worker stops.
            await self.save_reply(ended(None, CUT_OFF))
            raise
        await self._save(ended(response))
        return response

    async def _find_reply_of_another(self, key: str) -> ChatResponse | None:
        if self.find_reply is None:
            return None
        reply_key = ReplyKey(self.lease.workspace_id, key)
        reply = await self._pause_deadline(self.find_reply(reply_key))
        self.reused = self.reused or reply is not None
        return reply

    async def in_time(self, part: Awaitable[Part], seconds: float) -> Part:
        """Awaits what asks this router. Raises TransientProviderError when the model takes longer
        than `seconds` altogether; the time that PostgreSQL takes does not count."""
        try:
            async with asyncio.timeout(seconds) as self._deadline:
                return await part
        except TimeoutError:
            raise TransientProviderError(f"The judge took longer than {seconds:g} s.") from None

    async def _save(self, call: StoredCall) -> None:
        await self._pause_deadline(self.save_reply(call))

    async def _pause_deadline(self, asking: Awaitable[Part]) -> Part:
        """Time that PostgreSQL takes does not count against the judge."""
        deadline, clock = self._deadline, asyncio.get_running_loop().time
        when, began = deadline and deadline.when(), clock()
        if deadline is None or when is None:
            return await asking
        deadline.reschedule(None)
        try:
            return await asking
        finally:
            deadline.reschedule(when + clock() - began)


def request_hash(model: ModelName, request: ChatRequest) -> str:
    """SHA-256 of all that the model is asked and how, but for the nonce of the fence: that is of
    the evaluation, and the same material means the same whatever it is fenced with."""
    first, *others = request.messages
    digest = _digest_of(model, request.temperature, request.max_tokens, request.output, first)
    digest = digest.copy()
    for message in others:
        _update(digest, message)
    return digest.hexdigest()


@lru_cache(maxsize=64)
def _digest_of(
    model: ModelName,
    temperature: float,
    max_tokens: int,
    output: OutputSchema | None,
    first: Message,
) -> "hashlib._Hash":
    """Of all but the later messages; the first one is the same for each answer judged alike."""
    how = (str(model), temperature, max_tokens, _schema_digest(output) if output else None)
    digest = hashlib.sha256(repr(how).encode())
    _update(digest, first)
    return digest


def _update(digest: "hashlib._Hash", message: Message) -> None:
    content = without_nonce(message.content).encode("utf-8", "surrogatepass")
    digest.update(f"\n{message.role} {len(content)}\n".encode())
    digest.update(content)


def _schema_digest(output: OutputSchema) -> str:
    schema = json.dumps(output.schema, sort_keys=True)
    return hashlib.sha256(f"{output.name}\n{schema}".encode()).hexdigest()
