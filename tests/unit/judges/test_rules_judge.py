"""The offline judge on Korean and English examples."""

import asyncio
import re

import pytest

from app.judges.answer import AnswerToJudge, SearchQAEvaluation
from app.judges.answer_parts import cited_notes, without_marks
from app.judges.checklists import CHECKLISTS
from app.judges.judge import Judgement
from app.judges.rules.checklist import CHECKS, check
from app.judges.rules.find import RULES
from app.judges.rules.judge import judge
from app.judges.rules.vocabulary import is_refusal, measures
from app.verdicts.judging.rules_verdict import judge_by_rules
from samples import PACK

PCR = """PCR 실험 조건
- 변성: 95도 30초
- 어닐링: 58도 30초
- 신장: 72도 1분
총 35회 반복한다. 시료는 사용 전까지 -20도에 보관한다."""
MEETING = (
    "4월 3일 주간 회의. 김민수가 예산안을 발표했다. 예산은 1,200만 원으로 확정되었다. "
    "다음 회의는 4월 10일 오후 2시에 열린다."
)
LAB = (
    "The autoclave must run at 121 degrees for 20 minutes. Do not open the door before the "
    "pressure drops to zero. Maria Lopez keeps the key."
)
KOREAN, ENGLISH = [PCR, MEETING], [LAB, "The kitchen is on the second floor."]


def notes_for(question: str) -> list[str]:
    return ENGLISH if question.isascii() else KOREAN


async def judged(question: str, answer: str) -> SearchQAEvaluation:
    notes = notes_for(question)
    lang = "ko" if notes is KOREAN else "en"
    given = AnswerToJudge.from_texts(question, answer, notes, lang=lang)
    return await asyncio.to_thread(judge, given)


@pytest.mark.parametrize(
    ("question", "answer", "cited"),
    [
        ("어닐링 온도는 몇 도인가요?", "어닐링: 58도 30초 [노트 1]", [1]),
        ("어닐링 온도는 몇 도인가요?", "어닐링은 58도에서 30초 동안 진행합니다. [노트 1]", [1]),
        ("예산은 얼마로 확정되었나요?", "예산은 1200만 원으로 확정되었습니다 [노트 2].", [2]),
        ("시료는 어디에 보관하나요?", "시료는 사용 전까지 -20도에 보관합니다.", [1]),
        (
            "시료 보관과 다음 회의 일정은?",
            "시료는 -20도에 보관합니다 [노트 1]. 다음 회의는 4월 10일 오후 2시입니다 [노트 2].",
            [1, 2],
        ),
        ("How hot must the autoclave be?", "The autoclave must run at 121 degrees [Note 1].", [1]),
        ("Who keeps the key?", "Maria Lopez keeps the key. [1]", [1]),
    ],
)
async def test_a_grounded_answer_has_high_confidence(question, answer, cited):
    result = await judged(question, answer)
    assert result.correctness >= 0.9
    assert result.confidence == "high"
    assert result.grounding_issues == []
    assert [source.note_index for source in result.source_coverage if source.cited] == cited
    for source in result.source_coverage:
        assert source.quote_found is (True if source.cited else None)
        assert source.quote in notes_for(question)[source.note_index - 1]
        assert source.relevant_claim in answer


