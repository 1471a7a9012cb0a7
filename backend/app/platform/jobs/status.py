"""The states of jobs, and of work done in parts: runs and judge benches; SQL of jobs,
without SQLAlchemy."""

import enum

from app.platform.db.statements import SqlFile, in_list


class JobStatus(enum.StrEnum):
    """
    queued ──▶ running ──▶ succeeded
      ▲          │ ├─────▶ failed(error)
      │          │ └─────▶ retrying ──▶ running
      └──────────┘    transient failure, lease expired
    worker stopped

    Whatever is unfinished may become cancelled.
    """

    QUEUED = "queued"
    RUNNING = "running"
    RETRYING = "retrying"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def final(self) -> bool:
        return self in FINAL


# Free to be claimed.
WAITING = (JobStatus.QUEUED, JobStatus.RETRYING)
# Nothing has ended it yet.
UNFINISHED = (JobStatus.QUEUED, JobStatus.RUNNING, JobStatus.RETRYING)
FINAL = (JobStatus.SUCCEEDED, JobStatus.FAILED, JobStatus.CANCELLED)

# Kinds whose job is a part of what it made, and is deleted with it: that reads its status here.
KEPT_KINDS = ("refine",)
# Kinds that run so often that a success is deleted at once.
FREQUENT_KINDS = ("group_failures",)

INSERT_JOBS = "INSERT INTO jobs (id, workspace_id, kind, payload, dedupe_key)"
# Of a job whose like is unfinished nothing is inserted or returned.
UNLESS_UNFINISHED = f"""\
ON CONFLICT (workspace_id, kind, dedupe_key)
    WHERE dedupe_key IS NOT NULL AND status IN ({in_list(UNFINISHED)}) DO NOTHING
RETURNING id, workspace_id, dedupe_key"""
# Each statement that changes a status is guarded, is one transaction, and takes its time from the
# database clock.
JOBS_SQL = SqlFile(
    __package__,
    "queries",
    is_waiting=f"status IN ({in_list(WAITING)})",
    is_unfinished=f"status IN ({in_list(UNFINISHED)})",
    final=in_list(FINAL),
    frequent_kinds=in_list(FREQUENT_KINDS),
    kept_kinds=in_list(KEPT_KINDS),
    insert_jobs=INSERT_JOBS,
    unless_unfinished=UNLESS_UNFINISHED,
)


class RunStatus(enum.StrEnum):
    """A run is `completed` also when items failed: it says how many."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def final(self) -> bool:
        return self not in UNFINISHED_RUNS


UNFINISHED_RUNS = frozenset({RunStatus.PENDING, RunStatus.RUNNING})
STATUS_KNOWN = f"status IN ({', '.join(repr(status.value) for status in RunStatus)})"
