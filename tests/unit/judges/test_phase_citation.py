"""Phase 1: which chunks an answer uses, and whether its citations hold."""

from collections.abc import Sequence

import pytest

from app.judges.answer import AnswerToJudge
from app.judges.phases.citation import Citation, Phase1Result, cite
from app.judges.phases.reading import Reading
from app.text.evidence import Evidence
from cases import for_each
from samples import ABOUT_ALL, ABOUT_PLASTIC, BATTERY, GLASS, PLASTIC

PCR = "변성은 95도에서 30초, 어닐링은 58도에서 30초 진행한다. 시료는 -20도에 보관한다."
MEETING = "예산은 1,200만 원으로 확정되었다. 다음 회의는 4월 10일에 열린다."
NOTES, TITLES = [PCR, MEETING], ["PCR 조건", "주간 회의"]
EVIDENCE = [
    Evidence("pcr", "high", PCR[:40], note_index=1),
    Evidence("meeting", "low", MEETING[:40], note_index=2),
]


def evaluate_citation(
    answer: str, evidence: Sequence[Evidence], notes: Sequence[str], titles: Sequence[str]
) -> Phase1Result:
    return cite(Reading(AnswerToJudge.from_texts("", answer, notes, titles, evidence=evidence)))


def cited(answer: str) -> Phase1Result:
    return evaluate_citation(answer, EVIDENCE, NOTES, TITLES)


@for_each(
    ("answer", "chunks", "relevance", "weighted"),
    [
        (ABOUT_PLASTIC, [PLASTIC], 1 / 3, 1.0),
        ("깨진 거울은 불연성 마대에 담으세요.", [GLASS], 1 / 3, 0.7),
        ("폐건전지는 전용 회수통에 모으세요.", [BATTERY], 1 / 3, 0.4),
        (ABOUT_ALL, [PLASTIC, GLASS, BATTERY], 1.0, 0.7),
        (ABOUT_PLASTIC + " 폐건전지는 전용 회수통에 모으세요.", [PLASTIC, BATTERY], 2 / 3, 0.7),
        ("음식물은 물기를 빼고 내놓습니다.", [], 0.0, 0.0),
        ("", [], 0.0, 0.0),
    ],
)
def test_relevance_counts_chunks_and_weighs_them_by_how_they_were_found(
    answer, chunks, relevance, weighted
):
    every = [PLASTIC, GLASS, BATTERY]
    result = evaluate_citation(answer, every, [], [])
    assert result.cited_chunks == [one.chunk_id for one in chunks]
    assert result.uncited_chunks == [one.chunk_id for one in every if one not in chunks]
    assert result.context_relevance == pytest.approx(relevance)
    assert result.citation_relevance == pytest.approx(weighted)
    assert result.score == result.context_relevance


def test_a_word_that_many_sentences_have_cites_nothing():
    quote = PLASTIC._replace(quoted_text="용기는 깨끗이 헹구고 라벨을 떼어 배출한다")
    answer = "음식물 쓰레기는 물기를 빼고 전용 봉투에 담아 저녁에 배출한다."
    assert evaluate_citation(answer, [quote], [], []).cited_chunks == []


def test_particles_and_endings_do_not_hide_a_citation():
    quote = PLASTIC._replace(quoted_text="라벨을 제거한다, 뚜껑은 분리한다")
    answer = "라벨은 제거하시고 뚜껑도 분리하셔야 해요."
    assert evaluate_citation(answer, [quote], [], []).cited_chunks == [PLASTIC.chunk_id]


def test_without_evidence_the_relevances_are_zero_and_there_is_no_score():
    result = evaluate_citation(ABOUT_PLASTIC, [], [], [])
    assert (result.context_relevance, result.citation_relevance) == (0.0, 0.0)
    assert result.score is None


@for_each(
    "answer",
    [
        "전혀 다른 이야기입니다. [노트 1]",
        "Something else entirely. [Note 1]",
        "전혀 다른 이야기입니다. (노트 1)",
        "전혀 다른 이야기입니다. [PCR 조건]",
        "전혀 다른 이야기입니다. [pcr]",
    ],
)
def test_a_mark_cites_the_chunk_whatever_its_words(answer):
    assert cited(answer).cited_chunks == ["pcr"]


def test_each_citation_says_whether_its_note_supports_the_sentence():
    answer = "어닐링은 58도에서 진행합니다 [노트 1]. 예산은 1,300만 원입니다 [노트 2]."
    first, second = cited(answer).citations
    assert answer[first.start : first.end] == "어닐링은 58도에서 진행합니다 [노트 1]."
    assert (first.note_index, first.marked, first.supported) == (1, True, True)
    assert first.quote == "변성은 95도에서 30초, 어닐링은 58도에서 30초 진행한다."
    assert answer[second.start : second.end] == "예산은 1,300만 원입니다 [노트 2]."
    assert (second.note_index, second.marked, second.supported) == (2, True, False)
    assert second.quote in MEETING


@for_each(
    ("answer", "supported"),
    [
        ("어닐링은 58도에서 진행합니다. [노트 2]", [False]),
        ("어닐링은 58도이고 예산은 1,200만 원입니다. [노트 1, 2]", [True, True]),
        ("어닐링 온도는 노트에서 찾을 수 없습니다. [노트 1]", [None]),
        ("Annealing runs at 58 degrees. [노트 1]", [None]),
        ("Annealing runs at 62 degrees. [노트 1]", [False]),
    ],
)
def test_support_of_marked_sentences(answer, supported):
    assert [citation.supported for citation in cited(answer).citations] == supported


def test_an_unmarked_sentence_cites_the_note_it_rests_on():
    answer = "시료는 -20도에 보관합니다."
    assert cited(answer).citations == [
        Citation(1, 0, len(answer), marked=False, supported=True, quote="시료는 -20도에 보관한다.")
    ]


def test_headings_questions_and_greetings_cite_nothing_by_their_words():
    assert cited("## 시료 보관\n안녕하세요! 예산은 확정되었나요?").citations == []


def test_a_mark_to_a_missing_note_is_an_issue_once():
    result = cited("시료는 -20도에 보관합니다 [노트 99]. 58도입니다 [노트 99]. 예산 [노트 7].")
    assert result.issues == ["citation_unknown_note:99", "citation_unknown_note:7"]
    assert [one.supported for one in result.citations] == [False, False, False]
    assert result.cited_chunks == []


def test_a_missing_note_is_not_taken_for_a_quote_without_a_note():
    result = evaluate_citation(
        "전혀 다른 이야기입니다. [노트 3]", [*EVIDENCE, GLASS], NOTES, TITLES
    )
    assert result.cited_chunks == []
    assert result.issues == ["citation_unknown_note:3"]


def test_a_year_in_brackets_is_no_mark():
    assert cited("예산은 확정되었다 [2024]. 시료는 -20도에 보관한다 [123].").issues == []


def test_evidence_without_text_counts_and_is_cited_by_its_note_or_id():
    silent = [Evidence("a", "low", "", note_index=2), Evidence("b", "medium", " ")]
    assert evaluate_citation("예산은 1,200만 원입니다.", silent, NOTES, []).cited_chunks == ["a"]
    assert evaluate_citation("다른 이야기 [b]", silent, NOTES, []).cited_chunks == ["b"]
    assert evaluate_citation("다른 이야기", silent, [], []).uncited_chunks == ["a", "b"]
