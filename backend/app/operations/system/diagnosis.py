"""The state of the installation, for the System page, banners and health checks."""

import asyncio
import datetime as dt
import enum
import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Self

import psycopg

from app.ai_router.limits.states import LimitState, LimitStates
from app.notes.vector_indexes import Obstacle, Unindexed
from app.operations.system.endings import ModelEnding, read_endings
from app.operations.system.presence import ProcessKind
from app.operations.system.processes import Process, read_paused, read_processes
from app.platform.broker import Queue
from app.platform.db.pool import Pool
from app.platform.settings import Settings
from app.verdicts.lifecycle.queries import Backlog


class Condition(enum.StrEnum):
    """The most severe first. `stuck`: verdicts are due, workers live, and none claims any.
    `slow_judge`: workers claim them, and the judge is slower than answers come. `unknown`: too
    little has been reported lately, as after a start or an outage of PostgreSQL, or by dispatchers
    that cannot read what waits. `unindexed`: searches of large workspaces by vectors are slow,
    because they have no index of them. `model_ending`: a model in use ends soon, or has ended."""

    REDIS_UNREACHABLE = "redis_unreachable"
    NO_DISPATCHER = "no_dispatcher"
    NO_WORKER = "no_worker"
    STUCK = "stuck"
    JUDGE_PAUSED = "judge_paused"
    SLOW_JUDGE = "slow_judge"
    UNKNOWN = "unknown"
    MODEL_ENDING = "model_ending"
    UNINDEXED = "unindexed"
    OK = "ok"


# How long starts and outages may silence processes, and a sweep of a dispatcher may take.
_SETTLED_SECONDS = 45.0
_SEVERITY = list(Condition)
# What silence of processes makes believe, and an outage of PostgreSQL silences all of them.
_SILENCE = {Condition.NO_DISPATCHER, Condition.NO_WORKER, Condition.STUCK}
# Who reads pages waits for verdicts.
_DELAYS = set(Condition) - {
    *(Condition.UNKNOWN, Condition.MODEL_ENDING, Condition.UNINDEXED, Condition.OK)
}


@dataclass(frozen=True, slots=True)
class SystemProblem:
    """queue and judge_model: None where it is about more than one. due: verdicts that wait for it;
    oldest_seconds: for how long the first of them has. workspaces: that have no index, and
    obstacle: what keeps it from being made; None where a job makes it. ends_on: last day of a model
    that so many workspaces name."""

    condition: Condition
    queue: Queue | None
    judge_model: str | None
    due: int
    oldest_seconds: float | None
    workspaces: int = 0
    obstacle: Obstacle | None = None
    ends_on: dt.date | None = None

    @classmethod
    def alone(
        cls, condition: Condition, queue: Queue | None = None, judge_model: str | None = None
    ) -> Self:
        """While nothing is known to wait because of it."""
        return cls(condition, queue, judge_model, 0, None)


@dataclass(frozen=True, slots=True)
class Observation:
    """backlog: of each queue and judge, None while no dispatcher reports it. limited: judges whose
    server's limits make verdicts wait. redis: whether it answers, None where nobody has asked.
    unindexed: None while no dispatcher reports it. endings: models in use that end."""

    backlog: Sequence[Backlog] | None
    processes: Sequence[Process]
    paused: Sequence[str] = ()
    limited: frozenset[str] = frozenset()
    redis: bool | None = None
    unindexed: Unindexed | None = None
    endings: Sequence[ModelEnding] = ()


@dataclass(frozen=True, slots=True)
class Health:
    """problems: the most severe first. delayed: whether verdicts come late, or will."""

    problems: tuple[SystemProblem, ...]
    delayed: bool

    @property
    def condition(self) -> Condition:
        return self.problems[0].condition if self.problems else Condition.OK


