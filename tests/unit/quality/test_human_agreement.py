"""Agreement of judge and people: by hand, at its limits, and by a property."""

import uuid

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.quality.metrics.agreement import weighted_kappa
from app.quality.review.agreement import (
    MAX_AUTHOR_PAIRS,
    MIN_ANSWERS,
    Pair,
    agreement,
    people_agreement,
)


def pairs(*grades: tuple[int, int]) -> list[Pair]:
    """Each of an answer of its own."""
    return [Pair(uuid.UUID(int=number), *grade) for number, grade in enumerate(grades)]


def test_kappa_is_that_of_the_table():
    # Landis-like table worked out by hand: observed 3/12, by chance (5·4·1 + ...) below.
    grades = [(0, 0)] * 3 + [(0, 1)] + [(1, 1)] * 3 + [(1, 2)] + [(2, 2)] * 3 + [(2, 1)]
    found = agreement(pairs(*grades))
    # Rows and columns: judge 4, 4, 4; people 3, 5, 4.
    by_chance = (4 * 5 + 2 * 4 * 4 + 4 * 3 + 4 * 4 + 2 * 4 * 3 + 4 * 5) / 12
    assert found.kappa == pytest.approx(1 - 3 / by_chance)
    assert found.confusion == [[3, 1, 0], [0, 3, 1], [0, 1, 3]]
    assert found.exact == 0.75


def test_full_agreement_is_one_and_sure():
    found = agreement(pairs(*[(0, 0), (1, 1), (2, 2)] * 10))
    assert (found.kappa, found.low, found.high, found.why) == (1, 1, 1, None)


def test_few_answers_have_no_kappa_however_many_labels_they_have():
    of_nine = [Pair(uuid.UUID(int=n % (MIN_ANSWERS - 1)), n % 3, n % 3) for n in range(90)]
    found = agreement(of_nine)
    assert (found.kappa, found.low, found.pairs) == (None, None, 90)
    assert found.why is not None
    assert "9 answers labelled by both" in found.why


def test_one_label_only_leaves_nothing_to_agree_on():
    found = agreement(pairs(*[(2, 2)] * 20))
    assert (found.kappa, found.exact) == (None, 1)
    assert found.why is not None
    assert "one and the same" in found.why


def test_labels_of_one_answer_count_as_one_draw():
    """Ten people repeating one label make an answer no surer."""
    grades = [(0, 0), (2, 0), (1, 1), (2, 2)] * 5
    alone = agreement(pairs(*grades))
    repeated = agreement([pair for pair in pairs(*grades) for _ in range(10)])
    assert repeated.kappa == pytest.approx(alone.kappa)
    assert (repeated.low, repeated.high) == pytest.approx((alone.low, alone.high))


@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=MIN_ANSWERS, max_size=30))
def test_kappa_is_the_one_of_the_bench(grades):
    expected = weighted_kappa(grades, 3, "linear")
    found = agreement(pairs(*grades))
    assert found.kappa == (None if expected is None else pytest.approx(expected))
    assert (found.kappa is None) == (found.why is not None)


def test_people_are_compared_two_by_two_with_most_in_common_first():
    alike = pairs(*[(0, 0), (1, 1), (2, 2)] * 4)
    apart = pairs(*[(0, 2), (1, 1), (2, 0)] * 5)
    labels = [("jun", "mina", pair) for pair in alike] + [("jun", "sol", pair) for pair in apart]

    found = people_agreement(labels)

    assert found.twice == 15
    assert [(one.first, one.second, one.agreement.answers) for one in found.pairs] == [
        ("jun", "sol", 15),
        ("jun", "mina", 12),
    ]
    apart_kappa, alike_kappa = (one.agreement.kappa for one in found.pairs)
    assert alike_kappa == 1
    assert apart_kappa == pytest.approx(weighted_kappa([(0, 2), (1, 1), (2, 0)], 3, "linear"))


def test_of_many_people_those_with_the_most_in_common_are_compared():
    one = Pair(uuid.UUID(int=1), 0, 0)
    labels = [("a", f"person {n:03}", one) for n in range(MAX_AUTHOR_PAIRS + 1)]
    found = people_agreement(
        [*labels, ("x", "y", one), ("x", "y", one._replace(answer_id=uuid.UUID(int=2)))]
    )
    assert len(found.pairs) == MAX_AUTHOR_PAIRS
    assert (found.pairs[0].first, found.pairs[0].second) == ("x", "y")
