"""False answers that the offline judge must not call high, and true ones that it must."""

import json
import runpy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from app.judges.answer import AnswerToJudge, SearchQAEvaluation
from app.judges.phases.citation import cite
from app.judges.phases.groundedness import evaluate_groundedness
from app.judges.phases.reading import Reading
from app.judges.rules.judge import judge
from app.judges.rules.numbers import plain_numerals
from app.judges.rules.read import read
from app.judges.rules.values import same, values
from app.judges.rules.weigh import correctness, weigh
from app.text.language import detect_language
from cases import for_each

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"
Case = dict[str, Any]


def written(name: str) -> list[Case]:
    text = (BENCHMARKS / "data" / f"{name}_cases.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


INCUBATOR = "세포 배양실의 CO2 배양기 설정값은 온도 37.0도, CO2 5.0%, 습도 95%이다."
PCR = "- 변성: 95도에서 30초\n- 어닐링: 58도에서 30초\n- 신장: 72도에서 1분"
WASTE = (
    "폐액 통은 80%까지만 채우고, 차면 뚜껑을 잠근 뒤 수거 신청을 한다. "
    "수거는 매월 첫째 주와 셋째 주 목요일 오전에 한다."
)
MEDICINE = "임신부는 먹으면 안 된다. 하루 세 번 식후에 두 알씩 먹는다."
VAN = "1호차는 2022년 8월 3일에 엔진을 수리했다. 1호차는 흰색 승합차이다."
TEAM = "이하준은 김서연에게 매주 월요일에 보고서를 보낸다. 대전 지사는 부산 지사보다 직원이 많다."


def judged(question: str, notes: Sequence[str], answer: str) -> SearchQAEvaluation:
    return judge(AnswerToJudge.from_texts(question, answer, notes, lang=detect_language(answer)))


@pytest.mark.parametrize(
    ("question", "notes", "answer"),
    [
        ("CO2 배양기의 최적 온도는?", [INCUBATOR, PCR], "CO2 배양기의 최적 온도는 72도이다"),
        ("CO2 배양기의 온도는 72도인가요?", [INCUBATOR, PCR], "네, CO2 배양기 온도는 72도입니다."),
        ("누가 먹으면 안 되나요?", [MEDICINE], "기록된 금기 환자는 없습니다."),
        ("수거는 언제 하나요?", [WASTE], "폐액 통은 80%까지만 채웁니다."),
        ("1호차의 제조사는 어디인가요?", [VAN], "1호차는 2022년 8월 3일에 엔진을 수리했습니다."),
        ("누가 보고서를 보내나요?", [TEAM], "김서연은 이하준에게 매주 월요일에 보고서를 보낸다."),
        ("어느 지사가 큰가요?", [TEAM], "부산 지사는 대전 지사보다 직원이 많다."),
        ("하루에 몇 번 먹나요?", [MEDICINE], "하루 ④번 식후에 두 알씩 먹는다."),
        ("하루에 몇 번 먹나요?", [MEDICINE], "하루 다섯 번 식후에 두 알씩 먹는다."),
        ("폐액 통이 차면?", [WASTE], "폐액 통이 차면 수거 신청을 한 뒤 뚜껑을 잠근다."),
    ],
)
def test_what_the_notes_do_not_say_is_never_high(
    question: str, notes: Sequence[str], answer: str
) -> None:
    assert judged(question, notes, answer).confidence != "high"


@pytest.mark.parametrize(
    ("question", "notes", "answer"),
    [
        ("배양기의 온도는?", [INCUBATOR, PCR], "CO2 배양기의 설정값은 온도 37도입니다."),
        ("하루에 몇 번 먹나요?", [MEDICINE], "하루 ③회 식후에 2알씩 먹습니다."),
        ("누가 보고서를 보내나요?", [TEAM], "매주 월요일에 이하준이 김서연에게 보고서를 보냅니다."),
        ("수거는 언제 하나요?", [WASTE], "수거는 매월 첫째 주와 셋째 주 목요일 오전에 합니다."),
        ("How long is the trail?", ["The trail is 1 km long."], "The trail is 1,000 m long."),
        ("How often?", ["Water the plant twice a week."], "Water the plant 2 times a week."),
    ],
)
def test_the_same_in_another_form_stays_high(
    question: str, notes: Sequence[str], answer: str
) -> None:
    assert judged(question, notes, answer).confidence == "high"


@pytest.fixture(scope="module")
def notes() -> dict[str, str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        found: dict[str, str] = runpy.run_path(str(BENCHMARKS / "pairs.py"))["sample_notes"]()
    return found


def high(case: Case, answer: str, notes: dict[str, str]) -> bool:
    given = [notes[name] for name in case["notes"]]
    return judged(case["question"], given, answer).confidence == "high"


# What still passes, such as two names exchanged across sentences or a neighbour in a list.
STILL_HIGH = frozenset(
    """
4월 12일에 상추 모종 40개를 심었다.
박도윤이 책임자이고 김서연이 예산을 맡는다.
Tom Briggs leads the project and Anna Keller manages the budget.
According to the documents, there is no restriction on editing raw data in place.
Note the checksum in the log first, then copy the raw data to the project folder.
RNA는 Ⅳ번 선반에 둔다.
주간 세미나는 현미경 예약 때문에 목요일 오후 4시로 옮긴다.
시료 상자에는 과제 번호 대신 이름과 넣은 날짜를 적는다.
""".strip().splitlines()
)


# The analyser takes 고은별 and 고한별 apart alike, and that a day of opening is none of rest is
# knowledge of words.
STILL_USEFUL = {
    "도서관은 토요일에는 오후 5시까지 엽니다.",
    "고은별은 프랑스에서 3년 동안 배웠습니다.",
}


def test_false_answers_of_every_fault(notes: dict[str, str]) -> None:
    fooled = {case["false"] for case in written("fault") if high(case, case["false"], notes)}
    assert fooled <= STILL_HIGH


def test_sharing_words_with_the_notes_is_never_enough(notes: dict[str, str]) -> None:
    cases = written("overlap")
    assert [case["false"] for case in cases if high(case, case["false"], notes)] == []


def test_the_question_counts(notes: dict[str, str]) -> None:
    """What is true, but not what was asked for, is neither high nor useful."""
    fooled = []
    for case in written("question"):
        given = [notes[name] for name in case["notes"]]
        verdict = judged(case["question"], given, case["false"])
        if verdict.confidence == "high" or verdict.utility >= 0.5:
            fooled.append(case["false"])
    assert set(fooled) <= STILL_USEFUL


@pytest.mark.parametrize(
    ("name", "share"), [("fault", 0.1), ("overlap", 0.3), ("question", 0.2), ("unseen", 0.25)]
)
def test_true_answers_of_the_same_questions_are_seldom_doubted(
    name: str, share: float, notes: dict[str, str]
) -> None:
    cases = [case for case in written(name) if case["true"]]
    doubted = [case["true"] for case in cases if not high(case, case["true"], notes)]
    assert len(doubted) <= len(cases) * share, doubted


def test_the_incubator_does_not_take_the_temperature_of_the_pcr() -> None:
    """72 degrees stand in the notes, but for another thing."""
    verdict = judged("", [INCUBATOR, PCR], "CO2 배양기의 최적 온도는 72도이다")
    assert verdict.confidence != "high"
    assert verdict.correctness < 0.8
    assert any("72도" in issue for issue in verdict.grounding_issues)


@pytest.mark.parametrize(
    "answer", ["CO2 배양기의 최적 온도는 72도이다", "CO2 배양기의 설정값은 온도 37.0도이다."]
)
def test_verdict_and_phases_agree(answer: str) -> None:
    notes = [INCUBATOR, PCR]
    verdict = judged("CO2 배양기의 최적 온도는?", notes, answer)
    reading = Reading(AnswerToJudge.from_texts("", answer, notes))
    grounded = evaluate_groundedness(reading)
    cited = cite(reading)
    if verdict.confidence == "high":
        assert grounded.unsupported_claims == []
        assert all(citation.supported for citation in cited.citations)
    else:
        assert grounded.unsupported_claims


@for_each(
    ("left", "right", "alike"),
    [
        ("이백사십 명", "240명", True),
        ("3억 2천만 원", "320,000,000원", True),
        ("1,000 m", "1 km", True),
        ("twice a week", "2 times a week", True),
        ("4 March 2021", "2021-03-04", True),
        ("오후 2시", "14:00", True),
        ("½", "0.5", True),
        ("Ⅸ", "9", True),
        ("영하 20도", "-20 °C", True),
        ("two hundred and forty people", "240 people", True),
        ("20 mL", "20 L", False),
        ("0.5 mM", "0.5 mm", False),
        ("5월 2일", "5월 3일", False),
        ("오전 2시", "14:00", False),
        ("이틀", "48시간", True),
        ("사흘", "48시간", False),
    ],
)
def test_values_are_the_same_when_they_mean_the_same(left: str, right: str, alike: bool) -> None:
    (one, *_), (other, *_) = values(plain_numerals(left)), values(plain_numerals(right))
    assert same(one, other) is alike


LIES = (
    "어닐링은 72도에서 30초입니다.",
    "신장은 58도에서 1분입니다.",
    "변성은 95도에서 30분입니다.",
)


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("good", ["", "어닐링은 58도에서 30초입니다. ", f"{INCUBATOR} "])
def test_a_contradiction_more_never_raises_the_score(good: str, lie: str) -> None:
    answer = good or "신장은 72도에서 1분입니다. "
    for more in (lie, *LIES):
        before = read(AnswerToJudge.from_texts("", answer, [INCUBATOR, PCR]))
        answer = f"{answer} {more}"
        after = read(AnswerToJudge.from_texts("", answer, [INCUBATOR, PCR]))
        assert correctness(weigh(after), after) <= correctness(weigh(before), before)


def test_the_time_for_a_long_answer_grows_with_its_length() -> None:
    """Sentences of the notes that are looked at for a claim are few, however many there are."""
    notes = [" ".join(f"{n}번 시료는 {n + 20}도에서 {n + 3}분 둔다." for n in range(300))]
    answer = " ".join(f"{n}번 시료는 {n + 20}도에서 둔다." for n in range(60))
    material = read(AnswerToJudge.from_texts("", answer, notes))
    for sentence in material.sentences:
        assert len(material.aligned(sentence).closest) <= 4
