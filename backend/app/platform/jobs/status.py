"""The states of jobs, and of work done in parts: runs and judge benches."""

import enum


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
