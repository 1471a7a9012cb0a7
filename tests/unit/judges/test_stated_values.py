"""Values of claims that no source states, and those that follow from what is stated."""

import json
import re
from itertools import permutations

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


SAME = """
7 days = seven days | 1,000 people = 1000 people | 1,000명 = 1천 명 = 1000명 | 50% = 50 percent
회원의 50% = 회원의 절반 | half of members = 50% of members | 0.5 = 1/2 = ½ = 50퍼센트
2026-11-25 = November 25, 2026 = 2026년 11월 25일 = 11/25/2026 = 2026.11.25. = 25 Nov 2026 = 11/25
3pm = 15:00 = 오후 3시 = 15시 | 오후 3시 반 = 3:30 pm | noon = 12:00 = 정오 | Monday = 월요일
10 MB = 10MB = 10메가바이트 | 1 GB = 1,000 MB = 1024MB | 두 번 = 2회 = twice = 2 times
사흘 = 3일 | 이틀 = 48시간 | 일주일 = 7일 | 2 weeks = 14 days | 90분 = 1시간 30분 = 1시간 반
18개월 = 1년 6개월 = 1.5 years | two dozen = 24 | 150만 원 = 1,500,000원 | $1.5M = $1.5 million
59½ years = 59 1/2 years | 37°C = 37도 | 350 degrees = 350°F | -5°C = 영하 5도 | 6 feet = 183 cm
2.5 km = 2,500 m | 스물다섯 명 = 25명 | 1990s = 1990년대 | 10–20% = 10% - 20% | 100mL = 0.1 L
"""
OTHER = """
7 days | eight days = 7 weeks     2026-11-25 | November 26, 2026 = 2026년 12월 25일 = 2025-11-25
1,000명 | 1만 명 = 2천 명 = 1,001명     50% | 51 percent = 60퍼센트     월요일 | Friday = 화요일
3pm | 16:00 = 3 a.m. = 오전 3시 = 14시     10 MB | 100MB = 10 GB = 10 KB
twice | 3회 = three times     두 번 | 세 번 = 3회 = 3 times     사흘 | 나흘 = 4일
이틀 | 72시간     90분 | 2시간 = 1시간 40분
150만 원 | 15만 원     $1,000 | $10,000 = 1,000 euros     2.5 km | 2,600 m     37°C | 38도
영하 5도 | 5°C = 영하 6도     5 kg | 5 g     100 ml | 100 L     25명 | 스물여섯 명 = 26명
12–20% | 12–35%     6 feet | 193 cm     1 GB | 900 MB     two dozen | 36     100억 원 | 100억 달러
"""


def lacking(stated: str, claimed: str) -> bool:
    note = f"The value is {stated}."
    return StatedValues([note], "What is it?").lacks(f"It is {claimed} here.", note)


def test_a_value_is_the_same_however_it_is_written():
    groups = [group.split(" = ") for group in SAME.strip().replace("\n", " | ").split(" | ")]
    pairs = [pair for group in groups for pair in permutations(group, 2)]

    assert len(pairs) > 100
    assert not [pair for pair in pairs if lacking(*pair)]


def test_another_value_is_refused_however_it_is_written():
    groups = [group.split(" | ") for group in re.split(r"\n| {5}", OTHER.strip())]
    pairs = [(stated, other) for stated, others in groups for other in others.split(" = ")]

    assert len(pairs) > 40
    assert not [(one, other) for one, other in pairs if not lacking(one, other)]
    assert not [(one, other) for one, other in pairs if not lacking(other, one)]


def test_a_value_of_another_unit_elsewhere_states_nothing():
    notes = ["재고는 500 kg이다.", "하루 최대 용량은 20 mg이다."]
    stated = StatedValues(notes, "최대 용량은?")

    assert stated.lacks("하루 최대 용량은 500 mg이다.", notes[1])
    assert not stated.lacks("재고는 500,000 g이다.", notes[1])


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
