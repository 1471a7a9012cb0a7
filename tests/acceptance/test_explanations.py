"""`ask --explain` and `refine` in a domain of its own, offline."""

import asyncio

import pytest
from users import User

from live_stack import LiveStack

pytestmark = pytest.mark.acceptance

QUESTION = "라벨이 붙은 플라스틱 용기는 어떻게 버리나요?"


@pytest.fixture(scope="module")
def waste(stack: LiveStack) -> User:
    """Has notes on waste, the domain of the stack's pack."""
    ann = User(stack, "waste", asyncio.run(stack.token("waste")))
    asyncio.run(ann.do("notes", "samples", "waste_sorting"))
    return ann


async def test_an_answer_is_explained(waste):
    out = await waste.do("ask", "--explain", QUESTION)

    lines = [line.strip() for line in out.partition("검색: classification")[2].splitlines()]
    assert lines[1] == (
        "classification_search_started → classification_search_success → contextual_search_skipped"
    )
    assert lines[0] == "· 노트 있음"
    assert lines[2] == "가장 알맞은 노트: 재활용폐기물_플라스틱류 (재활용폐기물)"
    text = " ".join(lines)
    quote = "플라스틱 용기는 라벨을 제거하고 내용물을 비운 후 물로 헹구어"
    assert f"· [노트 1] 높음, classification: “{quote}" in text
    assert "(태그: 라벨_부착)" in text
    assert "단계별 평가" in lines
    assert "1 인용 (규칙)" in lines
    assert "2 정보 완전성 (규칙)" in lines
    assert "빠진 정보: 주의 사항" in lines
    assert "3 근거성 (규칙)" in lines
    assert f"✔ {quote}" in text
    assert f"← [노트 1] “{quote}" in text
    assert "4 다음 단계 (긴급도: 낮음)" in lines
    assert "→ 할 일: 라벨 제거 방법 확인하기" in lines
    assert all(line == line.rstrip() for line in out.splitlines())


async def test_the_scores_of_rules_reach_the_api(waste):
    feedback = (await waste.json("ask", QUESTION))["evaluation"]["feedback"]

    assert round(feedback["overall_score"], 3) == 0.925
    assert feedback["needs_improvement"] is False
    citation = feedback["citation"]
    assert (citation["context_relevance"], citation["citation_relevance"]) == (1, 1)
    assert feedback["completeness"]["completeness"] == 0.75
    assert feedback["groundedness"]["groundedness"] == 1


async def test_a_question_says_what_it_is_about_and_who_asks(waste):
    about = ("--profile", "1인 가구", "--slot", "나이=60", "--slot", "질환=시력 저하")
    asked = await waste.json(
        *("ask", "어떻게 버리나요?", "--classification", "재활용폐기물/유리병류", *about)
    )

    search = asked["evaluation"]["search"]
    assert search["method"] == "classification"
    assert asked["matched_notes"][0]["title"] == "재활용폐기물_유리병류"
    await _assert_profile_used(waste, asked["evaluation_id"])


async def test_the_same_comes_by_http(waste):
    options = {
        "classification": {"major_category": "재활용폐기물", "minor_category": "유리병류"},
        "profile": "1인 가구",
        "slots": {"나이": 60, "질환": ["시력 저하"]},
    }
    body = {"feature": "search_qa", "content": "어떻게 버리나요?", "options": options}
    asked = await waste.post("/ai/chat", body)

    assert asked["matched_notes"][0]["title"] == "재활용폐기물_유리병류"
    await _assert_profile_used(waste, asked["quality"]["evaluation_id"])


async def _assert_profile_used(waste: User, evaluation_id: str) -> None:
    (answer,) = await waste.stack.rows(
        "SELECT a.profile, a.slots, a.search_method FROM qa_answers a"
        " JOIN qa_evaluations e ON e.answer_id = a.id WHERE e.id = %s",
        evaluation_id,
    )
    assert answer["profile"] == "1인 가구"
    assert answer["slots"] == {"age": 60, "conditions": ["시력 저하"]}
    assert answer["search_method"] == "classification"


async def test_the_search_reaches_the_api(waste):
    asked = await waste.json("ask", QUESTION)
    nothing = await waste.json("ask", "원심분리기 로터의 제조사는 어디인가요?")

    search = asked["evaluation"]["search"]
    assert (search["found"], search["matched_keyword"]) == (True, None)
    rules = search["disposal_rules"]
    assert (rules["key"], rules["category"]) == ("재활용폐기물_플라스틱류", "재활용폐기물")
    assert search["evidence"][0]["quoted_text"].split(" …")[0] in " ".join(rules["data"].split())
    search = nothing["evaluation"]["search"]
    assert (search["found"], search["method"], search["disposal_rules"]) == (False, "none", None)


async def test_without_a_note_the_search_is_explained_all_the_same(waste):
    out = await waste.do("ask", "--explain", "원심분리기 로터의 제조사는 어디인가요?")

    assert "질문에 맞는 노트가 없었습니다" in out
    assert "contextual_search_no_result → all_search_strategies_failed" in out


async def test_rounds_are_printed_with_scores_and_the_reason_to_stop(waste):
    asked = await waste.json("ask", QUESTION)

    out = await waste.do("refine", asked["evaluation_id"], "--threshold", "1")

    first, _, second = out.partition("1회차")
    assert "첫 답변" in first
    assert "종합 0." in first
    assert "(모델 없이 어림한 점수)" in first
    assert "질의: 라벨이 붙은 플라스틱 용기는" in second
    assert "마쳤습니다." in second
    shown = await waste.do("refine", asked["evaluation_id"], "--show")
    assert shown == out
    whole = await waste.json("refine", asked["evaluation_id"])
    assert whole["stop_reason"] == "threshold"


async def test_an_unimproved_answer_is_one_line(waste):
    unknown = await waste.refused("refine", "019a1f0e-5c1e-7cc3-9a52-0d4f3d0a7c11")
    chat = await waste.json("ask", "--feature", "writing", "초대장을 써 주세요.")
    not_from_notes = await waste.refused("refine", chat["evaluation_id"])

    assert len(unknown.splitlines()) == len(not_from_notes.splitlines()) == 1
    assert "searchqa:" in not_from_notes
