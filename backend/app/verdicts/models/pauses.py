"""Tables of judges that cannot work, and of rows that may have killed workers."""

import datetime as dt
import enum
import uuid

from sqlalchemy import ARRAY, CheckConstraint, DateTime, ForeignKey, String, Text, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.db.base import Base, InWorkspace
from app.platform.db.statements import in_list


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
