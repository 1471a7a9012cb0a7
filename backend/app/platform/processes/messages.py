"""Messages between this process, the fork server and the children."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Start:
    """The first command. warm: `module:function` names, called before the first fork. niceness: of
    the process that the children work for."""

    path: Sequence[str]
    warm: Sequence[str]
    niceness: int


@dataclass(frozen=True, slots=True)
class Fork:
    """Replies with the pid of a child that serves the socket sent next. `module` is imported
    first, so that all later children share it."""

    module: str


@dataclass(frozen=True, slots=True)
class End:
    """Kills the child and replies with how it ended, as a code of `subprocess`. Children are
    reaped here only, so a pid is never another process's."""

    pid: int


@dataclass(frozen=True, slots=True)
class Call:
    """A function, by name, with its arguments."""

    module: str
    function: str
    arguments: tuple[Any, ...]
    megabytes: int


@dataclass(frozen=True, slots=True)
class Result:
    value: Any


@dataclass(frozen=True, slots=True)
class Raised:
    error: BaseException


@dataclass(frozen=True, slots=True)
class OutOfMemory:
    """The child is not to be used any further."""
