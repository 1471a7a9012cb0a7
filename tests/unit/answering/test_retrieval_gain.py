"""Targeted retrieval, precision and recall of a refinement's searches, worked out by hand."""

from collections.abc import Sequence

import pytest

from app.answering.refine.state import Iteration, RefinementState
from app.answering.refine.store import RetrievalGain, retrieval_gain
from app.judges.published.refinement import Document, EvaluationResult, result

QUESTION = "배지의 보관 온도는?"
TEMPERATURE = Document(id="1", title="배지", content="배지는 보관 온도가 4도이다.")
EXPIRY = Document(id="2", title="기한", content="개봉한 시약의 사용 기한은 두 달이다.")
GLOVES = Document(id="3", title="장갑", content="장갑은 서랍에 있다.")


def missing(*items: str) -> EvaluationResult:
    return result(
        *(0.2, 0.2, 0.2),
        missing_info=items,
        improvement_suggestions=[],
        reason="",
        heuristic=False,
        threshold=0.5,
    )


def rounds(*found: tuple[Sequence[Document], EvaluationResult | None]) -> RefinementState:
    return RefinementState(
        question=QUESTION,
        iterations=tuple(
            Iteration(query="?", documents=tuple(documents), answer="", evaluation=evaluation)
            for documents, evaluation in found
        ),
    )


def test_relevance_by_words_is_pooled_over_all_rounds():
    state = rounds(
        ([TEMPERATURE, GLOVES], missing("시약 사용 기한", "멸균 방법")),
        ([TEMPERATURE, EXPIRY], None),
    )
    assert retrieval_gain(state) == RetrievalGain("words", 0.5, 0.5, 0.5, 1.0, 1.0)


def test_a_dataset_knows_better():
    state = rounds(([GLOVES], missing("시약 사용 기한")), ([TEMPERATURE, EXPIRY], None))
    gain = retrieval_gain(state, frozenset({"2", "not found"}))
    assert gain == RetrievalGain("ground_truth", 1.0, 0.0, 0.0, 0.5, 0.5)


def test_a_search_that_finds_nothing_has_no_precision():
    state = rounds(([TEMPERATURE], missing("시약 사용 기한")), ([], None))
    assert retrieval_gain(state) == RetrievalGain("words", 0.0, 1.0, 1.0, None, 0.0)


@pytest.mark.parametrize(
    "second", [None, Iteration(query="?", searched=False, documents=(GLOVES,))]
)
def test_without_a_second_search_there_is_nothing_to_compare(second):
    state = rounds(([TEMPERATURE, GLOVES], missing("시약 사용 기한")))
    if second:
        state = state.with_iteration(second)
    assert retrieval_gain(state) == RetrievalGain("words", None, 0.5, 1.0, None, None)


def test_without_notes_nothing_is_measured():
    assert retrieval_gain(rounds(([], missing()))) == RetrievalGain()