# A question, its answer with what is invented marked, and the reason, or - for any.
INVENTED = """
어닐링 온도는 몇 도인가요?
어닐링은 58도에서 30초 동안 진행합니다. [노트 1] <프라이머 농도가> 높으면 비특이적 증폭이 생길 수 있으므로 주의해야 합니다.
노트에 없는 내용입니다

어닐링 온도는 몇 도인가요?
<어닐링은 62도>에서 30초 동안 진행합니다. [노트 1]
노트에 없는 숫자입니다: 62

변성은 얼마나 하나요?
변성은 95도에서 <30분>입니다. [노트 1]
단위나 부호가 다릅니다

누가 예산안을 발표했나요?
<박서준> 팀장이 예산안을 발표했다.
없는 이름

예산은 확정되었나요?
예산은 1200만 원으로 <확정되지> 않았습니다 [노트 2].
긍정·부정이 반대

다음 회의는 언제인가요?
다음 회의는 4월 10일 <오전 2시>에 열립니다. [노트 2]
오전 2시 ↔ 오후 2시

예산은 확정되었나요?
예산은 1200만 원으로 확정되었습니다 <[노트 7]>.
없는 노트

예산은 확정되었나요?
예산은 1200만 원으로 확정되었습니다 <[노트 1]>.
다른 노트

How hot must the autoclave be?
The autoclave runs at 121 degrees for 20 minutes. <It was bought> in 2019 from Siemens and repaired twice.
the notes do not have this number: 2019; the notes do not have this name: Siemens

How long must the autoclave run?
The autoclave must run for <20 hours>. [Note 1]
the notes give another unit or sign: 20 hours

When may I open the door?
<You may open> the door before the pressure drops to zero. [1]
the notes say the contrary: Do not open

When may I open the door?
Do not open the door <after the pressure> drops to zero.
-

Who keeps the key?
<John> Smith keeps the key. [Note 9]
cites a note that does
"""  # noqa: E501


@pytest.mark.parametrize("case", INVENTED.strip().split("\n\n"))
async def test_an_invented_sentence_is_listed_with_its_reason(case):
    question, marked, reason = case.splitlines()
    before, sentence, after = re.split("[<>]", marked)
    result = await judged(question, before + sentence + after)
    assert result.correctness < 0.8
    assert result.confidence != "high"
    (issue,) = result.grounding_issues
    assert sentence in issue
    assert reason.removeprefix("-") in issue
    assert result.flags == []


async def test_wholly_invented_and_off_topic_is_low():
    result = await judged(
        "시료는 어디에 보관하나요?",
        "화성 탐사선은 작년에 발사되어 여러 장비를 싣고 붉은 행성으로 향했습니다.",
    )
    assert result.confidence == "low"
    assert result.utility <= 0.3
    assert not any(source.cited for source in result.source_coverage)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("시약은 누가 주문했나요?", "노트에 없습니다."),
        ("시약은 누가 주문했나요?", "제공된 노트에서 관련 정보를 찾을 수 없습니다."),
        ("시약은 누가 주문했나요?", "노트에는 시약 주문에 대한 내용이 언급되어 있지 않습니다."),
        ("Who keeps the spare filter?", "The notes do not mention who keeps the spare filter."),
        ("Who keeps the spare filter?", "I cannot find this in the notes."),
    ],
)
async def test_an_honest_refusal_is_correct_but_useless(question, answer):
    result = await judged(question, answer)
    assert result.correctness >= 0.95
    assert result.utility < 0.3
    assert result.grounding_issues == []
    assert not any(source.cited for source in result.source_coverage)


@pytest.mark.parametrize(
    ("question", "whole", "part", "none"),
    [
        (
            "시료 보관과 다음 회의 일정은?",
            "시료는 -20도에 보관합니다. 다음 회의는 4월 10일 오후 2시입니다.",
            "시료는 -20도에 보관합니다.",
            "예산은 1,200만 원으로 확정되었습니다.",
        ),
        (
            "How hot must the autoclave be and who keeps the key?",
            "The autoclave must run at 121 degrees. Maria Lopez keeps the key.",
            "The autoclave must run at 121 degrees.",
            "The kitchen is on the second floor.",
        ),
    ],
)
async def test_utility_falls_with_what_is_left_unanswered(question, whole, part, none):
    complete, partial, beside = [await judged(question, one) for one in (whole, part, none)]
    assert complete.utility > partial.utility > beside.utility
    assert min(one.correctness for one in (complete, partial, beside)) > 0.9


