"""A stack per test, and the table of what was done and counted: for tests/faults and tests/ops."""

import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import asdict
from pathlib import Path

import pytest
from harness import Stack, Tally, invariant, open_stack
from victims import Postgres

import servers

_COLUMNS = (
    "runs",
    "answers",
    "verdicts",
    "degraded",
    "failed",
    "duplicates",
    "lost",
    "calls",
    "paid_again",
)
_PROPERTY = "tally"
_REMARK = "remark"

Note = Callable[[Tally], None]
Remark = Callable[[str], None]
Holds = Callable[..., Awaitable[Tally]]
OpenStack = Callable[..., Awaitable[Stack]]


@pytest.fixture(scope="session")
def postgres_url(run_folder: Path) -> str:
    return servers.start_postgres(run_folder)


@pytest.fixture
def clean_database_url(postgres_url: str) -> Iterator[str]:
    with servers.migrated_database(postgres_url) as url:
        yield url


_numbers = itertools.count(1)


@pytest.fixture
def new_folder(run_folder: Path, worker_id: str) -> Path:
    """A folder that is not there yet."""
    return run_folder / f"faults-{worker_id}-{next(_numbers)}"


@pytest.fixture
async def postgres(new_folder: Path) -> AsyncIterator[Postgres]:
    """A server of this test's own."""
    server = Postgres(new_folder.with_name(f"{new_folder.name}-pg"))
    async with server.running():
        yield server


@pytest.fixture
async def open_(new_folder: Path, clean_database_url: str) -> AsyncIterator[OpenStack]:
    """Opens the test's stack with settings of its own."""
    async with AsyncExitStack() as opened:

        async def open_it(**changes: object) -> Stack:
            stack = open_stack(new_folder, clean_database_url, **changes)
            return await opened.enter_async_context(stack)

        yield open_it


@pytest.fixture
def note(request: pytest.FixtureRequest) -> Note:
    """Adds a line to the table."""
    return lambda tally: request.node.user_properties.append((_PROPERTY, asdict(tally)))


@pytest.fixture
def remark(request: pytest.FixtureRequest) -> Remark:
    """Adds a sentence under the table."""
    return lambda text: request.node.user_properties.append((_REMARK, text))


@pytest.fixture
def holds(note: Note) -> Holds:
    """Checks the invariant and adds a line to the table; `runs` says how often the fault was
    injected."""

    async def check(stack: Stack, fault: str, *, runs: int = 1) -> Tally:
        tally = await invariant(stack, fault, runs=runs)
        note(tally)
        return tally

    return check


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [
        report
        for outcome in ("passed", "failed")
        for report in terminalreporter.getreports(outcome)
        if getattr(report, "when", "") == "call"
    ]
    noted = [value for report in reports for value in report.user_properties]
    tallies = [value for name, value in noted if name == _PROPERTY]
    if tallies:
        terminalreporter.section("faults")
        terminalreporter.write_line(f"| Fault | {' | '.join(_COLUMNS).replace('_', ' ')} |")
        terminalreporter.write_line("|---|" + "--:|" * len(_COLUMNS))
        for tally in tallies:
            counts = " | ".join(str(tally[column]) for column in _COLUMNS)
            terminalreporter.write_line(f"| {tally['fault']} | {counts} |")
    for text in [value for name, value in noted if name == _REMARK]:
        terminalreporter.write_line(text)
