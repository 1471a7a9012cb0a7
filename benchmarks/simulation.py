"""A model of the way from stored answers to their verdicts, as a simulation by events.

What decides is the product's own code: the limits of judges (app.ai_router.limits.model_limit), the
waits after failures (app.verdicts.lifecycle.retry) and the settings. What takes time is a station:
each worker is one core that works on one answer after the other, and so is each core of PostgreSQL;
places in flight are counted for each worker; a judge takes as long as it is said to. Times are
seconds of the simulated day.

Left out: the circuit breaker and fallbacks, the rules judge, jobs beside verdicts, garbage
collection, and whatever else shares the machines.
"""

import heapq
import math
import random
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import NormalDist

from app.ai_router.limits.model_limit import Ask, Gcra
from app.platform.errors import TransientProviderError
from app.platform.setting_types import ModelLimit
from app.platform.settings import Settings
from app.verdicts.lifecycle.outcome import Retry
from app.verdicts.lifecycle.retry import RetryPolicy

DAY, HOUR = 86_400.0, 3600.0
# Claim, reply, record.
STATEMENTS = 3
# Share of a day's answers in each hour: a quiet night, peaks in the late morning and the afternoon.
OFFICE_DAY = (
    *(0.008, 0.005, 0.004, 0.004, 0.005, 0.010, 0.022, 0.045, 0.075, 0.092, 0.095, 0.080),
    *(0.052, 0.072, 0.090, 0.085, 0.070, 0.052, 0.038, 0.030, 0.025, 0.020, 0.013, 0.008),
)


@dataclass(frozen=True, slots=True)
class Costs:
    """CPU seconds of one verdict, and what waiting for others adds; see docs/performance.md.

    alone: in a worker, where each answer has a message of its own, as fresh ones have. batched: for
    those that a dispatcher publishes. database: of PostgreSQL. message: from the commit of the
    answer to a worker. coalescing: what claim, reply and record wait for company, together.
    per_flight: what each call in flight adds to a verdict's CPU in the worker. shared: how much
    longer all takes than its CPU, where worker, PostgreSQL and judge share two cores.
    """

    alone: float = 1.31e-3
    batched: float = 0.60e-3
    database: float = 0.27e-3
    message: float = 5e-3
    coalescing: float = 12e-3
    per_flight: float = 0.5e-6
    shared: float = 1.15


@dataclass(frozen=True, slots=True)
class Judge:
    """median and p99: seconds that a reply takes, lognormal between. failing: the share of calls
    that fail for a moment. requests, tokens, in_flight: what its server allows, of a minute."""

    median: float = 2.0
    p99: float = 12.0
    failing: float = 0.005
    limit: ModelLimit | None = None
    prompt_tokens: int = 1956
    reply_tokens: int = 684

    def latency(self, chance: random.Random) -> float:
        if self.p99 <= self.median:
            return self.median
        sigma = math.log(self.p99 / self.median) / NormalDist().inv_cdf(0.99)
        return chance.lognormvariate(math.log(self.median), sigma)


@dataclass(slots=True)
class Station:
    """Cores that serve one after the other, in the order of arrival. work: CPU seconds done."""

    cores: int
    work: float = 0.0
    _free: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._free = [0.0] * self.cores

    def serve(self, now: float, seconds: float) -> float:
        """When it is done."""
        self.work += seconds
        done = max(now, self._free[0]) + seconds
        heapq.heapreplace(self._free, done)
        return done


@dataclass(slots=True)
class Worker:
    places: int
    loop: Station = field(default_factory=lambda: Station(1))


@dataclass(slots=True)
class Answer:
    stored: float
    batched: bool = False
    tries: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """to_verdict: seconds of each answer that got one, sorted. failed: those that used up their
    tries. backlog: the most that waited at one moment. in_flight: the most calls at one moment.
    ended: when the last answer did."""

    to_verdict: list[float]
    failed: int
    calls: int
    backlog: int
    in_flight: int
    ended: float
    worker_work: float
    database_work: float

    def percentile(self, share: float) -> float:
        return self.to_verdict[max(0, math.ceil(share * len(self.to_verdict)) - 1)]


