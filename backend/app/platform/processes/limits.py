"""Limits of calls in child processes, their errors, and the messages between the processes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.platform.errors import RequestError


@dataclass(frozen=True, slots=True)
class Limits:
    """seconds: wall clock from the moment the child begins. megabytes: of memory beyond what the
    child began with; enforced on Linux only."""

    seconds: float
    megabytes: int


class LimitExceeded(RequestError):
    """The call was ended before it gave a result, for what it was given. `what` says how, to stand
    behind a subject: "took longer than 10 s"."""

    status = 422
    code = "limit-exceeded"

    def __init__(self, what: str, *, ko: str) -> None:
        super().__init__(
            f"Processing this text {what}; shorten or split it and try again.",
            ko=f"이 텍스트를 {ko} 줄이거나 나누어 다시 시도하세요.",
        )
        self.what = what


class TimeLimitExceeded(LimitExceeded):
    """The child was killed."""

    def __init__(self, limits: Limits) -> None:
        ko = f"처리하는 데 {limits.seconds:g}초가 넘게 걸렸습니다."
        super().__init__(f"took longer than {limits.seconds:g} s", ko=ko)


class MemoryLimitExceeded(LimitExceeded):
    """The child asked for more memory than it may have."""

    def __init__(self, limits: Limits) -> None:
        ko = f"처리하려면 메모리가 {limits.megabytes:,}MB보다 많이 필요합니다."
        super().__init__(f"needed more than {limits.megabytes:,} MB of memory", ko=ko)


class ProcessDied(LimitExceeded):
    """The child died: a crash of native code, or the kernel was out of memory."""

    def __init__(self, how: str) -> None:
        super().__init__(f"ended its process ({how})", ko=f"처리하던 프로세스가 끝났습니다({how}).")


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
