"""Whoever answers for the quality: sees figures, reads verdicts, contradicts, sets the policy."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from browsing import Window, a_window
from playwright.async_api import Browser, expect

from live_stack import LiveStack, open_with_notes

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="session")]

WORKSPACE = "quality"
QUESTION = "PCR 변성은 몇 도에서 하나요?"
# Of another application, and not what the note says.
WRONG = {
    "question": "배양기는 몇 도로 맞추나요?",
    "answer": "배양기는 55도로 맞춥니다. [노트 1]",
    "sources": [{"title": "배양기", "content": "배양기는 37도, 이산화탄소 5퍼센트로 맞춘다."}],
}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def token(stack: LiveStack) -> str:
    """One answer is there, and its verdict."""
    token = await open_with_notes(stack, WORKSPACE)
    async with stack.client(token) as client:
        asked = {"feature": "search_qa", "content": QUESTION}
        (await client.post("/ai/chat", json=asked)).raise_for_status()
    return token


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def window(browser: Browser, stack: LiveStack, token: str) -> AsyncIterator[Window]:
    async with a_window(browser, stack, WORKSPACE) as window:
        await window.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        yield window


async def test_a_chart_has_its_numbers_and_its_sql(window: Window, stack: LiveStack) -> None:
    await window.open("/quality")
    card = window.page.get_by_label("날짜별 품질", exact=True)
    await card.get_by_role("tab", name="표").click()
    await expect(card.get_by_role("row")).to_have_count(2)
    await card.get_by_role("tab", name="SQL 보기").click()
    await card.get_by_role("button", name="SQL 복사").click()
    await expect(window.page.get_by_text("SQL을 복사했습니다")).to_be_visible()
    copied: str = await window.page.evaluate("() => navigator.clipboard.readText()")
    assert "analytics." in copied
    assert await window.serious_barriers() == []


async def test_a_verdict_is_found_read_and_contradicted(window: Window, stack: LiveStack) -> None:
    page = window.page
    await window.open("/evaluations")
    await page.get_by_role("link", name=QUESTION).click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("평가 상세")
    await page.get_by_role("group", name="답변 전체에 대한 의견").get_by_text("틀림").click()
    await page.get_by_label("의견 쓰기(선택)").fill("노트와 다릅니다")
    await page.get_by_role("button", name="의견 남기기").click()
    await expect(page.get_by_text("의견을 저장했습니다")).to_be_visible()
    (stored,) = await stack.rows(
        "SELECT f.label, f.comment, f.claim_position FROM qa_feedback f JOIN workspaces w"
        " ON w.id = f.workspace_id AND w.name = %s",
        WORKSPACE,
    )
    assert stored == {"label": "wrong", "comment": "노트와 다릅니다", "claim_position": None}
    assert await window.serious_barriers() == []


async def test_a_better_answer_is_looked_for_where_one_is_needed(
    window: Window, stack: LiveStack, token: str
) -> None:
    async with stack.client(token) as client:
        judged = (await client.post("/qa-evaluations", json=WRONG)).raise_for_status().json()
    page = window.page
    await window.open(f"/evaluations/{judged['id']}")
    await page.get_by_role("button", name="이 답변 개선하기").click()
    await expect(page.get_by_role("heading", name="개선된 답변")).to_be_visible()
    async with stack.client(token) as client:
        (asked,) = (await client.get(f"/qa-evaluations/{judged['id']}/refinements")).json()
    assert (asked["status"], asked["automatic"], asked["best_iteration"]) == ("succeeded", False, 1)
    assert await window.serious_barriers() == []


async def test_the_policy_is_changed_for_the_next_answers(
    window: Window, stack: LiveStack, token: str
) -> None:
    page = window.page
    await window.open("/settings")
    await page.get_by_label("평가할 답변의 비율(0~1)").fill("0.25")
    await page.get_by_role("button", name="저장").click()
    await expect(page.get_by_text("평가 정책을 저장했습니다.")).to_be_visible()
    async with stack.client(token) as client:
        settings = (await client.get("/settings/evaluation")).raise_for_status().json()
    assert settings["effective"]["sample_rate"] == 0.25
    assert settings["sources"]["sample_rate"] == "workspace"
