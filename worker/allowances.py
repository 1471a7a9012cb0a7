"""Rows that wait until the limits of their judge allow its calls: fresh answers first."""

import asyncio
import random
from collections import OrderedDict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from app.ai_router.limits.model_limit import Ask, stated_limit
from app.ai_router.limits.shared import SharedLimits
from app.judges.estimate import TextBytes, verdict_calls
from app.platform.broker import Queue
from app.platform.settings import Settings
from app.verdicts.lifecycle.lifecycle import WaitingRow
from worker.places import Group

if TYPE_CHECKING:
    from app.ai_router.providers.http import OnReply

Granted = TypeVar("Granted")
Wanted = TypeVar("Wanted")


class Turns(Generic[Granted, Wanted]):
    """A round-robin queue of futures: each owner in turn, the oldest of each first, so that one
    owner's backlog delays the others by a few turns only."""

    def __init__(self) -> None:
        self._owners: OrderedDict[Hashable, OrderedDict[asyncio.Future[Granted], Wanted]] = (
            OrderedDict()
        )
        self._owner_of: dict[asyncio.Future[Granted], Hashable] = {}

    def __len__(self) -> int:
        return len(self._owner_of)

    def __iter__(self) -> Iterator[asyncio.Future[Granted]]:
        return iter(self._owner_of)

    def add(self, owner: Hashable, future: asyncio.Future[Granted], wanted: Wanted) -> None:
        self._owner_of[future] = owner
        self._owners.setdefault(owner, OrderedDict())[future] = wanted

    def remove(self, future: asyncio.Future[Granted]) -> None:
        """It has had its turn, or waits no longer."""
        if future not in self._owner_of:
            return
        owner = self._owner_of.pop(future)
        waiting = self._owners[owner]
        del waiting[future]
        if waiting:
            self._owners.move_to_end(owner)
        else:
            del self._owners[owner]

    def first(self, most: int) -> list[tuple[asyncio.Future[Granted], Wanted]]:
        """The next ones, in order."""
        rounds = zip_longest(*(waiting.items() for waiting in self._owners.values()))
        return list(islice((one for one in chain.from_iterable(rounds) if one), most))


class PendingRow(NamedTuple):
    """A row that waits: whose it is, and what it takes where its judge's calls are limited."""

    group: Group
    ask: Ask | None = None


def pending_row(row: WaitingRow) -> PendingRow:
    group = Group(row.judge_model, row.workspace_id)
    if row.lengths is None:
        return PendingRow(group)
    lang, question, answer, notes, parts = row.lengths
    texts = TextBytes(question, answer, notes, parts)
    requests = tokens = 0
    for call in verdict_calls(tuple(row.evaluators), lang, row.judge_prompt):
        times, each = call.times(parts), call.tokens(texts)
        requests += times
        tokens += times * (each.prompt + each.completion)
    # Rows of the isolated queue are few, and each is the only one of its process.
    bulk = row.queue == Queue.BULK
    return PendingRow(group, Ask(str(row.id), max(1, requests), tokens, bulk))


# Asked for together; as many again a moment later.
MAX_ASKS = 64
# Seconds between two looks, while others take what there is: fresh answers look at once when it is
# there, the others in batches.
MIN_WAIT, MIN_BULK_WAIT, MAX_WAIT = 0.01, 0.1, 1.0
# Waits are longer by up to this share, so that workers do not all ask in the same moment.
JITTER = 0.2


@dataclass(slots=True)
class Grant:
    """What was reserved for one verdict; `end` releases it once the calls themselves have been
    counted."""

    limits: SharedLimits
    model: str
    ask: Ask
    tokens: float

    def end(self) -> None:
        settlement = self.limits.unsettled(self.model)
        settlement.requests -= self.ask.requests
        settlement.tokens -= self.tokens
        settlement.ended.append((self.ask.id, self.ask.requests))


Waiting = Turns[Grant, Ask]


