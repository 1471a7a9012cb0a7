"""Phase 2 by rules without a domain: the parts of the question are the nuggets."""

from app.judges.answer import AnswerToJudge
from app.judges.phases.asked_nuggets import completeness_of_question
from app.judges.phases.completeness import Phase2Result
from app.judges.phases.reading import Reading
from app.judges.phases.run import run_phases
from cases import for_each
from samples import GENERIC, PACK

NOTE = (
    "변성은 95도에서 30초 동안 한다. 어닐링은 58도에서 20초 진행한다."
    " 김민수 과장이 2024년 3월에 3층 실험실에서 시작했다."
)
ENGLISH = (
    "Denaturation runs at 95 degrees for 30 seconds."
    " Kim Minsu started it in March 2024 in the lab on the third floor."
)
REFUSAL = "제공된 노트에서는 이 질문의 답을 찾을 수 없습니다."


def completeness(question: str, answer: str, note: str = NOTE) -> Phase2Result:
    given = AnswerToJudge.from_texts(question, answer, [note])
    return completeness_of_question(Reading(given))


@for_each(
    ("question", "parts"),
    [
        ("변성 온도는 몇 도인가요?", ["변성 온도"]),
        ("변성 온도와 시간은?", ["변성 온도", "시간"]),
        ("변성 온도와 어닐링 온도를 알려 주세요.", ["변성 온도", "어닐링 온도"]),
        ("사과 보관 온도, 습도 및 기간은?", ["사과 보관 온도", "습도", "기간"]),
        ("누가 언제 시작했나요?", ["누구", "시점"]),
        ("변성은 몇 도인가요? 어닐링은 몇 초인가요?", ["변성", "어닐링"]),
        ("출장을 다녀왔습니다. 숙박비는 얼마까지 정산되나요?", ["숙박비"]),
        ("로터의 제조사는 어디인가요?", ["로터의 제조사"]),
        ("DNA와 RNA의 차이는?", ["DNA와 RNA의 차이"]),
        ("다라에서는 고무탄과 무엇을 썼나요?", ["다라에서는 고무탄과 무엇을 썼나요"]),
        ("PCR 변성 온도", ["PCR 변성 온도"]),
        ("What are the temperature and the time of it?", ["temperature", "time"]),
        ("Who started it and when?", ["Who started it", "when"]),
        ("How long is it, and at what temperature?", ["How long is it", "at what temperature"]),
        ("What is the prevention and control act?", ["What is the prevention and control act"]),
        ("What do I do when it is cold?", ["What do I do when it is cold"]),
    ],
)
def test_the_parts_of_a_question(question, parts):
    assert [nugget.text for nugget in completeness(question, "").nuggets] == parts


@for_each(
    ("question", "answer", "score", "missing"),
    [
        ("변성 온도와 시간은?", "변성은 95도에서 30초 동안 합니다.", 1.0, []),
        ("변성 온도와 시간은?", "변성은 95도에서 합니다.", 0.5, ["시간"]),
        ("변성 온도와 시간은?", "95도, 30초입니다.", 1.0, []),
        ("변성 온도와 어닐링 온도는?", "변성은 95도에서 합니다.", 0.5, ["어닐링 온도"]),
        ("누가 언제 시작했나요?", "김민수 과장이 시작했습니다.", 0.5, ["시점"]),
        ("누가 언제 시작했나요?", "김민수 과장이 2024년 3월에 시작했습니다.", 1.0, []),
        ("변성 온도는?", REFUSAL, 0.0, ["변성 온도"]),
        ("변성 온도는?", "", 0.0, ["변성 온도"]),
        ("로터의 제조사는 어디인가요?", "변성은 95도에서 합니다.", 0.0, ["로터의 제조사"]),
        ("로터를 설명해 주세요.", "변성은 95도에서 합니다.", 0.0, ["로터를 설명해 주세요"]),
    ],
)
def test_a_part_is_given_or_missing(question, answer, score, missing):
    result = completeness(question, answer)

    assert (result.completeness, result.missing_nuggets) == (score, missing)
    assert {nugget.source for nugget in result.nuggets} == {"rules"}


@for_each(
    ("answer", "score"),
    [
        ("Kim Minsu started it in March 2024.", 1.0),
        ("Kim Minsu started it.", 0.5),
        ("The notes do not answer this.", 0.0),
    ],
)
def test_english_parts(answer, score):
    assert completeness("Who started it and when?", answer, ENGLISH).completeness == score


@for_each("question", ["안녕하세요", "요약해 줘", "???", "Thank you!"])
def test_nothing_asked_is_nothing_to_check(question):
    assert completeness(question, "변성은 95도입니다.") == Phase2Result(None, [], [], [])


def test_next_steps_offer_what_the_answer_lacks():
    subject = AnswerToJudge.from_texts("변성 온도와 시간은?", "변성은 95도에서 합니다.", [NOTE])
    result = run_phases(GENERIC, {"completeness", "next_steps"}, Reading(subject))

    assert result.phase2.completeness == 0.5
    assert result.phase4.suggested_queries == ["“시간”에 대해서도 알려 드릴까요?"]


def test_the_nuggets_of_a_domain_come_first():
    subject = AnswerToJudge.from_texts("라벨은?", "라벨을 떼세요.", ["라벨을 뗀다."])
    result = run_phases(PACK, {"completeness"}, Reading(subject))

    assert [one.text for one in result.phase2.nuggets] == [one.name for one in PACK.nuggets]
