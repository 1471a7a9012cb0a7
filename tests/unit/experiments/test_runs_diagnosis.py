"""What figures mean: bands, patterns, where to begin, and which case is worst."""

import pytest

from app.experiments.runs.diagnosis import (
    Band,
    Diagnosis,
    GenerationMetric,
    Pattern,
    band,
    diagnose,
    meaning,
    pattern,
    worst_first,
)


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (1.0, Band.EXCELLENT),
        (0.81, Band.EXCELLENT),
        (0.8, Band.GOOD),
        (0.6, Band.GOOD),
        (0.59, Band.FAIR),
        (0.4, Band.FAIR),
        (0.39, Band.POOR),
        (0.0, Band.POOR),
    ],
)
def test_bands(score, expected):
    assert band(score) is expected


def test_bands_have_the_names_readers_know():
    assert [one.grade["ko"] for one in Band] == ["우수", "양호", "보통", "개선 필요"]


@pytest.mark.parametrize(
    ("faithfulness", "relevancy", "expected", "actions"),
    [
        (0.3, 0.9, Pattern.HALLUCINATION_RISK, 3),
        (0.9, 0.3, Pattern.UNSUITABLE_CONTEXT, 3),
        (0.9, 0.9, Pattern.IDEAL, 1),
        (0.6, 0.6, Pattern.IDEAL, 1),
        (0.3, 0.3, Pattern.OVERALL_PROBLEM, 3),
    ],
)
def test_patterns(faithfulness, relevancy, expected, actions):
    assert pattern(faithfulness, relevancy) is expected
    assert len(expected.advice.actions) == actions


@pytest.mark.parametrize(
    ("recall", "faithfulness", "relevancy", "expected"),
    [
        (0.9, 0.9, 0.9, Diagnosis.HEALTHY),
        (0.9, 0.9, 0.3, Diagnosis.GENERATION_PROBLEM),
        (0.9, 0.3, 0.9, Diagnosis.GENERATION_PROBLEM),
        (0.3, 0.9, 0.9, Diagnosis.MODEL_FILLS_IN),
        (0.3, 0.2, 0.9, Diagnosis.MODEL_FILLS_IN),
        (0.3, 0.9, 0.3, Diagnosis.RETRIEVAL_FIRST),
        (0.3, 0.3, 0.3, Diagnosis.RETRIEVAL_FIRST),
    ],
)
def test_where_to_begin(recall, faithfulness, relevancy, expected):
    assert diagnose(recall, faithfulness, relevancy) is expected


def test_everything_is_said_in_both_languages():
    advice = [one.advice for one in (*Pattern, *Diagnosis)]
    texts = [text for one in advice for text in (one.title, one.symptom, one.cause, *one.actions)]
    assert all(text["ko"] and text["en"] and text["ko"] != text["en"] for text in texts)
    scores = (0.9, 0.7, 0.5, 0.1)
    sentences = {
        meaning(metric, score, lang)
        for metric in GenerationMetric
        for score in scores
        for lang in ("ko", "en")
    }
    assert len(sentences) == len(GenerationMetric) * len(scores) * 2


def test_the_worst_case_comes_first_and_unmeasured_ones_last():
    keys = {
        "unmeasured": worst_first(),
        "one low figure": worst_first(recall=1.0, faithfulness=0.1, answer_relevancy=0.9),
        "all low": worst_first(recall=0.1, faithfulness=0.1, answer_relevancy=0.1),
        "failed judge": worst_first(recall=1.0, answer_relevancy=0.8),
        "missed": worst_first(recall=0.0),
        "good": worst_first(recall=1.0, faithfulness=1.0, answer_relevancy=0.9),
    }
    assert sorted(keys, key=keys.__getitem__) == [
        "missed",
        "all low",
        "one low figure",
        "failed judge",
        "good",
        "unmeasured",
    ]
