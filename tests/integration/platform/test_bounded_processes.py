"""Functions in child processes: their limits, their ends, and what is left of them."""

import asyncio
import contextlib
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.platform.errors import InvalidRequest
from app.platform.processes.calls import Limits, MemoryLimitExceeded, ProcessDied, TimeLimitExceeded
from app.platform.processes.forker import Forker
from app.platform.processes.pool import BoundedProcesses, ChildrenBusy, quick_lane
from app.platform.processes.turns import Share, charged_to
from app.text.morphemes import morphemes_of_many
from cases import TIMEOUT_SECONDS, eventually

LONG_LIMITS = Limits(seconds=TIMEOUT_SECONDS, megabytes=256)
HASTY = Limits(seconds=0.3, megabytes=256)
# As a busy machine, which lets a call wait.
OF_CPU = Limits(seconds=TIMEOUT_SECONDS, megabytes=256, cpu_seconds=0.1)
OWNER = """
import asyncio, os, sys
from app.platform.processes.pool import BoundedProcesses
from app.platform.processes.calls import Limits
from app.platform.processes.forker import Forker
import test_bounded_processes as functions

async def main():
    pool = BoundedProcesses(Forker(), 1)
    limits = Limits(60, 256)
    print(await pool.run(limits, os.getpid), await pool.run(limits, os.getppid), flush=True)
    await pool.run(limits, functions.backtrack)

asyncio.run(main())
"""


def backtrack() -> None:
    """Holds Python's lock in one regular expression."""
    re.match(r"(a+)+$", "a" * 64 + "b")


def spend(seconds: float) -> int:
    """Of CPU time; the process that did."""
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
    return os.getpid()


def allocate(megabytes: int) -> int:
    return len(bytearray(megabytes * 1024 * 1024))


_KEPT: list[bytearray] = []


def keep(megabytes: int) -> None:
    _KEPT.append(bytearray(megabytes * 1024 * 1024))


def read(path: str) -> str:
    """Returns once the other end of the pipe is closed."""
    return Path(path).read_text()


def crash() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def refuse(text: str) -> None:
    raise InvalidRequest(f"{text} is wrong", ko=f"{text}이(가) 틀렸습니다")


def children_of(pid: int) -> set[int]:
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            if int(parent) == pid and state != "Z":
                found.add(int(entry.name))
    return found


