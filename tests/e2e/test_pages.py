"""Every page: reachable, readable without a mouse or eyes, at home on a phone, in two languages."""

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from browsing import DESK, PHONE, TABLET, Window, a_window, context_of, in_language, new_window
from playwright.async_api import Browser, expect
from sample import ASKED, WORKSPACE, LongSample, Sample, add_long_titles, fill

from live_stack import LiveStack

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="session")]

PAGES = {
    "/": "워크벤치",
    "/notes": "노트",
    "/quality": "품질",
    "/releases": "릴리스",
    "/failures": "반복되는 오류",
    "/evaluations": "평가",
    "/label": "라벨링",
    "/datasets": "데이터셋",
    "/runs": "실행",
    "/benches": "평가 모델 검증",
    "/playground": "프롬프트 실험",
    "/settings": "설정",
    "/system": "시스템",
}
# Of one thing each; fields of Sample.
DETAILS = [*("evaluation", "panel", "note", "dataset", "run", "comparison", "bench", "playground")]
# Of which the menu has none, or another state of one that it has.
OTHER_PAGES = ["/evaluations?tab=review", "/playground?tab=versions", "/audit", "/connect"]
# Fields of LongSample.
LONG_DETAILS = ["long_evaluation", "long_note", "long_run"]
PICTURE = {"width": 1280, "height": 960}
TALL_PICTURE = {"width": 1280, "height": 1240}
UNFOLD = """
  for (const details of document.querySelectorAll('main details')) details.open = true
"""
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


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def long_titles(stack: LiveStack, sample: Sample) -> LongSample:
    """The pictures of the documentation are taken without them."""
    return await add_long_titles(stack, sample)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def of_any_size(browser: Browser, stack: LiveStack, sample: Sample) -> AsyncIterator[Window]:
    async with a_window(browser, stack, WORKSPACE) as window:
        yield window


@pytest.mark.parametrize("path", [*PAGES, *OTHER_PAGES, "/nowhere", *DETAILS, *LONG_DETAILS])
async def test_a_page_has_no_barrier_and_fits(of_any_size, sample, long_titles, path):
    await of_any_size.open(getattr(sample, path, None) or getattr(long_titles, path, path))
    # What is folded is looked at too.
    await of_any_size.loaded()
    await of_any_size.page.evaluate(UNFOLD)
    await look_at(of_any_size)


async def look_at(window: Window) -> None:
    """Loaded once, since looking at it twelve times costs less than loading it again."""
    for language in ("en", "ko"):
        await in_language(window, language)
        for size in (DESK, TABLET, PHONE):
            await window.page.set_viewport_size(size)  # type: ignore[arg-type]
            await window.loaded()
            assert await window.barriers() == [], (language, size)
            assert not await window.scrolls_sideways(), (language, size)


async def test_tabs_follow_the_list_by_one_connection(browser, stack, sample):
    """The next tab goes on when the one that reads is closed."""
    streams: list[str] = []
    async with context_of(browser, stack, WORKSPACE) as context:
        context.on(
            "request", lambda it: streams.append(it.url) if it.url.endswith("/events") else None
        )
        tabs = [await new_window(context, stack) for _ in range(2)]
        for tab in tabs:
            await tab.open("/evaluations")
            await tab.loaded()

        async def judged(count: int, *windows: Window) -> None:
            async with stack.client(sample.token) as client:
                source = {"title": "배양기", "content": "배양기는 37도로 맞춘다."}
                given = {"question": f"{count}?", "answer": "37도입니다.", "sources": [source]}
                (await client.post("/qa-evaluations", json=given)).raise_for_status()
            for window in windows:
                news = window.page.get_by_role("button", name=re.compile(f"새 평가 {count}개"))
                await expect(news).to_be_visible()

        await judged(1, *tabs)
        assert len(streams) == 1
        await tabs[0].page.close()
        await judged(2, tabs[1])
        assert len(streams) == 2