class Simulation:
    """One run. arrivals: when answers are stored, in order. batched: whether dispatchers publish
    them, as a backlog."""

    def __init__(
        self,
        settings: Settings,
        judge: Judge,
        *,
        workers: int = 1,
        database_cores: int = 2,
        costs: Costs = Costs(),
        seed: int = 1,
    ) -> None:
        self._settings = settings
        self._judge = judge
        self._costs = costs
        self._chance = random.Random(seed)  # noqa: S311  no secret
        self._retry = RetryPolicy.from_settings(settings)
        self._workers = [Worker(settings.worker.max_in_flight) for _ in range(workers)]
        self._database = Station(database_cores)
        self._gcra = Gcra(judge.limit) if judge.limit else None
        self._events: list[tuple[float, int, Callable[[float], None]]] = []
        self._number = 0
        self._line: deque[Answer] = deque()
        self._waiting: deque[Answer] = deque()
        self._looks_at: float | None = None
        self._to_verdict: list[float] = []
        self._failed = self._calls = self._flying = 0
        self._backlog = self._most_in_flight = 0
        self._ended = 0.0

    def run(self, arrivals: Iterator[float], *, batched: bool = False) -> Result:
        self._arrive(arrivals, batched=batched)
        while self._events:
            now, _, happen = heapq.heappop(self._events)
            happen(now)
        return Result(
            sorted(self._to_verdict),
            self._failed,
            self._calls,
            self._backlog,
            self._most_in_flight,
            self._ended,
            sum(worker.loop.work for worker in self._workers),
            self._database.work,
        )

    def _at(self, when: float, happen: Callable[[float], None]) -> None:
        self._number += 1
        heapq.heappush(self._events, (when, self._number, happen))

    def _arrive(self, arrivals: Iterator[float], *, batched: bool) -> None:
        """One after the other, so that the events to come are few."""
        stored = next(arrivals, None)
        if stored is None:
            return
        delay = self._dispatched() if batched else self._costs.message
        answer = Answer(stored, batched)

        def happen(now: float) -> None:
            self._at(now + delay, lambda at: self._due(at, answer))
            self._arrive(arrivals, batched=batched)

        self._at(stored, happen)

    def _dispatched(self) -> float:
        """Until the next tick of a dispatcher."""
        return (
            self._chance.uniform(0, self._settings.worker.dispatch_interval_seconds)
            + self._costs.message
        )

    def _due(self, now: float, answer: Answer) -> None:
        if self._gcra is None:
            self._waiting.append(answer)
        else:
            self._line.append(answer)
        self._admit(now)

    def _admit(self, now: float) -> None:
        """Those whose judge allows it, and of them those that find a place."""
        while self._gcra is not None and self._line:
            taken, wait = self._gcra.take(now, [self._ask(self._line[0])])
            if not taken:
                self._look_again(now + wait)
                break
            self._waiting.append(self._line.popleft())
        while self._waiting:
            worker = max(self._workers, key=lambda each: each.places)
            if worker.places <= 0:
                break
            self._call(now, self._waiting.popleft(), worker)
        self._backlog = max(self._backlog, len(self._line) + len(self._waiting))

    def _ask(self, answer: Answer) -> Ask:
        return Ask(str(id(answer)), 1, self._judge.prompt_tokens + self._judge.reply_tokens)

    def _look_again(self, when: float) -> None:
        if self._looks_at is None or when < self._looks_at:
            self._looks_at = when
            self._at(when, self._look)

    def _look(self, now: float) -> None:
        if self._looks_at is not None and now >= self._looks_at:
            self._looks_at = None
        self._admit(now)

    def _call(self, now: float, answer: Answer, worker: Worker) -> None:
        worker.places -= 1
        self._flying += 1
        self._most_in_flight = max(self._most_in_flight, self._flying)
        self._calls += 1

        def send(claimed: float) -> None:
            sent = worker.loop.serve(claimed, self._work(answer) / 2)
            latency = self._judge.latency(self._chance)
            late = latency > self._settings.judge.deadline_seconds
            failed = late or self._chance.random() < self._judge.failing
            replied = sent + min(latency, self._settings.judge.deadline_seconds)
            self._at(replied, lambda at: self._reply(at, answer, worker, failed=failed))

        self._write(now, send)

    def _write(self, now: float, then: Callable[[float], None]) -> None:
        """A statement, with what it waits for company."""
        costs = self._costs
        begins = now + costs.coalescing / STATEMENTS
        self._at(
            begins, lambda at: self._at(self._database.serve(at, costs.database / STATEMENTS), then)
        )

    def _work(self, answer: Answer) -> float:
        costs = self._costs
        own = costs.batched if answer.batched else costs.alone
        return (own + costs.per_flight * self._flying / len(self._workers)) * costs.shared

    def _reply(self, now: float, answer: Answer, worker: Worker, *, failed: bool) -> None:
        self._flying -= 1
        if self._gcra is not None:
            self._gcra.release([str(id(answer))])

        def record(stored: float) -> None:
            # The reply is committed; the place is left, and recording follows.
            worker.places += 1
            self._admit(stored)
            self._write(stored, lambda at: self._end(at, answer, failed=failed))

        read = worker.loop.serve(now, self._work(answer) / 2)
        self._at(read, lambda at: self._write(at, record))

    def _end(self, now: float, answer: Answer, *, failed: bool) -> None:
        self._ended = now
        if failed:
            self._try_again(now, answer)
        else:
            self._to_verdict.append(now - answer.stored)

    def _try_again(self, now: float, answer: Answer) -> None:
        decision = self._retry.decide(TransientProviderError("simulated"), answer.tries)
        if not isinstance(decision, Retry):
            self._failed += 1
            return
        answer.tries += 1
        answer.batched = True
        due = now + decision.delay + self._dispatched()
        self._at(due, lambda at: self._due(at, answer))


def poisson(
    a_day: float,
    chance: random.Random,
    *,
    shape: tuple[float, ...] = OFFICE_DAY,
    only_hour: int | None = None,
    bursts: int = 0,
    burst_factor: float = 5.0,
    burst_seconds: float = 300.0,
) -> Iterator[float]:
    """When answers are stored during a day: a Poisson process whose rate follows the hours, and in
    each burst, which begins at a random moment, is `burst_factor` times as high. By thinning: Lewis
    and Shedler, "Simulation of nonhomogeneous Poisson processes by thinning", Naval Research
    Logistics Quarterly 26(3), 1979."""
    first, end = (0.0, DAY) if only_hour is None else (only_hour * HOUR, (only_hour + 1) * HOUR)
    begins = sorted(chance.uniform(first, end - burst_seconds) for _ in range(bursts))
    hours = [a_day * share / sum(shape) / HOUR for share in shape]
    most = max(hours) * (burst_factor if bursts else 1.0)
    now = first
    while (now := now + chance.expovariate(most)) < end:
        rate = hours[int(now // HOUR)]
        if any(begin <= now < begin + burst_seconds for begin in begins):
            rate *= burst_factor
        if chance.random() * most < rate:
            yield now
