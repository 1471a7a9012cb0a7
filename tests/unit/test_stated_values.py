"""Values of claims that no source states, and those that follow from what is stated."""

import json

from app.judges.answer import AnswerToJudge
from app.judges.phases.groundedness import judge_groundedness
from app.judges.phases.reading import Reading
from app.judges.stated import StatedValues
from cases import for_each
from scripted_router import ScriptedRouter

NOTE = (
    "하루 최대 용량은 2,000 mg이다. 검사는 2026년 3월 5일에 한다. 성인 12명과 아동 58명이 참여했다."
    " 배양은 37°C에서 2013일 동안 한다."
)
QUOTE = "하루 최대 용량은 2,000 mg이다."


@for_each(
    ("claim", "lacks"),
    [
        ("하루 최대 9,999 mg까지 먹을 수 있다.", True),
        ("하루 최대 용량은 2000mg입니다.", False),
        ("하루 최대 용량은 2 g입니다.", False),
        ("검사는 2026년 4월 9일에 한다.", True),
        ("검사는 3월 5일입니다.", False),
        ("배양은 45도에서 한다.", True),
        ("배양은 37°C(98.6°F)에서 한다.", False),
        ("배양은 2,000일이 넘게 걸린다.", False),
        ("이틀이면 4,000 mg이다.", False),
        ("이틀이면 7,000 mg이다.", True),
        ("하루 2,000 mg씩 3일이면 6,000 mg이다.", False),
        ("3단계로 나눈다.", False),
        ("질문한 75 kg 환자에게 맞다.", False),
        ("용량에는 한도가 있다.", False),
    ],
)
def test_a_value_is_stated_or_follows(claim, lacks):
    assert StatedValues([NOTE], "75 kg 환자의 용량은?").lacks(claim, QUOTE) is lacks


async def test_a_judge_that_obeys_supports_no_value_that_no_note_states():
    answer = "하루 최대 용량은 9,999 mg입니다."
    claims = [
        {"text": answer, "reasoning": "", "note_index": 1, "quote": QUOTE, "verdict": "supported"}
    ]
    router = ScriptedRouter(json.dumps({"claims": claims}))
    subject = AnswerToJudge.from_texts("최대 용량은?", answer, [NOTE])

    result = await judge_groundedness(router, Reading(subject), b"0123456789abcdef")

    assert [claim.verdict for claim in result.claims] == ["partly"]
    assert result.flags == ["value_not_stated:1"]