@pytest.mark.parametrize(
    ("text", "refuses"),
    [
        ("노트에는 없지만 보통 영하 80도 냉동고에 보관합니다.", False),
        ("The notes do not say, but it is usually 80 degrees.", False),
        ("시료는 -20도에 보관하지 않습니다.", False),
        ("관련 기록을 찾지 못했습니다.", True),
        ("**알 수 없습니다.**", True),
    ],
)
def test_only_a_refusal_and_nothing_else_is_one(text, refuses):
    assert is_refusal(text) is refuses


@pytest.mark.parametrize("answer", ["", "  \n", "[노트 1]", "…"])
async def test_an_empty_answer_is_neither_right_nor_useful(answer):
    result = await judged("시료는 어디에 보관하나요?", answer)
    assert (result.correctness, result.utility, result.confidence) == (0, 0, "low")
    assert result.grounding_issues == ["답변이 비어 있습니다."]


async def test_another_language_than_the_question():
    result = await judged("시료는 어디에 보관하나요?", "Samples are kept at -20 degrees. [노트 1]")
    assert result.utility < 0.5
    assert result.correctness < 0.8
    assert "다른 언어" in result.summary
    invented = await judged("시료는 어디에 보관하나요?", "Samples are kept at -85 degrees.")
    assert invented.correctness < result.correctness
    assert any("85" in issue for issue in invented.grounding_issues)


async def test_more_invention_never_scores_better():
    good = "어닐링은 58도에서 30초입니다. [노트 1]"
    invented = " 이 조건은 1998년 독일 연구진이 처음 제안했습니다."
    more = " 이후 전 세계 병원에서 표준 절차로 채택되었습니다."
    answers = (good, good + invented, good + invented + more)
    scores = [(await judged("어닐링 조건은?", answer)).correctness for answer in answers]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 3


async def test_a_bad_score_is_never_without_an_issue():
    answer = " ".join(["오늘 시료를 조심히 옮겼다.", "회의 전 예산을 살폈다."] * 12)
    result = await judged("무엇을 했나요?", answer)
    assert result.correctness < 0.8
    assert result.grounding_issues
    assert result.flags == []


@pytest.mark.parametrize("notes", [[], ["", " \n"]])
def test_no_verdict_without_notes(notes):
    given = AnswerToJudge.from_texts("질문?", "답", notes)
    assert judge_by_rules(PACK, given, ("search_qa",)) == Judgement()


async def test_a_question_for_a_number_wants_one():
    with_number = await judged("다음 회의는 언제 열리나요?", "다음 회의는 4월 10일에 열립니다.")
    without = await judged("다음 회의는 언제 열리나요?", "다음 회의가 열립니다.")
    assert without.utility < with_number.utility


async def test_judges_side_by_side_give_the_same_verdict():
    answer = "어닐링은 62도에서 30초 동안 진행합니다. [노트 1]"
    verdicts = await asyncio.gather(*(judged("어닐링 온도는?", answer) for _ in range(8)))
    assert all(verdict == verdicts[0] for verdict in verdicts)


@pytest.mark.parametrize(
    ("sentence", "notes", "rest"),
    [
        ("58도 [노트 1]", [1], "58도"),
        ("58도 [노트 1, 2]", [1, 2], "58도"),
        ("58도 [노트 1, 노트 3][노트 2].", [1, 3, 2], "58도  ."),
        ("58 degrees [Note 2] (note 1)", [2, 1], "58 degrees"),
        ("58도 [1][12]", [1, 12], "58도"),
        ("노트 1에 따르면 58도", [], "에 따르면 58도"),
        ("[2024] 연도와 [확인 필요] 표시", [], "[2024] 연도와 [확인 필요] 표시"),
    ],
)
def test_citation_marks(sentence, notes, rest):
    assert list(cited_notes(sentence)) == notes
    assert without_marks(sentence).split() == rest.split()


def test_measures_are_the_same_in_all_spellings():
    assert measures("72 °C, 72도, 72℃") == {("72", "도")}
    assert measures("1,200 mg 20 minutes 3.5mL") == {("1200", "mg"), ("20", "분"), ("3.5", "ml")}


