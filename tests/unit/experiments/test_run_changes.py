"""What became of single cases between two runs, and which runs can be compared at all."""

import datetime as dt
import uuid
from typing import Any

import pytest

from app.experiments.models import EvalResult
from app.experiments.runs.changes import ChangeKind, ComparedCases, compare_cases
from app.experiments.runs.comparison import compare_results, compare_with_baseline
from app.experiments.runs.likeness import ANSWER_MEANS, ComparedRun, Measured, state_of
from app.platform.errors import Conflict
from app.quality.metrics.retrieval import MEANS
from app.quality.metrics.statistics import holm

RUN: dict[str, Any] = {
    "dataset_id": None,
    "dataset_name": "lab",
    "dataset_version": 1,
    "k": 5,
    "evaluation_type": "full_rag",
    "retrieval": "text",
    "embedding_model": None,
    "answer_model": "openai:a",
    "judge_model": "openai:judge",
    "prompt_version": "p-1",
    "created_at": dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
}


def case(position: int, **changes: Any) -> EvalResult:
    values: dict[str, Any] = {
        "question": f"q{position}?",
        "ground_truth_chunk_ids": [f"c{position}"],
        "missing_chunk_ids": [],
        "faithfulness_parsed": True,
        "answer_relevancy_parsed": True,
        "faithfulness": 0.9,
        "answer_relevancy": 0.9,
        **dict.fromkeys(MEANS.values(), 1.0),
    }
    return EvalResult(position=position, test_case_id=uuid.uuid4(), **values | changes)


def measured(*cases: EvalResult, name: str = "a", **changes: Any) -> Measured:
    return Measured(ComparedRun(id=uuid.uuid4(), name=name, **RUN | changes), cases)


def all_cases(first: Measured, second: Measured, **changes: Any) -> ComparedCases:
    given: dict[str, Any] = {"show": "all", "after": 0, "limit": 20, **changes}
    return compare_cases(first, second, **given)


class TestCases:
    def test_what_flipped_comes_first_and_what_is_the_same_last(self):
        scores = [(0.9, 0.9), (0.7, 0.9), (0.1, 0.9), (0.9, 0.7), (0.9, 0.2), (0.9, 0.1)]
        first = measured(*(case(at, faithfulness=a) for at, (a, _) in enumerate(scores)))
        second = measured(*(case(at, faithfulness=b) for at, (_, b) in enumerate(scores)))

        found = all_cases(first, second)

        assert [(each.question, each.change) for each in found.items] == [
            ("q5?", ChangeKind.NOW_FAILS),
            ("q4?", ChangeKind.NOW_FAILS),
            ("q2?", ChangeKind.NOW_PASSES),
            ("q3?", ChangeKind.LOWER),
            ("q1?", ChangeKind.HIGHER),
            ("q0?", ChangeKind.SAME),
        ]
        assert found.counts[ChangeKind.NOW_FAILS] == 2
        (change,) = found.items[0].changes
        assert (change.first_band, change.second_band) == ("excellent", "poor")

    def test_pages_and_sides_are_parts_of_the_whole(self):
        first = measured(*(case(at) for at in range(5)))
        second = measured(*(case(at, faithfulness=0.1 * at) for at in range(5)))
        whole = [each.question for each in all_cases(first, second).items]

        pages = [all_cases(first, second, after=after, limit=2) for after in (0, 2, 4)]
        worse = all_cases(first, second, show="worse", limit=20)
        better = all_cases(second, first, show="better", limit=20)

        assert [each.question for page in pages for each in page.items] == whole
        assert [page.next for page in pages] == [2, 4, None]
        assert {each.question for each in worse.items} == {each.question for each in better.items}
        assert all_cases(first, second, show="better").items == []

    def test_a_reply_that_could_not_be_read_is_no_flip(self):
        first = measured(case(0), case(1))
        second = measured(case(0, faithfulness=0.0, faithfulness_parsed=False), case(1))

        found = all_cases(first, second)
        compared = {each.name: each for each in compare_results(first, second).differences}

        assert {each.change for each in found.items} == {ChangeKind.SAME}
        assert found.items[0].second.figures["mean_faithfulness"] is None
        faithfulness = compared["mean_faithfulness"]
        assert (faithfulness.cases, faithfulness.unread, faithfulness.difference) == (1, 1, 0)

    def test_an_error_is_told_from_a_poor_answer(self):
        nothing = dict.fromkeys([*MEANS.values(), "faithfulness", "answer_relevancy"])
        first = measured(case(0), case(1, error="transient: busy", **nothing))
        second = measured(case(0, error="transient: busy", **nothing), case(1))

        found = all_cases(first, second)

        changes = [each.change for each in found.items]
        assert changes == [ChangeKind.ERROR, ChangeKind.RECOVERED]

    def test_a_question_that_is_there_twice_is_matched_by_its_ground_truth(self):
        twice = [case(0, question="?", recall=1.0), case(1, question="?", recall=0.0)]
        turned = [case(1, question="?", recall=0.0), case(0, question="?", recall=1.0)]

        found = all_cases(measured(*twice), measured(*turned))

        assert [each.change for each in found.items] == [ChangeKind.SAME, ChangeKind.SAME]


