"""Nothing of an answer or of its notes is left unjudged without the verdict saying so."""

import json
from collections.abc import Sequence

import pytest
from test_search_qa_evaluator import verdict

from app.judges.answer import AnswerToJudge, SearchQAEvaluation
from app.judges.answer_parts import MAX_ANSWER_CHARS, MAX_PARTS, PART_CHARS
from app.judges.prompts import search_qa_eval
from app.judges.published.search_qa import SearchQAJudge
from app.judges.rules import judge as rules_judge
from app.judges.rules import read as material
from app.platform.errors import MalformedOutput, TransientProviderError
from scripted_router import ScriptedRouter

QUESTION = "어닐링 온도는 몇 도인가요?"
NOTES = ["어닐링 온도는 58도이다.", "신장은 72도에서 1분 동안 한다."]
TITLES = ["PCR 조건", "신장"]
TRUE = "어닐링 온도는 58도입니다. [노트 1] "
LIE = "마지막으로 변성은 95도에서 40분 동안 끓입니다."


def answer_to_judge(answer: str, notes: Sequence[str] = NOTES) -> AnswerToJudge:
    return AnswerToJudge.from_texts(QUESTION, answer, notes, TITLES)


def answer_of(chars: int, end: str = "") -> str:
    return (TRUE * (chars // len(TRUE) + 1))[: chars - len(end)] + end


def shown(router: ScriptedRouter) -> list[str]:
    """The answers, or their parts, that the model was sent, in order."""
    users = [asked.messages[1].content for asked in router.asked]
    data = [json.loads(user.split("\n<data ")[1].split("\n")[1]) for user in users]
    return [str(one["answer"]) for one in data]


async def judged(
    answer: str, *replies: str, notes: Sequence[str] = NOTES
) -> tuple[SearchQAEvaluation, ScriptedRouter]:
    router = ScriptedRouter(*replies)
    result = await SearchQAJudge(router).judge(answer_to_judge(answer, notes))
    assert result is not None
    return result, router


def test_rules_see_a_lie_after_twelve_thousand_characters():
    answer = answer_of(13_066, LIE)
    result = rules_judge.judge(answer_to_judge(answer))
    assert [issue for issue in result.grounding_issues if "40분" in issue]
    assert "모두" not in result.summary
    assert result.confidence != "high"
    assert result.extent.whole


def test_rules_read_the_longest_answer_that_is_accepted():
    answer = answer_of(MAX_ANSWER_CHARS, LIE)
    read = material.read(answer_to_judge(answer))
    assert read.sentences[-1].text == LIE
    assert read.extent.whole


@pytest.mark.parametrize(
    ("answer", "notes"),
    [
        (answer_of(MAX_ANSWER_CHARS + 1), NOTES),
        (TRUE, [*NOTES, "다른 이야기이다. " * (material.NOTES_BUDGET // 8)]),
        # Each of many claims has its words in each of many sentences of the notes.
        (
            "".join(f"어닐링 온도는 {n}도이다. " for n in range(58, 1_400)),
            [*NOTES, "".join(f"어닐링 온도는 {n}도이다. " for n in range(58, 1_400))],
        ),
    ],
)
def test_rules_are_never_sure_of_what_they_did_not_read(answer, notes):
    result = rules_judge.judge(answer_to_judge(answer, notes))
    assert result.correctness >= 0.8
    assert result.utility >= 0.7
    assert result.confidence == "medium"
    assert not result.extent.whole


async def test_each_part_is_told_which_it_is_and_a_whole_answer_nothing():
    _, router = await judged(answer_of(13_066), verdict(), verdict())
    first, second = (asked.messages[1].content.partition("<data")[0] for asked in router.asked)
    assert "2개로 나눈 것 가운데 1번째" in first
    assert "2개로 나눈 것 가운데 2번째" in second
    _, router = await judged(TRUE, verdict())
    alone = search_qa_eval.build_messages(answer_to_judge(TRUE), b"x")
    before = alone[1].content.partition("<data")[0]
    assert router.asked[0].messages[0] == alone[0]
    assert router.asked[0].messages[1].content.partition("<data")[0] == before


async def test_a_long_answer_that_is_right_in_all_parts_is_right():
    result, _ = await judged(answer_of(30_000), *[verdict()] * 3)
    assert (result.confidence, result.grounding_issues, result.flags) == ("high", [], [])


async def test_a_note_is_cited_where_any_part_cites_it():
    unused = {"note_index": 1, "cited": False, "relevant_claim": "", "quote": ""}
    used = {"note_index": 1, "cited": True, "relevant_claim": "58도", "quote": "온도는 58도"}
    misquoted = used | {"quote": "온도는 61도"}
    replies = [verdict(source_coverage=[source]) for source in (unused, misquoted, used)]
    result, _ = await judged(answer_of(30_000), *replies)
    first, second = result.source_coverage
    assert (first.cited, first.quote, first.quote_found) == (True, "온도는 58도", True)
    assert not second.cited
    assert result.flags == ["quote_not_found:1"]


async def test_beyond_the_last_part_nothing_is_judged_and_the_verdict_is_not_sure():
    answer = answer_of(MAX_PARTS * PART_CHARS + 1_500, LIE)
    result, router = await judged(answer, *[verdict()] * MAX_PARTS)
    assert result.confidence == "medium"
    assert result.extent.judged_answer_chars == len("".join(shown(router))) < len(answer)
    assert result.extent.answer_chars == len(answer)


async def test_a_model_that_was_not_shown_all_of_the_notes_is_not_sure():
    notes = [*NOTES, "다른 이야기이다. " * 4_000]
    result, _ = await judged(TRUE, verdict(), notes=notes)
    assert (result.correctness, result.confidence) == (0.9, "medium")
    assert result.extent.judged_note_chars == search_qa_eval.NOTES_BUDGET
    assert result.extent.note_chars == sum(map(len, notes))


@pytest.mark.parametrize("failure", [TransientProviderError("429"), "not JSON"])
async def test_a_part_without_a_verdict_leaves_none_for_the_whole(failure):
    router = ScriptedRouter(verdict(), failure, *([failure] if isinstance(failure, str) else []))
    with pytest.raises((TransientProviderError, MalformedOutput)):
        await SearchQAJudge(router).judge(answer_to_judge(answer_of(13_066)))
