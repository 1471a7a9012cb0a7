"""A reader asks, and sees what the answer is worth: at once, later, after a reload, and when parts
of the system go away meanwhile."""

import os
import re
import signal
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from browsing import DESK, PHONE, Window, a_window, context_of, new_window
from playwright.async_api import Browser, Locator, Page, expect

from judge_replies import Gate, well
from live_stack import LiveStack, open_with_notes
from stub_server import StubServer, status

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="session")]

QUESTION = "PCR 변성은 몇 도에서 하나요?"
OTHER_QUESTION = "배양기는 몇 도로 맞추나요?"
ANSWER = "95도"
JUDGING = "평가하는 중입니다"
WORKSPACE = "asking"

LONG_QUESTION = "초고속 분리기 단계에서 로터와 온도는 어떻게 하나요?"
LONG_NOTE = {
    "title": "초고속 분리기 사용 절차 https://notes.example.org/" + "very-long-" * 15,
    "content": "".join(
        f"초고속 분리기 {number}번 단계에서는 로터의 균형을 확인하고 뚜껑을 닫은 다음 온도를"
        f" {number}도로 맞추고 회전수를 천천히 올리며 소리와 진동을 살피고 기록지에 시각과 이름을"
        " 적는데 두 사람이 함께 확인해야 하며 이상이 있으면 바로 멈추고 담당자에게 알린다. "
        for number in range(1, 9)
    ),
}
# Between header and composer: all of the exchange, or its beginning where it is longer than that.
IN_VIEW = """exchange => {
  const { top, bottom } = exchange.getBoundingClientRect()
  const header = document.querySelector('header').getBoundingClientRect().bottom
  const composer = document.querySelector('main form').getBoundingClientRect().top
  return top >= header && top < composer && (bottom <= composer || top <= header + 24)
}"""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def notes(stack: LiveStack) -> None:
    """They are there, and the stub is to judge."""
    token = await open_with_notes(stack, WORKSPACE)
    async with stack.client(token) as client:
        imported = {"notebook": "분리기", "notes": [LONG_NOTE]}
        (await client.post("/notes/import", json=imported)).raise_for_status()
        policy = {"judge_model": "openai:gpt-4o-mini"}
        (await client.put("/settings/evaluation", json=policy)).raise_for_status()


@pytest.fixture
def judge(server: StubServer) -> Iterator[StubServer]:
    yield server
    server.default = well()


@pytest_asyncio.fixture(loop_scope="session")
async def window(browser: Browser, stack: LiveStack, notes: None) -> AsyncIterator[Window]:
    async with a_window(browser, stack, WORKSPACE) as window:
        await window.open()
        yield window


async def ask(page: Page, question: str = QUESTION) -> Locator:
    """The exchange that the question begins, once it has its answer."""
    await page.get_by_role("textbox", name="질문", exact=True).fill(question)
    await page.get_by_role("button", name="질문하기").click()
    exchange = page.get_by_role("article").filter(has_text=question).last
    await expect(exchange).to_have_attribute("aria-busy", "false")
    return exchange


def badge(exchange: Locator) -> Locator:
    return exchange.locator("[data-status=succeeded]")


async def test_the_verdict_appears_beside_the_answer(window):
    exchange = await ask(window.page)
    await expect(exchange).to_contain_text(ANSWER)
    await expect(badge(exchange)).to_contain_text("신뢰도")
    await expect(badge(exchange)).to_contain_text("평가: openai:gpt-4o-mini")
    await expect(badge(exchange)).to_contain_text("체크리스트")
    assert await window.barriers() == []
    await exchange.get_by_text("평가 자세히 보기").click()
    await expect(exchange.get_by_text("인용됨").first).to_be_visible()
    assert await window.barriers() == []


async def expect_in_view(exchange: Locator) -> None:
    await exchange.page.wait_for_function(IN_VIEW, arg=await exchange.element_handle())


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
async def test_the_newest_of_many_long_answers_is_in_view(browser, stack, notes, size):
    async with a_window(browser, stack, WORKSPACE, size) as window:
        await window.open()
        for number in range(5):
            exchange = await ask(window.page, f"{LONG_QUESTION} ({number})")
            await expect(badge(exchange)).to_be_visible()
            await expect_in_view(exchange)
            assert not await window.scrolls_sideways()
        await window.page.context.set_offline(True)
        exchange = await ask(window.page, OTHER_QUESTION)
        await expect(exchange.get_by_role("alert")).to_be_in_viewport(ratio=1)
        await expect_in_view(exchange)


