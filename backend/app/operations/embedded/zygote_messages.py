"""Messages between `searchqa up` and the process that forks its parts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ready:
    """The first message of the zygote: what it preloads is imported."""


@dataclass(frozen=True, slots=True)
class Fork:
    """Two file descriptors follow: of the fork's output, and of a socket from which it reads its
    `Start`. The zygote itself sees no environment, which may hold keys, and so no other fork
    inherits it. The reply is `Started`, and `Ended` follows when the fork has ended."""


@dataclass(frozen=True, slots=True)
class Start:
    """The program of a fork: `python -m module arguments…`."""

    module: str
    arguments: Sequence[str]
    environment: Mapping[str, str]
    cwd: str | None
    orphan_signal: int


@dataclass(frozen=True, slots=True)
class Ping:
    """The reply is the same: the zygote works."""


@dataclass(frozen=True, slots=True)
class Started:
    pid: int


@dataclass(frozen=True, slots=True)
class Ended:
    """code: as `subprocess` gives it, minus the signal's number if a signal ended it."""

    pid: int
    code: int
