"""A quality engineer sees figures, reads verdicts, labels, and sets the policy."""

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from browsing import DESK, PHONE, TABLET, Window, a_window
from playwright.async_api import Browser, expect

from cases import eventually
from live_stack import LiveStack, open_with_notes

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="session")]

WORKSPACE = "quality"
LABELLING = "labelling"
STOPPED = "stopped"
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


async def test_a_chart_has_its_numbers_and_its_sql(window, stack):
    await window.open("/quality")
    card = window.page.get_by_label("날짜별 품질", exact=True)
    await window.in_theme("dark")
    await card.get_by_role("img").first.hover()
    # Recharts draws it on white by itself.
    tooltip = card.locator(".recharts-default-tooltip")
    await expect(tooltip).to_have_css("background-color", "rgb(21, 30, 46)")
    await card.get_by_role("tab", name="표").click()
    await expect(card.get_by_role("row")).to_have_count(2)
    await card.get_by_role("tab", name="SQL 보기").click()
    await card.get_by_role("button", name="SQL 복사").click()
    await expect(window.page.get_by_text("SQL을 복사했습니다")).to_be_visible()
    copied: str = await window.page.evaluate("() => navigator.clipboard.readText()")
    assert "analytics." in copied
    assert await window.barriers() == []


async def test_a_bar_and_a_number_open_the_answers_behind_them(window):
    page = window.page
    chips = page.get_by_role("list", name="적용한 필터")
    await window.open("/quality")
    bars = page.get_by_label("날짜별 신뢰도", exact=True).locator(".recharts-bar-rectangle path")
    await bars.locator("visible=true").first.click()
    await expect(page.get_by_role("link", name=QUESTION)).to_have_count(1)
    await expect(chips.get_by_role("listitem")).to_have_count(4)
    assert await window.barriers() == []
    await chips.get_by_role("button", name="필터 지우기: 답변한 날").click()
    await expect(chips.get_by_role("listitem")).to_have_count(3)
    await expect(page).not_to_have_url(re.compile("since="))

    await window.open("/quality")
    card = page.get_by_label("날짜별 품질", exact=True)
    await card.get_by_role("tab", name="표").click()
    await card.get_by_role("link", name=re.compile("^1: 답변, ")).press("Enter")
    await expect(page.get_by_role("link", name=QUESTION)).to_have_count(1)
    await expect(page).to_have_url(re.compile(r"order=worst.*current=true"))


async def test_a_verdict_is_found_read_and_contradicted(window, stack):
    page = window.page
    await window.open("/evaluations")
    await page.get_by_role("link", name=QUESTION).click()
    await page.get_by_role("link", name="상세 페이지").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("평가 상세")
    await page.get_by_role("group", name="답변 전체에 대한 라벨").get_by_text("틀림").click()
    await page.get_by_label("메모 쓰기(선택)").fill("노트와 다릅니다")
    await page.get_by_role("button", name="라벨 남기기").click()
    await expect(page.get_by_text("라벨을 저장했습니다")).to_be_visible()
    (stored,) = await stack.rows(
        "SELECT f.label, f.comment, f.claim_position FROM qa_feedback f JOIN workspaces w"
        " ON w.id = f.workspace_id AND w.name = %s",
        WORKSPACE,
    )
    assert stored == {"label": "wrong", "comment": "노트와 다릅니다", "claim_position": None}
    assert await window.barriers() == []


async def judged_answers(stack: LiveStack, workspace: str, count: int) -> str:
    """In a workspace of their own, judged by rules; its token."""
    token = await stack.token(workspace)
    async with stack.client(token) as client:
        for number in range(count):
            body = WRONG | {"question": f"{WRONG['question']} ({number})"}
            (await client.post("/qa-evaluations", json=body)).raise_for_status()

        async def all_judged() -> bool:
            judged = await client.get("/qa-evaluations", params={"status": "succeeded"})
            return len(judged.json()["items"]) == count

        await eventually(all_judged)
    return token


COUNT_CLICKS = "() => { window.clicks = 0; addEventListener('click', () => window.clicks++, true) }"


