"""Keeps the parts of the stack running: starts them, waits until they are ready, restarts what
crashes, and stops everything within seconds."""

import asyncio
import contextlib
import signal
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from app.operations.embedded.process import Child, Program, Spawn, spawn
from app.platform.errors import SetupError

Log = Callable[[str, str], None]

# A part that takes longer to stop is named in the log, with the reason where it has one.
SLOW_STOP_SECONDS = 3.0
_NEEDS_INTERVAL_SECONDS = 0.2
_WANTED_INTERVAL_SECONDS = 1.0
_MAX_DOUBLINGS = 3


@dataclass(frozen=True)
class Part:
    """A program that is to run all the time, or while there is work for it.

    name: unique; stands before its log lines.
    ready: true once the part does its work; None when there is no need to wait for that.
    heartbeat: asked all the time whether the part works; None when it cannot be asked.
    essential: without it the stack cannot do its work: it cannot start, and is soon tried again.
    needed: parts that are started after it wait until it works, each time they are started.
    stop_signal, grace: how it is asked to stop, and the seconds until it is killed.
    slow_stop: why it may take long, for the log.
    before_start: run before each start, to clear what a crash left behind.
    wanted: whether there is work for it; it is started when there is, and waits again once it has
    ended with code 0. None: it runs all the time.
    """

    name: str
    program: Program
    ready: Callable[[], Awaitable[bool]] | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    grace: float = 6
    slow_stop: str | None = None
    before_start: Callable[[], Awaitable[None]] | None = None
    heartbeat: Callable[[], Awaitable[bool]] | None = None
    essential: bool = True
    needed: bool = False
    wanted: Callable[[], Awaitable[bool]] | None = None

    async def works(self) -> bool:
        """Whether it is ready and answers its heartbeat now."""
        checks = (self.ready, self.heartbeat)
        return all([await check() for check in checks if check])


@dataclass(frozen=True)
class RestartPolicy:
    """A crashed part starts again after `first_delay` seconds, then after twice as long each time
    up to `longest_delay`. A part that `max_quick_crashes` times in a row lives less than `quick`
    seconds, while those it needs work, is reported as down and started again after `longest_delay`;
    if it is not essential, after `pause` seconds. A part that has not answered its heartbeat for
    `hung_after` seconds is killed. So is one that starts, is not ready and answers none: the first
    time after `start_within` seconds, later after `hung_after`, twice as long each time in a row,
    for a slow machine."""

    first_delay: float = 1
    longest_delay: float = 15
    quick: float = 20
    max_quick_crashes: int = 5
    pause: float = 600
    start_within: float = 60
    hung_after: float = 45

    def delay(self, quick_crashes: int) -> float:
        return min(self.first_delay * 2.0 ** max(quick_crashes - 1, 0), self.longest_delay)


