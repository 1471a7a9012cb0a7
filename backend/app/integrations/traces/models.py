"""Tables of traces: what has come of each, their spans until they are settled, and counts."""

import datetime as dt
from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    CheckConstraint,
    Date,
    ForeignKeyConstraint,
    Index,
    PrimaryKeyConstraint,
    String,
    Text,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.integrations.traces.grouping import Outcome
from app.integrations.traces.spans import SpanKind
from app.platform.db.base import Base, InWorkspace, KeyedByWorkspace
from app.platform.db.statements import in_list

_OPEN = text("settle_at IS NOT NULL")
_SETTLED = text("outcome IS NOT NULL")
_KEEPS_SPANS = text("settle_at IS NULL AND spans_kept")
_NOTHING = text("'{}'")


class Trace(KeyedByWorkspace, Base):
    """A trace of another application. Times are of the database clock.

    settle_at: when it is turned into answers; NULL once it was, until more spans arrive. opened_at:
    the first span since. rooted: its root has ended. spans and content_bytes: of all that arrived.
    members, outer: see app.integrations.traces.grouping.PriorAnswers. spans_kept: trace_spans may
    have some of it.
    """

    __tablename__ = "traces"
    __table_args__ = (
        Index("ix_traces_unsettled", "workspace_id", "settle_at", postgresql_where=_OPEN),
        Index("ix_traces_spans_kept", "settled_at", postgresql_where=_KEEPS_SPANS),
        # Partial: of two whole indexes that begin with the workspace, a plan that is made while the
        # table is empty may keep the wrong one for looking a trace up.
        Index("ix_traces_settled", "workspace_id", "created_at", postgresql_where=_SETTLED),
        Index(None, "created_at"),
        CheckConstraint(f"outcome IN ({in_list(Outcome)})", name="outcome_known"),
    )

    trace_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    created_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())
    service: Mapped[str] = mapped_column(Text)
    name: Mapped[str] = mapped_column(Text)
    rooted: Mapped[bool]
    spans: Mapped[int]
    content_bytes: Mapped[int] = mapped_column(BigInteger)
    opened_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())
    settle_at: Mapped[dt.datetime | None]
    settled_at: Mapped[dt.datetime | None]
    outcome: Mapped[str | None] = mapped_column(Text)
    answers: Mapped[int] = mapped_column(server_default=text("0"))
    members: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=_NOTHING)
    outer: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=_NOTHING)
    spans_kept: Mapped[bool] = mapped_column(server_default=text("true"))


class TraceSpan(InWorkspace, Base):
    """A span of a trace that has not become an answer. kind and content are NULL for a span that
    only connects others. started_ns: nanoseconds by the sender's clock."""

    __tablename__ = "trace_spans"
    __table_args__ = (
        PrimaryKeyConstraint("workspace_id", "trace_id", "span_id"),
        ForeignKeyConstraint(
            ["workspace_id", "trace_id"],
            ["traces.workspace_id", "traces.trace_id"],
            ondelete="CASCADE",
        ),
        CheckConstraint(f"kind IN ({in_list(SpanKind)})", name="kind_known"),
    )

    trace_id: Mapped[str] = mapped_column(String(32))
    span_id: Mapped[str] = mapped_column(String(16))
    parent_id: Mapped[str] = mapped_column(Text)
    kind: Mapped[str | None] = mapped_column(Text)
    started_ns: Mapped[int] = mapped_column(BigInteger)
    content: Mapped[dict[str, Any] | None] = mapped_column(JSONB)


class TraceCount(KeyedByWorkspace, Base):
    """How often something happened on a day (UTC): an outcome, or a name of `Counted`."""

    __tablename__ = "trace_counts"

    day: Mapped[dt.date] = mapped_column(Date, primary_key=True)
    name: Mapped[str] = mapped_column(Text, primary_key=True)
    count: Mapped[int] = mapped_column(BigInteger)
