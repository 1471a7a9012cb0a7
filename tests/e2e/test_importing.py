"""Notes that a reader brings along, by the page."""

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from browsing import Window, a_window
from playwright.async_api import Browser, expect

from live_stack import LiveStack, live_stack

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="module")]

FILES = [
    {
        "name": "냉동고.md",
        "mimeType": "text/markdown",
        "buffer": "# 초저온 냉동고\n\n초저온 냉동고는 영하 80도로 유지한다.".encode(),
    },
    {"name": "그림.exe", "mimeType": "application/octet-stream", "buffer": b"MZ"},
]


@pytest.fixture(scope="module")
def stack(new_folder: Callable[[], Path]) -> Iterator[LiveStack]:
    with live_stack(new_folder(), "--no-flower") as stack:
        yield stack


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def window(browser: Browser, stack: LiveStack) -> AsyncIterator[Window]:
    async with a_window(browser, stack) as window:
        yield window


async def test_a_file_becomes_a_note_that_can_be_asked(window: Window) -> None:
    await window.open("/notes")
    await window.page.locator("input[type=file]").set_input_files(FILES)  # type: ignore[arg-type]
    await window.page.get_by_role("link", name="초저온 냉동고").click()
    await expect(window.page.get_by_role("heading", level=1)).to_have_text("초저온 냉동고")
    await window.page.get_by_role("textbox", name="질문", exact=True).fill("몇 도로 유지하나요?")
    await window.page.get_by_role("button", name="질문하기").click()
    exchange = window.page.get_by_role("article").last
    await expect(exchange).to_contain_text("80도")
    await expect(exchange.locator("[data-status=succeeded]")).to_be_visible()
    assert await window.serious_barriers() == []