async def test_back_keeps_the_place_in_a_list(window, long_titles):
    page = window.page
    await window.open("/evaluations")
    row = page.get_by_role("row").nth(40)
    await row.scroll_into_view_if_needed()
    before = await page.evaluate("() => scrollY")
    await row.get_by_role("link").click()
    await page.get_by_role("link", name="상세 페이지").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("평가 상세")
    await page.go_back()
    await expect(page.get_by_role("region", name="평가 상세")).to_be_visible()
    await page.go_back()
    await expect(page.get_by_role("region", name="평가 상세")).to_have_count(0)
    await expect(row.get_by_role("link")).to_be_focused()
    await expect(row).to_be_in_viewport()
    assert await page.evaluate("() => scrollY") == before > 0


async def test_evaluations_are_selected_exported_and_kept_as_a_view(of_any_size, sample):
    window, page = of_any_size, of_any_size.page
    await page.set_viewport_size(DESK)  # type: ignore[arg-type]
    await window.open("/evaluations?status=succeeded&order=worst")
    await in_language(window, "ko")
    await window.loaded()
    # By keys: the third row, and by mouse from there to the sixth.
    await page.keyboard.type("jjjx")
    await expect(page.locator("tbody tr").nth(2).get_by_role("link")).to_be_focused()
    await page.locator("tbody").get_by_role("checkbox").nth(5).click(modifiers=["Shift"])
    bar = page.get_by_role("region", name="선택한 평가")
    await expect(bar.get_by_text("4개 선택함")).to_be_visible()

    async with page.expect_download() as downloading:
        await bar.get_by_role("button", name="JSONL 내보내기").click()
    lines = (await (await downloading.value).path()).read_text(encoding="utf-8").splitlines()
    assert len(lines) == 4

    await page.keyboard.press("Escape")
    await expect(bar).to_be_hidden()
    await page.keyboard.press("x")
    await bar.get_by_role("button", name="조건에 맞는 평가 모두 선택").click()
    for size in (DESK, PHONE):
        await page.set_viewport_size(size)  # type: ignore[arg-type]
        assert await window.barriers() == [], size
        assert not await window.scrolls_sideways(), size
    await bar.get_by_role("button", name="다시 평가").click()
    dialog = page.get_by_role("dialog")
    # The rules have judged all of them.
    await expect(dialog.get_by_text("이미 평가한 답변")).to_be_visible()
    await expect(dialog.get_by_role("button", name="0개 다시 평가")).to_be_disabled()
    assert await window.barriers() == []
    await page.keyboard.press("Escape")

    await page.set_viewport_size(DESK)  # type: ignore[arg-type]
    await page.get_by_role("button", name="새 보기로 저장").click()
    await dialog.get_by_role("textbox", name="이름").fill("낮은 점수부터")
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("님이 만듦")).to_be_visible()
    link = re.sub(r".*(view=[^&]+).*", r"/evaluations?\1", page.url)
    await window.open(link)
    await expect(page.get_by_role("combobox", name="정렬")).to_have_value("worst")
    chips = page.get_by_role("list", name="적용한 필터")
    await expect(chips.get_by_role("listitem")).to_have_text(["상태: 완료"])
    await page.get_by_role("button", name="삭제").click()
    await dialog.get_by_role("button", name="삭제").click()
    await expect(page.get_by_role("combobox", name="저장된 보기")).to_have_count(0)


async def test_an_address_without_an_id_is_answered_in_the_readers_language(window):
    await window.open("/evaluations/abc")
    await expect(window.page.get_by_role("alert")).to_contain_text(
        "주소에 있는 ID가 올바르지 않습니다."
    )


async def test_every_page_is_reached_by_its_name(window):
    await window.open("/settings")
    menu = window.page.get_by_role("navigation", name="주 메뉴")
    for path, name in PAGES.items():
        if not await menu.is_visible():
            await window.page.get_by_role("button", name="메뉴").click()
        await menu.get_by_role("link", name=name, exact=True).click()
        await expect(window.page).to_have_url(f"{window.url}/ui{path}".rstrip("/"))
        await expect(window.page.get_by_role("heading", level=1)).to_be_focused()


