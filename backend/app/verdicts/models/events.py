"""The table of events."""

import datetime as dt
import uuid
from typing import Any

from sqlalchemy import (
    BigInteger,
    ForeignKey,
    Identity,
    Index,
    PrimaryKeyConstraint,
    String,
    Text,
    func,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import UserDefinedType

from app.platform.db.base import Base, InWorkspace
from app.platform.db.statements import in_list
from app.verdicts.status import UNFINISHED

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
    evaluation_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("qa_evaluations.id", ondelete="CASCADE")
    )
    status: Mapped[str] = mapped_column(String(16))
    refinement_id: Mapped[uuid.UUID | None]
    attempt: Mapped[int | None]
    reason: Mapped[str | None] = mapped_column(Text)
    delivered_at: Mapped[dt.datetime | None]
    created_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())
