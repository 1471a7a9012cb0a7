"""Processes that do not outlive their parent. Only Linux has what this takes."""

import ctypes
import os
import signal
import sys

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
