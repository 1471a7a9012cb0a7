"""Phase 3 by rules: claims of an answer, and whether the sources bear them."""

import pytest

from app.judges.answer import AnswerToJudge
from app.judges.phases.groundedness import Phase3Result, evaluate_groundedness
from app.judges.phases.reading import Reading
from app.text.evidence import Evidence
from app.text.language import Lang
from cases import for_each

PCR = """PCR 조건
- 변성: 95도 30초
- 어닐링: 58도 30초
시료는 사용 전까지 -20도에 보관한다. 장갑을 끼고 다룬다."""
MEETING = "4월 3일 회의. 김민수가 예산안을 발표했다. 예산은 1,200만 원으로 확정되었다."
LAB = "The autoclave must run at 121 degrees for 20 minutes. Maria Lopez keeps the key."
QUESTION = "어닐링 온도는 몇 도인가요?"


def checked(answer: str, *notes: str, question: str = QUESTION, lang: Lang = "ko") -> Phase3Result:
    given = AnswerToJudge.from_texts(question, answer, notes or (PCR, MEETING), lang=lang)
    return evaluate_groundedness(Reading(given))


def verdicts(answer: str, *notes: str) -> list[str]:
    return [claim.verdict for claim in checked(answer, *notes).claims]


@for_each(
    ("sentence", "verdict"),
    [
        ("어닐링은 58도에서 30초 동안 진행합니다.", "supported"),
        ("예산은 1200만 원으로 확정됐어요.", "supported"),
        ("장갑을 끼고 다루세요.", "supported"),
        ("어닐링은 62도에서 진행합니다.", "unsupported"),
        ("시료는 20도에 보관합니다.", "unsupported"),
        ("박지훈 교수가 예산안을 발표했습니다.", "unsupported"),
        ("예산은 확정되지 않았다.", "unsupported"),
        ("효소는 얼음 위에서 천천히 녹인다.", "unsupported"),
        ("시료는 냉동고 안쪽 선반에 사용 전까지 보관합니다.", "partly"),
    ],
)
def test_korean_claims(sentence, verdict):
    assert verdicts(sentence) == [verdict]


@for_each(
    ("sentence", "verdict"),
    [
        ("The autoclave runs at 121 degrees for 20 minutes.", "supported"),
        ("Maria Lopez keeps the key.", "supported"),
        ("The autoclave runs at 134 degrees.", "unsupported"),
        ("John Smith keeps the key.", "unsupported"),
    ],
)
def test_english_claims(sentence, verdict):
    question = "How is the autoclave used?"
    result = checked(sentence, LAB, question=question, lang="en")
    assert [claim.verdict for claim in result.claims] == [verdict]


@for_each(
    "sentence",
    [
        "안녕하세요!",
        "좋은 질문입니다.",
        "더 궁금한 점이 있으신가요?",
        "시료 보관 방법도 알려드릴까요",
        "궁금한 점은 언제든 질문해 주세요.",
        "도움이 되셨길 바랍니다.",
        "어닐링 조건은 다음과 같습니다:",
        "노트에서 어닐링 시간을 찾을 수 없습니다.",
        "제 생각에는 효소를 바꾸는 것이 좋습니다.",
        "담당자에게 문의하세요.",
        "프라이머를 새로 설계해 보세요.",
        "## 시료 보관",
        "Hello!",
        "I hope this helps.",
        "Would you like to know more about the samples?",
        "Please contact the lab manager.",
        "I recommend a new primer.",
        "The notes do not mention the enzyme.",
        "",
        "  \n",
        "[노트 1]",
        "…?!",
    ],
)
def test_what_claims_nothing_is_nothing_to_check(sentence):
    result = checked(sentence)
    assert result.claims == []
    assert result.groundedness is None
    assert result.score is None


@for_each(
    "sentence",
    [
        "하루 3,000mg까지 복용하시는 것이 좋습니다.",
        "효소를 바꾸는 것을 추천합니다 [노트 1].",
        "라벨을 제거하세요.",
    ],
)
def test_advice_with_a_number_or_mark_and_instructions_are_claims(sentence):
    assert verdicts(sentence) == ["unsupported"]


def test_groundedness_is_the_share_of_supported_claims():
    answer = (
        "안녕하세요! 어닐링은 58도에서 30초 동안 진행합니다. [노트 1] 예산은 1,300만 원으로 "
        "확정되었습니다 [노트 2]. 시료는 냉동고 안쪽 선반에 사용 전까지 보관합니다. "
        "더 궁금하신가요?"
    )
    result = checked(answer)
    assert result.groundedness == pytest.approx(1 / 3)
    assert result.supported_claims == ["어닐링은 58도에서 30초 동안 진행합니다."]
    assert result.unsupported_claims == [
        "예산은 1,300만 원으로 확정되었습니다",
        "시료는 냉동고 안쪽 선반에 사용 전까지 보관합니다.",
    ]
    assert result.flags == []


