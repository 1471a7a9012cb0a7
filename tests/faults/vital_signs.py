"""The memory of the processes of a running system."""

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from harness import Stack
from victims import Process

EVERY_SECONDS = 1.0
_PAGE = os.sysconf("SC_PAGE_SIZE")
_MIB = 2**20


def resident_mib(pid: int) -> float:
    """The resident memory of a process. Raises FileNotFoundError if there is none."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE / _MIB


@dataclass
class VitalSigns:
    """memory: MiB of each process of a stack, a sample about every second of its life."""

    memory: dict[Process, list[float]] = field(default_factory=dict)

    def sample(self, stack: Stack) -> None:
        for process in stack.processes:
            if process.alive:
                with contextlib.suppress(FileNotFoundError):
                    used = resident_mib(process.popen.pid)
                    self.memory.setdefault(process, []).append(used)

    def early_and_late(self, process: Process) -> tuple[float, float]:
        """MiB once it had warmed up, after a quarter of its life, and at its end: medians of a
        tenth of all samples."""
        samples = self.memory[process]
        few = max(len(samples) // 10, 1)
        quarter = len(samples) // 4
        return median(samples[quarter : quarter + few]), median(samples[-few:])

    def summary(self, processes: Sequence[Process]) -> str:
        grown = (
            "{}: {:.0f} -> {:.0f} MiB".format(p.name.partition("-")[0], *self.early_and_late(p))
            for p in processes
        )
        return ", ".join(grown)


@contextlib.asynccontextmanager
async def watched(stack: Stack) -> AsyncIterator[VitalSigns]:
    """Samples through the block, in a thread: the test's own loop is the judge's."""
    signs = VitalSigns()
    over = asyncio.Event()

    async def watch() -> None:
        while not over.is_set():
            began = time.monotonic()
            await asyncio.to_thread(signs.sample, stack)
            with contextlib.suppress(TimeoutError):
                rest = EVERY_SECONDS - (time.monotonic() - began)
                await asyncio.wait_for(over.wait(), max(rest, 0.01))

    watching = asyncio.create_task(watch())
    try:
        yield signs
    finally:
        over.set()
        await watching
