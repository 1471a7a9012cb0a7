"""A running stack with offline models, shared by the tests that do not change it."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import httpx
import pytest

from live_stack import LiveStack, live_stack, open_with_notes


@pytest.fixture(scope="session")
def new_folder(run_folder: Path, worker_id: str) -> Callable[[], Path]:
    """Names a folder that is not there yet; short, because unix sockets lie below it."""
    numbers = itertools.count(1)
    return lambda: run_folder / f"up-{worker_id}-{next(numbers)}"


@pytest.fixture(scope="session")
def stack(new_folder: Callable[[], Path]) -> Iterator[LiveStack]:
    """Answers and judges offline."""
    with live_stack(new_folder()) as stack:
        yield stack


@pytest.fixture(scope="session")
def token(stack: LiveStack) -> str:
    return asyncio.run(open_with_notes(stack))


@pytest.fixture
async def client(stack: LiveStack, token: str) -> AsyncIterator[httpx.AsyncClient]:
    async with stack.client(token) as client:
        yield client
