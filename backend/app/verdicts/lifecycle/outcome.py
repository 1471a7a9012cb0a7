"""What a worker holds while it judges, and the ways that can end."""

import uuid
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple, TypeVar

from app.ai_router.types import ChatResponse
from app.judges.answer import AnswerToJudge, SearchQAEvaluation
from app.judges.checklists import QualityResult
from app.judges.criteria.criterion import Criterion, CriterionScore
from app.judges.phases.run import FeedbackResult
from app.judges.prompts.one_call import OneCallPrompt
from app.judges.verdict_prompts import resolve_prompt
from app.verdicts.policy.cascade import JudgeGuarantee, StepThresholds

Number = TypeVar("Number", int, Decimal)
# What the columns of a sum hold: integers of 32 bits, and numeric(12, 8).
MAX_TOKENS = 2**31 - 1
MAX_COST_USD = Decimal(9_999)


@dataclass(frozen=True, slots=True)
class CascadeStep:
    """A judge that is not the last of its cascade. later: those after it, the last of whom has the
    last word. thresholds: None where it is never sure. check: the share of its sure verdicts, 0 to
    1, that the last judge checks. needs_guarantee: whether it may call an answer high only with a
    guarantee of its own, because the last judge has one. votes: confidences that others of a jury
    gave, None in a cascade; majority: how many alike end it."""

    later: tuple[str, ...]
    thresholds: StepThresholds | None
    check: float
    needs_guarantee: bool
    votes: tuple[str, ...] | None = None
    majority: int = 0


class Lease(NamedTuple):
    """An evaluation that this process holds until its lease ends.

    `attempt` is the fence that every later write names. evaluators: what `subject` is judged by.
    judge_prompt: the version of the prompt, None for the usual one; own_prompt: its text, where it
    is one of the workspace. judged_again: the answer has a verdict that stays when this one fails.
    fallbacks are the models that the workspace wants asked after this one, judge_fallback what it
    wants after the last, None where that is left to the server. calls: those to models that earlier
    attempts made. failing: why the judge is not asked and the rules judge at once, None where it is
    asked. traceparent: the answer's. cascade: the judges of whom one after the other is asked;
    step: the place in it, None for the last of them and without one. first_attempt: the number of
    the judge's first attempt. queue: of the row; age: seconds from the row to this claim. criteria:
    the workspace's own that `evaluators` name.
    """

    id: uuid.UUID
    workspace_id: uuid.UUID
    attempt: int
    tries: int
    judge_model: str
    evaluators: tuple[str, ...]
    subject: AnswerToJudge
    judge_prompt: str | None = None
    own_prompt: OneCallPrompt | None = None
    judged_again: bool = False
    fallbacks: tuple[str, ...] = ()
    judge_fallback: str | None = None
    calls: int = 0
    failing: str | None = None
    traceparent: str | None = None
    guarantees: tuple[JudgeGuarantee, ...] = ()
    cascade: tuple[str, ...] = ()
    step: CascadeStep | None = None
    first_attempt: int = 1
    queue: str = "live"
    age: float = 0
    criteria: tuple[Criterion, ...] = ()

    @property
    def prompt(self) -> OneCallPrompt:
        """What the judge is asked by."""
        return self.own_prompt or resolve_prompt(self.judge_prompt)


@dataclass(frozen=True, slots=True)
class Held:
    """A row in a batch, as replies name it."""

    id: uuid.UUID
    workspace_id: uuid.UUID
    attempt: int


@dataclass(frozen=True, slots=True)
class Usage:
    """What the judge's calls took: tokens and US dollars are None where unknown."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: Decimal | None = None

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            _sum(self.prompt_tokens, other.prompt_tokens, MAX_TOKENS),
            _sum(self.completion_tokens, other.completion_tokens, MAX_TOKENS),
            _sum(self.cost_usd, other.cost_usd, MAX_COST_USD),
        )


def usage_of(reply: ChatResponse | None) -> Usage:
    """What a reply took; a call without one may have been billed all the same."""
    if reply is None:
        return Usage()
    return Usage(reply.prompt_tokens, reply.completion_tokens, reply.cost_usd)


def _sum(a: Number | None, b: Number | None, most: Number) -> Number | None:
    if a is None:
        return b
    return a if b is None else min(a + b, most)


@dataclass(frozen=True, slots=True)
class JudgeFailure:
    """What was wrong with the judge, for its circuit breaker. `rest`: Retry-After in seconds."""

    reason: str
    rest: float = 0


class Verdict(NamedTuple):
    """A judgement, each part of it where it was requested.

    `degraded_because` is set when rules replaced a judge that failed; `quality_by_rules`
    when they ticked the checklist alone, because the judge could not. `from_cache`: a reply was one
    to an identical request for another answer. criteria: scores by the workspace's own.
    """

    evaluation: SearchQAEvaluation | None
    quality: QualityResult | None
    provider: str
    model: str
    prompt_version: str
    judge_ms: float
    feedback: FeedbackResult | None = None
    usage: Usage = Usage()
    degraded_because: str | None = None
    quality_by_rules: bool = False
    judge_failure: JudgeFailure | None = None
    from_cache: bool = False
    criteria: tuple[CriterionScore, ...] = ()

    @property
    def own_checklist(self) -> QualityResult | None:
        """The checklist where the judge ticked it; rules that stood in say nothing against it."""
        return None if self.quality_by_rules else self.quality


@dataclass(frozen=True, slots=True)
class Retry:
    """A transient failure: try again after `delay` seconds. Stored replies to the requests in
    `discards` (their hashes) are of no use then; the others are."""

    error: str
    delay: float
    discards: tuple[str, ...] = ()
    judge_failure: JudgeFailure | None = None


@dataclass(frozen=True, slots=True)
class Fallback:
    """The judge could not, and trying again would not help: `model` is to judge instead."""

    model: str
    because: str
    judge_failure: JudgeFailure | None = None


@dataclass(frozen=True, slots=True)
class NextStep:
    """The next judge of a cascade, `model`, goes on. verdict: what this one says, None where it
    failed, and `because` says why. sure: it need not have gone on, and is checked."""

    model: str
    verdict: Verdict | None = None
    because: str | None = None
    sure: bool = False
    judge_failure: JudgeFailure | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """No verdict, and trying again would not help."""

    error: str
    judge_failure: JudgeFailure | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """The judge itself cannot work: the rows of all workspaces wait until it is fixed. `reason`
    is one of PAUSE_REASONS, because all workspaces read it. `tried` when this very request may
    be to blame, so that it is not the first probe, nor one for ever."""

    reason: str
    tried: bool = False


@dataclass(frozen=True, slots=True)
class Release:
    """This process gives the evaluation back unjudged, because it stops."""


Outcome = Verdict | Retry | Fallback | NextStep | Failure | Pause | Release
