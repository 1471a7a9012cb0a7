"""The four phases by the names and arguments under which others call them."""

import json

import pytest

from app.ai_router.types import ChatRequest
from app.judges.published.phases import (
    FeedbackResult,
    evaluate_all_phases,
    evaluate_phase1,
    evaluate_phase2,
    evaluate_phase3,
    evaluate_phase4,
    extract_claims,
    verify_claim,
)
from app.platform.errors import TransientProviderError
from app.text.packs.loader import load_pack
from samples import ABOUT_PLASTIC, BATTERY, GLASS, PLASTIC
from scripted_router import ScriptedRouter

QUERY = "라벨이 붙은 플라스틱 용기는 어떻게 버리나요?"
QUOTE = "플라스틱 용기는 라벨을 제거하고 내용물을 비운 후"


def reply(*claims: tuple[str, str, str]) -> str:
    """(text, quote, verdict) of each claim."""
    members = [
        {
            "text": text,
            "reasoning": "확인함",
            "note_index": 1 if quote else 0,
            "quote": quote,
            "verdict": verdict,
        }
        for text, quote, verdict in claims
    ]
    return json.dumps({"claims": members}, ensure_ascii=False)


SUPPORTED = reply((ABOUT_PLASTIC, QUOTE, "supported"))


async def test_citation():
    result = await evaluate_phase1(answer=ABOUT_PLASTIC, evidence=[PLASTIC, BATTERY])

    assert result.context_relevance == 0.5
    assert result.cited_chunks == [PLASTIC.chunk_id]
    assert result.uncited_chunks == [BATTERY.chunk_id]


async def test_completeness_by_the_nuggets_of_the_domain():
    result = await evaluate_phase2(query=QUERY, answer=ABOUT_PLASTIC)

    assert result.completeness == 0.75
    assert result.covered_nuggets == ["배출 방법", "배출 장소", "분리 여부"]
    assert result.missing_nuggets == ["주의 사항"]


async def test_completeness_by_the_parts_of_the_query():
    answer = "변성은 95도에서 합니다."
    result = await evaluate_phase2("변성 온도와 시간은?", answer, load_pack("generic"))

    assert (result.completeness, result.missing_nuggets) == (0.5, ["시간"])


async def test_groundedness_asks_the_model_once():
    invented = "종량제 봉투에 담으세요."
    given = reply((ABOUT_PLASTIC, QUOTE, "supported"), (invented, "", "unsupported"))
    llm = ScriptedRouter(given)

    result = await evaluate_phase3(f"{ABOUT_PLASTIC} {invented}", [PLASTIC], llm)

    assert result.groundedness == 0.5
    assert result.supported_claims == [ABOUT_PLASTIC]
    assert result.unsupported_claims == [invented]
    assert len(llm.asked) == 1


async def test_next_steps():
    result = await evaluate_phase4(query="대형 용기는요?", answer=ABOUT_PLASTIC, evidence=[PLASTIC])

    assert "라벨 제거 방법 확인하기" in result.action_items
    assert any("대형폐기물" in query for query in result.suggested_queries)
    assert result.urgency == "medium"


async def test_all_phases():
    result = await evaluate_all_phases(
        QUERY, ABOUT_PLASTIC, [PLASTIC, GLASS], ScriptedRouter(SUPPORTED)
    )

    assert isinstance(result, FeedbackResult)
    assert result.phase4
    parts = (result.phase1.context_relevance, result.phase2.completeness)
    assert parts == (0.5, 0.75)
    assert result.phase3.groundedness == 1.0
    assert result.overall_score == pytest.approx(0.2 * 0.5 + 0.3 * 0.75 + 0.4 * 1.0 + 0.1)
    assert result.needs_improvement is False
    assert result.sources["groundedness"] == "judge"


async def test_rules_stand_in_for_a_model_that_fails():
    def refuse(_: ChatRequest) -> Exception:
        return TransientProviderError("503")

    llm = ScriptedRouter(respond=refuse)
    result = await evaluate_all_phases(QUERY, ABOUT_PLASTIC, [PLASTIC], llm)

    assert result.sources["groundedness"] == "rules"
    assert "503" in result.fallbacks["groundedness"]


async def test_claims_are_extracted_in_the_words_of_the_answer():
    llm = ScriptedRouter(reply((ABOUT_PLASTIC, "", "unsupported")))

    assert await extract_claims(ABOUT_PLASTIC, llm) == [ABOUT_PLASTIC]
    assert ABOUT_PLASTIC in llm.asked[0].prompt
    assert await extract_claims(" ", llm) == []
    assert len(llm.asked) == 1


@pytest.mark.parametrize(
    ("source_text", "given", "supported"),
    [
        (PLASTIC.quoted_text, SUPPORTED, True),
        (PLASTIC.quoted_text, reply((ABOUT_PLASTIC, "없는 인용", "supported")), False),
        (PLASTIC.quoted_text, reply((ABOUT_PLASTIC, "", "unsupported")), False),
        (PLASTIC.quoted_text, reply(), False),
    ],
)
async def test_a_claim_is_verified_by_a_quote(source_text, given, supported):
    assert await verify_claim(ABOUT_PLASTIC, source_text, ScriptedRouter(given)) is supported


async def test_no_call_is_made_without_a_source():
    llm = ScriptedRouter()

    assert await verify_claim(ABOUT_PLASTIC, "  ", llm) is False
    assert llm.asked == []