def diagnose(seen: Observation, settings: Settings) -> Health:
    """By SEARCHQA_MAX_QUEUE_WAIT and SEARCHQA_PROCESS_TIMEOUT."""
    silence = settings.stack.process_timeout_seconds
    by_redis = not settings.redis.broker_url
    living = [process for process in seen.processes if lives(process, settings)]
    silent = [process for process in seen.processes if process.seen_seconds > silence]
    steady = max((process.steady_seconds for process in living), default=0)
    # Who reported beside one that still does has stopped; no outage has silenced both.
    stopped = [process for process in silent if process.seen_seconds <= steady]
    found = [
        *_server_problems(seen, living, by_redis=by_redis),
        *_queue_problems(seen, living, stopped, settings.stack.max_queue_wait_seconds),
        *(_paused_problem(seen, judge) for judge in seen.paused),
        *map(_ending_problem, seen.endings),
        *_vector_problems(seen.unindexed),
    ]
    if steady < _SETTLED_SECONDS and not stopped:
        found = list(_doubted(found))
    found.sort(key=lambda each: _SEVERITY.index(each.condition))
    return Health(tuple(found), delayed=any(_delays(each, by_redis=by_redis) for each in found))


def lives(process: Process, settings: Settings) -> bool:
    """Whether it has reported lately."""
    return process.seen_seconds <= settings.stack.process_timeout_seconds


def _delays(problem: SystemProblem, *, by_redis: bool) -> bool:
    """A judge that is paused delays nobody while nothing waits for it."""
    if problem.condition is Condition.JUDGE_PAUSED:
        return problem.due > 0
    return problem.condition in (_DELAYS if by_redis else _DELAYS - {Condition.REDIS_UNREACHABLE})


def waits_for_limits(limits: Iterable[LimitState]) -> frozenset[str]:
    """The judges whose server's limits make verdicts wait."""
    return frozenset(state.model for state in limits if state.waiting or state.held_seconds)


def _server_problems(
    seen: Observation, living: list[Process], *, by_redis: bool
) -> Iterator[SystemProblem]:
    """by_redis: it carries the messages, so that no dispatcher can publish without it."""
    if seen.redis is False:
        yield SystemProblem.alone(Condition.REDIS_UNREACHABLE)
        if by_redis:
            return
    if not any(_dispatches(process) for process in living):
        yield SystemProblem.alone(Condition.NO_DISPATCHER)
    elif seen.backlog is None:
        yield SystemProblem.alone(Condition.UNKNOWN)


def _dispatches(process: Process) -> bool:
    if process.kind is not ProcessKind.DISPATCHER:
        return False
    ticked = process.steady_seconds if process.tick_seconds is None else process.tick_seconds
    return ticked <= _SETTLED_SECONDS


def _queue_problems(
    seen: Observation, living: list[Process], stopped: list[Process], max_wait: float
) -> Iterator[SystemProblem]:
    # A queue of fresh answers has to be served even while it is empty; workers of a release that
    # does not report hold leases.
    backlog = seen.backlog or ()
    held = any(one.queue is Queue.LIVE and one.running > one.expired for one in backlog)
    waiting = [one for one in backlog if _waits(one, max_wait)]
    fresh_waits = any(one.queue is Queue.LIVE for one in waiting)
    unserved = [queue for queue in Queue if not _serving(living, queue)]
    for queue in unserved:
        lost = _serving(stopped, queue)
        if lost or (queue is Queue.LIVE and not (held or fresh_waits)):
            due = [one for one in backlog if one.queue is queue and one.paused is None]
            oldest = max((one.oldest_seconds or 0 for one in due if one.due), default=None)
            yield SystemProblem(
                Condition.NO_WORKER, queue, None, sum(one.due for one in due), oldest
            )
            waiting = [one for one in waiting if one.queue is not queue]
    for one in waiting:
        condition = _waiting_condition(one, _serving(living, one.queue), seen.limited, max_wait)
        if condition:
            yield SystemProblem(condition, one.queue, one.judge_model, one.due, one.oldest_seconds)


def _paused_problem(seen: Observation, judge: str) -> SystemProblem:
    waiting = [one for one in seen.backlog or () if one.judge_model == judge and one.due]
    oldest = max((one.oldest_seconds or 0 for one in waiting), default=None)
    due = sum(one.due for one in waiting)
    return SystemProblem(Condition.JUDGE_PAUSED, None, judge, due, oldest)