@dataclass(slots=True)
class _Line:
    """The rows that wait for one judge."""

    live: Waiting = field(default_factory=Turns)
    bulk: Waiting = field(default_factory=Turns)
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    serving: asyncio.Task[None] | None = None

    def of(self, ask: Ask) -> Waiting:
        return self.bulk if ask.bulk else self.live

    def first(self) -> list[tuple[asyncio.Future[Grant], Ask]]:
        live = self.live.first(MAX_ASKS)
        return live + self.bulk.first(MAX_ASKS - len(live))


def shared_limits(settings: Settings) -> SharedLimits:
    """For one event loop. A call is given up after the longest that a verdict may take."""
    return SharedLimits(
        settings.judge.limits, settings.redis.url, call_seconds=settings.judge.task_limit_seconds
    )


def limit_recorder(limits: SharedLimits, settings: Settings) -> "OnReply | None":
    """Records the limits that replies state; None where that is switched off."""

    def learn(model: str, headers: Mapping[str, str]) -> None:
        limits.learn(model, stated_limit(headers))

    return learn if settings.judge.learn_limits else None


class Allowances:
    """A line for each limited judge. A waiting row holds no place and no lease; one with a grant
    may be claimed."""

    def __init__(self, limits: SharedLimits) -> None:
        self._limits = limits
        limits.on_ended = self._wake
        self._lines: dict[str, _Line] = {}

    def __bool__(self) -> bool:
        """Whether any judge is limited."""
        return bool(self._limits)

    def limits(self, model: str) -> bool:
        """Whether the judge is limited, or may be because it has not been called yet."""
        self._limits.track(model)
        return model in self._limits

    async def wait(self, model: str, ask: Ask, seconds: float, *, owner: Hashable) -> Grant | None:
        """None when there was no allowance for so long. Cancelling it takes nothing. owner: owners
        take turns."""
        line = self._lines.setdefault(model, _Line())
        future: asyncio.Future[Grant] = asyncio.get_running_loop().create_future()
        line.of(ask).add(owner, future, ask)
        if line.serving is None:
            line.serving = asyncio.create_task(self._serve(model, line))
        elif not ask.bulk and len(line.live) == 1:
            line.woken.set()
        try:
            await asyncio.wait([future], timeout=seconds)
        except asyncio.CancelledError:
            if future.done() and not future.exception():
                future.result().end()
            raise
        finally:
            line.of(ask).remove(future)
            future.cancel()  # of no effect on one that is done
        return None if future.cancelled() else future.result()

    def _wake(self, model: str) -> None:
        if line := self._lines.get(model):
            line.woken.set()

    def stop(self, error: BaseException) -> None:
        """Raises `error` in all waiting calls."""
        for line in self._lines.values():
            if line.serving:
                line.serving.cancel()
            for future in chain(line.live, line.bulk):
                if not future.done():
                    future.set_exception(error)

    async def _serve(self, model: str, line: _Line) -> None:
        try:
            while first := line.first():
                line.woken.clear()
                wait = await self._grant(model, line, first)
                if wait <= 0:
                    continue
                least = MIN_WAIT if line.live else MIN_BULK_WAIT
                jitter = 1 + JITTER * random.random()  # noqa: S311  no secret
                try:
                    async with asyncio.timeout(min(max(wait * jitter, least), MAX_WAIT)):
                        await line.woken.wait()
                except TimeoutError:
                    pass
        finally:
            line.serving = None

    async def _grant(
        self, model: str, line: _Line, first: list[tuple[asyncio.Future[Grant], Ask]]
    ) -> float:
        """Returns the seconds until the next of them may go."""
        waiting = len(line.live) + len(line.bulk)
        taken = await self._limits.take(model, [ask for _, ask in first], waiting)
        for future, ask in first[: taken.number]:
            line.of(ask).remove(future)
            grant = Grant(self._limits, model, ask, ask.tokens * taken.ratio)
            if future.done():
                grant.end()
            else:
                future.set_result(grant)
        return taken.wait
