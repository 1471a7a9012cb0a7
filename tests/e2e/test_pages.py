"""Every page: reachable, readable without a mouse or eyes, at home on a phone, in two languages."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from browsing import DESK, PHONE, Theme, Window, a_window
from playwright.async_api import Browser, expect
from sample import ASKED, WORKSPACE, Sample, fill

from live_stack import LiveStack

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="session")]

PAGES = {
    "/": "워크벤치",
    "/notes": "노트",
    "/quality": "품질",
    "/evaluations": "평가",
    "/label": "라벨링",
    "/datasets": "데이터셋",
    "/runs": "실행",
    "/benches": "평가 모델 검증",
    "/settings": "설정",
}
# Of one thing each; fields of Sample.
DETAILS = ["evaluation", "note", "dataset", "run", "comparison"]
PICTURE = {"width": 1280, "height": 960}
TALL_PICTURE = {"width": 1280, "height": 1240}
MAX_BYTES = 250_000
# What a page was painted on, from the first frame that had something to paint.
EACH_FRAME = """
  window.seen = new Set()
  const look = () => {
    if (document.body) {
      const { backgroundColor } = getComputedStyle(document.body)
      seen.add(`${backgroundColor} ${getComputedStyle(document.documentElement).colorScheme}`)
    }
    requestAnimationFrame(look)
  }
  look()
"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def sample(stack: LiveStack) -> Sample:
    return await fill(stack)


@pytest_asyncio.fixture(
    scope="module", loop_scope="session", params=[DESK, PHONE], ids=["desk", "phone"]
)
async def window(
    request: pytest.FixtureRequest, browser: Browser, stack: LiveStack, sample: Sample
) -> AsyncIterator[Window]:
    async with a_window(browser, stack, WORKSPACE, request.param) as window:
        yield window


@pytest.mark.parametrize("path", [*PAGES, "/evaluations?tab=review", *DETAILS])
async def test_a_page_has_no_barrier_and_fits(window: Window, sample: Sample, path: str) -> None:
    await window.open(getattr(sample, path) if path in DETAILS else path)
    await window.loaded()
    assert await window.barriers() == []
    assert not await window.scrolls_sideways()


async def test_every_page_is_reached_by_its_name(window: Window) -> None:
    await window.open("/settings")
    menu = window.page.get_by_role("navigation", name="주 메뉴")
    for path, name in PAGES.items():
        if not await menu.is_visible():
            await window.page.get_by_role("button", name="메뉴").click()
        await menu.get_by_role("link", name=name, exact=True).click()
        await expect(window.page).to_have_url(f"{window.url}/ui{path}".rstrip("/"))
        await expect(window.page.get_by_role("heading", level=1)).to_be_focused()


async def test_the_language_is_kept(window: Window) -> None:
    await window.open("/settings")
    header = window.page.get_by_role("banner")
    await header.get_by_role("button", name="English", exact=True).click()
    await expect(window.page.get_by_role("heading", level=1)).to_have_text("Settings")
    await window.page.reload()
    await expect(window.page.get_by_role("heading", level=1)).to_have_text("Settings")
    assert await window.page.evaluate("() => document.documentElement.lang") == "en"
    await header.get_by_role("button", name="한국어", exact=True).click()
    await expect(window.page.get_by_role("heading", level=1)).to_have_text("설정")


async def test_a_theme_is_the_systems_or_chosen_kept_and_there_from_the_first_frame(
    browser: Browser, stack: LiveStack, sample: Sample
) -> None:
    light, dark = "rgb(248, 250, 252)", "rgb(11, 18, 32)"
    async with a_window(browser, stack, WORKSPACE) as window:
        page = window.page
        await window.in_theme("dark")
        await window.open("/settings")
        await expect(page.locator("body")).to_have_css("background-color", dark)
        await page.get_by_role("combobox", name="화면 테마").select_option(label="밝게")
        await expect(page.locator("body")).to_have_css("background-color", light)
        await page.add_init_script(EACH_FRAME)
        await window.open("/settings")
        assert await page.evaluate("() => [...seen]") == [f"{light} light"]
        await expect(page.get_by_role("combobox", name="화면 테마")).to_have_value("light")


async def test_without_a_login_the_page_says_how_to_get_one_and_its_link_leads_in(
    browser: Browser, stack: LiveStack
) -> None:
    page = await browser.new_page(locale="ko-KR")
    await page.goto(f"{stack.info.api_url}/ui/notes")
    await expect(page.get_by_text("searchqa login", exact=True)).to_be_visible()
    await page.goto(await stack.login_link(WORKSPACE))
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    await expect(page.get_by_text("searchqa login", exact=True)).to_have_count(0)
    await page.close()


@pytest.mark.parametrize(
    ("name", "size"), [("workbench", PICTURE), ("workbench-phone", PHONE)], ids=["desk", "phone"]
)
async def test_a_picture_of_an_answer_and_its_verdict(
    browser: Browser,
    stack: LiveStack,
    sample: Sample,
    pictures: Path,
    name: str,
    size: dict[str, int],
) -> None:
    async with a_window(browser, stack, WORKSPACE, size) as window:
        await window.open()
        await window.page.get_by_role("textbox", name="질문", exact=True).fill(ASKED[0])
        await window.page.keyboard.press("Enter")
        exchange = window.page.get_by_role("article")
        await expect(exchange.locator("[data-status=succeeded]")).to_be_visible()
        await exchange.get_by_text("평가 자세히 보기").click()
        await take(window, pictures, name)


@pytest.mark.parametrize(
    ("name", "path"),
    {"quality": "/quality", "evaluation": "evaluation", "runs": "run", "notes": "/notes"}.items(),
)
async def test_a_picture_of_a_page(
    browser: Browser, stack: LiveStack, sample: Sample, pictures: Path, name: str, path: str
) -> None:
    size = TALL_PICTURE if name == "quality" else PICTURE
    async with a_window(browser, stack, WORKSPACE, size) as window:
        await window.open(getattr(sample, path) if path in DETAILS else path)
        await window.loaded()
        await take(window, pictures, name)


async def take(window: Window, folder: Path, name: str) -> None:
    """What a window shows that was just opened, in the light and in the dark, each small enough for
    a page of documentation."""
    await window.page.evaluate("() => { document.activeElement?.blur(); scrollTo(0, 0) }")
    files: dict[Theme, str] = {"dark": f"{name}-dark.png", "light": f"{name}.png"}
    for theme, file in files.items():
        await window.in_theme(theme)
        picture = await window.page.screenshot(path=folder / file, animations="disabled")
        assert 10_000 < len(picture) <= MAX_BYTES
