"""What the judges of a process share, and how many calls to models one answer may take."""

import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from app.ai_router.types import ChatResponse, ChatRouter
from app.judges.answer import AnswerToJudge
from app.judges.answer_parts import answer_parts
from app.judges.estimate import verdict_calls
from app.judges.judge_names import takes_prompts
from app.platform.errors import CallLimitReached
from app.platform.processes.calls import Limits
from app.platform.processes.turns import Share
from app.platform.settings import Settings
from app.text.packs.loader import load_pack
from app.text.packs.models import DomainPack
from app.verdicts.lifecycle.lifecycle import ReplyKey, StoredCall
from app.verdicts.lifecycle.outcome import Lease

DEFAULT_CALLS = 6
# Rules read longer texts for seconds, mostly by the length of the answer.
LONG_ANSWER_CHARS = 4_000
LONG_NOTES_CHARS = 100_000

SaveReply = Callable[[StoredCall], Awaitable[None]]
ContextOf = Callable[[str], Awaitable[int | None]]
FindReply = Callable[[ReplyKey], Awaitable[ChatResponse | None]]


@dataclass(frozen=True, slots=True)
class JudgingContext:
    """What each judge is given.

    router_for: gives the router of a
    `provider:model`. save_reply: commits a reply. load_replies: those of earlier attempts of a
    lease, by the hash of their request. find_reply: that which an identical request of the same
    workspace had lately, at no cost; None where each answer is judged by itself. context_of: the
    tokens that the context of a `provider:model` holds, as far as is known.
    """

    settings: Settings
    router_for: Callable[[str], ChatRouter]
    save_reply: SaveReply
    load_replies: Callable[[Lease], Awaitable[Mapping[str, ChatResponse]]]
    find_reply: FindReply | None = None
    context_of: ContextOf | None = None

    @property
    def pack(self) -> DomainPack:
        """Raises SetupError when the domain pack cannot be read."""
        return load_pack(self.settings.evaluation.domain_pack)

    @property
    def limits(self) -> Limits:
        """Time and memory of the rules, per answer."""
        seconds = self.settings.judge.rules_time_limit_seconds
        return Limits(seconds, self.settings.texts.memory_limit_megabytes)


def share_of(workspace_id: uuid.UUID, subject: AnswerToJudge) -> Share:
    """What the answer's time in child processes is charged to."""
    note_chars = sum(map(len, subject.contents))
    long = len(subject.answer) > LONG_ANSWER_CHARS or note_chars > LONG_NOTES_CHARS
    return Share(workspace_id, long)


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


def count_verdict_calls(lease: Lease) -> int:
    """Calls of one judge for an answer where every first reply can be used."""
    parts = len(answer_parts(lease.subject.answer))
    calls = verdict_calls(lease.evaluators, lease.subject.lang, lease.prompt)
    return sum(call.times(parts) for call in calls)


def call_limit(settings: Settings, lease: Lease, calls: int) -> int:
    """Never less than undisturbed verdicts of all judges of a cascade take, of `calls` each.
    Without a setting: DEFAULT_CALLS, or twice what those take if that is more."""
    needed = calls * max(1, sum(map(takes_prompts, lease.cascade)))
    return max(settings.judge.max_calls_per_answer or max(DEFAULT_CALLS, 2 * needed), needed)


def call_budget(settings: Settings, lease: Lease) -> CallBudget:
    """What earlier attempts have left. A verdict's worth of calls is kept for each judge of the
    chain as far as it goes, so that one that fails does not use them all up."""
    if not takes_prompts(lease.judge_model):
        return CallBudget(1, 1)  # of which it takes none
    needed = count_verdict_calls(lease)
    limit = call_limit(settings, lease, needed)
    left = max(0, limit - lease.calls)
    prompted = sum(map(takes_prompts, lease.fallbacks))
    return CallBudget(limit, max(min(needed, left), left - needed * prompted))