def test_each_claim_has_its_place_its_note_and_a_quote_of_it():
    answer = "**어닐링**: 58도 30초 [노트 1]\n\n예산은 1,200만 원입니다. [노트 2]"
    for claim, note, text in zip(checked(answer).claims, (PCR, MEETING), (1, 2), strict=True):
        assert answer[claim.start : claim.end] == claim.text
        assert "노트" not in claim.text
        assert claim.note_index == text
        assert claim.quote
        assert claim.quote in note
        assert claim.quote_found is True
        assert claim.source == "rules"


def test_the_same_sentence_twice_has_two_places():
    answer = "어닐링은 58도에서 합니다. 예산은 확정되었다. 어닐링은 58도에서 합니다."
    first, _, last = checked(answer).claims
    assert first.text == last.text
    assert (first.start, last.start) == (0, answer.rindex("어닐링"))


def test_a_claim_of_another_note_than_the_cited_one_is_misattributed():
    (claim,) = checked("어닐링은 58도에서 30초 진행합니다. [노트 2][노트 9]").claims
    assert (claim.verdict, claim.fault, claim.note_index) == ("partly", "misattributed", 1)
    (claim,) = checked("어닐링은 58도에서 30초 진행합니다. [노트 1][노트 9]").claims
    assert (claim.verdict, claim.fault) == ("supported", None)


@for_each(
    ("answer", "fault"),
    [
        ("어닐링은 62도에서 30초 진행합니다.", "contradicted"),
        ("어닐링은 58도에서 30초 진행하지 않습니다.", "contradicted"),
        ("김민수 교수가 어닐링 조건을 처음 제안했습니다.", "not_in_notes"),
    ],
)
def test_doubtful_claims_have_a_fault(answer, fault):
    (claim,) = checked(answer).claims
    assert (claim.verdict == "supported", claim.fault) == (False, fault)


def test_reasons_are_in_the_language_of_the_reader():
    assert (
        checked("어닐링은 62도에서 한다.")
        .claims[0]
        .reasoning.startswith("노트에 없는 숫자입니다: 62")
    )
    assert (
        checked("어닐링은 62도에서 한다.", lang="en")
        .claims[0]
        .reasoning.startswith("the notes do not have this number: 62")
    )


@for_each(
    "answer",
    [
        "アニーリングは58度で30秒間行います。試料は使うまで保管します。",
        "Die Temperatur ist 58 Grad und die Proben werden mit Handschuhen gelagert.",
        "La température est de 58 degrés et les échantillons sont dans le congélateur.",
        "变性之后的退火温度是58度。",
        "Температура отжига 58 градусов.",
        "Annealing runs at 58 degrees.",
    ],
)
def test_another_language_than_that_of_the_notes_cannot_be_measured(answer):
    result = checked(answer)
    assert result.groundedness is None
    assert result.flags == ["language_not_comparable"]
    assert result.claims == []


def test_a_number_that_is_nowhere_is_found_in_any_language():
    wrong = "Die Temperatur ist 62 Grad und nicht zu hoch."
    result = checked(f"{wrong} Die Proben werden mit Handschuhen gelagert.")
    assert result.groundedness is None
    assert result.unsupported_claims == [wrong]


def test_an_answer_in_a_third_language_is_compared_with_notes_in_it():
    note = "Die Proben werden bei 4 Grad gelagert und sind mit Datum zu beschriften."
    assert verdicts("Die Proben werden bei 4 Grad gelagert und sind beschriftet.", note) == [
        "supported"
    ]


@pytest.mark.parametrize("notes", [[], ["", " \n"]])
def test_without_sources_there_is_nothing_to_check_by(notes):
    result = evaluate_groundedness(
        Reading(AnswerToJudge.from_texts(QUESTION, "58도입니다.", notes))
    )
    assert (result.groundedness, result.claims, result.flags) == (None, [], ["no_sources"])


def test_quotes_of_evidence_without_a_note_are_sources_too():
    quote = Evidence("pcr", "high", "어닐링은 58도에서 30초 진행한다", method="client")
    given = AnswerToJudge.from_texts(
        QUESTION, "어닐링은 58도에서 진행합니다.", [MEETING], evidence=[quote]
    )
    (claim,) = evaluate_groundedness(Reading(given)).claims
    assert (claim.verdict, claim.note_index) == ("supported", None)
    assert claim.quote == quote.quoted_text
