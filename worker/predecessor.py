"""Who had this process's place before it: what a worker held that has ended is free at once."""

import fcntl
import uuid
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO

# That ended while PostgreSQL was away.
MAX_REMEMBERED = 20


class WorkerPlace:
    """A place that one worker after the other has, as its name in `searchqa up`. file: next to its
    heartbeat; it is locked for as long as this process lives, or until `leave`.

    earlier: ids of workers that had the place, have ended, and may still hold rows; none while
    one of them lives, as where two were given the same place by mistake."""

    def __init__(self, file: Path) -> None:
        self.earlier: Sequence[uuid.UUID] = ()
        self._file: TextIO | None = None
        file.parent.mkdir(parents=True, exist_ok=True)
        opened = file.open("a+")
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            opened.close()
            return
        self._file = opened
        opened.seek(0)
        with suppress(ValueError):  # a machine that lost its power may have written anything
            self.earlier = [uuid.UUID(line) for line in opened.read().split()[-MAX_REMEMBERED:]]

    def take(self, worker_id: uuid.UUID, *, freed: bool) -> None:
        """freed: whether nothing is left of the earlier ones."""
        if self._file is None:
            return
        ids = [worker_id] if freed else [*self.earlier, worker_id]
        self._file.truncate(0)
        self._file.write("".join(f"{each}\n" for each in ids))
        self._file.flush()

    def leave(self) -> None:
        if self._file is not None:
            self._file.close()
