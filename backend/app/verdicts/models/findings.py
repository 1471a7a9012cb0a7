"""Tables of the parts of a verdict: notes, claims, scores, judge calls and cascade steps.

Most are partitioned by the month of the verdict.
"""

import datetime as dt
import uuid
from decimal import Decimal
from typing import Any, get_args

from sqlalchemy import CheckConstraint, Index, Numeric, SmallInteger, String, Text, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.judges.answer import Fault
from app.platform.db.base import Base, InWorkspace, Keyed, foreign_key
from app.platform.db.statements import in_list
from app.platform.ids import new_id

_BY_MONTH = {"postgresql_partition_by": "RANGE (evaluation_id)"}


class QAEvaluationSource(Base, InWorkspace):
    """Whether the answer used one of its notes. `quote_found` is checked by code."""

    __tablename__ = "qa_evaluation_sources"
    __table_args__ = _BY_MONTH

    evaluation_id: Mapped[uuid.UUID] = foreign_key("qa_evaluations.id", primary_key=True)
    note_index: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    cited: Mapped[bool]
    relevant_claim: Mapped[str] = mapped_column(Text)
    quote: Mapped[str] = mapped_column(Text)
    quote_found: Mapped[bool | None]


class QAEvaluationIssue(Base, InWorkspace):
    """Something wrong with the answer (`grounding`) or with the verdict itself (other kinds)."""

    __tablename__ = "qa_evaluation_issues"
    __table_args__ = _BY_MONTH

    evaluation_id: Mapped[uuid.UUID] = foreign_key("qa_evaluations.id", primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(32))
    detail: Mapped[str] = mapped_column(Text)


class QAClaim(Base, InWorkspace):
    """A statement of the answer and whether the notes bear it out.

    The answer's characters `start_char` to `end_char` (Python's offsets, end excluded) say it;
    both are NULL when it could not be found there. `source` is judge or rules. `fault`: NULL where
    supported, and in older rows.
    """

    __tablename__ = "qa_claims"
    __table_args__ = (
        CheckConstraint("verdict IN ('supported', 'partly', 'unsupported')", name="verdict_known"),
        CheckConstraint(f"fault IN ({in_list(get_args(Fault))})", name="fault_known"),
        CheckConstraint("start_char >= 0 AND end_char > start_char", name="span"),
        _BY_MONTH,
    )

    evaluation_id: Mapped[uuid.UUID] = foreign_key("qa_evaluations.id", primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    claim: Mapped[str] = mapped_column(Text)
    verdict: Mapped[str] = mapped_column(String(16))
    fault: Mapped[str | None] = mapped_column(String(16))
    note_index: Mapped[int | None]
    quote: Mapped[str] = mapped_column(Text)
    quote_found: Mapped[bool | None]
    start_char: Mapped[int | None]
    end_char: Mapped[int | None]
    reasoning: Mapped[str] = mapped_column(Text)
    source: Mapped[str] = mapped_column(String(8))


class QAScore(InWorkspace, Base):
    """A named score. `source` is judge, rules or human; `details` is shaped by `name`.
    criterion_version: of the workspace's criterion of this name, NULL for other scores."""

    __tablename__ = "qa_scores"
    __table_args__ = _BY_MONTH

    id: Mapped[uuid.UUID] = mapped_column(default=new_id)
    created_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())
    evaluation_id: Mapped[uuid.UUID] = foreign_key("qa_evaluations.id", primary_key=True)
    name: Mapped[str] = mapped_column(Text, primary_key=True)
    value: Mapped[float | None]
    label: Mapped[str | None] = mapped_column(Text)
    reasoning: Mapped[str | None] = mapped_column(Text)
    source: Mapped[str] = mapped_column(String(8))
    details: Mapped[list[dict[str, Any]] | None]
    criterion_version: Mapped[int | None]


# What retention looks for, see retention.sql.
_HAS_REPLY = text("body IS NOT NULL OR content IS NOT NULL")