def exists(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


@pytest.fixture(scope="module")
def pool() -> Iterator[BoundedProcesses]:
    pool = BoundedProcesses(Forker(), 2)
    yield pool
    pool.close()


@pytest.fixture
def pair() -> Iterator[BoundedProcesses]:
    """Two children that no other test has kept busy."""
    pool = BoundedProcesses(Forker(), 2)
    yield pool
    pool.close()


@pytest.fixture
def alone() -> Iterator[BoundedProcesses]:
    """One child, so that calls meet what others have left."""
    pool = BoundedProcesses(Forker(), 1)
    yield pool
    pool.close()


async def test_a_call_runs_in_another_process_that_is_kept(alone):
    pids = [await alone.run(LONG_LIMITS, os.getpid) for _ in range(3)]
    assert len(set(pids)) == 1
    assert pids[0] != os.getpid()


async def test_what_the_function_raises_reaches_the_caller(pool):
    with pytest.raises(InvalidRequest, match="this is wrong") as caught:
        await pool.run(LONG_LIMITS, refuse, "this")
    assert caught.value.detail["ko"] == "this이(가) 틀렸습니다"


async def test_a_call_that_holds_the_lock_is_ended_and_its_child_replaced(alone):
    before = await alone.run(LONG_LIMITS, os.getpid)
    with pytest.raises(TimeLimitExceeded) as caught:
        await alone.run(HASTY, backtrack)
    assert caught.value.what == "took longer than 0.3 s"
    assert await alone.run(LONG_LIMITS, os.getpid) != before
    assert not exists(before)


async def test_a_call_is_ended_after_its_cpu_time_and_may_wait_for_longer(alone):
    before = await alone.run(LONG_LIMITS, os.getpid)
    await alone.run(OF_CPU, time.sleep, 0.2)
    assert await alone.run(LONG_LIMITS, spend, 0.2) == before, "the limit is that of a call"
    with pytest.raises(TimeLimitExceeded) as caught:
        await alone.run(OF_CPU, backtrack)
    assert caught.value.what == "took longer than 0.1 s"
    assert await alone.run(LONG_LIMITS, os.getpid) != before


async def test_another_call_goes_on_beside_one_that_hangs(pool):
    hanging = asyncio.create_task(pool.run(Limits(60, 256), backtrack))
    for _ in range(20):
        assert await pool.run(LONG_LIMITS, len, "abc") == 3
    assert not hanging.done()
    hanging.cancel()


async def open_once_read(pipe: str) -> int:
    """A named pipe for writing, once a child reads it."""

    def opened() -> int | None:
        with contextlib.suppress(OSError):
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        return None

    return await eventually(opened, when=lambda found: found is not None) or 0


async def test_long_texts_of_one_workspace_hold_up_neither_short_ones_nor_another(pair, tmp_path):
    pipes = [str(tmp_path / name) for name in "abcd"]
    for pipe in pipes:
        os.mkfifo(pipe)
    with charged_to(Share("hog", long=True)):
        first = asyncio.create_task(pair.run(LONG_LIMITS, read, pipes[0]))
        end = await open_once_read(pipes[0])
        later = [asyncio.create_task(pair.run(LONG_LIMITS, read, pipe)) for pipe in pipes[1:3]]
    with charged_to(Share("other", long=True)):
        other = asyncio.create_task(pair.run(LONG_LIMITS, read, pipes[3]))
    for _ in range(5):
        with charged_to(Share("short")):
            assert await pair.run(LONG_LIMITS, len, "abc") == 3
    with charged_to(Share("late", long=True)), pytest.raises(ChildrenBusy):
        await pair.run(LONG_LIMITS, len, "abc", max_wait=0.01)

    os.close(end)
    await first
    os.close(await open_once_read(pipes[1]))
    os.close(await open_once_read(pipes[3]))
    assert await other == ""
    assert not later[1].done()
    os.close(await open_once_read(pipes[2]))
    await asyncio.gather(*later)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits what we count")
async def test_a_call_that_wants_too_much_memory_is_ended(alone):
    assert await alone.run(LONG_LIMITS, allocate, 128) == 128 * 1024 * 1024
    before = await alone.run(LONG_LIMITS, os.getpid)
    with pytest.raises(MemoryLimitExceeded, match="more than 256 MB"):
        await alone.run(LONG_LIMITS, allocate, 512)
    assert await alone.run(LONG_LIMITS, os.getpid) != before


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits what we count")
async def test_what_a_child_has_kept_does_not_count_against_a_small_call(alone):
    await alone.run(Limits(60, 512), keep, 200)
    before = await alone.run(LONG_LIMITS, os.getpid)
    assert await alone.run(Limits(60, 64), allocate, 16) == 16 * 1024 * 1024
    assert await alone.run(LONG_LIMITS, os.getpid) == before
    with pytest.raises(MemoryLimitExceeded, match="more than 64 MB"):
        await alone.run(Limits(60, 64), allocate, 128)


async def test_a_crash_of_native_code_is_named(alone):
    with pytest.raises(ProcessDied, match="SIGSEGV"):
        await alone.run(LONG_LIMITS, crash)
    assert await alone.run(LONG_LIMITS, len, "abc") == 3


async def test_a_child_that_died_with_nothing_to_do_is_replaced(alone):
    child, server = (
        await alone.run(LONG_LIMITS, os.getpid),
        await alone.run(LONG_LIMITS, os.getppid),
    )
    os.kill(child, signal.SIGKILL)
    await eventually(lambda: not children_of(server))
    assert await alone.run(LONG_LIMITS, os.getpid) != child


async def test_a_fork_server_that_died_is_started_again(alone):
    server = await alone.run(LONG_LIMITS, os.getppid)
    child = await alone.run(LONG_LIMITS, os.getpid)
    os.kill(server, signal.SIGKILL)
    await eventually(lambda: not exists(child))
    assert await alone.run(LONG_LIMITS, os.getppid) != server


async def test_closing_does_not_wait_for_what_is_loaded_before_the_first_fork():
    forker = Forker(("signal:pause",))
    forking = asyncio.create_task(asyncio.to_thread(forker.fork, "json"))
    await eventually(lambda: forker._control is not None)

    await asyncio.to_thread(forker.close)

    with pytest.raises(ProcessDied):
        await asyncio.wait_for(forking, TIMEOUT_SECONDS)


async def test_children_outlive_the_signals_that_ask_a_worker_to_stop(alone):
    child = await alone.run(LONG_LIMITS, os.getpid)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(child, number)
    assert await alone.run(LONG_LIMITS, os.getpid) == child


async def test_korean_is_analysed_alike_in_a_child():
    """Kiwi's threads do not survive a fork, so a child analyses without them."""
    texts = ["변성은 95도에서 30초 동안 한다.", "배양기는 37도로 맞춘다.", "DNA polymerase"] * 20
    assert await quick_lane().run(LONG_LIMITS, morphemes_of_many, texts) == morphemes_of_many(texts)


def test_calls_may_come_from_several_event_loops(pool):
    found: list[int] = []

    def loop() -> None:
        found.append(asyncio.run(pool.run(LONG_LIMITS, len, "abc")))

    threads = [threading.Thread(target=loop) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [3] * 4


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells children that we died")
async def test_nothing_is_left_when_the_owner_is_killed():
    """Although the child is held by a regular expression and reads nothing."""
    owner = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", OWNER),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        child, server = map(int, (await owner.stdout.readline()).split())
        assert children_of(server) == {child}
    finally:
        owner.kill()
        await owner.wait()
    await eventually(lambda: not exists(child) and not exists(server))
