"""Tables of verdicts: qa_evaluations, what hangs on it, and what it cost."""

import datetime as dt
import enum
import uuid
from decimal import Decimal
from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    CheckConstraint,
    DateTime,
    ForeignKey,
    Identity,
    Index,
    Numeric,
    SmallInteger,
    String,
    Text,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import UserDefinedType

from app.broker import Queue
from app.db.base import Base, InWorkspace, Keyed
from app.verdicts.policy.models import Dollars
from app.verdicts.status import SkipReason, Status


class Xid8(UserDefinedType[str]):
    """PostgreSQL's 64-bit transaction id, read as text."""

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        return "xid8"


def _unit_interval(column: str) -> CheckConstraint:
    return CheckConstraint(f"{column} >= 0 AND {column} <= 1", name=f"{column}_unit_interval")


_WAITING = text("status IN ('queued', 'retrying')")
_PUBLISHED = text("status IN ('queued', 'retrying') AND enqueued_at IS NOT NULL")
_PASSED_OVER = text(
    "status IN ('queued', 'retrying') AND reason IN ('probe', 'fallback', 'rules_fallback')"
)
_RUNNING = text("status = 'running'")
# What judging again looks for, see rejudge.sql.
_OF_A_JOB = text("job_id IS NOT NULL")
_TO_RECHECK = text("recheck_after IS NOT NULL")
_FIGURES = (
    *("id", "answer_id", "is_current", "status", "reason", "degraded", "correctness", "utility"),
    *("confidence", "judge_model", "claims_supported", "claims_partly", "claims_unsupported"),
)
_SERVED = text("status = 'succeeded' AND NOT degraded")
# What retention looks for, see retention_queries.py.
_HAS_REPLY = text("body IS NOT NULL OR content IS NOT NULL")
_PASSING = text("status IN ('queued', 'running', 'retrying')")


