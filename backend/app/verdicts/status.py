"""The states of a verdict; ARCHITECTURE.md draws their transitions.

Only `running` may be recorded, and only by the attempt that holds it.
"""

import enum


class Status(enum.StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    RETRYING = "retrying"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    SKIPPED = "skipped"

    @property
    def final(self) -> bool:
        return self in FINAL


# Free to be claimed.
WAITING = (Status.QUEUED, Status.RETRYING)
# Nothing has ended it yet.
UNFINISHED = (Status.QUEUED, Status.RUNNING, Status.RETRYING)
FINAL = (Status.SUCCEEDED, Status.FAILED, Status.SKIPPED)
# Ended without a verdict; they may be judged again by the same judge.
UNJUDGED = (Status.FAILED, Status.SKIPPED)


class SkipReason(enum.StrEnum):
    """Why a finished answer is not judged. `cancelled`: it was to be judged again, and is not."""

    DISABLED = "disabled"
    SAMPLED_OUT = "sampled_out"
    NO_CONTEXT = "no_context"
    NOT_SEARCH_QA = "not_search_qa"
    CANCELLED = "cancelled"
    FILTERED_FEATURE = "filtered_feature"
    FILTERED_LANGUAGE = "filtered_language"
    FILTERED_LENGTH = "filtered_length"
    FILTERED_NOTEBOOK = "filtered_notebook"


class WaitReason(enum.StrEnum):
    """Why an unfinished verdict waits: `fallback` for another judge than was asked for,
    `cascade` for the next judge of its cascade, `rules_fallback` for the rules, because its judge
    is failing, `budget_held` for what others really cost, `budget_spent` for the next day,
    `budget_unpriced` for a price of its judge, `for_batch` to be put into a batch of its judge's
    provider, `in_batch` for the replies of one."""

    JUDGE_PAUSED = "judge_paused"
    PROBE = "probe"
    RELEASED = "released"
    LEASE_EXPIRED = "lease_expired"
    TRANSIENT_FAILURE = "transient_failure"
    FALLBACK = "fallback"
    CASCADE = "cascade"
    RULES_FALLBACK = "rules_fallback"
    BUDGET_HELD = "budget_held"
    BUDGET_SPENT = "budget_spent"
    BUDGET_UNPRICED = "budget_unpriced"
    FOR_BATCH = "for_batch"
    IN_BATCH = "in_batch"


# They wait for the daily budget, and cannot be claimed before.
BUDGET_REASONS = (WaitReason.BUDGET_HELD, WaitReason.BUDGET_SPENT, WaitReason.BUDGET_UNPRICED)
