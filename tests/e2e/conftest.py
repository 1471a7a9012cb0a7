"""A real Chromium in front of a real `searchqa up`. Both serve all tests, and end with the last of
them because this folder is a package; a module has a workspace of its own, or two."""

import os
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from app.operations.embedded.ports import free_port
from judge_replies import well
from live_stack import LiveStack, live_stack
from stub_server import StubServer

PAGES = Path(__file__).parents[2] / "frontend" / "dist" / "index.html"
# The shell draws no windows, which spares a quarter of the CPU.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
# Chromium asks the network for updates of its own at every start; here there is none.
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--screenshots", metavar="FOLDER", help="where the pages' pictures go")


@pytest.fixture(scope="session")
def pictures(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    # Not known where this file was not among the first to be read.
    given = request.config.getoption("--screenshots", default=None)
    folder = Path(given) if given else tmp_path_factory.mktemp("pictures")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _missing() -> str | None:
    if CHROMIUM is None:
        return "no Chromium on the PATH (Debian: apt-get install chromium-headless-shell)"
    if not PAGES.exists():
        return "the pages are not built (make ui)"
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without a browser these tests are left out, and said to be; where nobody looks, that is
    a failure."""
    missing = _missing()
    if missing is None:
        return
    if os.environ.get("CI"):
        raise pytest.UsageError(f"The tests in a browser cannot run: {missing}.")
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.skip(reason=missing))


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def server() -> AsyncIterator[StubServer]:
    """A model that judges where a workspace wants it."""
    async with StubServer(well()) as server:
        yield server


@pytest.fixture(scope="package")
def other_port() -> int:
    """A page that is served there, another origin, may call the API."""
    return free_port("127.0.0.1")


@pytest.fixture(scope="package")
def stack(
    server: StubServer, other_port: int, run_folder: Path, worker_id: str
) -> Iterator[LiveStack]:
    """Answers and judges offline."""
    with live_stack(
        run_folder / f"e2e-{worker_id}",
        "--no-flower",
        OPENAI_API_KEY="sk-browser-secret",
        OPENAI_BASE_URL=server.base_url,
        SEARCHQA_MAX_ATTEMPTS="2",
        SEARCHQA_RETRY_BASE="1",
        SEARCHQA_CORS_ORIGINS=f"http://127.0.0.1:{other_port}",
        SEARCHQA_WEBHOOK_ALLOWED_NETWORKS="127.0.0.0/8",
    ) as stack:
        yield stack


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield browser
        await browser.close()
