"""Questions of dialogues, rewritten by rules so that they stand alone."""

import pytest

from app.text.standalone import MAX_REWRITTEN_CHARS, stand_alone
from app.text.turns import MAX_HISTORY_CHARS, MAX_TURN_CHARS, MAX_TURNS, Turn, paired, recent_turns


def turns(*questions: str) -> list[Turn]:
    return [Turn(question, "답변 an answer") for question in questions]


@pytest.mark.parametrize(
    ("before", "question", "understood"),
    [
        # A word of a class takes the place of its like.
        (["여름에 매장은 몇 시에 열어요?"], "그럼 겨울에는?", "겨울에 매장은 몇 시에 열어요?"),
        (["When do you open in summer?"], "and in winter?", "When do you open in winter?"),
        # What only asks is given the subject of the question before.
        (["에어컨 청소는 언제 하나요?"], "얼마예요?", "에어컨 청소는 얼마예요?"),
        (["Where is the dough kept?"], "How long?", "How long is the dough kept?"),
        (["에어컨은 어디서 사요?"], "그건 얼마예요?", "에어컨은 얼마예요?"),
        (["Where do I buy the fan?"], "How much is it?", "How much is the fan?"),
        # A chain keeps the subject, and a fragment takes its place.
        (
            ["배추김치는 몇 시간 절여요?", "소금은 얼마나 넣어요?"],
            "깍두기는?",
            "깍두기 소금은 얼마나 넣어요?",
        ),
        (["특별전시 입장권은 얼마예요?", "학생은?"], "상설전시는?", "상설전시 입장권은 얼마예요?"),
        # What is asked next of another subject starts anew.
        (
            ["우산은 어디 있어요?", "노트북을 빌리려면 어디로 가야 하나요?"],
            "그거 비싸요?",
            "노트북 비싸요?",
        ),
        # In doubt all that was asked is kept.
        (["성인 이용료는 얼마예요?"], "65세 이상은요?", "65세 이상 성인 이용료는 얼마예요?"),
        # These stand alone, or rules cannot tell.
        (["여름에 매장은 몇 시에 열어요?"], "환불을 받으려면 무엇을 가져가야 하나요?", None),
        (["When do you open in summer?"], "Who repairs bicycles on Sundays?", None),
        (["How often is the pool cleaned?"], "겨울에는요?", None),
        (["Where is the pool?"], "The gym is new. When does it open?", None),
        ([], "그럼 겨울에는?", None),
        ([""], "그럼 겨울에는?", None),
        (["???"], "?", None),
    ],
)
def test_stand_alone(before: list[str], question: str, understood: str | None) -> None:
    assert stand_alone(question, turns(*before)) == understood


def test_no_word_of_an_answer_enters_the_question() -> None:
    turns = [Turn("언제 열어요?", "매장은 새벽 4시에 엽니다.")]
    assert "4시" not in (stand_alone("그럼 겨울에는?", turns) or "")


def test_recent_turns_are_the_last_that_fit() -> None:
    given = [Turn(f"q{n}", f"a{n}") for n in range(200)]
    kept = recent_turns([*given, Turn(" ", "\x00")])
    assert [turn.question for turn in kept] == [f"q{n}" for n in range(190, 200)]
    long = recent_turns([Turn("q\x00" * 2_000, "a" * 9_000)] * 200)
    assert sum(len(turn.question) + len(turn.answer) for turn in long) <= MAX_HISTORY_CHARS
    assert len(long[0].answer) == MAX_TURN_CHARS
    assert "\x00" not in long[0].question
    assert recent_turns([Turn("", "hello")]) == (Turn("", "hello"),)
    assert len(kept) == MAX_TURNS


def test_paired_joins_what_a_side_says_in_a_row() -> None:
    said = [
        (False, "hi"),
        (True, "one"),
        (True, "two"),
        (False, "a"),
        (False, "b"),
        (True, "three"),
    ]
    assert paired(said) == (Turn("", "hi"), Turn("one\ntwo", "a\nb"), Turn("three", ""))


@pytest.mark.parametrize(
    "text", ["it " * 40, "a" * 4_000, "그거 " * 30, "그럼 " * 30, "the an " * 900]
)
def test_hostile_turns_make_no_long_question(text: str) -> None:
    found = stand_alone(text, recent_turns(turns(*[text] * 200)))
    assert found is None or len(found) <= MAX_REWRITTEN_CHARS
