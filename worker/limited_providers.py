"""Models for jobs, within the limits that all workers share."""

from app.ai_router.limits.model_limit import Ask
from app.ai_router.limits.shared import SharedLimits
from app.ai_router.router import AIRouter, Providers
from app.ai_router.types import ChatRequest, ChatResponse, ModelName, Provider
from app.judges.judge_names import takes_prompts
from app.platform.ids import new_id
from app.platform.settings import Settings
from app.verdicts.judging.limited_router import LimitedRouter, estimated_tokens
from worker.allowances import Allowances, limit_recorder
from worker.loop_thread import LoopStopping

# A call of a job waits for so much of its deadline at most. Then it is made and owed, because the
# job holds one of few places meanwhile, and whoever judges in it has a deadline for all of it.
WAIT_SHARE = 0.5


class LimitedProviders(Providers):
    """Each call of a limited model waits for its allowance, behind fresh answers as rows of the
    bulk queue do."""

    def __init__(self, settings: Settings, limits: SharedLimits) -> None:
        super().__init__(settings, on_reply=limit_recorder(limits, settings))
        self._limits = limits
        self._allowances = Allowances(limits)

    async def aclose(self) -> None:
        self._allowances.stop(LoopStopping())
        await super().aclose()

    def _router(self, client: Provider, name: ModelName, deadline: float) -> AIRouter:
        return _WaitingRouter(client, name, deadline, self._limits, self._allowances)


class _WaitingRouter(AIRouter):
    def __init__(
        self,
        provider: Provider,
        model: ModelName,
        deadline: float,
        limits: SharedLimits,
        allowances: Allowances,
    ) -> None:
        super().__init__(provider, model, deadline=deadline)
        self._counted = LimitedRouter(AIRouter(provider, model, deadline=deadline), limits)
        self._allowances = allowances
        self._max_wait_seconds = WAIT_SHARE * deadline

    async def chat(self, request: ChatRequest) -> ChatResponse:
        name = str(self.model)
        if not (takes_prompts(name) and self._allowances.limits(name)):
            return await self._counted.chat(request)
        ask = Ask(str(new_id()), 1, estimated_tokens(request), bulk=True)
        grant = await self._allowances.wait(name, ask, self._max_wait_seconds, owner="jobs")
        try:
            return await self._counted.chat(request)
        finally:
            if grant:
                grant.end()
