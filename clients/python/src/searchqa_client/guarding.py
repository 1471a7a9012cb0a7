"""Whether an answer may be shown: the reply of `guard`, and calls that end in time."""

from __future__ import annotations

import asyncio
import threading
import time
import uuid
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from typing_extensions import ParamSpec

from searchqa_client.errors import Problem, SearchQAError, Unreachable
from searchqa_client.models import GateClaim, GateRead

P = ParamSpec("P")
T = TypeVar("T")
Undecided = Literal["unknown", "hold"]

# What the way there and back may take of the budget, in seconds and as a share of it.
_WAY_SECONDS, _WAY_SHARE = 0.2, 0.2
_MIN_SECONDS, _MAX_SECONDS = 0.05, 30.0


@dataclass(frozen=True)
class GuardVerdict:
    """decision: `allow`, `hold` or `unknown`. outcome: why, for programs: the rules' `matches`,
    `mismatch`, `undecided` or `rightly_refused`; why they gave none; or here `over_budget`,
    `unreachable`, `refused` by the server, `failed`. reason: a sentence. evaluation_id: of the
    verdict that is to come, None where the answer was not stored by now."""

    decision: str
    outcome: str
    reason: str
    claims: Sequence[GateClaim] = ()
    evaluation_id: uuid.UUID | None = None
    elapsed_ms: float = 0.0

    @property
    def allowed(self) -> bool:
        return self.decision == "allow"


def seconds_there(within: float) -> float:
    """What the server may take, so that its reply is here in time."""
    left = within - min(_WAY_SECONDS, within * _WAY_SHARE)
    return min(max(left, _MIN_SECONDS), _MAX_SECONDS)


def verdict_of(found: GateRead, undecided: Undecided, began: float) -> GuardVerdict:
    """began: of `time.monotonic`."""
    holds = undecided == "hold" and found.outcome == "undecided"
    verdict = GuardVerdict(
        decision="hold" if holds else found.decision,
        outcome=found.outcome,
        reason=found.reason,
        claims=tuple(found.claims),
        evaluation_id=found.quality.evaluation_id,
    )
    return _timed(verdict, began)


def unknown(error: Exception, began: float) -> GuardVerdict:
    """What failed here, as a verdict."""
    outcome, reason = "failed", f"{type(error).__name__}: {error}"
    if isinstance(error, OverBudget):
        outcome, reason = "over_budget", str(error)
    elif isinstance(error, SearchQAError):
        refused = "refused" if isinstance(error, Problem) else "failed"
        outcome = "unreachable" if isinstance(error, Unreachable) else refused
        reason = str(error)
    return _timed(GuardVerdict("unknown", outcome, " ".join(reason.split())), began)


def _timed(verdict: GuardVerdict, began: float) -> GuardVerdict:
    return replace(verdict, elapsed_ms=round((time.monotonic() - began) * 1000, 1))


class OverBudget(Exception):
    """The call has not ended in time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"No verdict within {seconds:g} s.")


class AsyncDeadline:
    """Ends a call after so many seconds by OverBudget."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    async def call(
        self, function: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        try:
            return await asyncio.wait_for(function(*args, **kwargs), self._seconds)
        except asyncio.TimeoutError:  # another one until Python 3.11
            raise OverBudget(self._seconds) from None


class Deadline:
    """The same without asyncio. The call is made by a thread of its own and left there, because
    timeouts of sockets bound no more than each part of it."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        future: Future[T] = Future()

        def work() -> None:
            try:
                future.set_result(function(*args, **kwargs))
            except BaseException as error:  # noqa: BLE001  # it belongs to the caller
                future.set_exception(error)

        threading.Thread(target=work, daemon=True, name="searchqa-guard").start()
        try:
            return future.result(self._seconds)
        except FutureTimeout:
            raise OverBudget(self._seconds) from None
