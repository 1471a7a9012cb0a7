"""Questions of a first walk: enumerations, a second sentence, notes in two languages."""

import pytest

from app.judges.answer import AnswerToJudge
from app.judges.rules.judge import judge
from app.judges.rules.read import read

PLANS = (
    "The Pro plan costs $49 a month and the Team plan $99 a month. "
    "The rate limit of the Pro plan is 600 requests a minute; the Team plan has 2,000."
)
FEES = (
    "The library opens at 9 on weekdays and at 11 on Sundays. "
    "Adults pay 12 euros, children 7 and pensioners 9. "
    "In 2023 the team grew from 12 to 18 people, in 2024 to 25."
)
PLANS_KO = (
    "Pro 요금제는 월 49달러, Team 요금제는 99달러이다. "
    "호출 한도는 Pro 요금제가 분당 600회이고 Team 요금제는 2,000회이다."
)
FEES_KO = (
    "도서관은 평일에는 9시에, 일요일에는 11시에 문을 연다. "
    "입장료는 어른 12,000원, 어린이 7,000원, 경로 9,000원이다. "
    "팀은 2023년에 12명에서 18명으로, 2024년에는 25명으로 늘었다."
)
# Note, question, true answer, the same with the value of another member.
CASES = [
    (PLANS, "How much is the Team plan?", "The Team plan costs {} a month.", "$99", "$49"),
    (PLANS, "How much is the Pro plan?", "It costs {} a month.", "$49", "$99"),
    (PLANS, "What is the rate limit of the Team plan?", "{} requests a minute.", "2,000", "600"),
    (
        PLANS,
        "What is the rate limit of the Pro plan?",
        "The Pro plan has a limit of {} requests per minute.",
        "600",
        "2,000",
    ),
    (FEES, "When does the library open on Sundays?", "On Sundays it opens at {}.", "11", "9"),
    (FEES, "What do children pay?", "Children pay {} euros.", "7", "9"),
    (FEES, "What do pensioners pay?", "Pensioners pay {} euros.", "9", "12"),
    (
        FEES,
        "How many people were in the team in 2024?",
        "In 2024 the team had {} people.",
        "25",
        "18",
    ),
    (PLANS_KO, "Team 요금제는 얼마인가요?", "Team 요금제는 월 {}입니다.", "99달러", "49달러"),
    (PLANS_KO, "Pro 요금제는 얼마인가요?", "월 {}입니다.", "49달러", "99달러"),
    (PLANS_KO, "Team 요금제의 호출 한도는요?", "분당 {}입니다.", "2,000회", "600회"),
    (FEES_KO, "일요일에는 몇 시에 여나요?", "일요일에는 {}에 엽니다.", "11시", "9시"),
    (FEES_KO, "어린이 입장료는 얼마인가요?", "어린이 입장료는 {}입니다.", "7,000원", "9,000원"),
    (FEES_KO, "경로 입장료는?", "{}입니다.", "9,000원", "12,000원"),
    (FEES_KO, "2024년에 팀은 몇 명이었나요?", "2024년에는 {}이었습니다.", "25명", "18명"),
]


@pytest.mark.parametrize(
    ("right", "wanted"), [(True, {"matches"}), (False, {"undecided", "mismatch"})]
)
def test_a_value_belongs_to_the_member_that_the_claim_is_about(
    right: bool, wanted: set[str]
) -> None:
    wrong = []
    for note, question, answer, ours, others in CASES:
        text = answer.format(ours if right else others)
        lang = "ko" if question[-3] > "가" else "en"
        verdict = judge(AnswerToJudge.from_texts(question, text, [note], lang=lang))
        if verdict.outcome not in wanted:
            wrong.append(f"{text}: {verdict.outcome}")
    assert not wrong


def test_a_second_sentence_leaves_the_first_an_answer() -> None:
    note = (
        "Unopened goods can be returned within 30 days of delivery. "
        "Sale items may not be refunded, but they can be exchanged for another size. "
        "Refunds are paid to the original card within five working days."
    )
    answer = note.split(". ", 1)[1].replace(". ", ". [Note 1]\n")
    verdict = judge(AnswerToJudge.from_texts("Can sale items be refunded?", answer, [note]))
    assert verdict.outcome == "matches"


