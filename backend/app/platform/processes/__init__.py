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
    ChildrenBusy,
    close_lanes,
    import_lane,
    quick_lane,
    trace_lane,
)
from app.platform.processes.turns import Share, charged_to

__all__ = [
    "IMPORT_LIMITS",
    "QUICK_LIMITS",
    "WARM",
    "BoundedProcesses",
    "ChildrenBusy",
    "LimitExceeded",
    "Limits",
    "MemoryLimitExceeded",
    "ProcessDied",
    "Share",
    "TimeLimitExceeded",
    "charged_to",
    "close_lanes",
    "import_lane",
    "quick_lane",
    "trace_lane",
]
