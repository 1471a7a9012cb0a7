"""Answers over notes as people write them: calculated values, changes, enumerations, refusals."""

import pytest

from app.judges.answer import AnswerToJudge
from app.judges.rules.judge import judge
from app.judges.rules.values import values

HOUSE = (
    "음식물 쓰레기는 카드로 배출하며 1kg당 130원이 더해진다. "
    "방문 차량은 하루 12시간까지 무료이며 그 뒤로는 시간당 1,000원이다. "
    "항의는 직접 찾아가지 않고 관리사무소(02-555-0134)를 통해 한다."
)
PARKING = "세대당 1대는 무료이고, 2대째는 월 3만 원, 3대째는 월 10만 원을 낸다."
TRIP = (
    "첫날은 도톤보리, 둘째 날은 교토 당일치기, 셋째 날은 유니버설 스튜디오에 간다. "
    "항공권은 1인당 42만 원, 숙소는 3박에 36만 원을 잡았다."
)
MEETING = (
    "출시일은 4월 15일에서 4월 29일로 미뤘다. 검색 속도는 1.8초에서 0.6초로 줄었다. "
    "발표자 우진 → 채린으로 교체."
)
HEALTH = "총콜레스테롤은 215mg/dL로 작년 198보다 올랐다. 혈압약은 아침 식사 후 한 알 먹는다."
GARDEN = (
    "Tomatoes are watered twice a day, at 7 am and 6 pm. "
    "Basil gets water only when the soil is dry. We harvested 46 kg, in 2023 it was 38 kg."
)
LIST = "- 5/5 휴원\n- 5/8 감사 편지\n- 5/22 딸기농장 체험학습"
SHIRTS = "T-shirts left: 4 S, 5 L, 2 XL. The cover renews on 1 June; cancel one month before."
BOOK = "The club met in May. Ruth did not finish the book."
FIRMS = "해솔상사: 계약 3년, 월 40만 원, 담당 김하늘\n누리상사: 계약 5년, 월 55만 원, 담당 이도현"
# Note, question, an answer that is no mismatch, one that never matches.
ROWS = [
    (BOOK, "Did Ruth finish the book?", "Ruth did not finish it.", "Ruth finished it."),
    (
        FIRMS,
        "누리상사 계약 기간과 담당은?",
        "누리상사는 계약이 5년이고 담당은 이도현입니다.",
        "누리상사는 계약이 5년이고 담당은 김하늘입니다.",
    ),
    (HOUSE, "음식물 쓰레기 5kg이면 얼마인가요?", "5kg이면 650원입니다.", "5kg이면 750원입니다."),
    (HOUSE, "방문 차량을 15시간 세워 두면 얼마인가요?", "3,000원입니다.", "2,000원입니다."),
    (
        HOUSE,
        "방문 차량은 몇 시간까지 무료예요?",
        "하루에 12시간까지 무료입니다.",
        "하루 10시간입니다.",
    ),
    (HOUSE, "관리사무소 전화번호가 뭐예요?", "02-555-0134입니다.", "02-555-0143입니다."),
    (
        PARKING,
        "차가 두 대면 얼마예요?",
        "두 번째 차는 월 3만 원입니다.",
        "두 번째 차는 월 10만 원입니다.",
    ),
    (TRIP, "둘째 날에는 어디에 가?", "교토에 당일치기로 갑니다.", "유니버설 스튜디오에 갑니다."),
    (TRIP, "두 명의 항공권은 모두 얼마야?", "84만 원입니다.", "82만 원입니다."),
    (TRIP, "숙소는 1박에 얼마야?", "1박에 12만 원꼴입니다.", "1박에 18만 원꼴입니다."),
    (MEETING, "출시일은 언제인가요?", "4월 29일입니다.", "4월 15일입니다."),
    (MEETING, "출시가 며칠 미뤄졌나요?", "2주(14일) 미뤄졌습니다.", "10일 미뤄졌습니다."),
    (MEETING, "검색이 몇 배 빨라졌나요?", "3배 빨라졌습니다.", "2배 빨라졌습니다."),
    (MEETING, "발표자가 누구야?", "채린", "우진"),
    (HEALTH, "콜레스테롤이 얼마나 올랐어?", "17mg/dL 올랐습니다.", "27mg/dL 올랐습니다."),
    (HEALTH, "혈압약은 언제 먹어?", "아침 식사 후에 먹습니다.", "저녁 식사 후에 먹습니다."),
    (LIST, "5월 22일에는 뭐 해?", "딸기농장에 갑니다.", "감사 편지를 냅니다."),
    (
        GARDEN,
        "When are the tomatoes watered?",
        "Twice a day, at 7 in the morning and 6 in the evening.",
        "Twice a day, at 8 in the morning and 6 in the evening.",
    ),
    (GARDEN, "How often should I water the basil?", "Only once the soil is dry.", "Twice a day."),
    (GARDEN, "How much more did we harvest than in 2023?", "8 kg more.", "9 kg more."),
    (SHIRTS, "How many shirts are left?", "Eleven: four S, five L and two XL.", "Twelve."),
    (SHIRTS, "When do I have to cancel the cover?", "By 1 May.", "By 1 April."),
]


def _outcome(note: str, question: str, answer: str) -> str | None:
    lang = "ko" if any("가" <= char <= "힣" for char in question) else "en"
    return judge(AnswerToJudge.from_texts(question, answer, [note], lang=lang)).outcome


def test_what_follows_from_a_note_is_no_mismatch() -> None:
    found = [(true, _outcome(note, question, true)) for note, question, true, _ in ROWS]
    assert [one for one in found if one[1] == "mismatch"] == []


def test_what_does_not_follow_from_a_note_is_no_match() -> None:
    found = [(false, _outcome(note, question, false)) for note, question, _, false in ROWS]
    assert [one for one in found if one[1] == "matches"] == []


CLUB = "레슨은 화요일 20시, 김도윤 코치. 장보기는 일요일 오전, 예산 7만 원."
DOG = "Course = 6 sessions, £90 total. Salmon or lamb only."


# Note, question, refusal, outcome.
REFUSALS = [
    (CLUB, "회비 계좌가 뭐예요?", "죄송하지만 노트에 계좌는 없습니다.", "rightly_refused"),
    (CLUB, "회비 계좌가 뭐예요?", "메모에 없습니다. 총무에게 문의해 보세요.", "rightly_refused"),
    (CLUB, "장보기 예산 얼마로 잡았어?", "예산은 노트에서 확인할 수 없습니다.", "undecided"),
    (DOG, "What is his chip number?", "It isn't given in the notes.", "rightly_refused"),
    (DOG, "What is his chip number?", "Sorry, but the notes don't say.", "rightly_refused"),
]


def test_a_refusal_is_right_only_where_nothing_looks_like_an_answer() -> None:
    found = [
        (refusal, _outcome(note, question, refusal)) for note, question, refusal, _ in REFUSALS
    ]
    assert found == [(refusal, outcome) for _, _, refusal, outcome in REFUSALS]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("하루 12시간까지", ["하루", "12시간"]),
        ("1시간 30분", ["1시간 30분"]),
        ("once the soil is dry", []),
        ("once a week", ["once"]),
        ("02-555-0134", ["02-555-0134"]),
        ("7 in the morning", ["7 in the morning"]),
        ("비율은 1/3 정도", ["1", "3"]),
        ("10/22(화)", ["10/22", "화"]),
    ],
)
def test_values_as_notes_write_them(text: str, written: list[str]) -> None:
    assert [text[one.start : one.end] for one in values(text)] == written
