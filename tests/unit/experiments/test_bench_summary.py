"""What benches conclude from results, and how reports tell it."""

import functools

import pytest

from app.experiments.benches.job import summarise_bench
from app.experiments.benches.report import difference_rows, notes, table_rows
from app.experiments.benches.views import BenchSummary
from tiny_models import result


@functools.cache  # its intervals take a quarter of a second
def two_judges() -> BenchSummary:
    """One that is always right, and one that always says the same."""
    labels = [n % 4 == 0 for n in range(40)]
    rows = [
        result(n, "openai:good", wrong=label, score=0.1 if label else 0.9, cost_usd=0.001)
        for n, label in enumerate(labels)
    ]
    rows += [result(n, "openai:flat", wrong=label, score=0.4) for n, label in enumerate(labels)]
    return summarise_bench(rows, ["openai:flat", "openai:good"], 0.5)


def test_judges_stand_side_by_side():
    flat, good = two_judges().judges
    assert (good.f1.value, good.auroc.value, good.balanced_accuracy.value) == (1, 1, 1)
    assert (flat.precision.value, flat.recall.value, flat.auroc.value) == (0.25, 1, 0.5)
    assert good.brier == pytest.approx(0.01)
    assert good.calibration_error == pytest.approx(0.1)
    assert flat.calibration_error == pytest.approx(0.35)
    assert good.cost_usd == pytest.approx(0.04)
    assert good.cost_per_answer_usd == pytest.approx(0.001)
    assert flat.cost_usd is None
    assert (good.latency_median_ms, good.latency_p95_ms) == (195, pytest.approx(370.5))


def test_the_difference_of_two_judges_is_paired():
    differences = {one.name: one for one in two_judges().differences}
    f1 = differences["f1"]
    assert (f1.first, f1.second, f1.answers) == ("openai:flat", "openai:good", 40)
    assert f1.difference == pytest.approx(1 - 0.4)
    assert 0 < f1.interval.low < 0.6 < f1.interval.high
    assert f1.significant
    assert differences["auroc"].difference == 0.5


def test_a_judge_does_not_differ_from_its_twin():
    rows = [result(n, judge, wrong=n % 2 == 0, score=n / 20) for n in range(20) for judge in "ab"]
    for one in summarise_bench(rows, ["a", "b"], 0.5).differences:
        assert one.difference == 0
        assert not one.significant


def test_what_rules_leave_undecided_is_neither_right_nor_wrong():
    rows = [result(n, "openai:a", wrong=n % 2 == 0, score=n % 2) for n in range(8)]
    rows += [
        result(n, "offline:rules", wrong=n % 2 == 0, score=n % 2 if n < 6 else 0.5, decided=n < 6)
        for n in range(8)
    ]
    summary = summarise_bench(rows, ["openai:a", "offline:rules"], 0.8)
    rules = summary.judges[1]
    assert (rules.answers, rules.undecided, rules.failed, rules.coverage) == (6, 2, 0, 0.75)
    assert (rules.precision.value, rules.recall.value) == (1, 1)
    assert {one.answers for one in summary.differences} == {6}
    assert any("2 answers (25.0%)" in note for note in notes(summary))


def test_only_what_both_have_judged_is_compared():
    rows = [result(n, "a", wrong=n % 2 == 0, score=n / 20) for n in range(20)]
    rows += [result(n, "b", wrong=n % 2 == 0, score=n / 20 if n < 8 else None) for n in range(20)]
    summary = summarise_bench(rows, ["a", "b"], 0.5)
    assert {one.answers for one in summary.differences} == {8}
    b = summary.judges[1]
    assert (b.answers, b.failed, b.coverage) == (8, 12, 0.4)
    assert b.first_error == "configuration: no key"


@pytest.mark.parametrize(("label", "named"), [(True, "hallucinated"), (False, "grounded")])
def test_one_label_alone_has_no_auroc(*, label, named):
    rows = [result(n, "a", wrong=label, score=n / 10) for n in range(10)]
    (judge,) = summarise_bench(rows, ["a"], 0.5).judges
    assert judge.auroc.value is judge.auroc.interval is judge.balanced_accuracy.value is None
    assert any(f"All labels say {named}: AUROC" in note for note in judge.notes)


