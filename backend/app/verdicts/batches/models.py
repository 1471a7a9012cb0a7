"""States and tables of batches."""

import datetime as dt
import enum
import uuid
from decimal import Decimal

from sqlalchemy import CheckConstraint, Index, Numeric, String, Text, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.db.base import Base, InOrder, Keyed, KeyedInWorkspace, foreign_key
from app.platform.db.statements import in_list


class BatchState(enum.StrEnum):
    """
    collecting ──▶ submitting ──▶ running ──▶ reading ──▶ ended
                        │            │                └──▶ cancelled
                        └────────────┴──▶ failed(error)

    A batch that is cancelled goes on through `reading`: what it has replies for is paid for.
    """

    COLLECTING = "collecting"
    SUBMITTING = "submitting"
    RUNNING = "running"
    READING = "reading"
    ENDED = "ended"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def final(self) -> bool:
        return self in FINAL


# A job is at it.
AT_WORK = (BatchState.SUBMITTING, BatchState.RUNNING, BatchState.READING)
FINAL = (BatchState.ENDED, BatchState.FAILED, BatchState.CANCELLED)

_COLLECTING = text(f"state = '{BatchState.COLLECTING}'")
_AT_WORK = text(f"state IN ({in_list(AT_WORK)})")
_ZERO = text("0")


class JudgeBatch(KeyedInWorkspace, Base):
    """Rows of one workspace for one judge, and the batch of its provider that answers them.

    `answers` rows are in it, which take `requests` lines once they are rendered. `submitting_at`
    is set before the provider is asked to create the batch: from then on it may exist there, and
    is looked for before it is created again. `done` and `failed` are the provider's counts. Of
    the lines that were read, `stored` had a reply, `errors` an error, and `dropped` belonged to
    answers that were gone or judged otherwise. `deadline_at` is when the first of its answers is
    due for a call; `retry_at` when the provider, which was full, may take the next batch."""

    __tablename__ = "judge_batches"
    __table_args__ = (
        Index(None, "workspace_id", "id"),
        Index(
            "uq_judge_batches_collecting",
            *("workspace_id", "judge_model"),
            unique=True,
            postgresql_where=_COLLECTING,
        ),
        Index("ix_judge_batches_at_work", "id", postgresql_where=_AT_WORK),
        CheckConstraint(f"state IN ({in_list(BatchState)})", name="state_known"),
        CheckConstraint("state <> 'failed' OR error IS NOT NULL", name="failed_has_error"),
        CheckConstraint(
            "state NOT IN ('running', 'reading') OR provider_batch IS NOT NULL",
            name="running_has_provider_batch",
        ),
    )

    judge_model: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(16))
    error: Mapped[str | None] = mapped_column(Text)
    deadline_at: Mapped[dt.datetime]
    last_row_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())
    submitting_at: Mapped[dt.datetime | None]
    submitted_at: Mapped[dt.datetime | None]
    finished_at: Mapped[dt.datetime | None]
    retry_at: Mapped[dt.datetime | None]
    cancel_requested_at: Mapped[dt.datetime | None]
    provider_batch: Mapped[str | None] = mapped_column(Text)
    polls: Mapped[int] = mapped_column(server_default=_ZERO)
    answers: Mapped[int] = mapped_column(server_default=_ZERO)
    requests: Mapped[int] = mapped_column(server_default=_ZERO)
    done: Mapped[int] = mapped_column(server_default=_ZERO)
    failed: Mapped[int] = mapped_column(server_default=_ZERO)
    stored: Mapped[int] = mapped_column(server_default=_ZERO)
    errors: Mapped[int] = mapped_column(server_default=_ZERO)
    dropped: Mapped[int] = mapped_column(server_default=_ZERO)
    # Of the replies; NULL where the price of one is not known.
    cost_usd: Mapped[Decimal | None] = mapped_column(Numeric(14, 8), server_default=text("0"))


class JudgeBatchLine(Keyed, InOrder, Base):
    """A request of a batch: its number `position` of those that the evaluation takes.

    Its id becomes that of its reply in judge_calls, so that a reply is stored once. `attempt` is
    the fence of the reply. `request_hash` and `purpose` are set when the request is rendered,
    `read_at` when its reply, or its error, was read."""

    __tablename__ = "judge_batch_lines"
    __table_args__ = (
        Index(
            "uq_judge_batch_lines_custom_id", *("evaluation_id", "attempt", "position"), unique=True
        ),
        Index(None, "batch_id"),
    )

    batch_id: Mapped[uuid.UUID] = foreign_key("judge_batches.id")
    evaluation_id: Mapped[uuid.UUID] = foreign_key("qa_evaluations.id")
    attempt: Mapped[int]
    request_hash: Mapped[str | None] = mapped_column(String(64))
    purpose: Mapped[str | None] = mapped_column(Text)
    read_at: Mapped[dt.datetime | None]
