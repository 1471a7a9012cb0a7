"""Tables of evaluation policies, of spending and of paused judges."""

import datetime as dt
import enum
import uuid
from decimal import Decimal
from typing import Any

from sqlalchemy import (
    ARRAY,
    CheckConstraint,
    DateTime,
    Float,
    Index,
    Numeric,
    String,
    Text,
    Uuid,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.db.base import Base, InWorkspace, KeyedByWorkspace, OwnedByWorkspace, foreign_key
from app.platform.db.statements import in_list

# US dollars; a call may cost millionths of a cent.
Dollars = Numeric(14, 8)


def _days(column: str) -> CheckConstraint:
    return CheckConstraint(f"{column} BETWEEN 1 AND 36500", name=column)


class EvaluationPolicyRow(KeyedByWorkspace, Base):
    """What one workspace has judged, by whom and for how much. NULL leaves a setting to the
    server, so a row of NULLs changes nothing. `version` rises with each change."""

    __tablename__ = "evaluation_policies"
    __table_args__ = (
        CheckConstraint("sample_rate BETWEEN 0 AND 1", name="sample_rate"),
        CheckConstraint("min_answer_chars >= 0", name="min_answer_chars"),
        CheckConstraint("max_answer_chars >= min_answer_chars", name="answer_chars"),
        CheckConstraint("cascade_check BETWEEN 0 AND 1", name="cascade_check"),
        CheckConstraint("judge_fallback IN ('failed', 'rules')", name="judge_fallback"),
        CheckConstraint("daily_budget_usd > 0", name="daily_budget_usd"),
        # PostgreSQL raises an error for an unknown zone.
        CheckConstraint(
            "time_zone IS NULL OR timezone(time_zone, to_timestamp(0)) IS NOT NULL",
            name="time_zone",
        ),
        CheckConstraint("refine_threshold BETWEEN 0 AND 1", name="refine_threshold"),
        CheckConstraint("refine_iterations BETWEEN 1 AND 5", name="refine_iterations"),
        CheckConstraint("bulk_by IN ('batch', 'calls')", name="bulk_by"),
        CheckConstraint("batch_hours BETWEEN 1 AND 24", name="batch_hours"),
        CheckConstraint("user_refs IN ('hashed', 'plain')", name="user_refs"),
        _days("keep_answers_days"),
        _days("keep_judge_bodies_days"),
        _days("keep_events_days"),
    )

    version: Mapped[int] = mapped_column(server_default=text("1"))
    updated_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())

    enabled: Mapped[bool | None]
    sample_rate: Mapped[float | None]
    # Answers that are judged; NULL judges all.
    features: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    languages: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    notebook_ids: Mapped[list[uuid.UUID] | None] = mapped_column(ARRAY(Uuid))
    min_answer_chars: Mapped[int | None]
    max_answer_chars: Mapped[int | None]

    quality_gate: Mapped[bool | None]
    quality_gate_features: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    phases: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    judge_model: Mapped[str | None] = mapped_column(Text)
    judge_prompt: Mapped[str | None] = mapped_column(Text)
    fallback_models: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    judge_fallback: Mapped[str | None] = mapped_column(Text)
    reuse_replies: Mapped[bool | None]
    cascade: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    cascade_check: Mapped[float | None]
    # A CascadeCalibration; it holds while judges and prompts are those that it names.
    cascade_calibration: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    jury: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    # References of the workspace's own criteria that are in force.
    criteria: Mapped[list[str] | None] = mapped_column(ARRAY(Text))

    daily_budget_usd: Mapped[Decimal | None] = mapped_column(Dollars)
    time_zone: Mapped[str | None] = mapped_column(Text)
    auto_refine: Mapped[bool | None]
    auto_refine_features: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    refine_threshold: Mapped[float | None]
    refine_iterations: Mapped[int | None]
    keep_answers_days: Mapped[int | None]
    keep_judge_bodies_days: Mapped[int | None]
    keep_events_days: Mapped[int | None]
    bulk_by: Mapped[str | None] = mapped_column(Text)
    batch_hours: Mapped[int | None]
    user_refs: Mapped[str | None] = mapped_column(Text)
    redact: Mapped[bool | None]
    redact_pattern: Mapped[str | None] = mapped_column(Text)


