"""The heartbeat of a process: proof that all of its event loops turn.

Each loop beats about ten times within the limit. While all have beaten lately, each beat renews
the proof twice: in a file, for probes from outside (`python -m app.platform.heartbeat FILE`), and
in the watchdog of `faulthandler`. That is a C thread that needs no lock of Python: it prints where
each thread stands and ends the process when the proof was not renewed within the limit, even if one
regular expression holds the lock for ever.
"""

import asyncio
import faulthandler
import os
import sys
import threading
import time
from pathlib import Path

_BEATS_PER_LIMIT = 10
_STARTING = 4
_STDERR = 2


class Heartbeat:
    """Of this process. Thread-safe; does nothing until `start`."""

    def __init__(self) -> None:
        # Re-entrant, because `stop` is called from signal handlers.
        self._lock = threading.RLock()
        # By loop: the silence it is allowed (None: the usual), and when it last beat.
        self._silence: dict[str, float | None] = {}
        self._beaten_at: dict[str, float] = {}
        self._limit: float | None = None
        self._file: int | None = None

    @property
    def interval(self) -> float:
        """Seconds between two beats of a loop."""
        return (self._limit or _BEATS_PER_LIMIT) / _BEATS_PER_LIMIT

    def start(self, limit: float, file: Path | None) -> None:
        """limit: seconds without a proof until the process is ended. file: where probes look."""
        with self._lock:
            self._limit = limit
            if file is not None:
                file.parent.mkdir(parents=True, exist_ok=True)
                self._file = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            # Until the first loop turns, the process has much to load.
            self._renew(_STARTING * limit)

    def stop(self) -> None:
        """The process is about to end; its time limit is set elsewhere."""
        with self._lock:
            if self._limit is not None:
                faulthandler.cancel_dump_traceback_later()
            self._limit = None

    def expect(self, loop: str, silence: float | None = None) -> None:
        """From now on there is no proof without this loop. silence: seconds for which it may not
        turn although the process works, a third of the limit unless given."""
        with self._lock:
            self._silence[loop] = silence
            self._beaten_at[loop] = time.monotonic()

    def release(self, loop: str) -> None:
        """The loop has ended, or waits for something outside."""
        with self._lock:
            self._silence.pop(loop, None)

    def beat(self, loop: str) -> None:
        with self._lock:
            now = self._beaten_at[loop] = time.monotonic()
            if self._limit is None:
                return
            usual = self._limit / 3
            if all(
                now - self._beaten_at[name] <= (usual if silence is None else silence)
                for name, silence in self._silence.items()
            ):
                self._renew(self._limit)

    async def keep(self, loop: str) -> None:
        """Beats for the running event loop until it is cancelled."""
        self.expect(loop)
        try:
            while True:
                self.beat(loop)
                await asyncio.sleep(self.interval)
        finally:
            self.release(loop)

    def silences(self) -> dict[tuple[str, ...], float]:
        """Seconds since each loop last beat, by its name."""
        with self._lock:
            now = time.monotonic()
            return {(loop,): now - self._beaten_at[loop] for loop in self._silence}

    def _renew(self, limit: float) -> None:
        # Not sys.stderr: Celery puts a logger in its place, which has no file descriptor.
        faulthandler.dump_traceback_later(limit, exit=True, file=_STDERR)
        if self._file is not None:
            # Monotonic: it is the same clock in every process, and no one sets it.
            os.pwrite(self._file, f"{time.monotonic():020.3f} {limit:012.3f}\n".encode(), 0)


heartbeat = Heartbeat()


def last_beat(file: Path) -> tuple[float, float]:
    """How long ago the last proof was, and the limit, both in seconds. Raises OSError and
    ValueError when there is none yet."""
    at, limit = file.read_text().split()
    return time.monotonic() - float(at), float(limit)


def main() -> int:
    """For probes: 0 when the process that writes the file works."""
    try:
        age, limit = last_beat(Path(sys.argv[1]))
    except (OSError, ValueError, IndexError) as error:
        sys.stderr.write(f"There is no heartbeat: {error}\n")
        return 1
    if age > limit:
        sys.stderr.write(f"The last heartbeat was {age:.0f} s ago; {limit:g} s are allowed.\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
