"""Retrieval metrics against values worked out by hand."""

import math
from dataclasses import replace

import pytest

from app.quality.metrics.retrieval import CaseRetrieval, score_case, summarise_retrieval

DCG_2 = 1 / math.log2(3)  # what one relevant result at rank 2 is worth
DCG_4 = 1 / math.log2(5)


def measured(found: str, relevant: str, k: int, missing: str = "") -> CaseRetrieval:
    return score_case(list(found), set(relevant), k, set(missing))


def test_one_relevant_chunk_on_top_of_five():
    assert measured("abcde", "a", 5) == CaseRetrieval(
        precision=0.2, recall=1.0, hit=True, reciprocal_rank=1.0, average_precision=1.0, ndcg=1.0
    )


@pytest.mark.parametrize(
    ("found", "relevant", "k", "expected"),
    [
        ("xaybz", "ab", 5, (0.4, 1.0, True, 0.5, (1 / 2 + 2 / 4) / 2)),
        ("xaybz", "abc", 5, (0.4, 2 / 3, True, 0.5, (1 / 2 + 2 / 4) / 3)),
        ("xaybz", "ab", 3, (1 / 3, 0.5, True, 0.5, 1 / 4)),
        ("xaybz", "ab", 1, (0.0, 0.0, False, 0.0, 0.0)),
        ("ab", "ab", 5, (0.4, 1.0, True, 1.0, 1.0)),
        ("", "a", 5, (0.0, 0.0, False, 0.0, 0.0)),
    ],
)
def test_the_first_k_are_counted(found, relevant, k, expected):
    case = measured(found, relevant, k)
    assert (case.precision, case.recall, case.hit, case.reciprocal_rank) == expected[:4]
    assert case.average_precision == pytest.approx(expected[4])


def test_ndcg_discounts_by_the_logarithm_of_the_rank():
    assert measured("xaybz", "ab", 5).ndcg == pytest.approx((DCG_2 + DCG_4) / (1 + DCG_2))
    assert measured("xaybz", "a", 5).ndcg == pytest.approx(DCG_2)


def test_grades_weigh_in_ndcg_only():
    case = score_case(list("abc"), {"a": 1, "c": 3, "x": 0, "b": -1}, 3)
    assert case.ndcg == pytest.approx((1 + 3 / 2) / (3 + DCG_2))
    assert (case.precision, case.recall, case.average_precision) == (2 / 3, 1.0, (1 + 2 / 3) / 2)


def test_the_best_order_is_cut_at_k_too():
    assert measured("ab", "abc", 2).ndcg == 1.0


def test_a_result_that_comes_twice_counts_once():
    case = measured("aab", "ab", 3)
    assert (case.precision, case.recall) == (2 / 3, 1.0)
    assert case.average_precision == pytest.approx((1 + 2 / 3) / 2)


def test_a_chunk_that_no_longer_exists_counts_as_missed():
    case = measured("abcde", "ax", 5, missing="xz")
    assert case.missing == ("x",)
    assert (case.recall, case.average_precision) == (0.5, 0.5)
    assert case.ndcg == pytest.approx(1 / (1 + DCG_2))
    assert case == replace(measured("abcde", "ax", 5), missing=("x",))


def test_a_case_whose_chunks_are_all_gone_is_a_miss():
    case = measured("a", "x", 5, missing="x")
    assert (case.precision, case.recall, case.hit, case.ndcg) == (0.0, 0.0, False, 0.0)


@pytest.mark.parametrize(("relevant", "k"), [({"a": 1}, 0), ({}, 5), ({"a": 0}, 5)])
def test_unmeasurable_input_is_refused(relevant, k):
    with pytest.raises(ValueError, match=r"k must|no relevant chunk"):
        score_case(["a"], relevant, k)


def test_means_are_over_the_cases():
    first, second = measured("abcde", "a", 5), measured("xabcd", "ay", 5, "y")
    metrics = summarise_retrieval([first, second, measured("vwxyz", "a", 5)], 5)
    assert metrics.precision_at_k == pytest.approx(0.4 / 3)
    assert (metrics.recall_at_k, metrics.hit_rate_at_k) == (pytest.approx(1 / 2), 2 / 3)
    assert metrics.mrr == pytest.approx((1 + 1 / 2 + 0) / 3)
    assert metrics.map == pytest.approx((1 + 1 / 4 + 0) / 3)
    assert metrics.ndcg_at_k == pytest.approx((1 + DCG_2 / (1 + DCG_2)) / 3)
    assert (metrics.k, metrics.cases, metrics.missing_chunks) == (5, 3, 1)
    interval = metrics.intervals["mrr"]
    assert interval.low <= metrics.mrr <= interval.high


def test_without_a_measured_case_there_are_no_means():
    assert summarise_retrieval([], 5) is None