class JudgeCall(Keyed, InWorkspace, Base):
    """One call to a judge, committed before its body is parsed.

    After a crash the next attempt reads the body instead of paying again, unless `discarded`:
    an attempt could not use it and said so. Retention empties `content` and `body`.

    purpose: the name of the schema that its reply was to have, such as `claims`. re_ask: the reply
    before could not be used, and the judge was asked once more. elapsed_ms: from asking until
    the reply or the error, by the worker's clock; NULL for a line of a batch. All three are NULL on
    older rows.

    In partitions by the month of the call.
    """

    __tablename__ = "judge_calls"
    __table_args__ = (
        Index(None, "evaluation_id", "request_hash"),
        # What identical requests look for, see find_replies.sql.
        Index(
            "ix_judge_calls_replies",
            *("request_hash", "created_at"),
            postgresql_where=text("content IS NOT NULL"),
        ),
        Index("ix_judge_calls_bodies", "created_at", postgresql_where=_HAS_REPLY),
        {"postgresql_partition_by": "RANGE (id)"},
    )

    evaluation_id: Mapped[uuid.UUID] = foreign_key("qa_evaluations.id")
    attempt: Mapped[int]
    request_hash: Mapped[str] = mapped_column(String(64))
    provider: Mapped[str] = mapped_column(Text)
    model: Mapped[str] = mapped_column(Text)
    content: Mapped[str | None] = mapped_column(Text)
    body: Mapped[str | None] = mapped_column(Text)
    prompt_tokens: Mapped[int | None]
    completion_tokens: Mapped[int | None]
    # Of the prompt's: read from the vendor's cache, and written to it. NULL on older rows.
    cached_tokens: Mapped[int | None]
    cache_write_tokens: Mapped[int | None]
    cost_usd: Mapped[Decimal | None] = mapped_column(Numeric(12, 8))
    latency_ms: Mapped[float | None]
    purpose: Mapped[str | None] = mapped_column(Text)
    re_ask: Mapped[bool | None]
    elapsed_ms: Mapped[float | None]
    error: Mapped[str | None] = mapped_column(Text)
    # Whether it was a line of a batch, at the price of batches.
    batched: Mapped[bool] = mapped_column(server_default=text("false"))
    discarded: Mapped[bool] = mapped_column(server_default=text("false"))


class QACascadeStep(InWorkspace, Base):
    """What one judge of a cascade said of an answer, in the order in which they were asked.

    sure: its score is beyond its thresholds, NULL for the last judge, who need not be; checked: it
    was, and the last judge was asked all the same; decided: its verdict is the answer's. confidence
    is the level that the verdict has, or would have had. error: why it said nothing. Tokens and
    cost are of all its calls for this answer.
    """

    __tablename__ = "qa_cascade_steps"
    __table_args__ = (
        Index(None, "workspace_id", "created_at"),
        CheckConstraint("correctness BETWEEN 0 AND 1", name="correctness_unit_interval"),
        CheckConstraint("utility BETWEEN 0 AND 1", name="utility_unit_interval"),
        CheckConstraint("(correctness IS NULL) = (error IS NOT NULL)", name="score_or_error"),
        {"postgresql_partition_by": "RANGE (evaluation_id)"},
    )

    evaluation_id: Mapped[uuid.UUID] = foreign_key("qa_evaluations.id", primary_key=True)
    position: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    attempt: Mapped[int]
    judge_model: Mapped[str] = mapped_column(Text)
    prompt_version: Mapped[str | None] = mapped_column(Text)
    correctness: Mapped[float | None]
    utility: Mapped[float | None]
    confidence: Mapped[str | None] = mapped_column(String(8))
    sure: Mapped[bool | None]
    checked: Mapped[bool]
    decided: Mapped[bool]
    prompt_tokens: Mapped[int | None]
    completion_tokens: Mapped[int | None]
    cost_usd: Mapped[Decimal | None] = mapped_column(Numeric(12, 8))
    judge_ms: Mapped[float | None]
    error: Mapped[str | None] = mapped_column(Text)
    created_at: Mapped[dt.datetime] = mapped_column(server_default=text("now()"))