def test_a_judge_without_a_verdict_is_told_so():
    rows = [result(n, "a", wrong=n % 2 == 0, score=None) for n in range(4)]
    summary = summarise_bench(rows, ["a"], 0.5)
    assert (summary.judges[0].coverage, summary.judges[0].f1.value) == (0, None)
    sentences = notes(summary)
    assert "a: The judge gave no usable verdict, so there is nothing to measure." in sentences
    assert "a: the first failure says: configuration: no key" in sentences
    assert dict(table_rows(summary))["AUROC"] == ["–"]


def test_the_threshold_decides_what_is_said():
    rows = [result(n, "a", wrong=n % 2 == 0, score=0.6) for n in range(4)]
    assert summarise_bench(rows, ["a"], 0.5).judges[0].confusion.true_positives == 0
    assert summarise_bench(rows, ["a"], 0.7).judges[0].confusion.true_positives == 2


def test_reports_round_and_mark():
    cells = dict(table_rows(two_judges()))
    assert cells["TP / FP / FN / TN"] == ["10 / 30 / 0 / 0", "10 / 0 / 0 / 30"]
    assert cells["cost per answer"] == ["not known", "$0.001000"]
    assert difference_rows(two_judges().differences)[0][-1].endswith("*")


def test_a_judge_is_measured_against_itself():
    """Four answers, three times each: twice alike, once below the threshold, once all over."""
    scores = [[0.9, 0.9, 0.9], [0.1, 0.1, 0.1], [0.6, 0.8, 0.4], [0.0, 0.5, 1.0]]
    rows = [
        result(n, "openai:a", wrong=False, score=each[0], scores=each, cost_usd=0.003)
        for n, each in enumerate(scores)
    ]
    # A failed repeat says nothing of how steady the judge is.
    rows.append(result(4, "openai:a", wrong=True, score=0.1, scores=[0.1, None, 0.9]))
    rows += [result(n, "offline:rules", wrong=False, score=0.9) for n in range(4)]
    summary = summarise_bench(rows, ["openai:a", "offline:rules"], 0.5)
    steady = summary.judges[0].steadiness
    assert (steady.repeats, steady.answers, steady.same_verdict.value) == (3, 4, 0.5)
    # The variances are 0, 0, .04 and .25, and that of the means .9, .1, .6 and .5 is .10917.
    assert steady.spread.value == pytest.approx((0.29 / 4) ** 0.5)
    between = 0.109166667 - 0.0725 / 3
    assert steady.judge_share.value == pytest.approx(0.0725 / (0.0725 + between), rel=1e-6)
    assert steady.judge_share.interval.low < steady.judge_share.value
    assert summary.judges[0].cost_per_answer_usd == pytest.approx(0.001)
    assert dict(table_rows(summary))["variance from the judge"][1] == "–"

    same = [result(n, "a", wrong=False, score=0.9, scores=[0.9, 0.9]) for n in range(3)]
    alike = summarise_bench(same, ["a"], 0.5).judges[0].steadiness
    assert (alike.same_verdict.value, alike.spread.value, alike.judge_share.value) == (1, 0, None)
    assert "spread of correctness in repeats" not in dict(table_rows(two_judges()))


def test_a_jury_is_measured_beside_its_judges():
    """Each of three judges is wrong about another answer; the last decides where all differ. One
    without a verdict has no vote."""
    levels = {"high": 0.9, "medium": 0.6, "low": 0.1, None: None}
    said = {
        "openai:a": ["high", "low", "low", "high", "high"],
        "openai:b": ["high", "low", "high", "medium", None],
        "openai:c": ["low", "high", "low", "low", "high"],
    }
    wrong = [False, True, True, True, False]
    rows = [
        result(*(n, judge), wrong=wrong[n], score=levels[level], confidence=level, cost_usd=0.001)
        for judge, each in said.items()
        for n, level in enumerate(each)
    ]
    summary = summarise_bench(rows, [*said, "jury"], 0.5)
    jury = summary.judges[-1]
    assert (jury.judge, jury.answers, jury.failed, jury.f1.value) == ("jury", 5, 0, 1)
    # Two agree on two answers, so that the third is asked about the others alone.
    assert jury.cost_per_answer_usd == pytest.approx(13 / 5 * 0.001)
    assert {one.second for one in summary.comparisons if one.first == "openai:a"} >= {"jury"}

    repeated = [
        row | {"scores": [row["score"]] * 3, "cost_usd": 0.003, "prompt_tokens": 100}
        for row in rows
    ]
    again = summarise_bench(repeated, [*said, "jury"], 0.5).judges[-1]
    assert again.cost_per_answer_usd == pytest.approx(jury.cost_per_answer_usd)
    assert again.prompt_tokens == 13 * 33