def _ending_problem(ending: ModelEnding) -> SystemProblem:
    alone = SystemProblem.alone(Condition.MODEL_ENDING, judge_model=ending.model)
    return replace(alone, workspaces=ending.workspaces, ends_on=ending.ends_on)


def _vector_problems(unindexed: Unindexed | None) -> Iterator[SystemProblem]:
    if unindexed and unindexed.workspaces:
        alone = SystemProblem.alone(Condition.UNINDEXED)
        yield replace(alone, workspaces=unindexed.workspaces, obstacle=unindexed.obstacle)


def _waiting_condition(
    one: Backlog, workers: list[Process], limited: frozenset[str], max_wait: float
) -> Condition | None:
    """Of verdicts that have waited for too long; None where they may."""
    claimed = (worker.claim_seconds.get(one.judge_model) for worker in workers)
    going_on = (
        one.running > one.expired
        or one.judge_model in limited
        or any(seconds is not None and seconds <= max_wait for seconds in claimed)
    )
    if going_on:
        # What is judged again may take hours; answers that somebody reads may not.
        return Condition.SLOW_JUDGE if one.queue is Queue.LIVE else None
    return Condition.STUCK if workers else Condition.NO_WORKER


def _waits(one: Backlog, max_wait: float) -> bool:
    return one.paused is None and one.oldest_seconds is not None and one.oldest_seconds > max_wait


def _serving(living: list[Process], queue: Queue) -> list[Process]:
    return [
        process
        for process in living
        if process.kind is ProcessKind.WORKER and queue in process.queues
    ]


def _doubted(problems: Iterable[SystemProblem]) -> Iterator[SystemProblem]:
    for problem in problems:
        if problem.condition not in _SILENCE:
            yield problem
        else:
            yield replace(problem, condition=Condition.UNKNOWN)


logger = logging.getLogger(__name__)

# Probes and pages ask often; it is worked out once in this time (seconds).
FRESH_SECONDS = 1.0
UNKNOWN = Health((SystemProblem.alone(Condition.UNKNOWN),), delayed=False)


def last_backlog(processes: Sequence[Process]) -> tuple[Backlog, ...] | None:
    """As the dispatcher that has reported last has read it, because the API's own role sees one
    workspace at a time; None where none has."""
    reporting = [process for process in processes if process.backlog is not None]
    return min(reporting, key=lambda one: one.seen_seconds).backlog if reporting else None


def _last_unindexed(processes: Sequence[Process]) -> Unindexed | None:
    reporting = [process for process in processes if process.unindexed is not None]
    return min(reporting, key=lambda one: one.seen_seconds).unindexed if reporting else None


class HealthWatch:
    """Works the health out for all who ask at the same time."""

    def __init__(self, pool: Pool, settings: Settings, limits: LimitStates) -> None:
        self._pool = pool
        self._settings = settings
        self._limits = limits
        self._lock = asyncio.Lock()
        self._found = UNKNOWN
        self._until = 0.0

    async def health(self) -> Health:
        """As it was at most FRESH_SECONDS ago; unknown while PostgreSQL is away."""
        async with self._lock:
            if monotonic() >= self._until:
                try:
                    found = diagnose(await self.observe(), self._settings)
                except psycopg.Error as error:
                    logger.warning("The health of the installation is not known (%s)", error)
                    found = UNKNOWN
                except Exception:
                    # Reports of a release with other fields must not take readiness with them.
                    logger.exception("The health of the installation is not known")
                    found = UNKNOWN
                self._found, self._until = found, monotonic() + FRESH_SECONDS
            return self._found

    async def observe(self) -> Observation:
        """Raises psycopg.Error."""
        processes = await read_processes(self._pool)
        living = [process for process in processes if lives(process, self._settings)]
        return Observation(
            backlog=last_backlog(living),
            processes=processes,
            paused=await read_paused(self._pool),
            limited=waits_for_limits(await self._limits.read()),
            redis=await self._limits.redis_version() is not None,
            unindexed=_last_unindexed(living),
            endings=await read_endings(self._pool, self._settings),
        )