class JudgeCalibration(KeyedByWorkspace, Base):
    """The guarantee of one version of a judge: of answers that it calls high with a correctness of
    at least `threshold`, more than a share `precision` is right, with this confidence.

    cascade: that of the verdicts that it is for, NULL for verdicts without one. labels,
    labels_right: what the test of that rested on. stays_high: the share of its high
    verdicts that had such a score. chances: that people find an answer right, by the score, with
    lines between.
    """

    __tablename__ = "judge_calibrations"
    __table_args__ = (
        CheckConstraint("precision > 0 AND precision < 1", name="precision"),
        CheckConstraint("confidence > 0 AND confidence < 1", name="confidence"),
        CheckConstraint("threshold BETWEEN 0 AND 1", name="threshold"),
        CheckConstraint("labels_right BETWEEN 0 AND labels", name="labels_right"),
        CheckConstraint("stays_high BETWEEN 0 AND 1", name="stays_high"),
        CheckConstraint(
            "cardinality(scores) = cardinality(chances) AND cardinality(scores) > 0", name="chances"
        ),
    )

    judge_model: Mapped[str] = mapped_column(Text, primary_key=True)
    prompt_version: Mapped[str] = mapped_column(Text, primary_key=True)
    cascade: Mapped[list[str] | None] = mapped_column(ARRAY(Text))
    precision: Mapped[float]
    confidence: Mapped[float]
    threshold: Mapped[float]
    labels: Mapped[int]
    labels_right: Mapped[int]
    stays_high: Mapped[float]
    scores: Mapped[list[float]] = mapped_column(ARRAY(Float))
    chances: Mapped[list[float]] = mapped_column(ARRAY(Float))
    # The one that came with it.
    policy_version: Mapped[int]
    created_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())


class JudgeSpending(KeyedByWorkspace, Base):
    """What judges and runs of a workspace with a daily budget have cost from `day_start` until
    `day_end`, midnight to midnight of its time zone."""

    __tablename__ = "judge_spending"

    day_start: Mapped[dt.datetime] = mapped_column(primary_key=True)
    day_end: Mapped[dt.datetime]
    cost_usd: Mapped[Decimal] = mapped_column(Dollars)


class BudgetHold(OwnedByWorkspace, Base):
    """What a piece of work under way may cost at most, until it is settled or `held_until`: a case
    of a run, by the run's id and its position."""

    __tablename__ = "budget_holds"
    __table_args__ = (Index(None, "workspace_id"),)

    work_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    piece_no: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    cost_usd: Mapped[Decimal] = mapped_column(Dollars)
    held_until: Mapped[dt.datetime]


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
    __table_args__ = (CheckConstraint(f"kind IN ({in_list(PauseKind)})", name="kind_known"),)

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
    when the judge serves somebody. unusable_ids: the evaluations since then whose replies could not
    be used."""

    __tablename__ = "judge_failures"

    judge_model: Mapped[str] = mapped_column(Text, primary_key=True)
    failed_at: Mapped[list[dt.datetime]] = mapped_column(ARRAY(DateTime(timezone=True)))
    unusable_ids: Mapped[list[uuid.UUID]] = mapped_column(ARRAY(Uuid), server_default="{}")


class CrashSuspect(Base, InWorkspace):
    """An evaluation that a worker held when it died. `share` is its part of the suspicion: one
    divided by how many the worker held."""

    __tablename__ = "crash_suspects"

    worker_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    evaluation_id: Mapped[uuid.UUID] = foreign_key(
        "qa_evaluations.id", primary_key=True, index=True
    )
    share: Mapped[float]
    died_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())
