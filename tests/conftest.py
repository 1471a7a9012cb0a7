"""What every test gets: no network but loopback, no settings from outside, one run folder."""

import gc
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import hypothesis
import pytest
import pytest_socket
from hypothesis.internal.conjecture import providers
from xdist.scheduler import LoadFileScheduling

import servers
from app.operations.embedded import postgres_programs
from app.platform.processes.pool import QUICK_LIMITS
from app.platform.settings import get_settings
from cases import TIMEOUT_SECONDS

RUN_FOLDER = pytest.StashKey[Path]()
_OUTSIDE_SETTINGS = (
    "SEARCHQA_",
    "DATABASE_",
    "REDIS_URL",
    "BROKER_URL",
    "OPENAI_",
    "ANTHROPIC_",
    "OLLAMA_",
    "CELERY_",
)
# Else every program that a test starts would compile all of the project anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A busy machine may take longer than users wait.
object.__setattr__(QUICK_LIMITS, "seconds", TIMEOUT_SECONDS)

# The same examples on every run and machine, none kept on disk, and no time that is too long.
hypothesis.settings.register_profile("same", deadline=None, derandomize=True, database=None)
hypothesis.settings.load_profile("same")
# It would also try words and figures out of all modules that happen to be loaded: other examples
# after each change of any of them, and in a worker of other tests.
providers._get_local_constants = lambda: providers._local_constants

_STACKS = {"acceptance", "e2e", "faults"}
_MEMORY = "/dev/shm"
# In bytes; a run takes less than a tenth of it.
_ROOM = 8 * 2**30


def _memory() -> str | None:
    """A folder in memory where there is room: a database has hundreds of files, and tests make and
    drop many. Else None, for the system's folder of what passes."""
    if "TMPDIR" in os.environ or not Path(_MEMORY).is_dir():
        return None
    found = os.statvfs(_MEMORY)
    room = found.f_bavail * found.f_frsize >= _ROOM and postgres_programs.available() >= _ROOM
    return _MEMORY if room and not found.f_flag & os.ST_NOEXEC else None


def pytest_configure(config: pytest.Config) -> None:
    for name in [name for name in os.environ if name.startswith(_OUTSIDE_SETTINGS)]:
        del os.environ[name]
    # Most tests store one answer many times over and count what a judge is asked of each.
    os.environ["SEARCHQA_REUSE_REPLIES_HOURS"] = "0"
    workerinput = getattr(config, "workerinput", None)
    if workerinput is None:
        # Short, because the path of a unix socket may have 107 characters only.
        config.stash[RUN_FOLDER] = Path(tempfile.mkdtemp(prefix="sqa-", dir=_memory()))
    else:
        config.stash[RUN_FOLDER] = Path(workerinput["run_folder"])


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: object) -> None:
    """Called by pytest-xdist for each worker: all share the folder of the controller."""
    node.workerinput["run_folder"] = str(node.config.stash[RUN_FOLDER])  # type: ignore[attr-defined]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than cores, since tests wait for other processes a quarter of their time."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """What is imported stays, and looking for garbage in it would cost each test that follows. What
    a test leaves is little: to look for it as often as Python does is a twentieth of all CPU."""
    gc.disable()
    yield
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


def pytest_unconfigure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput") or RUN_FOLDER not in config.stash:
        return
    folder = config.stash[RUN_FOLDER]
    servers.stop_postgres(folder)
    shutil.rmtree(folder, ignore_errors=True)


class _ByStack(LoadFileScheduling):
    """The tests of a file go to one worker, and so do the files of a folder that share stacks."""

    def _split_scope(self, nodeid: str) -> str:
        file = Path(super()._split_scope(nodeid))
        return str(file.parent if file.parent.name in {"acceptance", "e2e"} else file)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling | None:
    return _ByStack(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests of whole stacks as slow. Of tests that share an id pytest-xdist runs one."""
    for item in items:
        if not _STACKS.isdisjoint(item.path.parts):
            item.add_marker(pytest.mark.slow)
    ids = Counter(item.nodeid for item in items)
    if shared := [id_ for id_, count in ids.items() if count > 1]:
        raise pytest.UsageError(f"Give these tests ids of their own: {', '.join(shared)}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """One line that says what was not run and why, or a line each in the file that NOT_RUN names,
    for a caller that runs more than this."""
    skipped = Counter(report.longrepr[2] for report in terminalreporter.stats.get("skipped", ()))
    lines = [
        f"{count} {'test' if count == 1 else 'tests'} ({reason.removeprefix('Skipped: ')})"
        for reason, count in skipped.most_common()
    ]
    if file := os.environ.get("NOT_RUN"):
        Path(file).write_text("".join(f"{line}\n" for line in lines))
    elif lines:
        terminalreporter.write_line(f"not run: {', '.join(lines)}")


def pytest_runtest_setup() -> None:
    pytest_socket.socket_allow_hosts(["127.0.0.1", "::1", "localhost"], allow_unix_socket=True)


@pytest.fixture(scope="session")
def run_folder(request: pytest.FixtureRequest) -> Path:
    """A folder of this run, shared by all workers and removed at its end."""
    return request.config.stash[RUN_FOLDER]


@pytest.fixture
def run_cli(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Callable[..., SimpleNamespace]]:
    """`searchqa` with some arguments as a shell sees it, without a .env of the project or a stack
    of the developer."""

    def run(*arguments: str) -> SimpleNamespace:
        from app.cli import main

        monkeypatch.setattr(sys, "argv", ["searchqa", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return SimpleNamespace(code=ended.value.code, out=out, err=err)

    monkeypatch.chdir(tmp_path)
    get_settings.cache_clear()
    yield run
    get_settings.cache_clear()
