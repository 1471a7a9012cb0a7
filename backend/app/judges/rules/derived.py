"""Values that follow from those of the notes: sums, differences, products, shares, later days."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import combinations, permutations

from app.judges.rules.values import Value

# Values beyond these are not tried: a coincidence is more likely than a calculation.
MOST_VALUES, FEW_VALUES = 14, 6
# Numbers below this one come out of others by chance.
TELLING = 20
# Counts: of people, pieces, times, spans. Multiplied with another value they keep its unit.
_COUNTS = frozenset({"", "person", "piece", "times", "s", "mo", "vehicle"})
_DAY = 86_400.0
# A leap year, so that 29 February is a day.
_SOME_YEAR = 2024

_TOTAL = re.compile(
    r"모두|(?<![가-힣])총(?=[ \d액])|합계|합[치하해]|다 해서"
    r"|\b(?:total|altogether|in all|sum|comes? to|came to)\b",
    re.IGNORECASE,
)
_RESULT = re.compile(
    r"인당|한 사람당|잔액|차액|몇 배|남은 (?:돈|금액|예산|회비)|(?:얼마|몇).{0,20}남"
    r"|\bprofit\b|\bhow (?:much|many)\b.{0,40}\bleft\b",
    re.IGNORECASE,
)


def says_total(text: str) -> bool:
    """Whether a text speaks of all together."""
    return _TOTAL.search(text) is not None


def asks_for_result(question: str) -> bool:
    """Whether a question asks for what has to be calculated."""
    return says_total(question) or _RESULT.search(question) is not None


def follows(value: Value, known: Sequence[Value], stated: Sequence[Value]) -> bool:
    """Whether a value is calculated from two or three others.

    known: of the notes; stated: other values that the sentence or the question names. One part of
    the calculation must be stated, both where the result has no unit: of so many numbers some
    come out by chance.
    """
    parts = [*stated, *known][:MOST_VALUES]
    both = not value.kind or abs(value.number) < TELLING
    later = value.kind in ("date", "time")
    # Few notes have two dates and spans of which a third day comes out by chance.
    free = later and len(known) <= FEW_VALUES
    pairs = [
        (one, other)
        for (n, one), (m, other) in permutations(enumerate(parts), 2)
        if free or (max if both and not later else min)(n, m) < len(stated)
    ]
    if value.kind == "date":
        return any(_is_later(value, one, other) for one, other in pairs)
    if value.kind == "time":
        return any(_is_later_hour(value, one, other, stated) for one, other in pairs)
    return any(_results(value, one, other, stated) for one, other in pairs)


def is_sum(value: Value, listed: Sequence[Value]) -> bool:
    """Whether a value is the sum of two or all of its kind in one sentence, or of all that have no
    unit, three at least: "four, three and two balls"."""
    bare = [one.number for one in listed if not one.kind][:MOST_VALUES]
    if len(bare) >= 3 and _equal(value.number, sum(bare)):
        return True
    alike = [one.amount for one in listed if one.kind == value.kind][:MOST_VALUES]
    if not value.kind or len(alike) < 2:
        return False
    pairs = combinations(alike, 2)
    return any(_equal(value.amount, total) for total in (sum(alike), *map(sum, pairs)))


def _results(value: Value, one: Value, other: Value, stated: Sequence[Value]) -> bool:
    ours = value.amount
    if other.kind == "mo" and not one.kind and _is_year(one.number) and _is_year(value.number):
        return _equal(abs(value.number - one.number), other.amount / 12)
    if one.kind == other.kind and _fits(value, one):
        totals = (one.amount + other.amount, one.amount - other.amount)
        if any(_equal(ours, total) for total in totals):
            return True
    if other.kind in _COUNTS or other.kind == "share":
        for factor in {other.amount, other.number, other.amount / _DAY}:
            if factor and _equal(ours, one.amount * factor) and _fits(value, one):
                return True
    if other.kind == "%" and _fits(value, one):
        share = one.amount * other.number / 100
        return any(_equal(ours, total) for total in (share, one.amount - share, one.amount + share))
    return _is_product_of_three(value, one, other, stated)


def _is_product_of_three(value: Value, one: Value, other: Value, stated: Sequence[Value]) -> bool:
    return any(
        _equal(value.amount, one.amount * other.number * third.number)
        for third in stated
        if third.kind in _COUNTS and other.kind in _COUNTS and _fits(value, one)
    )


def _is_year(number: float) -> bool:
    return 1000 <= number < 3000


def _fits(value: Value, source: Value) -> bool:
    return value.kind == source.kind or not value.kind or not source.kind


def _equal(left: float, right: float) -> bool:
    return abs(left - right) <= 1e-6 * max(1.0, abs(left))


def _is_later(value: Value, start: Value, span: Value) -> bool:
    """Whether a date is so many days or weeks after another one of the notes."""
    if start.kind != "date" or span.kind != "s" or span.amount % _DAY:
        return _is_later_year(value, start, span)
    (year, month, day), (_, our_month, our_day) = start.date, value.date
    if not (month and day and our_month and our_day):
        return False
    try:
        begun = date(year or _SOME_YEAR, month, day)
        days = timedelta(days=span.amount / _DAY)
        moved = {begun + days, begun - days}
    except (ValueError, OverflowError):
        return False
    return (our_month, our_day) in {(one.month, one.day) for one in moved}


def _is_later_hour(value: Value, start: Value, span: Value, stated: Sequence[Value]) -> bool:
    """Whether a time of the day is so long after another, perhaps several times over."""
    if start.kind != "time" or span.kind != "s":
        return False
    times = {1.0, *(one.number for one in stated if one.kind in ("person", "times", "piece", ""))}
    away = abs(value.amount - start.amount) % 720
    return any(_equal(away, span.amount / 60 * one % 720) for one in times)


def _is_later_year(value: Value, start: Value, span: Value) -> bool:
    ours, theirs = value.date[0], start.date[0] if start.kind == "date" else None
    years = span.amount / 12 if span.kind == "mo" else span.number
    return ours is not None and theirs is not None and 0 < years == abs(ours - theirs)