async def test_on_a_phone_the_composer_is_low_and_the_menu_lies_over_the_page(
    browser, stack, notes
):
    async with a_window(browser, stack, WORKSPACE, PHONE) as window:
        page = window.page
        await window.open()
        await expect(badge(await ask(page, LONG_QUESTION))).to_be_visible()
        composer = await page.locator("main form").bounding_box()
        assert composer
        assert composer["height"] <= 0.15 * PHONE["height"]
        await page.get_by_role("button", name="맥락").click()
        await page.get_by_label("질문하는 사람").fill("연구원")
        assert await window.barriers() == []
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("button", name="맥락 +1")).to_be_focused()

        await page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
        menu = page.get_by_role("button", name="메뉴")
        await menu.click()
        drawer = page.get_by_role("dialog", name="메뉴")
        await expect(drawer.get_by_role("link").first).to_be_in_viewport(ratio=1)
        assert await window.barriers() == []
        await page.keyboard.press("Escape")
        await expect(menu).to_be_focused()


async def test_an_english_page_fetches_no_korean_letters(browser, stack):
    page = await browser.new_page(locale="en-US")
    await page.goto(f"{stack.info.api_url}/ui/nowhere")
    await page.get_by_role("heading", level=1).wait_for()
    await page.evaluate("() => document.fonts.ready")
    fetched = await page.evaluate(
        "() => performance.getEntriesByType('resource').map(({ name }) => name)"
    )
    fonts = [name.rpartition("/")[2] for name in fetched if name.endswith(".woff2")]
    assert [name.partition("-")[0] for name in fonts] == ["latin"]
    await page.close()


async def test_a_reader_who_scrolls_back_is_left_there(window, judge):
    page = window.page
    for number in range(2):
        await expect(badge(await ask(page, f"{LONG_QUESTION} ({number})"))).to_be_visible()
    gate = judge.default = Gate()
    exchange = await ask(page)
    await expect_in_view(exchange)
    await page.mouse.move(700, 300)
    await page.mouse.wheel(0, -10_000)
    await page.wait_for_function("() => scrollY === 0")
    gate.open.set()
    await expect(badge(exchange)).to_be_visible()
    assert await page.evaluate("() => scrollY") == 0


async def test_who_waits_sees_what_is_awaited_and_afterwards_where_the_time_went(window, judge):
    page = window.page
    gate = judge.default = Gate()
    exchange = await ask(page)
    waited = exchange.get_by_role("timer", name="기다린 시간")
    await expect(waited).to_have_text(re.compile(r"^0:\d\d$"))
    await expect(exchange).to_contain_text("평가: 주장, 체크리스트, 점수 – 응답 대기 중")
    gate.open.set()
    await expect(badge(exchange)).to_be_visible()
    await expect(waited).to_have_count(0)

    newest = await page.request.get(f"{window.url}/qa-evaluations", params={"limit": 1})
    await window.open(f"/evaluations/{(await newest.json())['items'][0]['id']}")
    await expect(page).to_have_title(f"{QUESTION} · 평가 상세 · SearchQA")
    timeline = page.get_by_role("table", name="시간 흐름")
    for part in ("노트 검색", "모델이 답변 작성", "대기열", "차 시도", "평가: 주장", "평가 저장"):
        await expect(timeline).to_contain_text(part)
    await expect(timeline).to_contain_text("첫 독자에게 전달")
    await page.get_by_text("평가 과정").click()
    calls = page.get_by_role("table", name="평가 모델 호출")
    await expect(calls).to_contain_text("평가: 주장, 체크리스트, 점수")
    assert not await window.scrolls_sideways()
    assert await window.barriers() == []


async def test_a_mark_opens_its_note(window):
    exchange = await ask(window.page)
    await exchange.get_by_role("button", name="노트 1 열기").first.click()
    await expect(window.page.get_by_role("dialog")).to_contain_text("PCR 변성은 95도에서")
    await window.page.keyboard.press("Escape")
    await expect(window.page.get_by_role("dialog")).to_have_count(0)


