"""Messages between `searchqa up` and the process that forks its parts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ready:
    """The first message of the zygote: what it preloads is imported."""


@dataclass(frozen=True, slots=True)
class Start:
    """Runs `python -m module arguments…` in a fork. The file descriptor of its output is sent
    next. The reply is `Started`, and `Ended` follows when it has ended."""

    module: str
    arguments: Sequence[str]
    environment: Mapping[str, str]
    cwd: str | None
    orphan_signal: int


@dataclass(frozen=True, slots=True)
class Started:
    pid: int


@dataclass(frozen=True, slots=True)
class Ended:
    """code: as `subprocess` gives it, minus the signal's number if a signal ended it."""

    pid: int
    code: int
