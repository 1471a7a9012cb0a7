"""Which judge agrees more with people: by weights, by price, and in words."""

from typing import Any

import pytest

from app.experiments.benches.job import summarise_bench
from app.experiments.benches.sentences import comparison_sentence, describe_labels
from app.experiments.benches.views import BenchFrame, BothMeans, CellSize, Compared, JudgeComparison
from app.quality.metrics.statistics import Interval
from tiny_models import result

STRICT, KIND = "openai:strict", "openai:kind"


def two(labels: list[tuple[bool, float, float]], *, cells: list[int] | None = None) -> list[Any]:
    """Results of both judges by (wrong, score of the strict, score of the kind)."""
    return [
        result(n, judge, wrong=label[0], score=score, cell=cells[n] if cells else None, **cost)
        for n, label in enumerate(labels)
        for judge, score, cost in (
            (STRICT, label[1], {"cost_usd": 0.0003}),
            (KIND, label[2], {"cost_usd": 0.0001}),
        )
    ]


def compared(rows: list[Any], frame: BenchFrame | None = None) -> JudgeComparison:
    (found,) = summarise_bench(rows, [STRICT, KIND], 0.5, frame).comparisons
    return found


# The kind judge misses what is wrong, of which there is one in four.
MISSES = [(n % 4 == 0, 0.1 if n % 4 == 0 else 0.9, 0.9) for n in range(120)]


def test_the_one_that_agrees_more_wins_at_its_price():
    found = compared(two(MISSES))

    assert (found.winner, found.labels, found.note) == (STRICT, 120, None)
    assert (found.agreement.first, found.agreement.second) == (1, 0.75)
    assert found.agreement.interval.low < -0.25 < found.agreement.interval.high < 0
    assert found.error.difference == pytest.approx(0.25 * 0.8)
    assert found.costs_per_1000_usd == pytest.approx([0.3, 0.1])
    assert found.sentence.en.startswith(
        "openai:strict agrees with people on 25 of 100 answers more than openai:kind ("
    )
    assert "The scores of openai:strict are closer to the labels, by 0.20 (" in found.sentence.en
    assert found.sentence.en.endswith("costs $0.30 and openai:kind $0.10: 3 times as much.")
    assert "openai:strict 쪽이 openai:kind보다 답변 100개당 25개(" in found.sentence.ko


def test_labels_of_drawn_answers_are_weighed():
    """What is wrong was drawn twenty times as often as the rest."""
    cells = [int(wrong) for wrong, *_ in MISSES]
    sizes = [CellSize(answers=1_800, labels=90), CellSize(answers=30, labels=30)]
    frame = BenchFrame(answers=1_900, cells=sizes, strata=["low · en"])

    found = compared(two(MISSES, cells=cells), frame)

    assert found.agreement.second == pytest.approx(1_800 / 1_830)
    assert frame.weighted
    sentence = describe_labels("feedback", frame, 120)
    assert "120 labels of answers drawn at random, which stand for 1,830 stored" in sentence.en
    assert "each label is weighed" in sentence.en
    assert sentence.en.endswith("Left out, since nothing is labelled there: low · en.")
    assert sentence.ko.endswith("제외한 층: low · en.")


def test_judges_alike_cannot_be_told_apart():
    swapped = [
        (n % 4 == 0, 0.9 if n % 10 == 0 else 0.2, 0.9 if n % 9 == 0 else 0.2) for n in range(90)
    ]
    found = compared(two(swapped))
    assert found.winner is None
    assert found.more_labels is None or found.more_labels > 0
    assert "cannot be told apart with 90 labels: of 100 answers," in found.sentence.en
    assert "차이를 알 수 없습니다" in found.sentence.ko


def test_labels_that_are_all_alike_have_no_winner():
    found = compared(two([(False, 0.9, 0.9 if n % 2 else 0.1) for n in range(60)]))
    assert (found.winner, found.note) == (None, "labels_alike")
    assert found.sentence.en.startswith("All 60 labels say the same")
    assert "60개가 모두 같아" in found.sentence.ko


