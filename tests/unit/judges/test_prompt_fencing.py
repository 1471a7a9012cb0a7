"""How untrusted text is fenced; attacks on the fence are in test_injections."""

import json
from typing import Any

import pytest

from app.ai_router.prompts.quoting import as_data, fence, fenced, share
from app.judges.answer import AnswerToJudge
from app.judges.prompts import search_qa_eval
from cases import for_each

KEY = b"0123456789abcdef"


def test_the_same_key_gives_the_same_request_and_another_key_another_nonce():
    assert fence({"a": 1}, KEY) == fence({"a": 1}, KEY)
    assert fence({"a": 1}, KEY).split("\n")[0] != fence({"a": 1}, b"other").split("\n")[0]
    assert fence({"a": 1}, KEY).split("\n")[0] != fence({"a": 2}, KEY).split("\n")[0]


def test_korean_stays_readable():
    assert as_data("어닐링 58 °C") == '"어닐링 58 °C"'


@for_each(
    ("texts", "budget", "lengths"),
    [
        (["a" * 5, "b" * 5], 20, [5, 5]),
        (["a" * 100, "b" * 100], 20, [10, 10]),
        (["a" * 100, "b" * 4], 20, [16, 4]),
        (["a" * 100, "b" * 4, "c" * 100], 20, [8, 4, 8]),
        (["a"], 0, [0]),
        ([], 20, []),
    ],
)
def test_texts_share_a_budget(texts, budget, lengths):
    assert [len(text) for text in share(texts, budget)] == lengths


def test_cut_notes_are_marked_and_the_prompt_stays_within_budget():
    given = AnswerToJudge.from_texts("q", "답" * 100_000, ["가" * 100_000, "짧다"], ["a", "b"])
    _, user = search_qa_eval.build_messages(given, KEY)
    data: Any = fenced(user.content)
    notes = data["notes"]
    assert [note["cut"] for note in notes] == [True, False]
    assert sum(len(note["content"]) for note in notes) == search_qa_eval.NOTES_BUDGET
    assert len(user.content) < search_qa_eval.NOTES_BUDGET + search_qa_eval.ANSWER_BUDGET + 1_000


@pytest.mark.parametrize("lang", ["ko", "en"])
def test_prompts_ask_for_the_problems_before_the_scores(lang):
    system, _ = search_qa_eval.build_messages(AnswerToJudge("q", "a", lang=lang), KEY)
    form = system.content[system.content.rindex('{"grounding_issues"') :]
    fields = ["grounding_issues", "source_coverage", "summary", "correctness", "utility"]
    assert list(json.loads(form)) == fields
