"""Notes that a reader brings along, by the page."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from browsing import Window, a_window
from playwright.async_api import Browser, expect

from live_stack import LiveStack

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="session")]

WORKSPACE = "importing"
FREEZER = "# 초저온 냉동고\n\n초저온 냉동고는 영하 80도로 유지한다."
CENTRIFUGE = "# 원심분리기\n\n원심분리기는 4도에서 10분 동안 돌린다."
DROP = """(zone, [name, text]) => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([text], name))
  for (const type of ['dragenter', 'dragover', 'drop'])
    zone.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }))
}"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def window(browser: Browser, stack: LiveStack) -> AsyncIterator[Window]:
    async with a_window(browser, stack, WORKSPACE) as window:
        yield window


async def test_a_file_becomes_a_note_that_can_be_asked(window):
    await window.open("/notes")
    page = window.page
    await page.get_by_test_id("files").set_input_files(
        [
            {"name": "냉동고.md", "mimeType": "text/markdown", "buffer": FREEZER.encode()},
            {"name": "그림.exe", "mimeType": "application/octet-stream", "buffer": b"MZ"},
        ]
    )
    files = page.get_by_role("list", name="가져올 파일").get_by_role("listitem")
    await expect(files.filter(has_text="냉동고.md")).to_contain_text("새 노트 1개")
    await expect(files.filter(has_text="그림.exe")).to_contain_text("노트 파일이 아닙니다")
    assert await window.barriers() == []

    await page.get_by_role("link", name="초저온 냉동고").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("초저온 냉동고")
    await page.get_by_role("textbox", name="질문", exact=True).fill("몇 도로 유지하나요?")
    await page.get_by_role("button", name="질문하기").click()
    exchange = page.get_by_role("article").last
    await expect(exchange).to_contain_text("80도")
    await expect(exchange.locator("[data-status=succeeded]")).to_be_visible()
    assert await window.barriers() == []


async def test_a_file_is_dropped_into_a_notebook(window, stack):
    await window.open("/notes")
    page = window.page
    await page.get_by_label("저장할 노트북").fill("장비")
    zone = page.get_by_role("button", name="파일을 끌어다 놓거나 눌러서 고르세요")
    await zone.evaluate(DROP, ["원심분리기.md", CENTRIFUGE])
    await expect(page.get_by_role("link", name="원심분리기")).to_be_visible()
    (stored,) = await stack.rows(
        "SELECT b.name FROM notes n JOIN notebooks b ON b.id = n.notebook_id"
        " WHERE n.title = '원심분리기'"
    )
    assert stored == {"name": "장비"}
