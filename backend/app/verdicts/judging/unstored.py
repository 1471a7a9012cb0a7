"""Judging as the worker does that leaves no verdict behind; what it takes is kept in memory."""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import replace

from app.ai_router.router import Providers
from app.ai_router.types import ChatResponse, ChatRouter
from app.platform.settings import Settings
from app.verdicts.judging.judging import Judging
from app.verdicts.lifecycle.lifecycle import StashedCall
from app.verdicts.lifecycle.outcome import Lease, Outcome, Retry, Usage, usage_of


class UnstoredJudging:
    """A paid reply is kept for the tries after it. providers: of the models; max_wait: seconds that
    a try after another may be waited for. `calls` are those that were made."""

    def __init__(self, settings: Settings, providers: Providers, *, max_wait: float) -> None:
        self.calls: list[StashedCall] = []
        self._max_wait = max_wait

        def router(model: str) -> ChatRouter:
            return providers.router(model, deadline=settings.judge.deadline_seconds)

        self._judging = Judging(settings, routers=router, stash=self._stash, stored=self._stored)

    async def judge(self, lease: Lease) -> Outcome:
        """A Retry only where the next try would come too late. What may go better is tried again
        within the bound of calls of a verdict. Raises no ProviderError."""
        while True:
            outcome = await self._judging.judge(lease)
            if not isinstance(outcome, Retry) or outcome.delay > self._max_wait:
                return outcome
            self._discard(outcome.discards)
            await asyncio.sleep(outcome.delay)
            lease = replace(
                lease, attempt=lease.attempt + 1, tries=lease.tries + 1, calls=len(self.calls)
            )

    def usage(self, first: int = 0) -> Usage:
        """Of the calls from the one of this number on."""
        return sum((usage_of(call.response) for call in self.calls[first:]), Usage())

    async def _stash(self, call: StashedCall) -> None:
        self.calls.append(call)

    async def _stored(self, _: Lease) -> Mapping[str, ChatResponse]:
        return {
            call.request_hash: call.response
            for call in self.calls
            if call.response and not call.error
        }

    def _discard(self, request_hashes: Collection[str]) -> None:
        """Replies to these are asked for again."""
        self.calls = [
            replace(call, error="unusable") if call.request_hash in request_hashes else call
            for call in self.calls
        ]
