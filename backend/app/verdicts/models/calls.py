"""The table of calls to judges."""

import uuid
from decimal import Decimal

from sqlalchemy import ForeignKey, Index, Numeric, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.db.base import Base, InWorkspace, Keyed

# What retention looks for, see retention_queries.py.
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
