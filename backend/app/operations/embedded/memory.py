"""What of the machine's memory PostgreSQL keeps pages in."""

import os
from pathlib import Path

_CGROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")
_MB = 2**20
_SHARE = 8
# PostgreSQL's default, and what a million chunks are searched well with.
_LEAST, _MOST = 128, 1_024


def available() -> int:
    """The machine's bytes, or the container's where it may have less."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        return min(machine, int(_CGROUP_LIMIT.read_text()))
    except (OSError, ValueError):  # no container, or one without a limit: "max"
        return machine


def shared_buffers(memory: int) -> int:
    """Megabytes for the cache of pages. Only pages that were read take memory."""
    return min(max(memory // _SHARE // _MB, _LEAST), _MOST)