@pytest.mark.parametrize(
    ("changes", "because", "left"),
    [
        ({"judge_model": "openai:other"}, "judge", set(MEANS)),
        ({"prompt_version": "p-2"}, "prompt", set(MEANS)),
        ({"k": 3}, "k", set(ANSWER_MEANS)),
        ({"evaluation_type": "retrieval_only"}, "answers", set(MEANS)),
    ],
)
def test_only_what_depends_on_a_difference_is_left_out(changes, because, left):
    first, second = measured(case(0), case(1)), measured(case(0), case(1), **changes)

    compared = compare_results(first, second)

    assert [each.because for each in compared.not_compared] == [because]
    assert {each.name for each in compared.differences} == left
    (shown, _) = all_cases(first, second).items
    assert set(shown.first.figures) <= left


def test_a_refusal_names_all_differences_and_the_way_out_in_both_languages():
    first = measured(case(0), name="before")
    second = measured(case(0), name="after", k=3, judge_model="openai:other")

    with pytest.raises(Conflict) as refused:
        compare_results(first, second)

    assert refused.value.code == "runs-differ-in-k"
    assert refused.value.detail["en"] == (
        "The run “after” cannot be compared with “before”: they have k 5 and 3, and they were"
        " judged by openai:judge and openai:other. Run it again with k 5, with the judge"
        " openai:judge."
    )
    assert refused.value.detail["ko"] == (
        "“after” 실행은 “before” 실행과 비교할 수 없습니다. k가 각각 5, 3입니다. 평가 모델이 각각"
        " openai:judge, openai:other입니다. 다음 설정으로 다시 실행하세요: k=5, 평가 모델"
        " openai:judge."
    )


def test_settings_that_the_runs_are_to_compare_are_no_reason_to_refuse():
    other = {"retrieval": "hybrid", "embedding_model": "openai:e", "answer_model": "openai:b"}

    compared = compare_results(measured(case(0)), measured(case(0), **other))

    assert compared.not_compared == []
    assert len(compared.differences) == len(MEANS) + len(ANSWER_MEANS)


class TestBaseline:
    def test_a_row_rests_on_the_cases_that_all_its_runs_measured(self):
        baseline = measured(*(case(at) for at in range(4)))
        low = measured(*(case(at, faithfulness=0.2) for at in range(4)))
        unread = measured(case(0, faithfulness=0, faithfulness_parsed=False), *baseline.results[1:])

        compared = compare_with_baseline(baseline, [low, unread])

        row = next(each for each in compared.metrics if each.name == "mean_faithfulness")
        assert (row.cases, row.unread, row.baseline) == (3, 1, pytest.approx(0.9))
        assert [each.difference for each in row.runs] == [pytest.approx(-0.7), 0]
        assert row.baseline_mark == row.runs[1].mark == "highest"
        assert row.runs[0].mark == "lowest"
        recall = next(each for each in compared.metrics if each.name == "recall_at_k")
        assert recall.baseline_mark is None, "all are the same"

    def test_a_run_stands_in_the_rows_only_that_it_can_be_compared_in(self):
        baseline, alike = measured(case(0)), measured(case(0), name="alike")
        judged = measured(case(0), name="judged", judge_model="openai:other")

        compared = compare_with_baseline(baseline, [alike, judged])

        rows = {row.name: [each.run_id for each in row.runs] for row in compared.metrics}
        assert rows["recall_at_k"] == [alike.run.id, judged.run.id]
        assert rows["mean_faithfulness"] == [alike.run.id]
        assert [len(run.not_compared) for run in compared.runs] == [0, 1]

    def test_one_that_has_nothing_in_common_is_refused_by_name(self):
        unlike = measured(case(0), name="unlike", k=3, prompt_version="p-2")
        with pytest.raises(Conflict, match="“unlike” cannot be compared"):
            compare_with_baseline(measured(case(0)), [measured(case(0)), unlike])

    def test_significance_counts_how_many_runs_are_looked_at(self):
        """Six questions of which all got worse: p = 2 / 2 ** 6, which is not below 0.05 / 6."""
        baseline = measured(*(case(at) for at in range(6)))
        worse = [measured(*(case(at, faithfulness=0.5) for at in range(6))) for _ in range(6)]

        alone = compare_with_baseline(baseline, worse[:1]).metrics[-2].runs
        together = compare_with_baseline(baseline, worse).metrics[-2].runs

        assert [each.significant for each in alone] == [True]
        assert alone[0].p_value == pytest.approx(2 / 64)
        assert [each.significant for each in together] == [False] * 6


@pytest.mark.parametrize(
    ("state", "columns"),
    [
        ("confirmed", {}),
        ("incomplete", {"answer_relevancy": 0.6}),
        ("partly", {"faithfulness": 0.6}),
        ("not_in_notes", {"faithfulness": 0.2}),
        ("confirmed", {"outcome": "matches", "answer_relevancy": 0.2}),
        # Rules keep no claims here: whether the notes contradict it is not known.
        ("not_in_notes", {"outcome": "mismatch", "faithfulness": 0.3}),
        ("rightly_refused", {"outcome": "rightly_refused"}),
        ("not_judged", {"outcome": "undecided", "faithfulness_decided": False}),
        (None, {"answer_relevancy_parsed": False}),
        (None, {"faithfulness": None, "answer_relevancy": None}),
    ],
)
def test_what_a_result_comes_to_in_one_word(state, columns):
    assert state_of(case(0, **columns)) == state


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [
        ([], []),
        ([0.03], [0.03]),
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),
        ([0.5, 0.9], [1.0, 1.0]),
    ],
)
def test_holm(p_values, adjusted):
    """The third is `p.adjust(c(.01, .04, .03), "holm")` of R."""
    assert holm(p_values) == pytest.approx(adjusted)
