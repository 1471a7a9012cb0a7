"""Messages are left to other workers while this one cannot reach PostgreSQL."""

import asyncio

import psycopg
import pytest

from cases import eventually
from worker import batched_lifecycle
from worker.batched_lifecycle import PAUSED, FetchingPause


class Database:
    """Fails so many times, then replies."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.paused: list[bool] = []

    async def ask(self) -> None:
        self.paused.append(PAUSED.is_set())
        if self.failures:
            self.failures -= 1
            raise psycopg.OperationalError("connection refused")


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batched_lifecycle, "PING_SECONDS", 0)


async def until_fetching() -> None:
    await eventually(lambda: not PAUSED.is_set())


async def test_nothing_is_fetched_from_a_failed_statement_until_a_ping_succeeds():
    server = Database(failures=3)
    pause = FetchingPause(server.ask)

    await pause.watch(Database(failures=1).ask)
    await until_fetching()

    assert server.paused == [True] * 4


async def test_a_statement_without_an_end_is_one_that_failed(monkeypatch):
    monkeypatch.setattr(batched_lifecycle, "SLOW_SECONDS", 0)
    replying = asyncio.Event()
    pause = FetchingPause(replying.wait)

    statement = asyncio.create_task(pause.watch(replying.wait))
    await eventually(PAUSED.is_set)
    replying.set()
    await statement
    await until_fetching()


async def test_one_that_is_closed_leaves_nothing_paused():
    pause = FetchingPause(asyncio.Event().wait)
    pause.begin()

    await pause.aclose()

    assert not PAUSED.is_set()
