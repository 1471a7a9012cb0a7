"""A reader asks, and sees what the answer is worth: at once, later, after a reload, and when parts
of the system go away meanwhile."""

import os
import signal
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from browsing import Window, a_window, context_of, new_window
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


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def notes(stack: LiveStack) -> None:
    """They are there, and the stub is to judge."""
    token = await open_with_notes(stack, WORKSPACE)
    async with stack.client(token) as client:
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


async def test_the_verdict_appears_beside_the_answer(window: Window) -> None:
    exchange = await ask(window.page)
    await expect(exchange).to_contain_text(ANSWER)
    await expect(badge(exchange)).to_contain_text("신뢰도")
    await expect(badge(exchange)).to_contain_text("평가: openai:gpt-4o-mini")
    await expect(badge(exchange)).to_contain_text("체크리스트")
    assert await window.barriers() == []
    await exchange.get_by_text("평가 자세히 보기").click()
    await expect(exchange.get_by_text("인용됨").first).to_be_visible()
    assert await window.barriers() == []


async def test_a_mark_opens_its_note(window: Window) -> None:
    exchange = await ask(window.page)
    await exchange.get_by_role("button", name="노트 1 열기").first.click()
    await expect(window.page.get_by_role("dialog")).to_contain_text("PCR 변성은 95도에서")
    await window.page.keyboard.press("Escape")
    await expect(window.page.get_by_role("dialog")).to_have_count(0)


async def test_the_answer_is_readable_and_the_next_asked_while_the_first_is_judged(
    window: Window, judge: StubServer
) -> None:
    gate = judge.default = Gate()
    first = await ask(window.page)
    await expect(first).to_contain_text(ANSWER)
    await expect(first).to_contain_text(JUDGING)
    second = await ask(window.page, OTHER_QUESTION)
    await expect(second).to_contain_text("37도")
    gate.open.set()
    await expect(badge(first)).to_be_visible()
    await expect(badge(second)).to_be_visible()


async def test_a_reload_while_judging_loses_nothing(window: Window, judge: StubServer) -> None:
    gate = judge.default = Gate()
    await expect(await ask(window.page)).to_contain_text(JUDGING)
    await window.page.reload()
    exchange = window.page.get_by_role("article").filter(has_text=QUESTION).last
    await expect(exchange).to_contain_text(ANSWER)
    await expect(exchange).to_contain_text(JUDGING)
    gate.open.set()
    await expect(badge(exchange)).to_be_visible()


async def test_an_api_that_dies_while_judging_is_waited_for(
    window: Window, judge: StubServer, stack: LiveStack
) -> None:
    gate = judge.default = Gate()
    exchange = await ask(window.page)
    await expect(exchange).to_contain_text(JUDGING)
    os.kill(stack.part("app.api"), signal.SIGKILL)
    gate.open.set()
    await expect(badge(exchange)).to_be_visible(timeout=40_000)


async def test_a_judge_that_is_down_is_told_of_and_stood_in_for(
    window: Window, judge: StubServer
) -> None:
    judge.default = status(503)
    exchange = await ask(window.page)
    await expect(exchange).to_contain_text("다시 시도합니다")
    await expect(exchange).to_contain_text("평가 모델이 실패해 규칙이 대신 확인했습니다")


async def test_two_tabs_do_not_disturb_each_other(
    browser: Browser, stack: LiveStack, notes: None, judge: StubServer
) -> None:
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
