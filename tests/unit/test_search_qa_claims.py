"""The prompt that judges claim by claim: the model gives verdicts, code counts them."""

import json

import pytest
from test_search_qa_evaluator import ANSWER, NOTES, QUESTION, TITLES

from app.ai_router.types import Lang
from app.judges.answer import AnswerToJudge
from app.judges.prompts import search_qa_eval_claims as prompt
from app.judges.search_qa.evaluator import PROMPTS, SearchQAEvaluation, SearchQAJudge
from app.platform.errors import MalformedOutput
from scripted_router import ScriptedRouter


def claim(**changes: object) -> dict[str, object]:
    whole = {
        "text": "어닐링은 58도",
        "reasoning": "노트 1에 있음",
        "note_index": 1,
        "quote": "온도는 58도",
        "verdict": "supported",
    }
    return whole | changes


def reply(*claims: dict[str, object], utility: float = 0.8) -> str:
    whole = {"claims": list(claims), "summary": "요약", "utility": utility}
    return json.dumps(whole, ensure_ascii=False)


async def judged(*replies: str) -> tuple[SearchQAEvaluation, ScriptedRouter]:
    router = ScriptedRouter(*replies)
    judge = SearchQAJudge(router, prompt=prompt.PROMPT_VERSION)
    result = await judge.judge(AnswerToJudge.from_texts(QUESTION, ANSWER, NOTES, TITLES))
    assert result
    return result, router


def test_it_is_one_of_the_versions_and_not_the_usual_one() -> None:
    assert list(PROMPTS)[1:] == [prompt.PROMPT_VERSION]


async def test_correctness_is_the_mean_worth_of_the_claims() -> None:
    made_up = claim(text="30분 동안", note_index=0, quote="", verdict="unsupported")
    half = claim(text="58도에서 1분", verdict="partly")

    result, router = await judged(reply(claim(), half, made_up, claim()))

    assert result.correctness == pytest.approx((1 + 0.5 + 0 + 1) / 4)
    assert result.confidence == "medium"
    assert [issue.partition(" (")[0] for issue in result.grounding_issues] == [
        "58도에서 1분",
        "30분 동안",
    ]
    (asked,) = router.asked
    output = asked.output
    assert output is not None
    assert (asked.max_tokens, output.name) == (1_536, "search_qa_claims")
    assert "correctness" not in output.schema["properties"], "a sum is not asked of a model"


async def test_a_note_is_cited_by_the_claims_that_it_bears() -> None:
    result, _ = await judged(
        reply(claim(quote=""), claim(text="58도"), claim(note_index=2, verdict="unsupported"))
    )

    first, second = result.source_coverage
    assert (first.cited, first.relevant_claim, first.quote_found) == (True, "58도", True)
    assert (second.cited, second.quote) == (False, "")
    assert result.flags == []


async def test_a_quote_that_the_note_does_not_have_is_flagged() -> None:
    result, _ = await judged(reply(claim(quote="온도는 60도")))
    assert result.flags == ["quote_not_found:1"]


async def test_an_answer_that_claims_nothing_has_nothing_wrong_in_it() -> None:
    result, _ = await judged(reply(utility=0.1))
    assert (result.correctness, result.utility, result.confidence) == (1.0, 0.1, "medium")


@pytest.mark.parametrize("bad", [claim(note_index=3), claim(verdict="maybe"), claim(note_index=-1)])
async def test_an_impossible_claim_is_asked_for_again(bad: dict[str, object]) -> None:
    result, router = await judged(reply(bad), reply(claim()))
    assert result.correctness == 1
    assert len(router.asked) == 2
    with pytest.raises(MalformedOutput):
        await judged(reply(bad), reply(bad))


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_the_prompt_asks_for_the_claims_before_the_score(lang: Lang) -> None:
    system, user = prompt.build_messages(AnswerToJudge("q", "a", lang=lang), b"key")
    form = system.content[system.content.rindex('{"claims"') :]
    assert form.index("reasoning") < form.index("verdict") < form.index("utility")
    assert str(prompt.MAX_CLAIMS) in system.content
    assert user.content.count("<data") == 1
