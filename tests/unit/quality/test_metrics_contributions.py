"""Which group of answers a change comes from."""

from collections.abc import Sequence

import pytest

from app.quality.drift.series import Contribution, Group, Sums, contributions

Values = Sequence[float]


def sums(values: Values) -> Sums:
    return Sums(len(values), sum(values), sum(value * value for value in values))


def group(value: str, before: Values, after: Values, dimension: str = "model") -> Group:
    return Group(dimension, value, None, sums(before), sums(after))


def found(*groups: Group, others: tuple[Values, Values] = ((), ())) -> list[Contribution]:
    """groups: of one dimension, together all answers."""

    def whole(side: str) -> Sums:
        parts = [getattr(each, side) for each in groups if each.dimension == "model"]
        columns = zip(*((p.answers, p.total, p.squares) for p in parts), strict=True)
        return Sums(*map(sum, columns))  # type: ignore[arg-type]

    return contributions(whole("before"), whole("after"), groups)


HIGH, LOW = [0.8, 1.0] * 50, [0.3, 0.5] * 50


def test_a_group_that_got_worse_is_all_of_the_change():
    (one,) = found(group("a", HIGH, HIGH), group("b", HIGH, LOW))
    assert one.group.value == "b"
    # Half of the answers fell by .5. If all had, half of that would be theirs anyway.
    assert one.part == pytest.approx(0.5)
    (one,) = found(group("old", HIGH, HIGH[:50]), group("new", [], LOW[:50]))
    assert (one.group.value, one.part) == ("new", pytest.approx(1))
    (one,) = found(group("ko", HIGH * 9, HIGH * 4), group("en", LOW, LOW * 6))
    assert one.group.value == "en", "it is worse, and grew"
    assert one.part > 0.8


def test_nothing_stands_out_where_all_fell_alike():
    assert found(group("a", HIGH, LOW), group("b", HIGH * 3, LOW * 3)) == []
    assert found(group("only", HIGH, LOW)) == []


def test_nothing_stands_out_by_chance_or_among_few():
    assert found(group("a", HIGH[:6], HIGH[:3]), group("b", HIGH[:6], LOW[:3])) == []
    assert found(group("a", [], []), group("b", [], LOW)) == [], "no answers before"
    assert found(group("a", HIGH, HIGH), group("b", HIGH, HIGH)) == [], "no change"


def test_one_of_each_dimension_the_largest_first():
    language = [group("ko", HIGH * 2, HIGH + LOW[:20], "lang"), group("en", [], LOW[:80], "lang")]
    causes = found(group("a", HIGH, HIGH), group("b", HIGH, LOW), *language)
    assert [(each.group.dimension, each.group.value) for each in causes] == [
        ("lang", "en"),
        ("model", "b"),
    ]
    assert causes[0].part > causes[1].part
