"""A running stack with offline models, shared by the tests that do not change it."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import httpx
import pytest
from live_stack import LiveStack, live_stack

NOTES = {
    "notebook": "실험실",
    "notes": [
        {"title": "PCR 조건", "content": "PCR 변성은 95도에서 30초 동안 한다."},
        {"title": "배양기", "content": "배양기는 37도, 이산화탄소 5퍼센트로 맞춘다."},
    ],
}


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


async def open_with_notes(stack: LiveStack) -> str:
    """A token with all scopes, for a workspace that has the notes."""
    token = (await stack.succeed("token", "create", "acceptance")).strip()
    async with stack.client(token) as client:
        (await client.post("/notes/import", json=NOTES)).raise_for_status()
    return token


@pytest.fixture
async def client(stack: LiveStack, token: str) -> AsyncIterator[httpx.AsyncClient]:
    async with stack.client(token) as client:
        yield client