def test_an_answer_in_the_language_of_one_of_its_notes_is_compared_with_that() -> None:
    note = "Version 3 was released on 12 May 2025."
    other = "사무실 이전은 예산 문제로 하반기로 미뤘다. 김민수는 결제 화면을 다시 만들기로 했다."
    question = "When was version 3 released?"
    outcomes = [
        judge(AnswerToJudge.from_texts(question, answer, [note, other])).outcome
        for answer in (note, "On 12 May 2025.", "It was released on 14 May 2025.")
    ]
    assert outcomes == ["matches", "matches", "mismatch"]


MINUTES = (
    "참석자는 7명이었다. 김민수는 4월 말까지 결제 화면을 다시 만들기로 했다. "
    "다음 분기 매출은 회복될 것으로 본다."
)
RETURNS = "Sale items may not be refunded, but they can be exchanged for another size."
CLEANED = "The centrifuge is balanced to 0.1 g. Its rotor is cleaned every seven days."
# Note, question, answer, outcomes that a reader accepts.
PARAPHRASES = [
    (
        CLEANED,
        "Is the rotor cleaned every seven days?",
        "No, it is not cleaned every seven days.",
        {"undecided", "mismatch"},
    ),
    (MINUTES, "몇 명이 왔어요?", "일곱 명이 참석했습니다.", {"matches", "undecided"}),
    (MINUTES, "결제 화면은 누가 만들어요?", "김민수가 4월 말까지 새로 만듭니다.", {"matches"}),
    (MINUTES, "다음 분기 매출은?", "다음 분기 매출은 회복됩니다.", {"undecided", "mismatch"}),
    (
        RETURNS,
        "Can sale items be refunded?",
        "No, but you can exchange them for another size.",
        {"matches"},
    ),
]


def test_the_same_in_other_words_is_no_mismatch_and_a_guess_no_match() -> None:
    wrong = []
    for note, question, answer, wanted in PARAPHRASES:
        lang = "ko" if note is MINUTES else "en"
        verdict = judge(AnswerToJudge.from_texts(question, answer, [note], lang=lang))
        if verdict.outcome not in wanted:
            wrong.append(f"{answer}: {verdict.outcome}")
    assert not wrong


def test_an_answer_unlike_its_question_is_not_said_to_miss_it() -> None:
    note = "Refunds are paid to the original card within five working days."
    verdict = judge(
        AnswerToJudge.from_texts(
            "When do I get my money back?", "Within five working days.", [note], lang="en"
        )
    )
    assert verdict.outcome == "undecided"
    assert "shares few words with the question" in verdict.summary


# Title, note, question, true answer, false answer or "".
TERSE_NOTES = [
    ("아기 낮잠", "오후 낮잠 90분이 제일 잘 맞음.", "오후 낮잠은?", "1시간 30분입니다.", ""),
    (
        "요가 시간표",
        "월·수 빈야사 19:20 시작 70분",
        "빈야사는 몇 시에 끝나나요?",
        "저녁 8시 30분에 끝납니다.",
        "",
    ),
    ("예방접종", "2025년 4월 5일 1차 맞음. 2차는 4주 후.", "2차 접종 언제?", "5월 3일입니다.", ""),
    (
        "꽃집 휴무",
        "연남점 월 휴무. 판교점 일 휴무.",
        "판교점 쉬는 날?",
        "판교점은 일요일에 쉽니다.",
        "",
    ),
    ("Tuner", "Booked Thu 2pm, cash.", "When is the tuner booked?", "Thursday at 2pm.", ""),
    (
        "실 주문",
        "아이보리 4볼, 네이비 3볼, 머스타드 2볼.",
        "실은 모두 몇 볼?",
        "모두 9볼입니다.",
        "",
    ),
    (
        "요금 조사",
        "스타터 19달러, 그로스 49달러, 비즈니스 99달러 (월).",
        "그로스 플랜 월 얼마?",
        "그로스 플랜은 월 49달러입니다.",
        "그로스 플랜은 월 99달러입니다.",
    ),
]


def test_terse_notes_are_read_as_people_write_them() -> None:
    wrong = []
    for title, note, question, true, false in TERSE_NOTES:
        lang = "ko" if "가" <= question[-2] <= "힣" else "en"
        for answer, refused in ((true, "mismatch"), (false, "matches")):
            subject = AnswerToJudge.from_texts(question, answer, [note], [title], lang=lang)
            if answer and (outcome := judge(subject).outcome) == refused:
                wrong.append(f"{answer}: {outcome}")
    assert not wrong


