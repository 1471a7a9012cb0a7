"""How many calls to models one answer may take."""

from dataclasses import dataclass

from app.errors import CallLimitReached
from app.judges.answer_parts import answer_parts
from app.judges.estimate import verdict_calls
from app.judges.judge_names import takes_prompts
from app.settings import Settings
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


def calls_undisturbed(lease: Lease) -> int:
    """Calls for an answer where every first reply can be used, and all of a cascade are asked."""
    return _calls_of_a_verdict(lease) * max(1, sum(map(takes_prompts, lease.cascade)))


def _calls_of_a_verdict(lease: Lease) -> int:
    parts = len(answer_parts(lease.subject.answer))
    calls = verdict_calls(lease.evaluators, lease.subject.lang, lease.prompt)
    return sum(call.times(parts) for call in calls)


def call_limit(settings: Settings, lease: Lease) -> int:
    """Never less than an undisturbed verdict takes. Without a setting: 6, or twice what an
    undisturbed verdict takes if that is more."""
    needed = calls_undisturbed(lease)
    return max(settings.max_calls_per_answer or max(DEFAULT_LIMIT, 2 * needed), needed)


def call_budget(settings: Settings, lease: Lease) -> CallBudget:
    """What earlier attempts have left. A verdict's worth of calls is kept for each judge of the
    chain as far as it goes, so that one that fails does not use them all up."""
    if not takes_prompts(lease.judge_model):
        return CallBudget(1, 1)  # of which it takes none
    limit, needed = call_limit(settings, lease), _calls_of_a_verdict(lease)
    left = max(0, limit - lease.calls)
    prompted = sum(map(takes_prompts, lease.fallbacks))
    return CallBudget(limit, max(min(needed, left), left - needed * prompted))
