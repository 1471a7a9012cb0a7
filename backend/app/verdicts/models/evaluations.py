"""The tables of verdicts and of their events."""

import datetime as dt
import uuid
from decimal import Decimal
from typing import Any, get_args

from sqlalchemy import (
    ARRAY,
    BigInteger,
    CheckConstraint,
    Identity,
    Index,
    Numeric,
    PrimaryKeyConstraint,
    SmallInteger,
    String,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import UserDefinedType

from app.judges.answer import Outcome
from app.platform.broker import Queue
from app.platform.db.base import Base, InWorkspace, Keyed, foreign_key
from app.platform.db.statements import in_list
from app.verdicts.models.policy import Dollars
from app.verdicts.status import UNFINISHED, WAITING, SkipReason, Status


def _unit_interval(column: str) -> CheckConstraint:
    return CheckConstraint(f"{column} >= 0 AND {column} <= 1", name=f"{column}_unit_interval")


_WAITS = f"status IN ({in_list(WAITING)})"
_WAITING = text(_WAITS)
_PUBLISHED = text(f"{_WAITS} AND enqueued_at IS NOT NULL")
_PASSED_OVER = text(f"{_WAITS} AND reason IN ('probe', 'fallback', 'rules_fallback')")
_IN_CASCADE = text(f"{_WAITS} AND cascade IS NOT NULL")
_FOR_BATCH = text("reason = 'for_batch'")
_RUNNING = text("status = 'running'")
# What judging again looks for, see rejudge.sql.
_OF_A_JOB = text("job_id IS NOT NULL")
_TO_RECHECK = text("recheck_after IS NOT NULL")
_FIGURES = (
    *("id", "answer_id", "is_current", "status", "reason", "degraded", "correctness", "utility"),
    *("confidence", "judge_model", "claims_supported", "claims_partly", "claims_unsupported"),
    *("outcome", "claims_contradicted", "claims_not_in_notes", "claims_misattributed"),
    "claims_stitched",
)
_SHARES = (
    *("correctness", "utility", "grounding", "completeness", "accuracy"),
    *("overall_score", "probability"),
)
_SERVED = text("status = 'succeeded' AND NOT degraded AND NOT from_cache")


class QAEvaluation(Keyed, InWorkspace, Base):
    """One judgement of one answer by one judge. Scores are NULL until there is a verdict.

    `attempt` is the fence: a worker may record only with the number it claimed. `tries` counts
    the attempts that a transient failure used up, `crashes` the leases that expired.
    `run_at` is when the row is due; while running it equals `lease_until`, the end of the last
    claim. `enqueued_at` is when
    the dispatcher last published it. `reason` says why a row is skipped or waits.
    `judge_key` names the judge that was asked for, `judge_model` the one that is or was at work,
    which `fallback_because` explains where it is another one.
    `cascade` are the judges that are asked in turn until one is sure, the last of whom was asked
    for; NULL where that one judges alone. `judge_model` is the one of them at work.

    An answer has one row for each `judge_key`. `is_current` marks the one that counts: the first,
    until another one succeeds. The key of a degraded verdict ends in `/degraded`.
    """

    __tablename__ = "qa_evaluations"
    __table_args__ = (
        # The answer first: deleting one looks for its evaluations.
        UniqueConstraint("answer_id", "workspace_id", "judge_key"),
        Index(
            "ix_qa_evaluations_due_by_workspace",
            *("queue", "judge_model", "workspace_id", "run_at"),
            postgresql_where=_WAITING,
        ),
        Index(
            "ix_qa_evaluations_published",
            *("queue", "judge_model", "workspace_id", "enqueued_at"),
            postgresql_where=_PUBLISHED,
        ),
        # Rows that an exception is made for while judges are paused.
        Index(
            "ix_qa_evaluations_passed_over",
            *("reason", "judge_model", "queue"),
            postgresql_where=_PASSED_OVER,
        ),
        # Rows of a cascade whose judge is paused.
        Index("ix_qa_evaluations_cascade", "judge_model", postgresql_where=_IN_CASCADE),
        Index(
            "ix_qa_evaluations_for_batch",
            *("workspace_id", "judge_model", "run_at"),
            postgresql_where=_FOR_BATCH,
        ),
        Index("ix_qa_evaluations_leases", "run_at", postgresql_where=_RUNNING),
        Index(
            "uq_qa_evaluations_current",
            "answer_id",
            unique=True,
            postgresql_where=text("is_current"),
        ),
        Index(None, "workspace_id", "created_at", "id"),
        Index(None, "workspace_id", "status", "created_at"),
        # Covering index for daily aggregates.
        Index(None, "workspace_id", "answered_at", postgresql_include=_FIGURES),
        Index("ix_qa_evaluations_job", "job_id", "finished_at", postgresql_where=_OF_A_JOB),
        Index(
            "ix_qa_evaluations_recheck",
            *("workspace_id", "judge_model", "recheck_after"),
            postgresql_where=_TO_RECHECK,
        ),
        Index("ix_qa_evaluations_served", "judge_model", "finished_at", postgresql_where=_SERVED),
        CheckConstraint(
            "(correctness IS NULL AND utility IS NULL) OR status = 'succeeded'",
            name="scores_only_when_succeeded",
        ),
        CheckConstraint("status <> 'skipped' OR reason IS NOT NULL", name="skipped_has_reason"),
        CheckConstraint(
            f"status <> 'skipped' OR reason IN ({in_list(SkipReason)})", name="skip_reason_known"
        ),
        CheckConstraint("status <> 'failed' OR error IS NOT NULL", name="failed_has_error"),
        CheckConstraint(f"status IN ({in_list(Status)})", name="status_known"),
        CheckConstraint(f"queue IN ({in_list(Queue)})", name="queue_known"),
        CheckConstraint(f"outcome IN ({in_list(get_args(Outcome))})", name="outcome_known"),
        # NULL on older rows, whose extent was not stored.
        CheckConstraint(
            "confidence <> 'high' OR"
            " (judged_answer_chars >= answer_chars AND judged_note_chars >= note_chars)",
            name="high_only_when_all_judged",
        ),
        *map(_unit_interval, _SHARES),
    )

    answer_id: Mapped[uuid.UUID] = foreign_key("qa_answers.id")
    # When the answer was stored, for figures by its day. The first row of an answer comes in the
    # same transaction; others copy it.
    answered_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())
    judge_key: Mapped[str] = mapped_column(Text)
    is_current: Mapped[bool] = mapped_column(server_default=text("true"))
    evaluators: Mapped[list[str]] = mapped_column(ARRAY(Text))
    judge_model: Mapped[str] = mapped_column(Text)
    # The version that is asked for; `prompt_version` is what the verdict was made with.
    judge_prompt: Mapped[str | None] = mapped_column(Text)
    cascade: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    # What each of them may cost; `cost_estimate_usd` is that of the one at work.
    cascade_costs: Mapped[list[Decimal | None] | None] = mapped_column(ARRAY(Dollars))
    # The job that has the answer judged again.
    job_id: Mapped[uuid.UUID | None]

    status: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str | None] = mapped_column(Text)
    queue: Mapped[str] = mapped_column(String(16), server_default=Queue.LIVE.value)
    attempt: Mapped[int] = mapped_column(server_default=text("0"))
    tries: Mapped[int] = mapped_column(server_default=text("0"))
    crashes: Mapped[int] = mapped_column(server_default=text("0"))
    run_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())
    enqueued_at: Mapped[dt.datetime | None]
    lease_until: Mapped[dt.datetime | None]
    # The worker process that claimed it last.
    worker_id: Mapped[uuid.UUID | None]
    # Calls of attempts up to this one belong to an earlier judgement and are not counted.
    calls_counted_after: Mapped[int] = mapped_column(server_default=text("0"))
    started_at: Mapped[dt.datetime | None]
    finished_at: Mapped[dt.datetime | None]
    # When the rules stood in, or a judge failed again: it is asked once one of the chain has served
    # somebody since. NULL: nothing is to be done.
    recheck_after: Mapped[dt.datetime | None]

    correctness: Mapped[float | None]
    utility: Mapped[float | None]
    confidence: Mapped[str | None] = mapped_column(String(8))
    # Of rules, and of refusals; NULL for other answers of models and in older rows.
    outcome: Mapped[str | None] = mapped_column(Text)
    summary: Mapped[str | None] = mapped_column(Text)
    grounding: Mapped[float | None]
    completeness: Mapped[float | None]
    accuracy: Mapped[float | None]
    overall_score: Mapped[float | None]
    # Chance that people find the answer right, by the judge's calibration when it was recorded.
    probability: Mapped[float | None]
    needs_improvement: Mapped[bool | None]
    degraded: Mapped[bool] = mapped_column(server_default=text("false"))
    # Whether a reply was one to an identical request for another answer.
    from_cache: Mapped[bool] = mapped_column(server_default=text("false"))
    # Whether a poor verdict has the answer improved without being asked to.
    auto_refine: Mapped[bool] = mapped_column(server_default=text("false"))
    # Of the workspace when the answer was finished; 0 where it had none of its own.
    policy_version: Mapped[int] = mapped_column(server_default=text("0"))
    # What judging may cost, on the high side; NULL without a known price.
    cost_estimate_usd: Mapped[Decimal | None] = mapped_column(Dollars)
    fallback_because: Mapped[str | None] = mapped_column(Text)

    provider: Mapped[str | None] = mapped_column(Text)
    model: Mapped[str | None] = mapped_column(Text)
    prompt_version: Mapped[str | None] = mapped_column(Text)
    prompt_tokens: Mapped[int | None]
    completion_tokens: Mapped[int | None]
    cost_usd: Mapped[Decimal | None] = mapped_column(Numeric(12, 8))
    # What claims and sources say, counted: figures need not read them.
    claims_supported: Mapped[int | None] = mapped_column(SmallInteger)
    claims_partly: Mapped[int | None] = mapped_column(SmallInteger)
    claims_unsupported: Mapped[int | None] = mapped_column(SmallInteger)
    claims_contradicted: Mapped[int | None] = mapped_column(SmallInteger)
    claims_not_in_notes: Mapped[int | None] = mapped_column(SmallInteger)
    claims_misattributed: Mapped[int | None] = mapped_column(SmallInteger)
    claims_stitched: Mapped[int | None] = mapped_column(SmallInteger)
    cited_notes: Mapped[list[int] | None] = mapped_column(ARRAY(SmallInteger))
    misquoted_notes: Mapped[list[int] | None] = mapped_column(ARRAY(SmallInteger))
    # How much of answer and notes the verdict rests on, in characters.
    answer_chars: Mapped[int | None]
    judged_answer_chars: Mapped[int | None]
    note_chars: Mapped[int | None]
    judged_note_chars: Mapped[int | None]
    queue_ms: Mapped[float | None]
    judge_ms: Mapped[float | None]
    error: Mapped[str | None] = mapped_column(Text)


