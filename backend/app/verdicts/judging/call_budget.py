"""How many calls to models one answer may take."""

from dataclasses import dataclass

from app.judges.answer_parts import answer_parts
from app.judges.estimate import verdict_calls
from app.judges.judge_names import takes_prompts
from app.platform.errors import CallLimitReached
from app.platform.settings import Settings
from app.verdicts.lifecycle.outcome import Lease

DEFAULT_LIMIT = 6


@dataclass(slots=True)
class CallBudget:
    """The calls that are left to one attempt; its evaluators share them."""

    limit: int
    left: int

    def take(self) -> None:
        """Raises CallLimitReached when none is left."""
        if self.left <= 0:
            raise CallLimitReached(f"The {self.limit} calls that one answer may take are used up.")
        self.left -= 1


def calls_of_a_verdict(lease: Lease) -> int:
    """Calls of one judge for an answer where every first reply can be used."""
    parts = len(answer_parts(lease.subject.answer))
    calls = verdict_calls(lease.evaluators, lease.subject.lang, lease.prompt)
    return sum(call.times(parts) for call in calls)


def call_limit(settings: Settings, lease: Lease, calls: int) -> int:
    """Never less than undisturbed verdicts of all judges of a cascade take, of `calls` each.
    Without a setting: 6, or twice what those take if that is more."""
    needed = calls * max(1, sum(map(takes_prompts, lease.cascade)))
    return max(settings.judge.max_calls_per_answer or max(DEFAULT_LIMIT, 2 * needed), needed)


def call_budget(settings: Settings, lease: Lease) -> CallBudget:
    """What earlier attempts have left. A verdict's worth of calls is kept for each judge of the
    chain as far as it goes, so that one that fails does not use them all up."""
    if not takes_prompts(lease.judge_model):
        return CallBudget(1, 1)  # of which it takes none
    needed = calls_of_a_verdict(lease)
    limit = call_limit(settings, lease, needed)
    left = max(0, limit - lease.calls)
    prompted = sum(map(takes_prompts, lease.fallbacks))
    return CallBudget(limit, max(min(needed, left), left - needed * prompted))