async def test_a_stopped_verdict_and_why_are_three_clicks_away(browser, stack):
    await judged_answers(stack, STOPPED, 4)
    why = "openai: 401 invalid api key"
    await stack.rows(
        "UPDATE qa_evaluations e SET status = 'failed', error = %s, correctness = NULL,"
        " utility = NULL, confidence = NULL, outcome = NULL FROM workspaces w, qa_answers a"
        " WHERE w.id = e.workspace_id AND w.name = %s AND a.id = e.answer_id"
        " AND a.question LIKE '%%(2)' RETURNING e.id",
        why,
        STOPPED,
    )
    async with a_window(browser, stack, STOPPED, DESK) as window:
        page = window.page
        panel = page.get_by_role("region", name="평가 상세")
        await window.open("/")
        await page.evaluate(COUNT_CLICKS)
        await page.get_by_role("link", name="평가", exact=True).click()
        await page.get_by_role("button", name="실패", exact=True).click()
        await page.get_by_role("link", name=f"{WRONG['question']} (2)").click()
        await expect(panel.get_by_text(why).first).to_be_visible()
        assert await page.evaluate("() => window.clicks") <= 3

        # The panel follows the keys that go through the list, and closes first.
        await page.get_by_role("button", name="실패", exact=True).click()
        await expect(page.locator("tbody tr")).to_have_count(4)
        for key, number in (("k", 3), ("j", 2), ("j", 1)):
            await page.keyboard.press(key)
            await expect(panel.get_by_text(f"{WRONG['question']} ({number})")).to_be_visible()
        for size in (DESK, TABLET, PHONE):
            await page.set_viewport_size(size)  # type: ignore[arg-type]
            await expect(panel).to_be_visible()
            assert await window.barriers() == [], size
            assert not await window.scrolls_sideways(), size
        await page.keyboard.press("Escape")
        await expect(panel).to_have_count(0)
        await expect(page.get_by_role("link", name=f"{WRONG['question']} (1)")).to_be_focused()
        assert not await window.scrolls_sideways()


async def labels_in(stack: LiveStack, workspace: str) -> list[str]:
    rows = await stack.rows(
        "SELECT f.label FROM qa_feedback f JOIN workspaces w ON w.id = f.workspace_id"
        " AND w.name = %s ORDER BY f.label",
        workspace,
    )
    return [row["label"] for row in rows]


async def test_two_people_label_one_answer_after_another(browser, stack):
    """One by keys at a desk, the other by fingers on a phone."""
    token = await judged_answers(stack, LABELLING, 4)
    async with stack.client(token) as client:
        (await client.post("/review/samples", json={"size": 4})).raise_for_status()
    async with (
        a_window(browser, stack, LABELLING, DESK) as desk,
        a_window(browser, stack, LABELLING, PHONE) as phone,
    ):
        for window, position in ((desk, "4개 중 1번째"), (phone, "4개 중 4번째")):
            await window.open("/label")
            await expect(window.page.get_by_text(position, exact=True)).to_be_visible()
            await window.loaded()
            assert await window.barriers() == []
            assert not await window.scrolls_sideways()

        verdict = phone.page.get_by_role("region", name="평가 결과")
        await expect(verdict).to_have_count(0)
        await phone.page.get_by_role("button", name="틀림").click()
        await expect(verdict).to_be_visible()
        assert await phone.barriers() == []
        await phone.page.get_by_role("link", name="노트 보기").click()
        await expect(phone.page.get_by_role("group", name="찾은 노트")).to_be_in_viewport()

        keyboard, page = desk.page.keyboard, desk.page
        await keyboard.press("1")
        await expect(page.get_by_role("region", name="평가 결과")).to_be_visible()
        await keyboard.press("j")
        await expect(page.get_by_text("4개 중 2번째", exact=True)).to_be_visible()
        await keyboard.press("2")
        await keyboard.press("u")
        await expect(page.get_by_role("region", name="평가 결과")).to_have_count(0)

        async def both_are_stored() -> bool:
            return await labels_in(stack, LABELLING) == ["right", "wrong"]

        await eventually(both_are_stored)


async def test_a_better_answer_is_looked_for_where_one_is_needed(window, stack, token):
    async with stack.client(token) as client:
        judged = (await client.post("/qa-evaluations", json=WRONG)).raise_for_status().json()
    page = window.page
    await window.open(f"/evaluations/{judged['id']}")
    await page.get_by_role("button", name="이 답변 개선하기").click()
    await expect(page.get_by_role("heading", name="개선된 답변")).to_be_visible()
    async with stack.client(token) as client:
        (asked,) = (await client.get(f"/qa-evaluations/{judged['id']}/refinements")).json()
    assert (asked["status"], asked["automatic"], asked["best_iteration"]) == ("succeeded", False, 1)
    assert await window.barriers() == []


async def test_the_policy_is_changed_for_the_next_answers(window, stack, token):
    page = window.page
    await window.open("/settings")
    await page.get_by_role("button", name="답변 평가 변경").click()
    await page.get_by_label("평가할 답변의 비율(0~1)").fill("0.25")
    await expect(page.get_by_text(re.compile("하루 답변 약 .*개 평가"))).to_be_visible()
    assert await window.barriers() == []
    await page.get_by_role("button", name="저장", exact=True).click()
    await expect(page.get_by_text("평가 정책을 저장했습니다.")).to_be_visible()
    async with stack.client(token) as client:
        settings = (await client.get("/settings/evaluation")).raise_for_status().json()
    assert settings["effective"]["sample_rate"] == 0.25
    assert settings["sources"]["sample_rate"] == "workspace"
