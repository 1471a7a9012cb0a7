"""Limits of calls in child processes, their errors, and the messages to and from a fork server."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.platform.errors import RequestError


@dataclass(frozen=True, slots=True)
class Limits:
    """seconds: wall clock from the moment the child begins. megabytes: of memory beyond what the
    child holds when the call begins, and of all that it keeps between calls; enforced on Linux
    only. cpu_seconds: CPU time of the child, for calls that a busy machine may delay."""

    seconds: float
    megabytes: int
    cpu_seconds: float | None = None


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
        seconds = limits.cpu_seconds or limits.seconds
        ko = f"처리하는 데 {seconds:g}초가 넘게 걸렸습니다."
        super().__init__(f"took longer than {seconds:g} s", ko=ko)


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
class Ready:
    """The first message of a fork server: what it shares is loaded."""

    pid: int


@dataclass(frozen=True, slots=True)
class Start:
    """What its children have of the process that they work for: where modules are found, and its
    niceness. Without a reply."""

    path: Sequence[str]
    niceness: int


@dataclass(frozen=True, slots=True)
class Fork:
    """A file descriptor follows, of a socket. The child calls `main`, as `module:function`, with
    its connection. `modules` are imported first, so that all later children share them. The reply
    is `Forked`, and `Ended` follows when the child has ended."""

    main: str
    modules: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Forked:
    pid: int


@dataclass(frozen=True, slots=True)
class End:
    """Kills the child."""

    pid: int


@dataclass(frozen=True, slots=True)
class Ended:
    """code: as `subprocess` gives it, minus the signal's number if a signal ended it."""

    pid: int
    code: int


@dataclass(frozen=True, slots=True)
class Ping:
    """The reply is the same: the fork server works."""