def test_every_rule_can_be_told_apart_and_weighs_something():
    assert len({rule.name for rule in RULES}) == len(RULES)
    assert all(rule.weight > 0 for rule in RULES)


@pytest.mark.parametrize(
    ("feature", "question", "answer", "notes", "passed"),
    [
        ("search_qa", "어닐링 온도는?", "어닐링: 58도 30초 [노트 1]", KOREAN, [1, 1, 1, 1]),
        ("search_qa", "어닐링 온도는?", "어닐링: 58도 30초", KOREAN, [1, 1, 0, 1]),
        ("search_qa", "어닐링 온도는?", "어닐링: 64도 30초 [노트 1]", KOREAN, [1, 0, 1, 0]),
        ("search_qa", "시약 주문자는?", "노트에서 찾을 수 없습니다.", KOREAN, [0, 1, 0, 1]),
        ("search_qa", "어닐링 온도는?", "", KOREAN, [0, 0, 0, 0]),
        (
            "insight",
            "예산",
            "예산은 1,200만 원으로 확정되었다.\n회의는 4월 10일.",
            KOREAN,
            [1, 1, 1, 1],
        ),
        (
            "writing",
            "봄 소풍 안내문",
            "봄 소풍을 갑니다. 봄 소풍을 갑니다. 그리고",
            [],
            [1, 1, 0, 0],
        ),
        ("writing", "봄 소풍 안내문", "Dear parents, we go out.", [], [0, 0, 1, 1]),
        (
            "summarize",
            MEETING,
            "예산이 1,200만 원으로 확정되었고 다음 회의는 4월 10일.",
            [],
            [1, 1, 1, 1],
        ),
        ("summarize", MEETING, MEETING + " 화성 탐사선이 발사되었다.", [], [1, 0, 0, 1]),
    ],
)
def test_checklists_by_rules(feature, question, answer, notes, passed):
    result = check(AnswerToJudge.from_texts(question, answer, notes, feature=feature))
    assert [int(item.passed) for item in result.items] == passed
    assert result.pass_ratio == sum(passed) / len(passed)
    assert result.passed is (result.pass_ratio >= 0.75)
    assert all(item.reason for item in result.items)


def test_titles_in_the_answer_name_sources():
    answer = "PCR 조건 노트에 따르면 어닐링은 58도입니다."
    for titles, named in ([["PCR 조건", "회의"], True], [["", "회의"], False]):
        result = check(AnswerToJudge.from_texts("어닐링?", answer, KOREAN, titles))
        assert result.items[2].passed is named


def test_unknown_features_have_no_checklist():
    assert check(AnswerToJudge("q", "a", lang="en", feature="translate")) is None


def test_every_item_of_every_checklist_has_its_check():
    assert CHECKS.keys() == CHECKLISTS.keys()
    for feature, by_lang in CHECKLISTS.items():
        assert len(CHECKS[feature]) == len(by_lang["ko"].items)


@pytest.mark.parametrize(
    ("claim", "sound"),
    [
        ("cDNA can be stored at -20 °C for up to six months. [노트 1]", True),
        ("cDNA can be stored at -20도 for up to six months. [노트 1]", True),
        ("cDNA can be stored at 20 °C for up to six months. [노트 1]", False),
    ],
)
def test_degrees_are_one_unit_and_their_sign_counts(claim, sound):
    note = "cDNA can be stored at -20 °C for up to six months."

    verdict = judge(
        AnswerToJudge.from_texts("How long can cDNA be stored?", claim, [note], ["cDNA"], lang="en")
    )

    assert (verdict.grounding_issues == []) is sound
    assert (verdict.confidence == "high") is sound


def test_claims_of_one_word_are_judged_as_far_as_time_allows():
    answer = "\n".join(f"항목{number}." for number in range(4_000))
    extent = judge(AnswerToJudge.from_texts("무엇이 있나요?", answer, ["표입니다."])).extent
    assert 0 < extent.judged_answer_chars < len(answer)
