"""Functions called in child processes, under a limit of time and memory."""

from app.platform.processes.limits import (
    LimitExceeded,
    Limits,
    MemoryLimitExceeded,
    ProcessDied,
    TimeLimitExceeded,
)
from app.platform.processes.pool import (
    IMPORT_LIMITS,
    QUICK_LIMITS,
    WARM,
    BoundedProcesses,
    close_lanes,
    import_lane,
    quick_lane,
    trace_lane,
)

__all__ = [
    "IMPORT_LIMITS",
    "QUICK_LIMITS",
    "WARM",
    "BoundedProcesses",
    "LimitExceeded",
    "Limits",
    "MemoryLimitExceeded",
    "ProcessDied",
    "TimeLimitExceeded",
    "close_lanes",
    "import_lane",
    "quick_lane",
    "trace_lane",
]
