"""The supervisor with small stand-in programs."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from app.operations.embedded import supervisor as supervisor_module
from app.operations.embedded.process import Program
from app.operations.embedded.supervisor import Part, RestartPolicy, Supervisor
from app.platform.errors import SetupError
from cases import TIMEOUT_SECONDS, eventually

QUICK = RestartPolicy(first_delay=0.01, longest_delay=0.01, quick=5, max_quick_crashes=3)
SUPERVISING = """
import asyncio
from app.operations.embedded.process import Program
from app.operations.embedded.supervisor import Part, Supervisor

async def main():
    part = Part("part", Program(["sh", "-c", "echo $$; exec sleep 60"]))
    await Supervisor(lambda name, line: print(line, flush=True)).start([part])
    await asyncio.Event().wait()

asyncio.run(main())
"""


class Record:
    """A log that can be waited on."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []
        self._more = asyncio.Event()

    def __call__(self, name: str, line: str) -> None:
        self.lines.append((name, line))
        self._more.set()

    async def find(self, name: str, start: str, *, nth: int = 1) -> str:
        """What follows `start` in the nth line of that name that begins so."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while True:
                found = [t for n, t in self.lines if n == name and t.startswith(start)]
                if len(found) >= nth:
                    return found[nth - 1].removeprefix(start).strip()
                self._more.clear()
                await self._more.wait()


def shell(name: str, script: str, **options: object) -> Part:
    return Part(name, Program(["sh", "-c", script]), **options)  # type: ignore[arg-type]


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


async def never() -> bool:
    return False


@pytest.fixture
def record() -> Record:
    return Record()


@pytest.fixture
async def supervisor(record: Record) -> AsyncIterator[Supervisor]:
    supervisor = Supervisor(record, QUICK)
    yield supervisor
    await supervisor.stop()


async def test_both_outputs_are_logged_line_by_line(supervisor, record):
    await supervisor.start([shell("part", "printf 'a\\nb'; echo c >&2; exec sleep 60")])
    await record.find("part", "bc")
    assert record.lines == [("part", "a"), ("part", "bc")]


async def test_a_part_that_crashes_is_reported_and_restarted(supervisor, record):
    await supervisor.start([shell("part", "echo pid $$; exec sleep 60")])
    first = int(await record.find("part", "pid"))
    os.kill(first, signal.SIGKILL)
    second = int(await record.find("part", "pid", nth=2))
    assert ("stack", "part exited with code -9; restarting in 0.01 s") in record.lines
    assert alive(second)
    assert not alive(first)


async def test_a_crash_takes_the_children_along(supervisor, record):
    """Even though the child still holds the pipe of the log."""
    await supervisor.start([shell("part", "sleep 60 & echo child $!; echo pid $$; wait")])
    child = int(await record.find("part", "child"))
    os.kill(int(await record.find("part", "pid")), signal.SIGKILL)
    await record.find("stack", "part exited")
    await eventually(lambda: not alive(child))


async def test_a_part_that_cannot_live_is_reported_and_tried_again(supervisor, record):
    """The stack goes on: only its operator ends it."""
    await supervisor.start([shell("part", "echo no luck; exit 3")])
    failing = asyncio.create_task(supervisor.wait_for_failure())
    warning = await record.find("stack", "WARNING: part exited with code 3, 3 times in a row")
    assert "no luck" in warning
    await record.find("part", "no luck", nth=5)
    assert not failing.done()
    failing.cancel()


async def test_a_part_waits_for_those_it_needs_and_its_crashes_without_them_do_not_count(
    supervisor, record
):
    works = True

    async def answers() -> bool:
        return works

    await supervisor.start(
        [shell("server", "exec sleep 60", ready=answers, heartbeat=answers, needed=True)]
    )
    await supervisor.start([shell("client", "echo pid $$; exec sleep 60")])
    for nth in range(1, 2 * QUICK.max_quick_crashes):
        pid = int(await record.find("client", "pid", nth=nth))
        works = False
        os.kill(pid, signal.SIGKILL)
        await record.find("stack", "client waits for server", nth=nth)
        works = True
    await record.find("client", "pid", nth=2 * QUICK.max_quick_crashes)
    assert not any("WARNING" in line for _, line in record.lines)


async def test_a_part_whose_start_fails_later_is_tried_again(supervisor, record):
    broken = False

    async def before() -> None:
        if broken:
            raise SetupError("something is in the way")

    await supervisor.start([shell("part", "echo pid $$; exec sleep 60", before_start=before)])
    pid = int(await record.find("part", "pid"))
    broken = True
    os.kill(pid, signal.SIGKILL)
    await record.find("stack", "part cannot be started (something is in the way)")
    broken = False
    await record.find("part", "pid", nth=2)


async def test_a_part_that_ends_while_starting_fails_the_start(supervisor):
    with pytest.raises(SetupError, match=r"part exited with code 2 while starting.*bad option"):
        await supervisor.start([shell("part", "echo bad option; exit 2", ready=never)])


async def test_a_missing_program_is_a_setup_error(supervisor):
    with pytest.raises(SetupError, match="no-such-program cannot be started"):
        await supervisor.start([Part("part", Program(["no-such-program"]), ready=never)])


async def test_stopping_asks_first_and_stops_the_last_group_first(record):
    supervisor = Supervisor(record, QUICK)
    script = "trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.01; done"
    await supervisor.start([shell("server", script)])
    await supervisor.start([shell("client", script)])
    await record.find("server", "up")
    await record.find("client", "up")
    await supervisor.stop()
    assert record.lines[-2:] == [("client", "bye"), ("server", "bye")]


async def test_stopping_does_not_wait_for_a_restart(record):
    supervisor = Supervisor(record, RestartPolicy(first_delay=3600, longest_delay=3600))
    await supervisor.start([shell("part", "exit 1")])
    await record.find("stack", "part exited")
    await asyncio.wait_for(supervisor.stop(), TIMEOUT_SECONDS)
    assert len(record.lines) == 1


async def test_a_process_that_does_not_stop_is_killed_with_its_children(record):
    supervisor = Supervisor(record, QUICK)
    script = "trap '' TERM; sleep 60 & echo child $!; wait; wait"
    await supervisor.start([shell("stubborn", script, grace=0.1)])
    child = int(await record.find("stubborn", "child"))
    await supervisor.stop()
    assert ("stack", "stubborn did not stop in 0.1 s; killed") in record.lines
    await eventually(lambda: not alive(child))


async def test_a_slow_stop_is_explained_and_ends_in_a_hurry(record, monkeypatch):
    monkeypatch.setattr(supervisor_module, "SLOW_STOP_SECONDS", 0)
    kill_now = asyncio.Event()
    supervisor = Supervisor(record, QUICK, kill_now=kill_now)
    script = "trap '' TERM; echo up; sleep 60 & wait; wait"
    await supervisor.start([shell("slow", script, grace=3600, slow_stop="it has much to do")])
    await record.find("slow", "up")
    stopping = asyncio.create_task(supervisor.stop())
    await record.find("stack", "waiting for slow, at most 3600 s: it has much to do")
    kill_now.set()
    await asyncio.wait_for(stopping, TIMEOUT_SECONDS)


async def test_parts_do_not_share_the_terminal(supervisor, record):
    await supervisor.start([shell("part", "echo pid $$; exec sleep 60")])
    pid = int(await record.find("part", "pid"))
    assert os.getsid(pid) == pid != os.getsid(0)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells children that we died")
async def test_nothing_is_left_when_the_supervisor_itself_is_killed():
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SUPERVISING, stdout=asyncio.subprocess.PIPE
    )
    try:
        child = int(await parent.stdout.readline())
        assert alive(child)
    finally:
        parent.kill()
        await parent.wait()
    await eventually(lambda: not alive(child))


HUNG = RestartPolicy(first_delay=0.01, longest_delay=0.01, hung_after=0.3, start_within=0.3)


async def test_a_part_that_does_not_answer_its_heartbeat_is_replaced(record):
    """It is frozen, so it could not obey SIGTERM."""
    supervisor = Supervisor(record, HUNG)
    works = True

    async def answers() -> bool:
        return works

    await supervisor.start([shell("part", "echo pid $$; exec sleep 60", heartbeat=answers)])
    first = int(await record.find("part", "pid"))
    os.kill(first, signal.SIGSTOP)
    works = False
    await record.find("stack", "part does not answer its heartbeat; killing it")
    works = True
    second = int(await record.find("part", "pid", nth=2))
    assert not alive(first)
    assert alive(second)
    await supervisor.stop()


async def test_a_part_that_hangs_once_it_is_ready_is_given_no_time_to_start(record):
    supervisor = Supervisor(record, replace(HUNG, start_within=10_000))

    async def yes() -> bool:
        return True

    async def hangs() -> bool:
        return bool(await asyncio.Event().wait())

    for heartbeat in (never, hangs):
        name = heartbeat.__name__
        await supervisor.start([shell(name, "exec sleep 60", ready=yes, heartbeat=heartbeat)])
        await record.find("stack", f"{name} does not answer its heartbeat; killing it")
    await supervisor.stop()


async def test_a_part_that_hangs_before_it_is_ready_is_given_more_time_at_each_start(record):
    supervisor = Supervisor(record, replace(HUNG, start_within=TIMEOUT_SECONDS))
    hangs = False

    async def answers() -> bool:
        return not hangs

    await supervisor.start([shell("part", "echo pid $$; exec sleep 60", ready=answers)])
    hangs = True
    os.kill(int(await record.find("part", "pid")), signal.SIGKILL)
    for nth, limit in enumerate(("0.3", "0.6"), 1):
        late = await record.find("stack", "part did not become ready within", nth=nth)
        assert late == f"{limit} s; killing it"
    hangs = False
    assert alive(int(await record.find("part", "pid", nth=4)))
    assert not alive(int(await record.find("part", "pid", nth=3)))
    await supervisor.stop()


async def test_an_essential_part_that_hangs_before_it_is_ready_fails_the_start(record):
    supervisor = Supervisor(record, HUNG)
    spare = shell("spare", "exec sleep 60", ready=never, essential=False)
    await asyncio.wait_for(supervisor.start([spare]), TIMEOUT_SECONDS)
    slow = shell("slow", "echo half way; exec sleep 60", ready=never, heartbeat=never)
    with pytest.raises(SetupError, match=r"slow did not .* within 0\.3 s .* last line: half way"):
        await asyncio.wait_for(supervisor.start([slow]), TIMEOUT_SECONDS)
    await supervisor.stop()


async def test_a_part_that_answers_while_it_starts_is_waited_for(record):
    """As PostgreSQL does that recovers."""
    supervisor = Supervisor(record, HUNG)
    looks = 0

    async def answers() -> bool:
        nonlocal looks
        looks += 1
        return True

    async def ready() -> bool:
        return looks > 20

    await supervisor.start([shell("part", "exec sleep 60", ready=ready, heartbeat=answers)])
    assert record.lines == []
    await supervisor.stop()


async def test_a_machine_that_slept_is_no_part_that_hangs(record, monkeypatch):
    """An hour between two looks at a silent heartbeat counts as two intervals, not as an hour."""
    slept = 0.0
    monkeypatch.setattr(
        "app.operations.embedded.supervisor.time", SimpleNamespace(monotonic=lambda: slept)
    )
    looks = 0

    async def sleeps() -> bool:
        nonlocal slept, looks
        slept += 3600
        looks += 1
        return looks > 3

    supervisor = Supervisor(record, HUNG)
    await supervisor.start([shell("part", "exec sleep 60", heartbeat=sleeps)])
    await eventually(lambda: looks > 5)
    await supervisor.stop()
    assert record.lines == []


async def test_a_part_that_is_not_essential_is_left_down_and_tried_again(record):
    policy = RestartPolicy(
        first_delay=0.01, longest_delay=0.01, quick=5, max_quick_crashes=3, pause=0.3
    )
    supervisor = Supervisor(record, policy)
    downs: list[dict[str, str]] = []
    supervisor.on_change = lambda: downs.append(dict(supervisor.down))
    await supervisor.start(
        [
            shell("spare", "echo no luck; exit 3", essential=False),
            shell("part", "echo pid $$; exec sleep 60"),
        ]
    )
    warning = await record.find("stack", "WARNING: spare exited with code 3, 3 times in a row")
    assert "left down" in warning
    await record.find("spare", "no luck", nth=4)
    failing = asyncio.create_task(supervisor.wait_for_failure())
    assert alive(int(await record.find("part", "pid")))
    assert not failing.done()
    failing.cancel()
    await supervisor.stop()
    assert "no luck" in downs[0]["spare"]
    assert downs[1] == {}


async def test_a_part_that_is_not_essential_does_not_hold_up_the_start(record):
    supervisor = Supervisor(record, QUICK)
    await supervisor.start([shell("spare", "exit 3", ready=never, essential=False)])
    await supervisor.stop()


async def test_a_part_runs_only_while_there_is_work_for_it(supervisor, record, monkeypatch):
    monkeypatch.setattr(supervisor_module, "_WANTED_INTERVAL_SECONDS", 0.01)
    work: list[bool] = []

    async def wanted() -> bool:
        return bool(work) and work.pop()

    await supervisor.start([shell("part", "echo pid $$", wanted=wanted)])
    for nth in (1, 2):
        await eventually(lambda: supervisor.asleep == {"part"})
        assert len([name for name, _ in record.lines if name == "part"]) == nth - 1
        work.append(True)
        await record.find("part", "pid", nth=nth)
    assert not [line for _, line in record.lines if "restarting" in line]


async def test_a_part_that_crashes_over_its_work_is_restarted_at_once(
    supervisor, record, monkeypatch
):
    monkeypatch.setattr(supervisor_module, "_WANTED_INTERVAL_SECONDS", 0.01)
    work = [True]

    async def wanted() -> bool:
        return bool(work) and work.pop()

    await supervisor.start([shell("part", "echo pid $$; exec sleep 60", wanted=wanted)])
    os.kill(int(await record.find("part", "pid")), signal.SIGKILL)

    assert alive(int(await record.find("part", "pid", nth=2)))
    assert supervisor.asleep == set()