def test_odd_spans_of_time_are_judged() -> None:
    for answer in (
        "0시간 30분입니다.",
        "0 hours 30 minutes.",
        "1시간 0분입니다.",
        "9" * 400 + " hours 3 minutes.",
    ):
        judge(AnswerToJudge.from_texts("얼마나 걸리나요?", answer, ["0시간 30분 걸린다."]))


def test_sentences_that_enumerate_without_end_use_up_the_budget() -> None:
    plans = [
        f"the {name}{n} plan costs ${n} and Duo{n}" for n in range(40) for name in ("Pro", "Max")
    ]
    text = (", ".join(plans) + ". ") * 12
    material = read(AnswerToJudge.from_texts("How much is Pro3?", text.replace("$", "$1"), [text]))
    assert 0 < len(material.sentences) <= 8
    assert not material.extent.whole


LEADS = "Dr. Kim leads the genomics team and Dr. Park leads imaging."
CHOIR = "The choir sings in the church and the brass band plays in the square."
SHARED = "김 대리는 예산을, 박 대리는 일정을 맡는다."
SLACK = "2025년 점검부터는 사전 공지를 이메일 대신 슬랙으로 보낸다."
SCANNER = "In March we replaced the fax machine with a shared scanner."
COATS = "Guards wear grey jackets instead of the old blue coats."
LIBRARY = "신입 발표는 강당이 아니라 도서관에서 한다."
CARGO = "화물은 부산에서 제주로 옮긴다."
# Note, question, answer, whether it is so.
TWO_THINGS = [
    (LEADS, "Who leads imaging?", "Dr. Kim leads imaging.", False),
    (LEADS, "Who leads imaging?", "Dr. Park leads imaging.", True),
    (CHOIR, "Where does the choir sing?", "The choir sings in the square.", False),
    (
        "The choir sings in the church and in the square.",
        "Where does the choir sing?",
        "The choir sings in the square.",
        True,
    ),
    (
        "Marta opens the bakery at five and closes it at noon.",
        "When does Marta close the bakery?",
        "Marta closes the bakery at noon.",
        True,
    ),
    (SHARED, "일정은 누가 맡나요?", "김 대리는 일정을 맡는다.", False),
    (SHARED, "일정은 누가 맡나요?", "박 대리는 일정을 맡는다.", True),
    ("서울은 3층, 부산은 5층이다.", "부산은 몇 층?", "부산은 3층이다.", False),
    ("X costs $5 and Y costs $8.", "How much is X?", "X costs $8.", False),
    (SLACK, "점검 공지는 어디로 오나요?", "이메일로 옵니다.", False),
    (SLACK, "점검 공지는 어디로 오나요?", "슬랙으로 보냅니다.", True),
    (SCANNER, "Which device do we use now?", "We use the fax machine.", False),
    (COATS, "What do the guards wear?", "Guards wear blue coats.", False),
    (COATS, "What did guards wear before?", "They wore blue coats before.", True),
    (LIBRARY, "발표는 어디서?", "강당에서 합니다.", False),
    (LIBRARY, "발표는 어디서?", "도서관에서 합니다.", True),
    ("Use the side door, not the front door.", "Which door?", "Use the side door.", True),
    ("Use the side door, not the front door.", "Which door?", "Use the front door.", False),
    (
        "서버 점검은 매월 둘째 주 화요일 새벽 2시에 시작해 약 40분간 진행된다.",
        "서버 점검은 언제 하나요?",
        "매달 둘째 화요일 새벽 2시에 시작합니다.",
        True,
    ),
    (CARGO, "화물은 어디에서 옮기나요?", "화물은 부산에서 옮깁니다.", True),
]


@pytest.mark.parametrize(("note", "question", "answer", "so"), TWO_THINGS)
def test_what_is_said_of_another_thing_or_no_longer_holds_is_no_match(
    note: str, question: str, answer: str, *, so: bool
) -> None:
    verdict = judge(AnswerToJudge.from_texts(question, answer, [note]))
    assert (verdict.outcome == "matches") is so
