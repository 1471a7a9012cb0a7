"""Answers over notes as people write them: calculated values, changes, enumerations, refusals."""

import pytest

from app.judges.answer import AnswerToJudge
from app.judges.rules.chances import is_whole
from app.judges.rules.find import findings
from app.judges.rules.judge import judge
from app.judges.rules.read import read
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
VOTE = "응답자 50명 중 찬성 30명, 반대 20명."
FARE = "A day ticket is 49, each extra day costs 8, and the family ticket is 79."
SPENT = "The budget is $500. We spent $120 on chairs and $90 on tables."
FEE = "The fee is $49. Each ticket costs $8 and we bought two tickets."
SHARED = "Kim and Lee get 3 and 5 days of leave respectively."
TEAMS = "남팀과 북팀의 점수는 각각 10점과 20점이다."
VISITS = "6월 3일부터 5일까지 반별로 방문한다. 1반은 3일, 2반은 4일, 3반은 5일이다."
PIANO = "수업은 주 2회 18만 원, 주 3회 24만 원이다."
HALL = "The hall has a piano and forty chairs."
BOARD = (
    "Nadia chairs the board. Owen is the treasurer and Lena keeps the minutes. "
    "The board meets every other Tuesday."
)
CARE = "필터는 석 달마다 갈고, 물통은 매주 씻는다."
PARCEL = "배송이 늦은 까닭은 주소 오류다. 물류센터 파업은 다음 날 시작됐다."
TOWN = "The library opened in the town in 1931, four years after the school."
SOUP = "먼저 가루를 체에 치고, 그다음 달걀을 넣고, 마지막에 버터를 섞는다."
TERRACE = "Smoking is not forbidden on the terrace."
PRICES = "The supplier may raise prices in May."
TERMS = "중도 해지하면 남은 기간 요금의 10%를 낸다."
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
    # A share, an equation, the place of a result.
    (VOTE, "찬성은 몇 퍼센트였어?", "60%였습니다.", "80%였습니다."),
    (FARE, "What do I pay with two extra days?", "49 + 2 × 8 = 65.", "49 + 2 × 8 = 75."),
    (
        SPENT,
        "How much is left?",
        "500 - 120 - 90 = 290 dollars are left.",
        "500 - 120 = 380 dollars are left.",
    ),
    (FEE, "What do fee and tickets cost?", "49 + 2 × 8 = 65 dollars.", "49 + 8 = 57 dollars."),
    (FARE, "How much dearer is the family ticket?", "30 more: 79 less 49.", "20 more."),
    # A letter, respective lists, groups by number.
    ("A costs $8, B costs $12.", "How much does A cost?", "A costs $8.", "A costs $12."),
    ("A동은 3층, B동은 5층이다.", "A동은 몇 층이야?", "A동은 3층입니다.", "A동은 5층입니다."),
    (SHARED, "How many days does Lee get?", "Lee gets 5 days.", "Lee gets 3 days."),
    (TEAMS, "북팀은 몇 점이야?", "북팀은 20점입니다.", "북팀은 10점입니다."),
    # A day without its month, another case than asked, another item.
    (VISITS, "2반은 며칠이야?", "6월 4일입니다.", "6월 9일입니다."),
    (PIANO, "주 3회면 얼마야?", "주 3회는 24만 원입니다.", "주 2회면 18만 원입니다."),
    (HALL, "What does the hall have?", "A piano and forty chairs.", "A piano and a projector."),
    # Who, how often, why, in what order.
    (BOARD, "Who is the treasurer?", "Owen is the treasurer.", "Nadia is the treasurer."),
    (BOARD, "How often does the board meet?", "Every other Tuesday.", "Every Tuesday."),
    (CARE, "물통은 얼마나 자주 씻어?", "매주 씻습니다.", "석 달마다 씻습니다."),
    (PARCEL, "배송이 왜 늦었어?", "주소 오류 때문입니다.", "물류센터 파업 때문에 늦었습니다."),
    (
        TOWN,
        "When did the school open?",
        "Four years earlier than the library.",
        "The school opened in the town four years after the library.",
    ),
    (SOUP, "버터는 언제 섞어?", "마지막에 섞습니다.", "달걀을 넣기 전에 섞습니다."),
    # Leave that is not denied, what is planned, what has moved.
    (
        TERRACE,
        "May I smoke on the terrace?",
        "Smoking is not forbidden there.",
        "No, smoking is prohibited on the terrace.",
    ),
    (
        "예산이 나오면 10월에 시작한다.",
        "언제 시작해?",
        "예산이 나오면 10월에요.",
        "10월에 시작합니다.",
    ),
    (PRICES, "When do prices rise?", "They may rise in May.", "The supplier raises prices in May."),
    (
        "5월: 마감은 20일.\n6월: 마감을 27일로 미룬다.",
        "마감이 언제야?",
        "27일입니다.",
        "20일입니다.",
    ),
]


