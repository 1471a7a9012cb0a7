"""Where a run stands."""

import enum


class RunStatus(enum.StrEnum):
    """A run is `completed` also when cases failed: it says how many."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def final(self) -> bool:
        return self in {RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.CANCELLED}
