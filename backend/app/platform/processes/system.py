"""A process and its system: logging, open files, cores, death with the parent, and Unix sockets by
long paths. Much of it is of Linux only."""

import contextlib
import ctypes
import logging
import math
import os
import resource
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path


def connect(path: Path) -> socket.socket:
    """Raises OSError where none listens."""
    client = socket.socket(socket.AF_UNIX)
    try:
        with reachable(path) as name:
            client.connect(name)
    except BaseException:
        client.close()
        raise
    return client


@contextlib.contextmanager
def reachable(path: Path) -> Iterator[str]:
    """A name of the socket that is short enough: the path of one has 107 bytes at most."""
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


# Loaded before a fork, which may happen while another thread holds the loader's lock.
_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


def die_with(parent: int, orphan_signal: int = signal.SIGKILL) -> None:
    """Has the kernel send this process the signal when its parent dies; ends it if that has died
    already."""
    if sys.platform == "linux":
        _LIBC.prctl(_PR_SET_PDEATHSIG, int(orphan_signal))
    if os.getppid() != parent:
        os._exit(1)


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


def configure_logging(level: str) -> None:
    """Plain lines on stderr; source and time are added by the collector."""
    logging.basicConfig(level=level.upper(), format="%(levelname)s %(message)s")
    quiet_libraries()


def quiet_libraries() -> None:
    """httpx logs every request with its address at INFO: too much, and an address may be
    private."""
    logging.getLogger("httpx").setLevel(logging.WARNING)


def allow_open_files(wanted: int) -> int:
    """Raises the soft limit to `wanted`, as far as the hard one allows; the usual 1024 are too few
    for a connection each. Returns the limit that holds now, `wanted` if there is none."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return soft
