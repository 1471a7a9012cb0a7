"""Means of judged scores, and what they rest on."""

import pytest

from app.quality.metrics.retrieval import GenerationCaseMetrics, summarise_generation


def case(faithfulness: float | None, relevancy: float | None) -> GenerationCaseMetrics:
    return GenerationCaseMetrics(
        faithfulness=faithfulness or 0.0,
        answer_relevancy=relevancy or 0.0,
        faithfulness_parsed=faithfulness is not None,
        answer_relevancy_parsed=relevancy is not None,
    )


def test_means_without_failures():
    metrics = summarise_generation([case(0.9, 0.85), case(0.75, 0.71)])
    assert metrics.mean_faithfulness == pytest.approx(0.825)
    assert metrics.mean_answer_relevancy == pytest.approx(0.78)
    assert metrics.faithfulness.mean_of_parsed == metrics.mean_faithfulness
    assert metrics.faithfulness.coverage == 1
    assert metrics.faithfulness.interval.low == 0.75
    assert metrics.faithfulness.interval.high == 0.9


def test_a_failure_lowers_the_mean_and_is_seen_beside_it():
    metrics = summarise_generation([case(0.9, 0.8), case(None, 0.6), case(0.6, 0.1)], total=4)
    judged = metrics.faithfulness
    assert judged.mean == metrics.mean_faithfulness == pytest.approx(0.5)
    assert judged.mean_of_parsed == pytest.approx(0.75)
    assert (judged.scored, judged.parsed, judged.total, judged.coverage) == (3, 2, 4, 0.5)
    assert metrics.answer_relevancy.parsed == 3
    assert judged.is_quality


def test_undecided_answers_count_in_no_mean():
    undecided = case(0.3, 0.6).model_copy(update={"faithfulness_decided": False})
    metrics = summarise_generation([case(0.9, 0.8), undecided])
    assert (metrics.mean_faithfulness, metrics.mean_answer_relevancy) == (0.9, 0.7)
    judged = metrics.faithfulness
    assert (judged.scored, judged.undecided, judged.coverage) == (1, 1, 0.5)
    alone = summarise_generation([undecided])
    assert not alone.faithfulness.is_quality, "a gate on it was not measured"


def test_a_true_zero_is_no_failure():
    metrics = summarise_generation([case(0.0, 0.0)])
    assert metrics.faithfulness.mean_of_parsed == 0.0
    assert metrics.faithfulness.is_quality
    assert metrics.faithfulness.interval is None


def test_a_judge_that_always_fails_gives_no_quality():
    metrics = summarise_generation([case(None, None)] * 3)
    assert metrics.mean_faithfulness == 0.0
    assert metrics.faithfulness.mean_of_parsed is None
    assert metrics.faithfulness.coverage == 0
    assert not metrics.faithfulness.is_quality


def test_no_case_gives_no_means():
    assert summarise_generation([], total=5) is None
