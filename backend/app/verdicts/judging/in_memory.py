"""Judging outside a worker: verdicts that are not stored, and requests that are not sent."""

import asyncio
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from app.ai_router.router import Providers
from app.ai_router.types import ChatRequest, ChatResponse, ChatRouter, ModelName
from app.platform.processes.turns import charged_to
from app.platform.settings import Settings
from app.verdicts.judging.context import JudgingContext, call_budget, share_of
from app.verdicts.judging.judging import Judging
from app.verdicts.judging.model_judge import ModelJudge
from app.verdicts.judging.reply_cache import request_hash
from app.verdicts.judging.rules_judge import RulesJudge
from app.verdicts.lifecycle.lifecycle import StoredCall
from app.verdicts.lifecycle.outcome import Lease, Outcome, Retry, Usage, usage_of


class InMemoryJudging:
    """A paid reply is kept for the tries after it. providers: of the models; max_wait: seconds that
    a try after another may be waited for. `calls` are those that were made."""

    def __init__(self, settings: Settings, providers: Providers, *, max_wait: float) -> None:
        self.calls: list[StoredCall] = []
        self._max_wait = max_wait

        def router(model: str) -> ChatRouter:
            return providers.router(model, deadline=settings.judge.deadline_seconds)

        self._judging = Judging(
            JudgingContext(
                settings,
                router_for=router,
                save_reply=self._save_reply,
                load_replies=self._load_replies,
                context_of=providers.context_tokens,
            )
        )

    async def judge(self, lease: Lease) -> Outcome:
        """A Retry only where the next try would come too late. What may go better is tried again
        within the bound of calls of a verdict. Raises no ProviderError."""
        while True:
            outcome = await self._judging.judge(lease)
            if not isinstance(outcome, Retry) or outcome.delay > self._max_wait:
                return outcome
            self._discard(outcome.discards)
            await asyncio.sleep(outcome.delay)
            lease = lease._replace(
                attempt=lease.attempt + 1, tries=lease.tries + 1, calls=len(self.calls)
            )

    def usage(self, first: int = 0) -> Usage:
        """Of the calls from the one of this number on."""
        return sum((usage_of(call.response) for call in self.calls[first:]), Usage())

    async def _save_reply(self, call: StoredCall) -> None:
        self.calls.append(call)

    async def _load_replies(self, _: Lease) -> Mapping[str, ChatResponse]:
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


class _Captured(Exception):
    """Raised instead of a reply. No ProviderError: no fallback judges, and nothing is stored."""


@dataclass(slots=True)
class _CapturingRouter:
    model: ModelName
    requests: dict[str, ChatRequest] = field(default_factory=dict)

    async def chat(self, request: ChatRequest) -> ChatResponse:
        self.requests[request_hash(self.model, request)] = request
        raise _Captured


class FirstRequests:
    """Runs the judge itself, with a router that answers nothing: so what it captures is byte for
    byte what the judge asks when it judges. providers: say how long a prompt may be. Raises
    SetupError when the domain pack cannot be read."""

    def __init__(self, settings: Settings, providers: Providers) -> None:
        self._context = JudgingContext(
            settings,
            router_for=_refuse,
            save_reply=_store_nothing,
            load_replies=_load_nothing,
            context_of=providers.context_tokens,
        )
        self._rules = RulesJudge(self._context.pack, self._context.limits)

    async def capture(self, lease: Lease, model: ModelName) -> dict[str, ChatRequest]:
        """The requests that depend on no reply, by their hash; none where the judge needs no model.
        Raises LimitExceeded when the rules beside it take too long."""
        router = _CapturingRouter(model)
        context = replace(self._context, router_for=lambda _: router)
        calls = call_budget(context.settings, lease)
        judge = ModelJudge(context, lease, calls, self._rules, is_final=lambda _: False)
        with suppress(_Captured), charged_to(share_of(lease.workspace_id, lease.subject)):
            await judge.judge(lease.subject, lease.evaluators)
        return router.requests


async def _store_nothing(_: StoredCall) -> None:
    return None


async def _load_nothing(_: Lease) -> dict[str, ChatResponse]:
    return {}


def _refuse(model: str) -> ChatRouter:
    raise AssertionError(f"{model} is not to be asked")
