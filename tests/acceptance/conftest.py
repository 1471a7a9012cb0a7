"""Two running stacks, shared by all tests that need no settings of their own: one does everything
offline, the other's judge is a stub that says what a test wants. Tests have workspaces of their own
where others would disturb them. This folder is a package, so that both end with its last test: a
stack that waits takes a part of a core from the tests that come later."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
from users import User

from judge_replies import well
from live_stack import LiveStack, live_stack, open_with_notes
from stub_server import StubServer

# The shortest lease that the settings allow for this deadline, so that a dead worker's row comes
# back soon. A busy machine must not make a good call late: calls are counted.
TIMING = {
    "SEARCHQA_JUDGE_DEADLINE": "5",
    "SEARCHQA_JUDGE_LEASE": "15.1",
    "SEARCHQA_TASK_TIME_LIMIT": "20",
    "SEARCHQA_VISIBILITY_TIMEOUT": "30",
    "SEARCHQA_MAX_ATTEMPTS": "2",
    "SEARCHQA_RETRY_BASE": "1",
}


@pytest.fixture(scope="session")
def new_folder(run_folder: Path, worker_id: str) -> Callable[[], Path]:
    """Names a folder that is not there yet; short, because unix sockets lie below it."""
    numbers = itertools.count(1)
    return lambda: run_folder / f"up-{worker_id}-{next(numbers)}"


@pytest.fixture(scope="package")
def stack(new_folder: Callable[[], Path]) -> Iterator[LiveStack]:
    """Answers and judges offline, knows of waste beside what notes say, and delivers webhooks to
    this machine."""
    with live_stack(
        new_folder(),
        SEARCHQA_DOMAIN_PACK="waste_sorting",
        SEARCHQA_TRACE_SETTLE="1",
        SEARCHQA_WEBHOOK_ALLOWED_NETWORKS="127.0.0.0/8",
    ) as stack:
        yield stack


@pytest.fixture(scope="package")
def token(stack: LiveStack) -> str:
    return asyncio.run(open_with_notes(stack))


@pytest.fixture
async def client(stack: LiveStack, token: str) -> AsyncIterator[httpx.AsyncClient]:
    async with stack.client(token) as client:
        yield client


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def _stub() -> AsyncIterator[StubServer]:
    async with StubServer(well()) as stub:
        yield stub


@pytest.fixture(scope="package")
def judged(_stub: StubServer, new_folder: Callable[[], Path]) -> Iterator[LiveStack]:
    """Answers offline; its judge is the stub, which lives in the loop of the session."""
    with live_stack(
        new_folder(),
        "--no-flower",
        SEARCHQA_JUDGE_MODEL="openai:gpt-4o-mini",
        OPENAI_API_KEY="sk-acceptance-secret",
        OPENAI_BASE_URL=_stub.base_url,
        # Webhooks of tests are received on this machine.
        SEARCHQA_WEBHOOK_ALLOWED_NETWORKS="127.0.0.0/8",
        **TIMING,
    ) as stack:
        yield stack


@pytest_asyncio.fixture(loop_scope="session")
async def judge(_stub: StubServer, judged: LiveStack) -> StubServer:
    """The stub, working well and with nothing remembered of other tests. Their answers are
    forgotten, because those that the rules stood in for would be judged again now."""
    await judged.rows("DELETE FROM qa_answers RETURNING id")
    _stub.default = well()
    _stub.requests.clear()
    _stub.count = 0
    return _stub


@pytest.fixture
def user(
    judged: LiveStack, judge: StubServer, request: pytest.FixtureRequest
) -> Callable[[], Awaitable[User]]:
    """Opens a workspace with notes for this test alone."""

    async def open_workspace() -> User:
        name = request.node.name.partition("[")[0]
        return User(judged, name, await open_with_notes(judged, name))

    return open_workspace