# Note, question, an answer in other words or with its reckoning that matches.
MATCHES = [
    (TERMS, "중간에 해지하면 얼마를 내?", "잔여 기간 요금의 10%를 냅니다."),
    (FARE, "What do I pay with two extra days?", "49 + 2 × 8 = 65."),
    (VISITS, "2반은 며칠이야?", "6월 4일입니다."),
    (BOARD, "Who keeps the minutes?", "Lena does."),
    ("The server stopped because its disk was full.", "Why did it stop?", "Its disk was full."),
    ("Dogs are allowed in A but not in B.", "Are dogs allowed in B?", "No, not in B."),
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


def test_the_same_in_other_words_or_reckoned_matches() -> None:
    found = [(answer, _outcome(note, question, answer)) for note, question, answer in MATCHES]
    assert [one for one in found if one[1] != "matches"] == []


# Title and note, question, an answer that matches and one that does not.
MINUTES = (
    "정기 회의록",
    "참석: 김도윤, 이서진\n- 시안은 이서진이 6/20까지 수정하기로 함\n회장: 정유나 / 총무: 강태오",
)
VISIT = (
    "진료 예약",
    (
        "| 진료과 | 병원 | 날짜 | 시간 | 전화 |\n|---|---|---|---|---|\n"
        "| 치과 | 미소치과 | 9월 3일 | 10:30 | 02-555-0147 |\n"
        "| 안과 | 밝은눈안과 | 9월 10일 | 15:00 | 02-555-0199 |\n"
        "| 피부과 | 새봄의원 | 9월 17일 | 11:00 | 031-222-7788 |"
    ),
)
CAT = (
    "고양이 돌보기",
    "화장실은 매일 치움\n창문은 절대 열어두면 안 됨",
)
GYM = (
    "헬스장 안내",
    "운영 시간은 평일 06:00~23:00, 주말 09:00~18:00예요\nPT는 10회 60만 원, 20회 110만 원",
)
FRIED_RICE = (
    "김치볶음밥",
    (
        "재료: 신김치 1컵, 밥 2공기, 스팸 반 캔, 참기름 1큰술, 달걀 2개\n- 팬에 스팸부터 볶기\n"
        "- 김치 넣고 3분 볶기\n- 불 끄고 밥 넣어 섞기\n- 다시 센불에서 2분\n- 참기름은 마지막에"
    ),
)
LEAVE = (
    "연차 규정",
    (
        "입사 1년 미만 직원은 한 달 개근 시 하루의 연차가 생긴다. 1년 이상 근무한 직원은 연 15일의 "
        "연차를 쓸 수 있으며, 3년차부터 2년마다 하루씩 늘어난다. 최대 한도는 25일이다."
    ),
)
REFUND = (
    "환불",
    "교재는 포장을 뜯지 않은 경우에만 반품할 수 있으며 배송비 3,000원은 고객이 부담합니다.",
)
TITLED = [
    # A name that the analyser takes apart.
    (
        MINUTES,
        "시안은 누가 수정해?",
        "이서진 님이 6월 20일까지 수정하기로 했습니다.",
        "한지우 님이 수정합니다.",
    ),
    (MINUTES, "총무는 누구야?", "총무는 강태오 님이에요.", "총무는 정유나 님이에요."),
    # A table with its head and title.
    (
        VISIT,
        "안과 예약은 언제야?",
        "안과 예약은 9월 10일 오후 3시입니다.",
        "안과 예약은 9월 3일입니다.",
    ),
    (
        VISIT,
        "피부과 전화번호는?",
        "피부과 전화는 031-222-7788입니다.",
        "피부과 전화번호는 02-555-0199입니다.",
    ),
    # What must not be done.
    (CAT, "창문 열어둬도 돼?", "창문은 절대 열어두면 안 됩니다.", "창문은 열어두어도 됩니다."),
    # A span, a member without a word, a line without a verb.
    (
        GYM,
        "주말엔 몇 시까지 해?",
        "주말에는 오후 6시까지 운영합니다.",
        "주말에는 밤 11시까지 합니다.",
    ),
    (GYM, "PT 20회 얼마야?", "PT 20회는 110만 원이에요.", "PT 20회는 60만 원이에요."),
    (FRIED_RICE, "참기름은 언제 넣어?", "참기름은 마지막에 넣습니다.", "참기름은 처음에 넣습니다."),
    # A bound of the next sentence, a condition of another clause.
    (
        LEAVE,
        "입사 1년이 안 된 직원의 연차는?",
        "입사 1년 미만 직원은 한 달 개근 시 하루의 연차가 생깁니다.",
        "입사 1년 미만 직원은 연 15일의 연차를 쓸 수 있습니다.",
    ),
    (
        REFUND,
        "교재 반품할 때 배송비는 누가 내?",
        "배송비 3,000원은 고객이 부담해요.",
        "배송비는 회사가 부담합니다.",
    ),
    # A verb of another subject, a deadline.
    (
        ("밴드", "드럼은 공연장 것 쓰기로 함, 앰프는 우리가 가져감"),
        "앰프는 누가 가져가?",
        "앰프는 우리가 가져갑니다.",
        "드럼은 우리가 가져갑니다.",
    ),
    (
        ("출장비", "- 정산은 복귀 후 5일 이내, 영수증 필수"),
        "정산은 언제까지 해야 해?",
        "복귀 후 5일 이내에 정산해야 합니다.",
        "출발 후 5일 이내에 정산해야 합니다.",
    ),
]


@pytest.mark.parametrize(("note", "question", "true", "false"), TITLED)
def test_short_notes_with_titles_are_read_as_people_write_them(
    note: tuple[str, str], question: str, true: str, false: str
) -> None:
    title, text = note
    outcomes = [
        judge(AnswerToJudge.from_texts(question, answer, [text], [title], lang="ko")).outcome
        for answer in (true, false)
    ]
    assert outcomes[0] == "matches"
    assert outcomes[1] != "matches"


def test_a_line_without_a_verb_leaves_the_verb_to_the_question() -> None:
    answer = AnswerToJudge.from_texts(
        "밥은 몇 공기 필요해?", "밥 2공기가 필요합니다.", ["재료: 밥 2공기"], lang="ko"
    )
    material = read(answer)
    assert "asked_predicate" not in findings(material.sentences[0], material)


def test_a_korean_sentence_ends_without_a_full_stop() -> None:
    texts = ["모래는 2주마다 교체함", "토요일에 모여요", "검진 필요", "회장: 정유나"]
    assert [is_whole(text) for text in texts] == [True, True, False, False]


def test_a_fraction_of_a_measure_is_one_value() -> None:
    recipe = "Stir in 3/4 cup sugar, 1 egg and 1 tsp vanilla."
    assert _outcome(recipe, "How much sugar?", "Use 3/4 cup of sugar.") == "matches"
    assert _outcome(recipe, "How much sugar?", "Use 1/4 cup of sugar.") == "mismatch"


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
        ("minus 80 degrees", ["minus 80 degrees"]),
        ("D-14 세대 소독", ["D-14"]),
        ("2조 조장", ["2"]),
        ("2조 원", ["2조 원"]),
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


def test_over_catchwords_a_finding_counts_less_than_over_sentences():
    note = "매너타임 22~07시인데 23시까지 떠들다 경고"
    claim = "조용히 해야 하는 시간이 밤 10시부터인데 11시까지 떠들어서 주의를 받았습니다."

    def confidence(text: str) -> str:
        return judge(AnswerToJudge.from_texts("왜 주의를 받았지?", claim, [text])).confidence

    assert confidence(note) == "medium"
    assert confidence(f"{note}.") == "low"
