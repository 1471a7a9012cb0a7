"""From a claim to its outcome: chooses the judge and sorts every way it can fail."""

import logging
from dataclasses import replace
from time import monotonic

import psycopg

from app.errors import MalformedOutput, ProviderError, SetupError
from app.packs.loader import load_pack
from app.processes import LimitExceeded, Limits
from app.settings import Settings
from app.verdicts.judge_by_model import JudgeByModel, Routers, Stored, UnusableRepliesError
from app.verdicts.judge_by_rules import JudgeByRules
from app.verdicts.outcome import Claim, Failure, Fallback, Outcome, Pause, Release, Retry
from app.verdicts.policy import RULES_MODEL
from app.verdicts.recording import Stash
from app.verdicts.retry import RetryPolicy, describe

logger = logging.getLogger(__name__)

# A judge that has served within this time (seconds) works.
LATELY = 600.0


class Judging:
    """Judges many claims side by side on one loop. For its parameters see JudgeByModel. Raises
    SetupError when the domain pack cannot be read."""

    def __init__(
        self, settings: Settings, *, routers: Routers, stash: Stash, stored: Stored
    ) -> None:
        self._fallback = settings.judge_fallback
        self._retry = RetryPolicy.from_settings(settings)
        pack = load_pack(settings.domain_pack)
        limits = Limits(settings.rules_time_limit, settings.text_memory_limit)
        self._rules = JudgeByRules(pack, limits)
        self._model = JudgeByModel(
            pack,
            self._rules,
            routers=routers,
            stash=stash,
            stored=stored,
            gives_up=self._gives_up,
            deadline=settings.judge_deadline,
            limits=limits,
        )
        self._served_at: dict[str, float] = {}

    async def judge(self, claim: Claim) -> Outcome:
        """Never raises but for cancellation: whatever happens becomes an outcome."""
        try:
            if claim.judge_model == RULES_MODEL:
                return await self._rules.verdict(claim)
            return await self._judge_by_model(claim)
        except (psycopg.OperationalError, psycopg.InterfaceError) as error:
            logger.warning("PostgreSQL is away (%s); giving back evaluation %s", error, claim.id)
            return Release()
        except LimitExceeded as error:
            logger.warning("Judging evaluation %s by rules %s", claim.id, error.what)
            return Failure(
                f"Judging by rules {error.what}; it was ended in its own process, because these"
                " texts would hold up others."
            )
        except psycopg.errors.ForeignKeyViolation:
            logger.info("Evaluation %s was deleted while it was judged", claim.id)
            return Release()
        except Exception as error:
            logger.exception("Judging evaluation %s failed in our own code", claim.id)
            return Failure(f"Internal error: {type(error).__name__}. The worker's log has more.")

    async def _judge_by_model(self, claim: Claim) -> Outcome:
        try:
            verdict = await self._model.verdict(claim)
        except UnusableRepliesError as failure:
            return await self._after_failure(claim, failure.error, failure.request_hashes)
        except ProviderError as error:
            return await self._after_failure(claim, error)
        except SetupError as error:
            return Pause(str(error))
        self._served_at[claim.judge_model] = monotonic()
        return verdict

    async def _after_failure(
        self, claim: Claim, error: ProviderError, discards: tuple[str, ...] = ()
    ) -> Outcome:
        decision = self._decide(claim, error)
        if isinstance(decision, Failure) and claim.fallbacks:
            return Fallback(claim.fallbacks[0], f"{claim.judge_model}: {describe(error)}")
        # The verdict that is there already is worth more than a stand-in's.
        last = claim.judge_fallback or self._fallback
        if isinstance(decision, Failure) and last == "rules" and not claim.judged_again:
            return await self._rules.verdict(claim, because=describe(error))
        return replace(decision, discards=discards) if isinstance(decision, Retry) else decision

    def _gives_up(self, claim: Claim, error: ProviderError) -> bool:
        return isinstance(error, MalformedOutput) or isinstance(self._decide(claim, error), Failure)

    def _decide(self, claim: Claim, error: ProviderError) -> Retry | Failure | Pause:
        served_at = self._served_at.get(claim.judge_model)
        judge_works = served_at is not None and monotonic() - served_at < LATELY
        return self._retry.decide(error, claim.tries, judge_works=judge_works)
