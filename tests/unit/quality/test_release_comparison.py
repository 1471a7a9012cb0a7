"""When one release is worse than another, and for whom."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.quality.analytics.releases import GroupKey, difference, most_lost
from app.quality.drift.series import Sums

RULES, WORK = GroupKey("ko", "규정"), GroupKey("en", "work")


def sums(*values: float) -> Sums:
    return Sums(len(values), sum(values), sum(value**2 for value in values))


GOOD, BAD = sums(*[0.9, 0.8] * 6), sums(*[0.3, 0.2] * 6)


def test_the_interval_is_welchs():
    # By hand: standard error 0.029899, 23.28 degrees of freedom, for which t is 2.0673.
    found = difference(sums(*[0.9, 0.8] * 6), sums(*[0.6, 0.4] * 8))
    assert found is not None
    assert found.difference == pytest.approx(-0.35)
    assert (found.interval.low, found.interval.high) == pytest.approx((-0.4118, -0.2882), abs=1e-4)


def test_few_answers_are_not_compared():
    assert difference(sums(*[0.9] * 9), sums(*[0.1] * 500)) is None


def test_the_group_that_lost_most_is_named_with_its_answers():
    lost = most_lost({RULES: GOOD, WORK: GOOD}, {RULES: BAD, WORK: GOOD})

    assert lost is not None
    assert (lost.lang, lost.topic, lost.answers) == (*RULES, 12)
    assert (lost.before, lost.after) == pytest.approx((0.85, 0.25))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({RULES: GOOD, WORK: GOOD}, {RULES: GOOD, WORK: GOOD}),
        ({RULES: BAD, WORK: GOOD}, {RULES: GOOD, WORK: GOOD}),
        # A group of its own, one alone, and a group of one answer.
        ({WORK: GOOD}, {RULES: BAD, WORK: GOOD}),
        ({RULES: GOOD}, {RULES: BAD}),
        ({RULES: GOOD, WORK: GOOD}, {RULES: sums(0.1), WORK: GOOD}),
        ({}, {}),
    ],
)
def test_where_nobody_stands_out_nobody_is_named(before, after):
    assert most_lost(before, after) is None


@given(st.lists(st.floats(0, 1), min_size=10, max_size=30), st.integers(2, 200))
def test_many_groups_of_the_same_answers_name_nobody(values, groups):
    each = {GroupKey("ko", str(n)): sums(*values) for n in range(groups)}
    assert most_lost(each, each) is None