class _Runner:
    """One part: the task that keeps it running, and its process while it has one."""

    def __init__(
        self,
        part: Part,
        policy: RestartPolicy,
        log: Log,
        on_change: Callable[[], None],
        spawning: Spawn,
        kill_now: asyncio.Event,
        needs: Sequence[Part],
    ) -> None:
        self.part = part
        self._needs = needs
        self._spawn = spawning
        self._kill_now = kill_now
        self.is_ready = asyncio.Event()
        # Why it is left down, while it is.
        self.down: str | None = None
        self.asleep = False
        self._on_change = on_change
        self._policy = policy
        self._log = log
        self._child: Child | None = None
        self._last_line = "(no output)"
        self._late: str | None = None
        self._late_starts = 0
        self._stopping = False
        self.task = asyncio.create_task(self._run(), name=part.name)

    async def _run(self) -> None:
        """Returns after `stop`; raises SetupError when the part cannot be started at all."""
        quick_crashes = 0
        ended: str | None = None
        while True:
            if ended is None:
                quick_crashes = 0
                await self._wait_for_work()
            await self._wait_for_needs()
            started = time.monotonic()
            ended = await self._run_once()
            if self._stopping:
                return
            if ended is None:
                continue
            if not self.is_ready.is_set():
                if self.part.essential:
                    raise SetupError(self._late or self._explain(f"{ended} while starting"))
                self.is_ready.set()  # the others need not wait for it
            quick = time.monotonic() - started < self._policy.quick and await self._needs_work()
            quick_crashes = quick_crashes + 1 if quick else 0
            if quick_crashes >= self._policy.max_quick_crashes:
                await self._pause(
                    f"{ended}, {quick_crashes} times in a row within {self._policy.quick:g} s of"
                    f" its start; its last line: {self._last_line}"
                )
                quick_crashes = 0
                continue
            delay = self._policy.delay(quick_crashes)
            self._log("stack", f"{ended}; restarting in {delay:g} s")
            await asyncio.sleep(delay)

    async def _needs_work(self) -> bool:
        return all([await part.works() for part in self._needs])

    async def _wait_for_work(self) -> None:
        """The start of the stack does not wait for it."""
        if self.part.wanted is None:
            return
        self.is_ready.set()
        self.asleep = True
        self._on_change()
        # First a pause, also for one that ends without doing its work.
        await asyncio.sleep(_WANTED_INTERVAL_SECONDS)
        while not await self.part.wanted():  # noqa: ASYNC110  another program's state
            await asyncio.sleep(_WANTED_INTERVAL_SECONDS)
        self._log("stack", f"starting {self.part.name}, for which there is work")
        self.asleep = False
        self._on_change()

    async def _wait_for_needs(self) -> None:
        if await self._needs_work():
            return
        names = ", ".join(part.name for part in self._needs)
        self._log("stack", f"{self.part.name} waits for {names}")
        while not await self._needs_work():  # noqa: ASYNC110  other programs
            await asyncio.sleep(_NEEDS_INTERVAL_SECONDS)

    def _explain(self, ended: str) -> str:
        """The sentence by which our own programs end, "api: Port 80 cannot …", else `ended`."""
        program, _, sentence = self._last_line.partition(": ")
        if sentence and program == self.part.name.partition("-")[0]:
            return sentence
        return f"{ended}; its last line: {self._last_line}"

    async def _pause(self, problem: str) -> None:
        """Returns when it is time to start the part again, which is reported as down until then."""
        essential = self.part.essential
        pause = self._policy.longest_delay if essential else self._policy.pause
        self._log("stack", f"WARNING: {problem}. It is left down; next start in {pause:g} s")
        self.down = problem
        self._on_change()
        await asyncio.sleep(pause)
        self.down = None
        self._on_change()

    async def _run_once(self) -> str | None:
        """How it ended, in words; None where it has no more work. Raises SetupError where it cannot
        be started the first time."""
        try:
            if self.part.before_start:
                await self.part.before_start()
            self._child = child = await self._spawn(self.part.program)
        except (SetupError, OSError) as error:
            if not self.is_ready.is_set():
                raise
            return f"{self.part.name} cannot be started ({error})"
        copying = asyncio.create_task(self._copy_output(child))
        watching = asyncio.create_task(self._watch(child))
        try:
            code = await child.wait()
            if code == 0 and self.part.wanted:
                return None
            return f"{self.part.name} exited with code {code}"
        finally:
            child.kill()
            await child.wait()
            self._child = None
            watching.cancel()
            # Backends of a PostgreSQL that was killed hold the pipe until they notice.
            await asyncio.wait({copying}, timeout=1)
            copying.cancel()
            child.close_output()

    async def _copy_output(self, child: Child) -> None:
        async for line in child.lines():
            self._last_line = line
            self._log(self.part.name, line)

    async def _watch(self, child: Child) -> None:
        first = not self.is_ready.is_set()
        limit = self._policy.start_within if first else self._policy.hung_after
        limit *= 2.0 ** min(self._late_starts, _MAX_DOUBLINGS)
        if await self._becomes_ready(limit):
            self._late_starts = 0
            self.is_ready.set()
            if not self.part.heartbeat:
                return
            await self._until_hung(self._policy.hung_after)
            self._log("stack", f"{self.part.name} does not answer its heartbeat; killing it")
        else:
            self._late_starts += 1
            late = f"{self.part.name} did not become ready within {limit:g} s"
            self._late = (
                f"{late} and was ended; its last line: {self._last_line}. Start again; if it is"
                " late again, its log above says how far it came."
            )
            self._log("stack", f"{late}; killing it")
        child.kill()

    async def _becomes_ready(self, limit: float) -> bool:
        """False when it hangs before it is ready: one that answers its heartbeat, as PostgreSQL
        does while it recovers, is waited for."""
        hanging = asyncio.create_task(self._until_hung(limit))
        try:
            while self.part.ready and not await self.part.ready():
                if hanging.done():
                    return False
                await asyncio.sleep(0.05)
            return True
        finally:
            hanging.cancel()

    async def _until_hung(self, limit: float) -> None:
        """Returns when the heartbeat has been silent for so many seconds. A look takes an interval
        at most. The time between two counts as two intervals at most: when it was longer, the
        machine slept or was busy, and the part may have had no more time than we."""
        interval, silent, looked_at = limit / 9, 0.0, time.monotonic()
        while silent < limit:
            await asyncio.sleep(interval)
            alive = False
            with contextlib.suppress(TimeoutError):
                if self.part.heartbeat:
                    alive = await asyncio.wait_for(self.part.heartbeat(), interval)
            if alive:
                silent = 0.0
            else:
                silent += min(time.monotonic() - looked_at, 2 * interval)
            looked_at = time.monotonic()

    async def stop(self) -> None:
        self._stopping = True
        if self._child is None:
            self.task.cancel()
        else:
            await self._stop(self._child)
        await asyncio.gather(self.task, return_exceptions=True)

    async def _stop(self, child: Child) -> None:
        part = self.part
        watchers = [
            asyncio.create_task(self._explain_slow_stop()),
            asyncio.create_task(self._kill_at_once(child)),
        ]
        try:
            if not await child.stop(part.stop_signal, part.grace):
                self._log("stack", f"{part.name} did not stop in {part.grace:g} s; killed")
        finally:
            for watcher in watchers:
                watcher.cancel()

    async def _explain_slow_stop(self) -> None:
        if self.part.slow_stop:
            await asyncio.sleep(SLOW_STOP_SECONDS)
            at_most = f"at most {self.part.grace:g} s"
            self._log("stack", f"waiting for {self.part.name}, {at_most}: {self.part.slow_stop}")

    async def _kill_at_once(self, child: Child) -> None:
        await self._kill_now.wait()
        child.kill()