class QAEvaluation(Keyed, InWorkspace, Base):
    """One judgement of one answer by one judge. Scores are NULL until there is a verdict.

    `attempt` is the fence: a worker may record only with the number it claimed. `tries` counts
    the attempts that a transient failure used up, `crashes` the leases that expired.
    `run_at` is when the row is due; while running it equals `lease_until`, the end of the last
    claim. `enqueued_at` is when
    the dispatcher last published it. `reason` says why a row is skipped or waits.
    `judge_key` names the judge that was asked for, `judge_model` the one that is or was at work,
    which `fallback_because` explains where it is another one.

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
        Index("ix_qa_evaluations_leases", "run_at", postgresql_where=_RUNNING),
        Index(
            "uq_qa_evaluations_current",
            "answer_id",
            unique=True,
            postgresql_where=text("is_current"),
        ),
        Index(None, "workspace_id", "created_at", "id"),
        Index(None, "workspace_id", "status", "created_at"),
        # With what figures by day are made of: they are read from the index alone.
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
            f"status <> 'skipped' OR reason IN ({', '.join(repr(r.value) for r in SkipReason)})",
            name="skip_reason_known",
        ),
        CheckConstraint("status <> 'failed' OR error IS NOT NULL", name="failed_has_error"),
        CheckConstraint(
            f"status IN ({', '.join(repr(s.value) for s in Status)})", name="status_known"
        ),
        CheckConstraint(
            f"queue IN ({', '.join(repr(q.value) for q in Queue)})", name="queue_known"
        ),
        # Older rows do not tell how much was judged.
        CheckConstraint(
            "confidence <> 'high' OR"
            " (judged_answer_chars >= answer_chars AND judged_note_chars >= note_chars)",
            name="high_only_when_all_judged",
        ),
        _unit_interval("correctness"),
        _unit_interval("utility"),
        _unit_interval("grounding"),
        _unit_interval("completeness"),
        _unit_interval("accuracy"),
        _unit_interval("overall_score"),
    )

    answer_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("qa_answers.id", ondelete="CASCADE"))
    # When the answer was stored, for figures by its day. The first row of an answer comes in the
    # same transaction; others copy it.
    answered_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())
    judge_key: Mapped[str] = mapped_column(Text)
    is_current: Mapped[bool] = mapped_column(server_default=text("true"))
    evaluators: Mapped[list[str]] = mapped_column(ARRAY(Text))
    judge_model: Mapped[str] = mapped_column(Text)
    # The version that is asked for; `prompt_version` is what the verdict was made with.
    judge_prompt: Mapped[str | None] = mapped_column(Text)
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
    summary: Mapped[str | None] = mapped_column(Text)
    grounding: Mapped[float | None]
    completeness: Mapped[float | None]
    accuracy: Mapped[float | None]
    overall_score: Mapped[float | None]
    needs_improvement: Mapped[bool | None]
    degraded: Mapped[bool] = mapped_column(server_default=text("false"))
    # Whether a poor verdict has the answer improved without being asked to.
    auto_refine: Mapped[bool] = mapped_column(server_default=text("false"))
    # Of the workspace when the answer was finished; 0 where it had none of its own.
    policy_version: Mapped[int] = mapped_column(server_default=text("0"))
    # What judging may cost, on the high side; NULL where nobody knows the price.
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


class QAEvaluationSource(Base, InWorkspace):
    """Whether the answer used one of its notes. `quote_found` is checked by code."""

    __tablename__ = "qa_evaluation_sources"

    evaluation_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("qa_evaluations.id", ondelete="CASCADE"), primary_key=True
    )
    note_index: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    cited: Mapped[bool]
    relevant_claim: Mapped[str] = mapped_column(Text)
    quote: Mapped[str] = mapped_column(Text)
    quote_found: Mapped[bool | None]


class QAEvaluationIssue(Base, InWorkspace):
    """Something wrong with the answer (`grounding`) or with the verdict itself (other kinds)."""

    __tablename__ = "qa_evaluation_issues"

    evaluation_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("qa_evaluations.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(32))
    detail: Mapped[str] = mapped_column(Text)


class QAClaim(Base, InWorkspace):
    """A statement of the answer and whether the notes bear it out.

    The answer's characters `start_char` to `end_char` (Python's offsets, end excluded) say it;
    both are NULL when it could not be found there. `source` is judge or rules.
    """

    __tablename__ = "qa_claims"
    __table_args__ = (
        CheckConstraint("verdict IN ('supported', 'partly', 'unsupported')", name="verdict_known"),
        CheckConstraint("start_char >= 0 AND end_char > start_char", name="span"),
    )

    evaluation_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("qa_evaluations.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    claim: Mapped[str] = mapped_column(Text)
    verdict: Mapped[str] = mapped_column(String(16))
    note_index: Mapped[int | None]
    quote: Mapped[str] = mapped_column(Text)
    quote_found: Mapped[bool | None]
    start_char: Mapped[int | None]
    end_char: Mapped[int | None]
    reasoning: Mapped[str] = mapped_column(Text)
    source: Mapped[str] = mapped_column(String(8))


class QAScore(Keyed, InWorkspace, Base):
    """A named score. `source` is judge, rules or human; `details` is shaped by `name`."""

    __tablename__ = "qa_scores"
    __table_args__ = (UniqueConstraint("evaluation_id", "name"),)

    evaluation_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("qa_evaluations.id", ondelete="CASCADE")
    )
    name: Mapped[str] = mapped_column(Text)
    value: Mapped[float | None]
    label: Mapped[str | None] = mapped_column(Text)
    reasoning: Mapped[str | None] = mapped_column(Text)
    source: Mapped[str] = mapped_column(String(8))
    details: Mapped[list[dict[str, Any]] | None]


class JudgeCall(Keyed, InWorkspace, Base):
    """One call to a judge, committed before its body is parsed.

    After a crash the next attempt reads the body instead of paying again, unless `discarded`:
    an attempt could not use it and said so. Retention empties `content` and `body`.
    """

    __tablename__ = "judge_calls"
    __table_args__ = (
        Index(None, "evaluation_id", "request_hash"),
        Index("ix_judge_calls_bodies", "created_at", postgresql_where=_HAS_REPLY),
    )

    evaluation_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("qa_evaluations.id", ondelete="CASCADE")
    )
    attempt: Mapped[int]
    request_hash: Mapped[str] = mapped_column(String(64))
    provider: Mapped[str] = mapped_column(Text)
    model: Mapped[str] = mapped_column(Text)
    content: Mapped[str | None] = mapped_column(Text)
    body: Mapped[str | None] = mapped_column(Text)
    prompt_tokens: Mapped[int | None]
    completion_tokens: Mapped[int | None]
    cost_usd: Mapped[Decimal | None] = mapped_column(Numeric(12, 8))
    latency_ms: Mapped[float | None]
    error: Mapped[str | None] = mapped_column(Text)
    discarded: Mapped[bool] = mapped_column(server_default=text("false"))


class VerdictEvent(Base, InWorkspace):
    """What happened to a verdict, or where `refinement_id` is set, to the improvement of its
    answer. (xid, id) orders events so that replay has no gap."""

    __tablename__ = "verdict_events"
    __table_args__ = (
        Index(None, "xid", "id"),
        Index(None, "workspace_id", "xid", "id"),
        Index(None, "evaluation_id"),
        Index("ix_verdict_events_passing", "created_at", postgresql_where=_PASSING),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    xid: Mapped[str] = mapped_column(Xid8, server_default=func.pg_current_xact_id())
    evaluation_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("qa_evaluations.id", ondelete="CASCADE")
    )
    status: Mapped[str] = mapped_column(String(16))
    refinement_id: Mapped[uuid.UUID | None]
    created_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())


class PauseKind(enum.StrEnum):
    """Why a judge is paused. `configuration`: key, name, address or quota are wrong, and people
    have to mend that. `failing`: the circuit breaker is open, until a probe is served."""

    CONFIGURATION = "configuration"
    FAILING = "failing"


class JudgePause(Base):
    """A judge that cannot work. One row is tried at each `probe_at`.

    Where the judge is failing, the next probe waits for the end of the one before it, which is
    attempt `probe_attempt` of the evaluation `probe_id`, and then for `probe_seconds`, each time
    twice as long.
    """

    __tablename__ = "judge_pauses"
    __table_args__ = (
        CheckConstraint(
            f"kind IN ({', '.join(repr(k.value) for k in PauseKind)})", name="kind_known"
        ),
    )

    judge_model: Mapped[str] = mapped_column(Text, primary_key=True)
    kind: Mapped[str] = mapped_column(
        String(16), server_default=text(f"'{PauseKind.CONFIGURATION}'")
    )
    reason: Mapped[str] = mapped_column(Text)
    paused_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())
    probe_at: Mapped[dt.datetime]
    probe_seconds: Mapped[float | None]
    probe_id: Mapped[uuid.UUID | None]
    probe_attempt: Mapped[int | None]


class JudgeFailures(Base):
    """The last failed tries of a judge, as many as open its circuit breaker. The row is deleted
    when the judge serves somebody."""

    __tablename__ = "judge_failures"

    judge_model: Mapped[str] = mapped_column(Text, primary_key=True)
    failed_at: Mapped[list[dt.datetime]] = mapped_column(ARRAY(DateTime(timezone=True)))


class CrashSuspect(Base, InWorkspace):
    """An evaluation that a worker held when it died. `share` is its part of the suspicion: one
    divided by how many the worker held."""

    __tablename__ = "crash_suspects"

    worker_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    evaluation_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("qa_evaluations.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    share: Mapped[float]
    died_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())
