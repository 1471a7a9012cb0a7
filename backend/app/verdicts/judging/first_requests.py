"""What a judge would ask a model about an answer, without asking it."""

from contextlib import suppress
from dataclasses import dataclass, field

from app.ai_router.types import ChatRequest, ChatResponse, ModelName
from app.platform.errors import ProviderError
from app.platform.processes import Limits
from app.platform.settings import Settings
from app.text.packs.loader import load_pack
from app.verdicts.judging.call_budget import call_budget
from app.verdicts.judging.judge_by_model import JudgeByModel
from app.verdicts.judging.judge_by_rules import JudgeByRules
from app.verdicts.judging.reply_cache import request_hash
from app.verdicts.lifecycle.lifecycle import StashedCall
from app.verdicts.lifecycle.outcome import Lease


class _Captured(Exception):
    """In the place of a reply. No ProviderError: nobody stands in, and nothing is stored."""


@dataclass(slots=True)
class _CapturingRouter:
    model: ModelName
    requests: dict[str, ChatRequest] = field(default_factory=dict)

    async def chat(self, request: ChatRequest) -> ChatResponse:
        self.requests[request_hash(self.model, request)] = request
        raise _Captured


class FirstRequests:
    """Runs the judge itself, with a router that answers nothing: so what it captures is byte for
    byte what the judge asks when it judges. Raises SetupError when the domain pack cannot be
    read."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._pack = load_pack(settings.evaluation.domain_pack)
        self._limits = Limits(
            settings.judge.rules_time_limit_seconds, settings.texts.memory_limit_megabytes
        )
        self._rules = JudgeByRules(self._pack, self._limits)

    async def of(self, lease: Lease, model: ModelName) -> dict[str, ChatRequest]:
        """The requests that depend on no reply, by their hash; none where the judge needs no model.
        Raises LimitExceeded when the rules beside it take too long."""
        router = _CapturingRouter(model)
        judge = JudgeByModel(
            self._pack,
            self._rules,
            routers=lambda _: router,
            stash=_store_nothing,
            stored=_find_nothing,
            reuse=None,
            gives_up=_give_up,
            deadline=self._settings.judge.deadline_seconds,
            limits=self._limits,
        )
        with suppress(_Captured):
            await judge.verdict(lease, call_budget(self._settings, lease))
        return router.requests


async def _store_nothing(_: StashedCall) -> None:
    return None


async def _find_nothing(_: Lease) -> dict[str, ChatResponse]:
    return {}


def _give_up(_: Lease, __: ProviderError) -> bool:
    return False
