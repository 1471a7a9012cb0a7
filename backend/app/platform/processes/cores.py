"""How many processor cores there are for us."""

import math
import os
import sys
from pathlib import Path

_CGROUP_QUOTA = Path("/sys/fs/cgroup/cpu.max")


def usable_cores() -> int:
    """Those that this process may run on, or fewer where its container has a quota: "150000
    100000", microseconds of CPU in each period, are one and a half, and count as two."""
    allowed = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    try:
        quota, period = map(int, _CGROUP_QUOTA.read_text().split())
    except (OSError, ValueError):  # no container, or one without a quota: "max 100000"
        return allowed
    return max(1, min(allowed, math.ceil(quota / period)))
