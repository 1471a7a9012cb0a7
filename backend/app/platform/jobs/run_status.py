"""The states of work that is done in parts: runs and judge benches."""

import enum


class RunStatus(enum.StrEnum):
    """A run is `completed` also when items failed: it says how many."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def final(self) -> bool:
        return self not in UNFINISHED


UNFINISHED = frozenset({RunStatus.PENDING, RunStatus.RUNNING})
STATUS_KNOWN = f"status IN ({', '.join(repr(status.value) for status in RunStatus)})"
