"""From a lease to its outcome: chooses the judge and sorts every way it can fail."""

import logging
from dataclasses import replace
from time import monotonic, perf_counter

import psycopg

from app.ai_router.types import ModelName
from app.judges.criteria.rules import complete_scores
from app.judges.judge import Judgement
from app.judges.judge_names import RULES_MODEL, is_detector, takes_prompts
from app.judges.verdict_prompts import is_of_workspace
from app.platform.errors import (
    CallLimitReached,
    MalformedOutput,
    PermanentProviderError,
    ProviderError,
    SetupError,
)
from app.platform.metrics import JUDGE_ERRORS, error_label, model_label
from app.platform.processes.calls import LimitExceeded
from app.platform.processes.pool import quick_lane
from app.platform.processes.turns import charged_to
from app.verdicts.judging import rules_verdict
from app.verdicts.judging.context import CallBudget, JudgingContext, call_budget, share_of
from app.verdicts.judging.model_judge import ModelJudge, UnusableRepliesError
from app.verdicts.judging.rules_judge import DetectorJudge, RulesJudge
from app.verdicts.lifecycle.cascade import cascaded
from app.verdicts.lifecycle.outcome import (
    Failure,
    Fallback,
    Lease,
    Outcome,
    Pause,
    Release,
    Retry,
    Verdict,
)
from app.verdicts.lifecycle.retry import NOT_CONFIGURED, RetryPolicy, describe, judge_failure
from app.verdicts.policy.evaluation_policy import prompt_version

logger = logging.getLogger(__name__)

# A judge that has served within this time (seconds) works.
RECENT_SECONDS = 600.0


