"""What a webhook may be told of."""

import enum


class EventName(enum.StrEnum):
    """Verdict events come from a trigger on verdict_events, those of judges from one on
    judge_pauses, changes of quality from one on quality_alarms, in the transaction of what they
    tell of (migrations/functions). The dispatcher looks for backlogs and thresholds."""

    VERDICT_SUCCEEDED = "verdict.succeeded"
    VERDICT_FAILED = "verdict.failed"
    JUDGE_PAUSED = "judge.paused"
    JUDGE_RESUMED = "judge.resumed"
    BACKLOG_OLD = "backlog.old"
    THRESHOLD_CROSSED = "threshold.crossed"
    QUALITY_CHANGED = "quality.changed"
    WEBHOOK_DISABLED = "webhook.disabled"


# A backlog is counted up to this: more take long to count, and the number would say no more.
MAX_WAITING = 10_000
# Sent on request, whatever a webhook is subscribed to.
TEST_EVENT = "webhook.test"


class Metric(enum.StrEnum):
    """What a day's threshold is set on; shares are 0 to 1 of the day's verdicts."""

    HIGH_SHARE = "high_share"
    LOW_SHARE = "low_share"
    UNSUPPORTED_SHARE = "unsupported_share"
    FAILED_SHARE = "failed_share"
    COST_USD = "cost_usd"


class Direction(enum.StrEnum):
    ABOVE = "above"
    BELOW = "below"


class DeliveryStatus(enum.StrEnum):
    """
    pending ──▶ delivered ──▶ pending (replayed)
       └──────▶ failed ─────▶ pending (replayed)

    A delivery under way is pending with a `lease_until` in the future.
    """

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class DisabledReason(enum.StrEnum):
    """Why the server switched a webhook off: its receiver answered 410 Gone, or has taken nothing
    for days. NULL where people did."""

    GONE = "gone"
    FAILING = "failing"
