"""Webhooks on the settings page: added, tested, followed and switched on again."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from browsing import DESK, PHONE, Window, a_window, in_language
from playwright.async_api import expect

from webhook_world import HookReceiver, hook_receiver, reply

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="session")]

WORKSPACE = "webhooks-page"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def receiver() -> AsyncIterator[HookReceiver]:
    async with hook_receiver(reply(body=b"<b>taken</b>")) as receiver:
        yield receiver


async def check_accessibility(window: Window, picture: Path) -> None:
    """In both languages: no barrier, no scrolling sideways."""
    for language in ("en", "ko"):
        await in_language(window, language)
        assert await window.barriers() == []
        assert not await window.scrolls_sideways()
        card = window.page.locator("section[aria-labelledby=webhooks-title]")
        await card.screenshot(path=picture.with_stem(f"{picture.stem}-{language}"))


async def test_one_is_added_tested_and_followed(browser, stack, receiver, pictures):
    async with a_window(browser, stack, WORKSPACE, DESK) as window:
        page = window.page
        await window.open("/settings")
        await page.get_by_role("button", name="웹훅 추가").click()
        dialog = page.get_by_role("dialog")
        await dialog.get_by_role("textbox", name="이름").fill("당직 알림")
        await dialog.get_by_role("textbox", name="받는 주소(URL)").fill(receiver.url)
        await dialog.get_by_role("checkbox", name="하루 기준값 초과 또는 미달").check()
        await dialog.get_by_role("button", name="기준값 추가").click()
        await dialog.get_by_text("보낼 평가 결과 고르기").click()
        assert await window.barriers() == []
        await page.screenshot(path=pictures / "webhooks-form.png")
        await dialog.get_by_role("button", name="저장").click()
        secret = await dialog.get_by_role("textbox", name="당직 알림의 서명 키").input_value()
        assert secret.startswith("whsec_")
        await dialog.get_by_text("닫기", exact=True).click()
        assert secret not in await page.content()

        await page.get_by_role("button", name="당직 알림에 테스트 보내기").click()
        await expect(page.get_by_text("전달됨")).to_be_visible()
        assert receiver.hooks[0].json["type"] == "webhook.test"
        await page.get_by_role("button", name="당직 알림 전달 기록").click()
        await dialog.get_by_role("button", name="webhook.test").click()
        await receiver.until_count(2)
        ids = {hook.headers["webhook-id"] for hook in receiver.hooks}
        assert len(ids) == 1
        await page.screenshot(path=pictures / "webhooks-log.png")
        await page.keyboard.press("Escape")
        await check_accessibility(window, pictures / "webhooks-desk.png")


async def test_one_that_was_switched_off_says_why_and_is_switched_on_again(
    browser, stack, receiver, pictures
):
    async with stack.client(await stack.token(WORKSPACE)) as client:
        body = {"name": "gone", "url": receiver.url, "events": ["verdict.failed"]}
        (await client.post("/webhooks", json=body)).raise_for_status()
    await stack.rows(
        "UPDATE webhooks SET enabled = false, disabled_reason = 'gone', disabled_at = now(),"
        " failing_since = now(), last_error = 'gone' WHERE name = 'gone' RETURNING id"
    )
    async with a_window(browser, stack, WORKSPACE, PHONE) as window:
        await window.open("/settings")
        await expect(window.page.get_by_text("더는 받지 않는다고 답해(410)")).to_be_visible()
        await check_accessibility(window, pictures / "webhooks-phone.png")
        await window.page.get_by_role("button", name="gone 다시 켜기").click()
        await expect(window.page.get_by_role("button", name="gone 끄기")).to_be_visible()