_PASSING = text(f"status IN ({in_list(UNFINISHED)})")


class Xid8(UserDefinedType[str]):
    """PostgreSQL's 64-bit transaction id, read as text."""

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        return "xid8"


class VerdictEvent(Base, InWorkspace):
    """What happened to a verdict, or where `refinement_id` is set, to the improvement of its
    answer. (xid, id) orders events so that replay has no gap.

    attempt: the one that began or ended, where one did; reason: why the row waits or is skipped.
    delivered_at: when a reader's stream was first sent it, of final events; NULL where none was
    open. All three are NULL on older rows.

    In partitions by the month of the verdict, whose key is part of the primary key for that alone.
    """

    __tablename__ = "verdict_events"
    __table_args__ = (
        PrimaryKeyConstraint("id", "evaluation_id"),
        Index(None, "xid", "id"),
        Index(None, "workspace_id", "xid", "id"),
        Index(None, "evaluation_id"),
        Index("ix_verdict_events_passing", "created_at", postgresql_where=_PASSING),
        {"postgresql_partition_by": "RANGE (evaluation_id)"},
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True))
    xid: Mapped[str] = mapped_column(Xid8, server_default=func.pg_current_xact_id())
    evaluation_id: Mapped[uuid.UUID] = foreign_key("qa_evaluations.id")
    status: Mapped[str] = mapped_column(String(16))
    refinement_id: Mapped[uuid.UUID | None]
    attempt: Mapped[int | None]
    reason: Mapped[str | None] = mapped_column(Text)
    delivered_at: Mapped[dt.datetime | None]
    created_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())