async def _all_ready(group: Sequence[_Runner]) -> None:
    for runner in group:
        await runner.is_ready.wait()


class Supervisor:
    """Runs parts. Start them in groups, those that others need first; groups stop in the opposite
    order. down: the parts that are left down, with the reasons; asleep: those that wait for work;
    `on_change` is called when that changes. kill_now: once it is set, what has not stopped yet is
    killed."""

    def __init__(
        self,
        log: Log,
        policy: RestartPolicy | None = None,
        spawning: Spawn = spawn,
        kill_now: asyncio.Event | None = None,
    ) -> None:
        self._log = log
        self._kill_now = kill_now or asyncio.Event()
        self._spawn = spawning
        self._policy = policy or RestartPolicy()
        self._groups: list[list[_Runner]] = []
        self.on_change: Callable[[], None] = lambda: None

    @property
    def down(self) -> dict[str, str]:
        return {runner.part.name: runner.down for runner in self._runners() if runner.down}

    @property
    def asleep(self) -> set[str]:
        return {runner.part.name for runner in self._runners() if runner.asleep}

    def _runners(self) -> list[_Runner]:
        return [runner for group in self._groups for runner in group]

    def _tasks(self) -> list[asyncio.Task[None]]:
        return [runner.task for runner in self._runners()]

    async def start(self, parts: Sequence[Part]) -> None:
        """Starts the parts side by side and returns when all are ready. Raises SetupError if an
        essential one ends before that, or hangs."""
        given = (self._policy, self._log, lambda: self.on_change(), self._spawn, self._kill_now)
        needs = [runner.part for runner in self._runners() if runner.part.needed]
        group = [_Runner(part, *given, needs) for part in parts]
        self._groups.append(group)
        ready = asyncio.create_task(_all_ready(group))
        try:
            done, _ = await asyncio.wait(
                {ready, *self._tasks()}, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            ready.cancel()
        for task in done - {ready}:
            task.result()

    async def wait_for_failure(self) -> None:
        """Runs on while parts are restarted; raises only what is a mistake of ours."""
        done, _ = await asyncio.wait(self._tasks(), return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()

    async def stop(self) -> None:
        """Stops every part, the last started group first. Afterwards none of their processes
        is left."""
        for group in reversed(self._groups):
            await asyncio.gather(*(runner.stop() for runner in group))
