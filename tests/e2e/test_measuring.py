"""From notes to a measured run, all by the pages."""

import json
import os
import signal
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from browsing import Window, a_window
from playwright.async_api import Browser, expect
from sample import got, import_notes, sent

from live_stack import LiveStack

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="session")]

WORKSPACE = "measuring"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def window(browser: Browser, stack: LiveStack) -> AsyncIterator[Window]:
    await import_notes(stack, await stack.token(WORKSPACE))
    async with a_window(browser, stack, WORKSPACE) as window:
        yield window


async def test_questions_are_made_reviewed_and_measured(window, stack):
    page = window.page
    await window.open("/datasets")
    await page.get_by_role("button", name="질문 만들기").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("노트북").select_option(label="실험실 (9)")
    await dialog.get_by_label("이름").fill("첫 질문")
    await dialog.get_by_label("최대 문단 수").fill("5")
    assert await window.barriers() == []
    await dialog.get_by_role("button", name="만들기").click()

    await expect(page.get_by_role("status").filter(has_text="질문을 만들었습니다")).to_be_visible()
    await page.get_by_role("link", name="첫 질문").first.click()
    review = page.get_by_role("region", name="질문 검토")
    await review.get_by_role("button", name="제외 (n)").click()
    await page.get_by_role("button", name="다음 버전으로 저장").click()
    await expect(page.get_by_role("heading", level=1)).to_contain_text("v2")
    assert await window.barriers() == []

    await page.get_by_label("측정 대상").select_option("full_rag")
    await page.get_by_role("button", name="실행", exact=True).click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("실행 상세")
    await expect(page.get_by_role("row", name="재현율@k")).to_be_visible()
    await expect(page.get_by_role("row", name="충실도")).to_be_visible()
    assert await window.barriers() == []
    (run,) = await stack.rows(
        "SELECT r.status, r.evaluation_type FROM eval_runs r JOIN workspaces w"
        " ON w.id = r.workspace_id AND w.name = %s",
        WORKSPACE,
    )
    assert run == {"status": "completed", "evaluation_type": "full_rag"}


async def test_runs_are_compared_question_by_question_and_over_time(window, stack):
    """A run whose answer to one question became worse, one with another k, and all in time."""
    page = window.page
    async with stack.client(await stack.token(WORKSPACE)) as client:
        dataset = (await got(client, "/evaluation/datasets"))["items"][0]["id"]
        path = f"/evaluation/datasets/{dataset}/runs?wait=60"
        worse = {"k": 5, "evaluation_type": "full_rag", "name": "나빠진 실행"}
        changed = (await sent(client, path, worse))["id"]
        again = (await sent(client, path, {"k": 5, "name": "검색만"}))["id"]
        other_k = (await sent(client, path, {"k": 3, "name": "k가 다른 실행"}))["id"]
    (result,) = await stack.rows(
        "UPDATE eval_results SET faithfulness = 0.1, generated_answer = '배양기는 55도로 둔다.'"
        # Rules cannot tell of each answer.
        " WHERE (run_id, position) = (SELECT r.run_id, min(r.position) FROM eval_results r"
        " WHERE r.run_id = %s AND r.faithfulness >= 0.7 AND r.faithfulness_decided IS NOT FALSE"
        " AND r.outcome IS DISTINCT FROM 'rightly_refused' GROUP BY 1) RETURNING question",
        changed,
    )

    await window.open(f"/runs?dataset={dataset}")
    chart = page.get_by_role("group", name="재현율@k 추이 그래프")
    await expect(chart.get_by_role("link")).to_have_count(4)
    table = page.get_by_role("table", name="재현율@k 추이")
    await expect(table.get_by_role("row", name="k가 다른 실행")).to_contain_text("k=3")
    assert await window.barriers() == []
    for name in ("나빠진 실행", "첫 질문 v2 #1"):
        await page.get_by_role("checkbox", name=f"비교할 실행으로 고르기: {name}").check()
    await page.get_by_role("link", name="고른 실행 비교 (2)").click()

    first = page.get_by_role("listitem").filter(has_text="통과 → 미달")
    await first.get_by_text(result["question"]).click()
    await expect(first.get_by_role("insertion")).to_contain_text("55도로")
    assert await window.barriers() == []
    pair = page.url
    await first.get_by_role("link", name="B 실행에서 이 질문 보기").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("실행 상세")
    opened = page.locator("details[open]").filter(has_text=result["question"])
    await expect(opened).to_be_in_viewport()
    await expect(opened.get_by_text("배양기는 55도로 둔다.")).to_be_visible()

    baseline = pair.split("?a=")[1].split("&")[0]
    await window.open(f"/runs/compare?a={baseline}&b={changed}&b={again}")
    row = page.get_by_role("row", name="충실도")
    await expect(row).to_contain_text("가장 낮음")
    await expect(row).to_contain_text("비교 불가")
    assert await window.barriers() == []
    await window.open(f"/runs/compare?a={again}&b={other_k}")
    refused = page.get_by_role("alert")
    await expect(refused).to_contain_text("k가 각각 5, 3입니다.")
    await page.get_by_role("link", name="기준으로: k가 다른 실행").click()
    await expect(refused).to_contain_text("k가 각각 3, 5입니다.")
    await expect(refused).to_contain_text("다시 실행하세요: k=3.")
    assert await window.barriers() == []


