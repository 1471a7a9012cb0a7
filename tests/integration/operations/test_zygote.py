"""Programs that are forked from a process which has imported their modules."""

import asyncio
import json
import os
import select
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.operations.embedded.parts import PRELOADED, preloaded
from app.operations.embedded.process import Child, Program, Spawn, run_to_end
from app.operations.embedded.supervisor import Part, RestartPolicy, Supervisor
from app.operations.embedded.zygote import forking
from app.platform.settings import Settings
from cases import TIMEOUT_SECONDS, eventually

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="forks are for Linux only"),
]

# What the programs below are, by the name of their module.
PROGRAMS = {
    "results": "import json, os, sys; import shared\n"
    "print(json.dumps([sys.argv[1:], dict(os.environ), os.getcwd(), os.getsid(0) == os.getpid(),"
    " shared.imported_by, __name__, sys.stdin.read()]))",
    "fails": "import sys; sys.exit('no luck')",
    "raises": "raise ValueError('broken')",
    "code": "raise SystemExit(7)",
    "waits": "import signal; print('waiting', flush=True); signal.pause()",
    "parent": "import os, signal; print(os.getppid(), flush=True); signal.pause()",
    "draws": "import random, shared; print(random.random(), str(shared.new_id())[14:])",
    "shared": "import os, random; from app.platform.ids import new_id\n"
    "imported_by = os.getpid(); random.random(); new_id()",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, source in PROGRAMS.items():
        (tmp_path / f"{name}.py").write_text(source)
    return tmp_path


@pytest.fixture
def log() -> list[str]:
    return []


@pytest.fixture
async def start(folder: Path, log: list[str]) -> AsyncIterator[Spawn]:
    environment = {**os.environ, "PYTHONPATH": str(folder), "OF_THE_ZYGOTE": "1"}
    async with forking(["shared"], environment, lambda _, line: log.append(line)) as start:
        yield start


def module(name: str, *arguments: str, **more: object) -> Program:
    return Program([sys.executable, "-m", name, *arguments], **more)  # type: ignore[arg-type]


async def read_result(child: Child) -> tuple[int, list[str]]:
    async with asyncio.timeout(TIMEOUT_SECONDS):
        lines = [line async for line in child.lines()]
        return await child.wait(), lines


def command_of(pid: int) -> str:
    return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ").strip()


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def wait_for_exit(pid: int) -> None:
    await eventually(lambda: not lives(pid))


async def test_a_fork_is_as_a_program_of_its_own(start, folder):
    given = {"PATH": os.environ["PATH"], "KEY": "of the program"}
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()

    children = [
        await start(module("results", "--x", str(n), environment=given, cwd=elsewhere))
        for n in range(2)
    ]
    results = [await read_result(child) for child in children]

    for number, (code, lines) in enumerate(results):
        assert code == 0
        arguments, environment, cwd, leads, imported_by, name, stdin = json.loads(lines[0])
        assert arguments == ["--x", str(number)]
        assert environment == given
        assert cwd == str(elsewhere)
        assert leads
        assert imported_by not in {child.pid for child in children}
        assert name == "__main__"
        assert stdin == ""


async def test_forks_draw_other_numbers_and_ids(start):
    drawn = [await read_result(await start(module("draws"))) for _ in range(2)]

    numbers, ids = zip(*(lines[0].split() for _, lines in drawn), strict=True)
    assert len(set(numbers)) == len(set(ids)) == 2


@pytest.mark.parametrize(
    ("name", "code", "last"),
    [
        *[("fails", 1, "no luck"), ("raises", 1, "ValueError: broken"), ("code", 7, None)],
        # Imported by the zygote too, which runpy would warn of.
        ("app.platform.processes.system", 0, None),
    ],
)
async def test_its_end_is_its_own(start, name, code, last):
    found, lines = await read_result(await start(module(name)))

    assert found == code
    assert (lines or [None])[-1] == last


async def test_it_is_shown_under_its_command_and_ends_by_signals(start):
    children = [await start(module("waits", "--name", f"number-{n}")) for n in range(2)]
    for child in children:
        assert await anext(child.lines()) == "waiting"
    assert command_of(children[1].pid) == f"{sys.executable} -m waits --name number-1"

    assert await children[0].stop(signal.SIGTERM, TIMEOUT_SECONDS)
    children[1].kill()

    assert await children[0].wait() == -signal.SIGTERM
    assert await children[1].wait() == -signal.SIGKILL


async def test_other_programs_are_not_forked(start):
    child = await start(Program(["sh", "-c", "echo $PPID; cat"], stdin=b"given"))

    assert await read_result(child) == (0, [str(os.getpid()), "given"])


async def test_without_the_zygote_programs_are_started_all_the_same(start):
    waiting = await start(module("waits"))
    assert await anext(waiting.lines()) == "waiting"
    zygote = parent_of(waiting.pid)
    assert zygote != os.getpid()

    os.kill(zygote, signal.SIGKILL)

    async with asyncio.timeout(TIMEOUT_SECONDS):
        assert await waiting.wait() == -signal.SIGKILL
    await wait_for_exit(waiting.pid)
    code, lines = await read_result(await start(module("json.tool", "--help")))
    assert code == 0
    assert lines


async def test_a_program_starts_though_the_zygote_has_just_died(start):
    waiting = await start(module("waits"))
    zygote = parent_of(waiting.pid)
    with os.fdopen(os.pidfd_open(zygote)) as death:
        os.kill(zygote, signal.SIGKILL)
        # Blocks the loop, so that this process has not seen it yet.
        assert select.select([death], [], [], TIMEOUT_SECONDS)[0]

    async with asyncio.timeout(TIMEOUT_SECONDS):
        code, _ = await read_result(await start(module("json.tool", "--help")))
    assert code == 0


async def test_what_is_kept_running_comes_back_when_the_zygote_is_killed(start, folder):
    parents: dict[str, list[int]] = {"one": [], "two": []}
    said: list[str] = []

    def log(name: str, line: str) -> None:
        parents[name].append(int(line)) if name in parents else said.append(line)

    async def starts(number: int) -> list[int]:
        await eventually(lambda: all(len(each) >= number for each in parents.values()))
        return [each[number - 1] for each in parents.values()]

    program = module("parent", environment={**os.environ, "PYTHONPATH": str(folder)})
    supervisor = Supervisor(log, RestartPolicy(first_delay=0.01), start)
    try:
        await supervisor.start([Part(name, program) for name in parents])
        zygote, same = await starts(1)
        assert zygote == same != os.getpid()
        os.kill(zygote, signal.SIGKILL)
        assert await starts(2) == [os.getpid(), os.getpid()]
    finally:
        await supervisor.stop()
    assert sorted(said) == [f"{name} exited with code -9; restarting in 0.01 s" for name in parents]


async def test_one_that_hangs_is_ended_and_what_is_kept_running_comes_back(
    start, folder, log, monkeypatch
):
    monkeypatch.setattr("app.operations.embedded.zygote.PING_SECONDS", 0.1)
    parent = await start(module("parent", cwd=folder))
    zygote = int(await anext(parent.lines()))
    os.kill(zygote, signal.SIGSTOP)

    async with asyncio.timeout(TIMEOUT_SECONDS):
        again = await start(module("waits", cwd=folder))
        assert await parent.wait() == -signal.SIGKILL
        assert await anext(again.lines()) == "waiting"

    assert not lives(parent.pid)
    assert parent_of(again.pid) == os.getpid()
    assert "does not answer" in log[0]
    again.kill()
    await again.wait()


async def test_what_a_stack_imports_for_its_forks_starts_no_thread_and_reads_no_settings(log):
    asks = (
        "import sys; from app.platform.settings import get_settings;"
        " print(get_settings.cache_info().currsize, 'aiohttp' in sys.modules)"
    )
    # A model on a server is asked by most of them, and none is by the settings of a newcomer.
    modules = preloaded(Settings(_env_file=None, judge_model="openai:gpt-6-luna"))
    assert preloaded(Settings(_env_file=None)) == PRELOADED
    async with forking(modules, dict(os.environ), lambda _, line: log.append(line)) as start:
        stays = await start(module("timeit", "-n1", "-r1", "import time; time.sleep(600)"))
        threads = [*Path(f"/proc/{parent_of(stays.pid)}/task").iterdir()]  # noqa: ASYNC240  as quick
        stays.kill()
        await stays.wait()
        _, lines = await read_result(await start(module("timeit", "-n1", "-r1", asks)))

    assert len(threads) == 1
    assert lines[0] == "0 True"
    assert log == []


async def test_where_the_system_does_not_say_where_arguments_are_none_are_shown():
    nowhere = ") S " + "0 " * 60
    shows = (
        "import pathlib, sys; from app.operations.embedded import zygote\n"
        f"pathlib.Path.read_text = lambda _: {nowhere!r}\n"
        "zygote._show_command(['a', 'command'])"
    )
    code, output = await run_to_end(Program([sys.executable, "-c", shows]))
    assert (code, output) == (0, "")


async def test_what_cannot_be_imported_is_said_and_programs_start(log):
    said = lambda _, line: log.append(line)  # noqa: E731  as a fixture would be
    async with forking(["no_such_module"], dict(os.environ), said) as start:
        code, _ = await read_result(await start(module("json.tool", "--help")))
        assert code == 0
        await eventually(lambda: "no_such_module" in "".join(log))


async def test_forks_end_with_the_block(folder, log):
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    async with forking([], environment, lambda _, line: log.append(line)) as start:
        child = await start(module("waits"))
        assert await anext(child.lines()) == "waiting"
        assert parent_of(child.pid) != os.getpid()

    await wait_for_exit(child.pid)
    assert log == []