class Judging:
    """Judges many evaluations side by side on one loop."""

    def __init__(self, context: JudgingContext) -> None:
        self._context = context
        self._settings = context.settings
        self._retry = RetryPolicy.from_settings(context.settings)
        self._rules = RulesJudge(context.pack, context.limits)
        self._served_at: dict[str, float] = {}

    async def judge(self, lease: Lease) -> Outcome:
        """Never raises but for cancellation: whatever happens becomes an outcome."""
        with charged_to(share_of(lease.workspace_id, lease.subject)):
            outcome = cascaded(lease, await self._judge(lease))
            if isinstance(outcome, Verdict) and lease.criteria:
                scores = await complete_scores(lease.criteria, outcome.criteria, lease.subject)
                return outcome._replace(criteria=scores)
            return outcome

    async def _judge(self, lease: Lease) -> Outcome:
        try:
            if lease.judge_model == RULES_MODEL:
                return await self._judge_by_rules(lease)
            if lease.failing is not None:
                because = f"{lease.judge_model} is failing: {lease.failing}"
                return await self._judge_by_rules(lease, because)
            return await self._try_judge(lease)
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            logger.warning(
                "PostgreSQL is unreachable (%s); releasing evaluation %s", error, lease.id
            )
            return Release()
        except LimitExceeded as error:
            logger.warning("Judging evaluation %s by rules %s", lease.id, error.what)
            return Failure(
                f"Judging by rules {error.what}; it was ended in its own process, because these"
                " texts would hold up others."
            )
        except psycopg.errors.ForeignKeyViolation:
            logger.info("Evaluation %s was deleted while it was judged", lease.id)
            return Release()
        except Exception as error:
            logger.exception("Judging evaluation %s failed in our own code", lease.id)
            return Failure(f"Internal error: {type(error).__name__}. The worker's log has more.")

    async def _judge_by_rules(self, lease: Lease, because: str | None = None) -> Verdict | Release:
        """because: the failure of the judge that the rules replace. Releases the lease when no
        child becomes free in time."""
        judged = await self._rules.judge_soon(lease.subject, lease.evaluators)
        if judged is None:
            return Release()
        found, judge_ms = judged
        verdict = _verdict(lease, found, ModelName.parse(RULES_MODEL), judge_ms)
        return verdict._replace(degraded_because=because)

    async def _try_judge(self, lease: Lease) -> Outcome:
        calls = call_budget(self._settings, lease)
        try:
            _check_prompt(lease)
            if is_detector(lease.judge_model):
                verdict = await self._judge_by_detector(lease)
            else:
                verdict = await self._judge_by_model(lease, calls)
        except UnusableRepliesError as failure:
            return await self._after_failure(lease, calls, failure.error, failure.request_hashes)
        except ProviderError as error:
            return await self._after_failure(lease, calls, error)
        except SetupError as error:
            logger.warning("The judge %s cannot be used: %s", lease.judge_model, error)
            return Pause(NOT_CONFIGURED)
        if not verdict.from_cache:
            self._served_at[lease.judge_model] = monotonic()
        return verdict

    async def _judge_by_detector(self, lease: Lease) -> Verdict:
        await quick_lane().ready(rules_verdict.__name__)
        start = perf_counter()
        judge = DetectorJudge(lease.judge_model, self._rules, self._settings)
        found = await judge.judge(lease.subject, lease.evaluators)
        judge_ms = (perf_counter() - start) * 1000
        verdict = _verdict(lease, found, ModelName.parse(lease.judge_model), judge_ms)
        return verdict._replace(quality_by_rules=found.quality is not None)

    async def _judge_by_model(self, lease: Lease, calls: CallBudget) -> Verdict:
        start = perf_counter()

        def is_final(error: ProviderError) -> bool:
            return calls.left <= 0 or self._is_final(lease, error)

        judge = ModelJudge(self._context, lease, calls, self._rules, is_final)
        found = await judge.judge(lease.subject, lease.evaluators)
        judge_ms = (perf_counter() - start) * 1000
        return _verdict(lease, found, judge.router.model, judge_ms)._replace(
            usage=judge.router.usage,
            quality_by_rules=found.quality_by_rules,
            from_cache=judge.from_cache,
        )

    async def _after_failure(
        self,
        lease: Lease,
        calls: CallBudget,
        error: ProviderError,
        discards: tuple[str, ...] = (),
    ) -> Outcome:
        JUDGE_ERRORS.labels(model_label(lease.judge_model), error_label(error)).inc()
        decision = self._decide(lease, error, no_calls_left=calls.left <= 0)
        if isinstance(decision, Pause):
            return decision
        failure = judge_failure(error)
        # The existing verdict is worth more than one by rules.
        last = lease.judge_fallback or self._settings.judge.fallback
        by_rules = last == "rules" and not lease.judged_again
        if isinstance(decision, Retry):
            # A fallback judges rather than wait for so long.
            too_long = decision.delay > self._settings.judge.retry_max_seconds
            if not too_long or not (lease.fallbacks or by_rules):
                return replace(decision, discards=discards, judge_failure=failure)
        if lease.fallbacks:
            because = f"{lease.judge_model}: {describe(error)}"
            return Fallback(lease.fallbacks[0], because, failure)
        if by_rules:
            verdict = await self._judge_by_rules(lease, describe(error))
            if isinstance(verdict, Release):
                return verdict
            return verdict._replace(judge_failure=failure)
        return Failure(describe(error), failure)

    def _is_final(self, lease: Lease, error: ProviderError) -> bool:
        if isinstance(error, MalformedOutput | CallLimitReached):
            return True
        return isinstance(self._decide(lease, error), Failure)

    def _decide(
        self, lease: Lease, error: ProviderError, *, no_calls_left: bool = False
    ) -> Retry | Failure | Pause:
        served_at = self._served_at.get(lease.judge_model)
        return self._retry.decide(
            error,
            lease.tries,
            judge_works=served_at is not None and monotonic() - served_at < RECENT_SECONDS,
            no_calls_left=no_calls_left,
        )


def _verdict(lease: Lease, found: Judgement, model: ModelName, judge_ms: float) -> Verdict:
    # The same for rules and detectors, which are asked by no prompt.
    version = prompt_version(
        str(model), lease.evaluators, lease.judge_prompt, history=bool(lease.subject.history)
    )
    return Verdict(
        *(found.evaluation, found.quality, *model, version, judge_ms, found.feedback),
        criteria=found.criteria,
    )


def _check_prompt(lease: Lease) -> None:
    wants_own = takes_prompts(lease.judge_model) and is_of_workspace(lease.judge_prompt)
    if wants_own and lease.own_prompt is None:
        raise PermanentProviderError(
            f"The prompt {lease.judge_prompt} is not there, or this release lacks the one that it"
            " was made from; choose another prompt in the policy."
        )