async def test_a_run_is_seen_at_work_and_can_be_cancelled(window, stack):
    """While the process that measures stands still, there is something to see."""
    page = window.page
    bulk = stack.part("-Q bulk")
    os.kill(bulk, signal.SIGSTOP)
    try:
        await window.open("/datasets")
        await page.get_by_role("link", name="첫 질문").first.click()
        await page.get_by_role("tab", name="실행 시작").click()
        await page.get_by_role("button", name="실행", exact=True).click()
        await expect(page.get_by_role("progressbar", name="진행")).to_be_visible()
        assert await window.barriers() == []
        await page.get_by_role("button", name="실행 취소").click()
    finally:
        os.kill(bulk, signal.SIGCONT)
    await expect(page.get_by_text("취소됨", exact=True)).to_be_visible()
    await window.open("/runs")
    await expect(page.get_by_role("row").filter(has_text="취소됨")).to_have_count(1)


async def test_a_judge_is_measured_on_labelled_answers(window, tmp_path):
    """The price first, then the figures."""
    passage, true, false = "변성은 95도에서 한다.", "변성은 95도에서 한다.", "변성은 20도에서 한다."
    lines = [
        {"passages": [passage], "answer": text, "hallucinated": text is false}
        for text in (true, false) * 4
    ]
    labelled = tmp_path / "labelled.jsonl"
    labelled.write_text("\n".join(json.dumps(line) for line in lines))
    page = window.page
    await window.open("/benches")
    await page.get_by_role("button", name="검증 시작").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("라벨", exact=True).select_option("file")
    await dialog.get_by_label("라벨이 붙은 답변").set_input_files(labelled)
    await dialog.get_by_role("button", name="비용 확인").click()
    assert await window.barriers() == []
    await dialog.get_by_role("button", name="시작").click()

    await expect(page.get_by_role("heading", level=1)).to_have_text("평가 모델 검증 상세")
    await expect(page.get_by_role("row", name="AUROC")).to_be_visible()
    await expect(page.get_by_role("img", name="offline:rules의 보정")).to_be_visible()
    assert await window.barriers() == []
    await page.get_by_role("navigation").get_by_role("link", name="평가 모델 검증").click()
    await expect(page.get_by_role("row").filter(has_text="offline:rules")).to_have_count(1)
    assert await window.barriers() == []


async def test_a_prompt_is_tried_on_a_stored_answer_and_kept(window, stack):
    """The workspace is judged by rules: the page says that a trial needs a model."""
    page = window.page
    async with stack.client(await stack.token(WORKSPACE)) as client:
        note = {"title": "PCR", "content": "변성은 95도에서 30초 동안 한다."}
        body = {"question": "변성은 몇 도인가요?", "answer": "95도입니다.", "sources": [note]}
        evaluation = (await sent(client, "/qa-evaluations", body))["id"]
    await window.open(f"/evaluations/{evaluation}")
    await page.get_by_role("link", name="프롬프트 실험에서 열기").click()
    await expect(page.get_by_text("offline:rules: 프롬프트를 쓰지 않습니다")).to_be_visible()
    await page.get_by_label("평가 모델", exact=True).fill("openai:gpt-4o-mini")
    instructions = page.get_by_role("textbox", name="한국어 지시문")
    await instructions.press("Control+End")
    await page.keyboard.type(" {question}")
    await page.get_by_role("button", name="시험하기").click()
    await expect(page.get_by_text("{question}이라는 자리 표시는 없습니다")).to_be_visible()

    await page.get_by_role("button", name="되돌리기").click()
    await instructions.press("Control+End")
    await page.keyboard.type(" 단위까지 대조하세요.")
    await page.get_by_role("button", name="시험하기").click()
    await expect(page.get_by_role("row", name="비용")).to_contain_text("US$")
    await expect(page.get_by_role("row", name="프롬프트")).to_contain_text("(고침)")
    assert await window.barriers() == []

    await page.get_by_role("button", name="버전으로 저장").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("이름").fill("units")
    await dialog.get_by_role("button", name="저장", exact=True).click()
    await expect(page.get_by_label("프롬프트", exact=True)).to_have_value("workspace:units@1")
    await page.get_by_role("tab", name="버전").click()
    await expect(page.get_by_role("row", name="workspace:units@1")).to_contain_text("사용 가능")
    await expect(page.locator("ins").filter(has_text="단위까지")).to_be_visible()
    assert await window.barriers() == []