@pytest.mark.parametrize("language", ["ko", "en"])
async def test_the_palette_finds_a_question_and_the_keys_of_the_page_are_listed(window, language):
    page = window.page
    await window.open("/label")
    await in_language(window, language)
    name = {"ko": "검색", "en": "Search"}[language]
    await page.get_by_role("banner").get_by_role("button", name=name, exact=True).click()
    palette = page.get_by_role("dialog")
    await expect(palette.get_by_role("combobox")).to_be_focused()
    await page.keyboard.type("냉동고를")
    found = palette.get_by_role("option", name="정전이 되면 냉동고를 어떻게 하나요?", exact=True)
    await expect(found.first).to_be_in_viewport()
    assert await window.barriers() == []
    assert not await window.scrolls_sideways()
    await page.keyboard.press("Escape")
    await expect(palette).to_have_count(0)

    await page.keyboard.press("?")
    await expect(palette.get_by_text("j", exact=True)).to_be_visible()
    assert await window.barriers() == []
    await page.keyboard.press("Escape")
    await page.keyboard.press("Control+k")
    await page.keyboard.type("냉동고를")
    await expect(found.first).to_have_attribute("aria-selected", "true")
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile("/ui/evaluations/[0-9a-f-]{36}$"))
    await expect(page.get_by_role("heading", level=1)).to_be_focused()
    await in_language(window, "ko")


async def test_the_language_is_kept(window):
    await window.open("/settings")
    await in_language(window, "en")
    await expect(window.page.get_by_role("heading", level=1)).to_have_text("Settings")
    await window.page.reload()
    await expect(window.page.get_by_role("heading", level=1)).to_have_text("Settings")
    assert await window.page.evaluate("() => document.documentElement.lang") == "en"
    await in_language(window, "ko")
    await expect(window.page.get_by_role("heading", level=1)).to_have_text("설정")


async def test_a_theme_is_the_systems_or_chosen_kept_and_there_from_the_first_frame(
    browser, stack, sample
):
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


async def test_without_a_login_the_page_says_how_to_get_one_and_its_link_leads_in(browser, stack):
    page = await browser.new_page(locale="ko-KR")
    await page.goto(f"{stack.info.api_url}/ui/notes")
    await expect(page.get_by_text("searchqa login", exact=True)).to_be_visible()
    await look_at(Window(page, stack.info.api_url))
    await page.goto(await stack.login_link(WORKSPACE))
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    await expect(page.get_by_text("searchqa login", exact=True)).to_have_count(0)
    await page.close()


@pytest.mark.parametrize(
    ("name", "size"), [("workbench", PICTURE), ("workbench-phone", PHONE)], ids=["desk", "phone"]
)
async def test_a_picture_of_an_answer_and_its_verdict(browser, stack, sample, pictures, name, size):
    async with a_window(browser, stack, WORKSPACE, size) as window:
        await window.open()
        await window.page.get_by_role("textbox", name="질문", exact=True).fill(ASKED[0])
        await window.page.keyboard.press("Enter")
        exchange = window.page.get_by_role("article")
        await expect(exchange.locator("[data-status=succeeded]")).to_be_visible()
        await exchange.get_by_text("평가 자세히 보기").click()
        await window.take(pictures, name)


@pytest.mark.parametrize(
    ("name", "path"),
    {"quality": "/quality", "evaluation": "evaluation", "runs": "run", "notes": "/notes"}.items(),
)
async def test_a_picture_of_a_page(browser, stack, sample, pictures, name, path):
    size = TALL_PICTURE if name == "quality" else PICTURE
    async with a_window(browser, stack, WORKSPACE, size) as window:
        await window.open(getattr(sample, path) if path in DETAILS else path)
        await window.loaded()
        await window.take(pictures, name)
