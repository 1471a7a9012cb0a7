"""Verdicts by a model: each reply is stored before it is read."""

from collections.abc import Awaitable, Callable, Mapping
from time import perf_counter

from app.ai_router.types import ChatResponse, ChatRouter
from app.judges.judge import Judge, phases_by_model, phases_of
from app.judges.phases import by_rules
from app.judges.verdict_prompts import one_call_prompt
from app.platform.errors import ProviderError
from app.platform.processes import Limits, quick_lane
from app.text.packs.models import DomainPack
from app.verdicts.judging.call_budget import CallBudget
from app.verdicts.judging.metering import MeteredRouter
from app.verdicts.judging.model_judge import ModelJudge
from app.verdicts.judging.reply_cache import ReplyCache, Reuse, Stash
from app.verdicts.lifecycle.outcome import Lease, Verdict
from app.verdicts.policy.evaluation_policy import prompt_version

Routers = Callable[[str], ChatRouter]
Stored = Callable[[Lease], Awaitable[Mapping[str, ChatResponse]]]
# Whether there is no point in asking the model again for what failed.
GivesUp = Callable[[Lease, ProviderError], bool]


class JudgeByModel:
    """Judges one held evaluation with the model that it names.

    routers: gives the router of a `provider:model` name. stash, stored: write a reply down, and
    read those of earlier attempts. reuse: finds those to identical requests of other answers; None
    where each answer is to be judged by itself. rules: do the checklist or the phases when the
    evaluation is there and their own calls have failed for good, which gives_up decides. deadline:
    seconds that all calls of an evaluator may take together; each has its own and they start
    together, or one that hangs would take the others' results with it. limits: of what rules do
    beside it.
    """

    def __init__(
        self,
        pack: DomainPack,
        rules: Judge,
        *,
        routers: Routers,
        stash: Stash,
        stored: Stored,
        reuse: Reuse | None,
        gives_up: GivesUp,
        deadline: float,
        limits: Limits,
    ) -> None:
        self._pack = pack
        self._rules = rules
        self._routers = routers
        self._stash = stash
        self._stored = stored
        self._reuse = reuse
        self._gives_up = gives_up
        self._deadline = deadline
        self._limits = limits

    async def verdict(self, lease: Lease, calls: CallBudget) -> Verdict:
        """Raises ProviderError and UnusableRepliesError."""
        by_rules_too = phases_of(lease.evaluators) - phases_by_model(lease.evaluators)
        if not one_call_prompt(lease.prompt) and by_rules_too:
            # Loading the Korean model must not use up the deadline of the calls.
            await quick_lane().ready(by_rules.__name__)
        start = perf_counter()
        stored = await self._stored(lease) if lease.attempt > 1 else {}
        router = MeteredRouter(self._routers(lease.judge_model))
        # Who has an answer judged again wants to hear the judge again, and so does an attempt after
        # one that failed.
        again = lease.judged_again or lease.attempt > lease.first_attempt
        reuse = None if again else self._reuse

        def gives_up(error: ProviderError) -> bool:
            return calls.left <= 0 or self._gives_up(lease, error)

        judge = ModelJudge(
            lambda: ReplyCache(router, lease, self._stash, stored, calls, reuse),
            # The id is made after the answer is written, so nobody who wrote notes or answer can
            # know it, and it is the same in every process, so a stored reply is recognised.
            fence_key=lease.id.bytes,
            prompt=lease.prompt,
            pack=self._pack,
            rules=self._rules,
            gives_up=gives_up,
            deadline=self._deadline,
            limits=self._limits,
        )
        found = await judge.judge(lease.subject, lease.evaluators)
        return Verdict(
            found.evaluation,
            found.quality,
            feedback=found.feedback,
            provider=router.model.provider,
            model=router.model.model,
            prompt_version=prompt_version(lease.judge_model, lease.evaluators, lease.judge_prompt),
            judge_ms=(perf_counter() - start) * 1000,
            usage=router.usage,
            quality_by_rules=judge.quality_by_rules,
            from_cache=judge.from_cache,
        )
