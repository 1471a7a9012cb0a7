"""One server that forks the fork servers of several processes."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest

from app.platform.processes.calls import Limits, ProcessDied
from app.platform.processes.forker import Forker
from app.platform.processes.pool import BoundedProcesses
from cases import TIMEOUT_SECONDS, eventually

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has what it takes")

LONG_LIMITS = Limits(seconds=TIMEOUT_SECONDS, megabytes=256)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Longer than the name of a socket may be."""
    folder = tmp_path / ("long" * 30)
    folder.mkdir()
    return folder / "texts.sock"


class Server:
    """Running until the end of its block."""

    def __init__(self, path: Path, *warm: str) -> None:
        command = [sys.executable, "-m", "app.platform.processes.fork_server", str(path), *warm]
        self._path = path
        self._process = subprocess.Popen(command)
        self.pid = self._process.pid

    async def __aenter__(self) -> Self:
        await eventually(self._path.exists)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def exists(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


@pytest.fixture
def pools(path: Path) -> Iterator[list[BoundedProcesses]]:
    """Of two processes, as it were."""
    pools = [BoundedProcesses(Forker((), path), 1) for _ in range(2)]
    yield pools
    for pool in pools:
        pool.close()


async def test_each_process_has_a_fork_server_of_the_one_that_listens(path, pools):
    async with Server(path) as server:
        forkers = [await pool.run(LONG_LIMITS, os.getppid) for pool in pools]
        assert len(set(forkers)) == 2
        assert {parent_of(forker) for forker in forkers} == {server.pid}

        child = await pools[0].run(LONG_LIMITS, os.getpid)
        pools[0].close()
        await eventually(lambda: not exists(forkers[0]) and not exists(child))
        assert await pools[1].run(LONG_LIMITS, os.getppid) == forkers[1]


async def test_only_this_account_may_connect(path):
    async with Server(path):
        assert path.lstat().st_mode & 0o077 == 0


async def test_where_none_listens_any_more_a_process_starts_its_own(path, pools):
    async with Server(path) as server:
        child = await pools[0].run(LONG_LIMITS, os.getpid)
        server.kill()
        await eventually(lambda: not exists(child))

    forker = await pools[0].run(LONG_LIMITS, os.getppid)
    assert parent_of(forker) == os.getpid()


async def test_children_are_as_nice_as_the_process_that_they_work_for(path):
    asks = (
        "import asyncio, os, pathlib, sys\n"
        "from app.platform.processes.forker import Forker\n"
        "from app.platform.processes.calls import Limits\n"
        "from app.platform.processes.pool import BoundedProcesses\n"
        "os.nice(3)\n"
        "pool = BoundedProcesses(Forker((), pathlib.Path(sys.argv[1])), 1)\n"
        "print(asyncio.run(pool.run(Limits(60, 256), os.nice, 0)))\n"
        "pool.close()\n"
    )
    async with Server(path):
        asked = await asyncio.to_thread(
            subprocess.check_output, [sys.executable, "-c", asks, str(path)], text=True
        )
        assert int(asked) == os.nice(0) + 3


async def test_closing_does_not_wait_for_what_is_loaded(path):
    forker = Forker((), path)
    async with Server(path, "signal:pause"):
        forking = asyncio.create_task(asyncio.to_thread(forker.fork, "json"))
        await eventually(lambda: forker._connecting is not None)
        await asyncio.to_thread(forker.close)
        with pytest.raises(ProcessDied):
            await asyncio.wait_for(forking, TIMEOUT_SECONDS)