async def test_the_answer_is_readable_and_the_next_asked_while_the_first_is_judged(window, judge):
    gate = judge.default = Gate()
    first = await ask(window.page)
    await expect(first).to_contain_text(ANSWER)
    await expect(first).to_contain_text(JUDGING)
    second = await ask(window.page, OTHER_QUESTION)
    await expect(second).to_contain_text("37도")
    gate.open.set()
    await expect(badge(first)).to_be_visible()
    await expect(badge(second)).to_be_visible()


async def test_a_reload_while_judging_loses_nothing(window, judge):
    gate = judge.default = Gate()
    await expect(await ask(window.page)).to_contain_text(JUDGING)
    await window.page.reload()
    exchange = window.page.get_by_role("article").filter(has_text=QUESTION).last
    await expect(exchange).to_contain_text(ANSWER)
    await expect(exchange).to_contain_text(JUDGING)
    gate.open.set()
    await expect(badge(exchange)).to_be_visible()


async def test_an_api_that_dies_while_judging_is_waited_for(window, judge, stack):
    gate = judge.default = Gate()
    exchange = await ask(window.page)
    await expect(exchange).to_contain_text(JUDGING)
    os.kill(stack.part("app.api"), signal.SIGKILL)
    gate.open.set()
    await expect(badge(exchange)).to_be_visible(timeout=40_000)


async def test_a_judge_that_is_down_is_told_of_and_stood_in_for(window, judge):
    judge.default = status(503)
    exchange = await ask(window.page)
    await expect(exchange).to_contain_text("다시 시도합니다")
    await expect(exchange).to_contain_text("평가 모델이 실패해 규칙이 대신 확인했습니다")


async def test_two_tabs_do_not_disturb_each_other(browser, stack, notes, judge):
    async with context_of(browser, stack, WORKSPACE) as context:
        one, other = [await new_window(context, stack) for _ in range(2)]
        gate = judge.default = Gate()
        for window in (one, other):
            await window.open()
        first = await ask(one.page)
        second = await ask(other.page, OTHER_QUESTION)
        gate.open.set()
        await expect(badge(first)).to_be_visible()
        await expect(badge(second)).to_be_visible()
        await expect(one.page.get_by_role("article")).to_have_count(1)
        await expect(other.page.get_by_role("article")).to_have_count(1)
        assert one.complaints == other.complaints == []


async def test_a_conversation_is_there_in_another_browser_of_its_owner_alone(
    browser, stack, window
):
    page = window.page
    exchange = await ask(page, "PCR 변성은 몇 도에서 얼마나 하나요?")
    await expect(badge(exchange)).to_be_visible()
    await exchange.get_by_role("button", name="틀린 답변").click()
    await exchange.get_by_label("무엇이 틀렸나요?").fill("온도가 다릅니다")
    await exchange.get_by_role("button", name="저장").click()
    await expect(exchange).to_contain_text("온도가 다릅니다")
    assert await window.barriers() == []
    address = page.url.removeprefix(f"{window.url}/ui")
    assert address.startswith("/c/")

    async with a_window(browser, stack, WORKSPACE, PHONE) as phone:
        await phone.open("/")
        await phone.page.get_by_role("button", name="내 대화").click()
        entries = phone.page.get_by_role("dialog").get_by_role("listitem")
        assert await phone.barriers() == []
        await entries.first.get_by_role("link").click()
        await expect(phone.page).to_have_url(page.url)
        exchange = phone.page.get_by_role("article")
        await expect(badge(exchange)).to_be_visible()
        down = exchange.get_by_role("button", name="틀린 답변")
        await expect(down).to_have_attribute("aria-pressed", "true")
        await down.click()
        await expect(down).to_have_attribute("aria-pressed", "false")
        assert not await phone.scrolls_sideways()
        assert await phone.barriers() == []

    async with context_of(browser, stack, WORKSPACE, name="mina") as context:
        other = await new_window(context, stack)
        await other.open(address)
        await expect(other.page.get_by_role("main")).to_contain_text("이 대화를 열 수 없습니다")
        assert await other.barriers() == []

    await page.get_by_role("listitem").get_by_role("button", name="삭제:").first.click()
    await page.get_by_role("dialog").get_by_role("button", name="대화 삭제").click()
    await expect(page).to_have_url(f"{window.url}/ui")
    await window.open(address)
    await expect(page.get_by_role("main")).to_contain_text("이 대화를 열 수 없습니다")
