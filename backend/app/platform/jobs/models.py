"""The table of jobs."""

import datetime as dt
from typing import Any

from sqlalchemy import CheckConstraint, Index, String, Text, func, text
from sqlalchemy.orm import Mapped, mapped_column

from app.platform.db.base import Base, KeyedInWorkspace
from app.platform.db.statements import in_list
from app.platform.jobs.status import FINAL, KEPT_KINDS, UNFINISHED, WAITING, JobStatus

_WAITING = text(f"status IN ({in_list(WAITING)})")
_RUNNING = text("status = 'running'")
_ENDED = text(f"status IN ({in_list(FINAL)}) AND kind NOT IN ({in_list(KEPT_KINDS)})")
_UNFINISHED = text(f"dedupe_key IS NOT NULL AND status IN ({in_list(UNFINISHED)})")


class JobRow(KeyedInWorkspace, Base):
    """One piece of work. `payload` holds ids and options, never content.

    `attempt` is the fence: a worker may write only with the number it claimed. `tries` counts the
    attempts that a transient failure used up, `crashes` the leases that expired. `run_at` is when
    it may be claimed, `enqueued_at` when the dispatcher last published it. `done` of `total` (NULL:
    unknown) is the last progress of the handler. Of the unfinished jobs of a workspace and
    kind only one has a given `dedupe_key`. `state` is what the handler has noted to resume from.
    """

    __tablename__ = "jobs"
    __table_args__ = (
        Index("ix_jobs_due", "run_at", postgresql_where=_WAITING),
        Index("ix_jobs_leases", "lease_until", postgresql_where=_RUNNING),
        # What retention looks for.
        Index("ix_jobs_ended", "finished_at", postgresql_where=_ENDED),
        Index(None, "workspace_id", "id"),
        Index(
            "uq_jobs_unfinished",
            *("workspace_id", "kind", "dedupe_key"),
            unique=True,
            postgresql_where=_UNFINISHED,
        ),
        CheckConstraint(f"status IN ({in_list(JobStatus)})", name="status_known"),
        CheckConstraint("status <> 'failed' OR error IS NOT NULL", name="failed_has_error"),
        CheckConstraint("status <> 'running' OR lease_until IS NOT NULL", name="running_has_lease"),
        CheckConstraint("done >= 0 AND total >= 0", name="progress_not_negative"),
    )

    kind: Mapped[str] = mapped_column(String(50))
    payload: Mapped[dict[str, Any]]
    dedupe_key: Mapped[str | None] = mapped_column(Text)
    state: Mapped[dict[str, Any]] = mapped_column(server_default="{}")

    status: Mapped[str] = mapped_column(String(16), server_default=JobStatus.QUEUED.value)
    attempt: Mapped[int] = mapped_column(server_default=text("0"))
    tries: Mapped[int] = mapped_column(server_default=text("0"))
    crashes: Mapped[int] = mapped_column(server_default=text("0"))
    run_at: Mapped[dt.datetime] = mapped_column(server_default=func.now())
    enqueued_at: Mapped[dt.datetime | None]
    lease_until: Mapped[dt.datetime | None]
    started_at: Mapped[dt.datetime | None]
    finished_at: Mapped[dt.datetime | None]
    done: Mapped[int] = mapped_column(server_default=text("0"))
    total: Mapped[int | None]
    error: Mapped[str | None] = mapped_column(Text)
