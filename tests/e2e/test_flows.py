"""What people come for, with the clicks and keys that it takes them."""

import asyncio
import shlex
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from browsing import DESK, PHONE, Window, a_window
from playwright.async_api import Browser, expect

from cases import eventually
from live_stack import LiveStack, open_with_notes

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="session")]

# A page may not count what it does itself; typing into a field is not counted either.
COUNT = """
  window.acts = 0
  for (const kind of ['pointerdown', 'keydown']) {
    addEventListener(kind, (event) => { if (event.isTrusted) acts += 1 }, true)
  }
"""
RULE = {"title": "재택근무 규정", "content": "재택근무는 일주일에 이틀까지 할 수 있다."}
OTHER = {"title": "배양기", "content": "배양기는 37도, 이산화탄소 5퍼센트로 맞춘다."}
RIGHT = "배양기는 37도로 맞춥니다. [노트 1]"
QUESTION = "PCR 변성은 몇 도에서 하나요?"
WRONG = "재택근무는 일주일에 나흘까지 할 수 있습니다. [노트 1]"


@asynccontextmanager
async def counted(
    browser: Browser, stack: LiveStack, workspace: str, size: dict[str, int] = DESK
) -> AsyncIterator[Window]:
    async with a_window(browser, stack, workspace, size) as window:
        await window.page.context.add_init_script(COUNT)
        yield window


async def acts(window: Window) -> int:
    """Since the page was opened; links within it keep the count."""
    return int(await window.page.evaluate("() => acts"))


async def stored(stack: LiveStack, token: str, answers: list[dict[str, Any]]) -> None:
    """Waits until all have their verdicts."""
    async with stack.client(token) as client:

        async def send(answer: dict[str, Any]) -> str:
            return str((await client.post("/qa-evaluations", json=answer)).json()["id"])

        ids = await asyncio.gather(*(send(answer) for answer in answers))

    async def judged() -> bool:
        waiting = "SELECT 1 FROM qa_evaluations WHERE id::text = ANY(%s) AND status <> 'succeeded'"
        return not await stack.rows(waiting, list(ids))

    await eventually(judged)


def answers(count: int, model: str, note: dict[str, str], answer: str) -> list[dict[str, Any]]:
    question = f"{note['title']}에 대해 무엇이라고 하나요?"
    return [
        {"question": f"{question} ({number})", "answer": answer, "sources": [note], "model": model}
        for number in range(count)
    ]


async def worse_day(stack: LiveStack, workspace: str) -> None:
    """Four days of right answers, then a day on which half are by a model that is wrong of one
    note."""
    token = await stack.token(workspace)
    for _ in range(4):
        await stored(stack, token, answers(12, "stub:answer-1", OTHER, RIGHT))
    moved = {"qa_answers": ("created_at",), "qa_evaluations": ("answered_at", "created_at")}
    for table, columns in moved.items():
        number = "(row_number() OVER (ORDER BY t.created_at) - 1) / 12"
        changes = ", ".join(f"{column} = {column} - ago" for column in columns)
        await stack.rows(
            f"UPDATE {table} u SET {changes} FROM (SELECT t.id, make_interval(days =>"
            f" 4 - ({number})::int) AS ago FROM {table} t JOIN workspaces w"
            f" ON w.id = t.workspace_id AND w.name = %s) s WHERE s.id = u.id RETURNING 1",
            workspace,
        )
    await stored(stack, token, answers(12, "stub:answer-1", OTHER, RIGHT))
    await stored(stack, token, answers(12, "stub:answer-2", RULE, WRONG))


async def test_the_guilty_model_and_note_of_a_worse_day_are_two_clicks_away(
    browser, stack, pictures
):
    await worse_day(stack, "worse")
    async with counted(browser, stack, "worse") as window:
        page = window.page
        await window.open()
        await page.get_by_role("link", name="품질", exact=True).click()
        changed = page.get_by_role("region", name="정확성이 그전 4일보다")
        await expect(changed.get_by_text("stub:answer-2").first).to_be_visible()
        await expect(changed.get_by_text("재택근무 규정").first).to_be_visible()
        await window.loaded()
        await window.take(pictures, "what-changed")
        await changed.get_by_role("link", name="stub:answer-2: 해당 답변 보기").click()
        await expect(page.get_by_role("link", name="재택근무 규정에 대해")).to_have_count(12)
        assert await acts(window) <= 2


async def test_thirty_answers_are_labelled_with_two_keys_each(browser, stack):
    token = await stack.token("thirty")
    await stored(stack, token, answers(30, "stub:answer-1", OTHER, RIGHT))
    async with stack.client(token) as client:
        (await client.post("/review/samples", json={"size": 30})).raise_for_status()
    async with counted(browser, stack, "thirty") as window:
        page = window.page
        await window.open("/label")
        for position in range(1, 31):
            await expect(page.get_by_text(f"30개 중 {position}번째", exact=True)).to_be_visible()
            await page.keyboard.press("1")
            await expect(page.get_by_role("region", name="평가 결과")).to_be_visible()
            await page.keyboard.press("j")
        assert await acts(window) == 60

        async def all_stored() -> bool:
            labels = "SELECT count(*) FROM qa_feedback f JOIN workspaces w ON w.id = f.workspace_id"
            (found,) = await stack.rows(f"{labels} AND w.name = 'thirty' AND f.label = 'right'")
            return bool(found["count"] == 30)

        await eventually(all_stored)


async def run_curl(command: str) -> None:
    """Without curl, which a bare machine lacks."""
    _, _, url, *options = shlex.split(command.replace("\\\n", " "))
    given = list(zip(options[::2], options[1::2], strict=True))
    headers = dict(value.split(": ", 1) for name, value in given if name == "-H")
    (body,) = (value for name, value in given if name == "-d")
    async with httpx.AsyncClient() as client:
        (await client.post(url, headers=headers, content=body)).raise_for_status()


async def test_the_first_answer_of_an_application_is_three_clicks_away(browser, stack):
    """From an empty workspace; what is pasted is run as it stands."""
    await stack.token("first")
    async with counted(browser, stack, "first") as window:
        page = window.page
        await window.open()
        await page.get_by_role("main").get_by_role("link", name="내 앱의 답변 평가하기").click()
        await page.get_by_role("tab", name="curl").click()
        await page.get_by_role("button", name="토큰을 만들어 채우기").click()
        snippet = page.get_by_role("tabpanel").locator("pre")
        await expect(snippet).not_to_contain_text("SEARCHQA_TOKEN")
        first = page.get_by_role("region", name="첫 답변")
        await expect(first).to_contain_text("기다리고 있습니다")
        assert await acts(window) <= 3
        await run_curl(await snippet.inner_text())
        await expect(first.locator("[data-status=succeeded]")).to_be_visible()
        assert await acts(window) <= 3


async def test_a_reader_on_a_phone_sees_a_verdict_and_its_note_with_two_taps(browser, stack):
    await open_with_notes(stack, "phone")
    async with counted(browser, stack, "phone", PHONE) as window:
        page = window.page
        await window.open()
        await page.get_by_role("textbox", name="질문", exact=True).fill(
            "PCR 변성은 몇 도에서 하나요?"
        )
        await page.get_by_role("button", name="질문하기").click()
        exchange = page.get_by_role("article")
        await expect(exchange.locator("[data-status=succeeded]")).to_be_visible()
        await exchange.get_by_role("button", name="노트 1 열기").first.click()
        await expect(page.get_by_role("dialog")).to_contain_text("95도에서 30초 동안 한다")
        assert await acts(window) <= 2
        assert not await window.scrolls_sideways()
