"""The children of this process, by what they are for. Lanes are apart, so that an import does
not hold up a question; they share one fork server, and with it the Korean model."""

import atexit
from functools import lru_cache

from app.platform.processes.cores import usable_cores
from app.platform.processes.forker import Forker
from app.platform.processes.limits import Limits
from app.platform.processes.pool import BoundedProcesses
from app.platform.settings import get_settings

# Without a setting.
QUICK_LIMITS = Limits(seconds=10, megabytes=1024)
IMPORT_LIMITS = Limits(seconds=120, megabytes=1024)
_MAX_QUICK = 8
_IMPORTS = 2
_TRACES = 2
# Loads the Korean model without threads, which would not survive the fork.
WARM = ("app.text.morphemes:warm_up_to_fork",)


@lru_cache(maxsize=1)
def _forker() -> Forker:
    atexit.register(close_lanes)
    return Forker(WARM, get_settings().stack.fork_server)


@lru_cache(maxsize=1)
def quick_lane() -> BoundedProcesses:
    """For calls that take milliseconds, and are waited for: one child for each core."""
    return BoundedProcesses(_forker(), min(usable_cores(), _MAX_QUICK), "quick")


@lru_cache(maxsize=1)
def import_lane() -> BoundedProcesses:
    """For files of notes and questions, which take seconds."""
    return BoundedProcesses(_forker(), _IMPORTS, "import")


@lru_cache(maxsize=1)
def trace_lane() -> BoundedProcesses:
    """For spans of other applications, whose exporters give up after some seconds."""
    return BoundedProcesses(_forker(), _TRACES, "traces")


def close_lanes() -> None:
    """Ends the children of this process; what they do now is abandoned."""
    for lane in (quick_lane, import_lane, trace_lane):
        if lane.cache_info().currsize:
            lane().close()
            lane.cache_clear()
    _forker.cache_clear()