def test_fewer_than_thirty_labels_name_no_winner():
    found = compared(two(MISSES[:18]))
    assert (found.winner, found.note, found.more_labels) == (None, "too_few_labels", 12)
    assert found.agreement.interval is found.error.interval is None
    assert "18 labels are too few" in found.sentence.en
    assert "12 more are needed" in found.sentence.en
    assert "12개가 더 필요합니다" in found.sentence.ko


def test_only_what_both_have_judged_counts():
    rows = two(MISSES)
    for row in rows:
        if row["judge"] == KIND and row["position"] >= 100:
            row["score"], row["error"] = None, "transient: away"
    assert compared(rows).labels == 100


def test_a_judge_without_a_verdict_is_compared_with_none():
    rows = [row | {"score": None} if row["judge"] == KIND else row for row in two(MISSES)]
    assert summarise_bench(rows, [STRICT, KIND], 0.5).comparisons == []


def test_three_judges_share_the_chance_of_an_error():
    rows = two(MISSES) + [result(n, "c", wrong=w, score=s) for n, (w, s, _) in enumerate(MISSES)]
    first, *_ = summarise_bench(rows, [STRICT, KIND, "c"], 0.5).comparisons
    alone = compared(two(MISSES))
    assert first.agreement.interval.low < alone.agreement.interval.low


def test_stored_verdicts_have_their_price_and_their_judges():
    rows = [
        result(n, "stored", wrong=n % 4 == 0, score=0.9, cost_usd=0.002, made_by="openai:gone")
        for n in range(40)
    ]
    rows[0] |= {"made_by": "offline:rules", "cost_usd": None}
    (judge,) = summarise_bench(rows, ["stored"], 0.5).judges
    assert judge.cost_usd == 0
    assert judge.cost_per_answer_usd == pytest.approx(0.002 * 39 / 40)
    assert "The stored verdicts were given by openai:gone (39), offline:rules (1)." in judge.notes


@pytest.mark.parametrize(
    ("costs", "ending", "korean_ending"),
    [
        ((0.3, 0.1), "a costs $0.30 and b $0.10: 3 times as much.", "$0.30, b $0.10입니다(3배)."),
        ((0.1, 0.4), "a costs $0.10 and b $0.40: 75% less.", "(75% 적음)."),
        ((12.0, 0.01), "and b $0.0100: 1,200 times as much.", "b $0.0100입니다(1,200배)."),
        ((0.01, 12.0), "and b $12.00: over 99% less.", "b $12.00입니다(99% 넘게 적음)."),
        ((0.1, 0.105), "b $0.10, about the same.", "(거의 같음)."),
        ((0.0, 0.0042), "a costs nothing and b $0.0042.", "a 없음, b $0.0042입니다."),
        ((None, 0.1), "a costs an unknown amount and b $0.10.", "a 알 수 없음, b $0.10입니다."),
    ],
)
def test_prices_in_words(costs, ending, korean_ending):
    means = BothMeans(first=0.9, second=0.8, difference=-0.1, interval=Interval(-0.15, -0.05))
    found = Compared(
        first="a",
        second="b",
        labels=100,
        agreement=means,
        error=means.model_copy(update={"interval": Interval(-0.1, 0.1)}),
        costs_per_1000_usd=list(costs),
        winner="a",
        more_labels=None,
        note=None,
    )
    sentence = comparison_sentence(found)
    assert "a agrees with people on 10 of 100 answers more than b (5 to 15)." in sentence.en
    assert sentence.en.endswith(ending)
    assert sentence.ko.endswith(korean_ending)


def test_names_in_korean():
    rows = [
        row | {"judge": {STRICT: "stored", KIND: "offline:rules"}[row["judge"]]}
        for row in two(MISSES)
    ]
    (found,) = summarise_bench(rows, ["stored", "offline:rules"], 0.5).comparisons
    assert found.sentence.ko.startswith("저장된 평가 쪽이 규칙 평가보다 답변 100개당 25개(")


@pytest.mark.parametrize(
    ("source", "sentence"), [("file", "of a file"), ("feedback", "whoever picked the answers")]
)
def test_says_what_it_rests_on(source, sentence):
    assert sentence in describe_labels(source, None, 10).en
