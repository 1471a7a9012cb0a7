"""The states of a batch of rows."""

import enum


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
