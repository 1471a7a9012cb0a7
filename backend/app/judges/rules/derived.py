"""Values that follow from those of the notes: sums, differences, products, shares, later days."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import combinations, permutations

from app.judges.rules.values import Value
from app.text.language import Bilingual

# Values beyond these are not tried: a coincidence is more likely than a calculation.
MAX_VALUES, FEW_VALUES = 14, 6
# Numbers below this one come out of others by chance.
TELLING = 20
# Counts: of people, pieces, times, spans. Multiplied with another value they keep its unit.
_COUNTS = frozenset({"", "person", "piece", "times", "s", "mo", "vehicle", "household"})
_DAY = 86_400.0
# A leap year, so that 29 February is a day.
_SOME_YEAR = 2024

_TOTAL = Bilingual(
    r"모두|(?<![가-힣])총(?=[ \d액])|합계|합[치하해]|다 해서"
    r"|\b(?:total|altogether|in all|sum|comes? to|came to)\b"
)
_RESULT = Bilingual(
    r"인당|한 사람당|잔액|차액|몇 배|남은 (?:돈|금액|예산|회비)|(?:얼마|몇).{0,20}남"
    r"|\bprofit\b|\bhow (?:much|many)\b.{0,40}\bleft\b"
)


# Words that mark a calculation.
_RECKONING_STEMS = """
altogeth total leav left remain sum work come off out taken onc took made make go each per
quarter half third 합치다 합하다 모두 각각 남다 이다 곱하다 나누다 빼다 더하다 계산 합계
"""
RECKONING = frozenset(_RECKONING_STEMS.split())
_TERM = re.compile(r"(\d[\d,]*(?:\.\d+)?)|([-+−×x*÷/])")
# Characters before "=" and after it that are read.
_EQUATION = 60


def equated(text: str) -> frozenset[float]:
    """The results of the right equations in a text, such as 65 in "49 + 2 × 8 = 65"."""
    found = set()
    for at in (n for n, char in enumerate(text) if char == "="):
        terms = _TERM.findall(text, max(0, at - _EQUATION), at)
        result = _TERM.search(text, at, at + _EQUATION)
        first = len(terms) - 1
        while first >= 2 and terms[first][0] and terms[first - 1][1] and terms[first - 2][0]:
            first -= 2
        if result and result[1] and first >= 0 and len(terms) - first >= 3:
            said = float(result[1].replace(",", ""))
            if _equal(said, _evaluated(terms[first:])):
                found.add(said)
    return frozenset(found)


def _evaluated(terms: Sequence[tuple[str, str]]) -> float:
    """Of numbers and signs in turn, products before sums."""
    sums = [float(terms[0][0].replace(",", ""))]
    for (_, sign), (digits, _) in zip(terms[1::2], terms[2::2], strict=True):
        number = float(digits.replace(",", ""))
        if sign in "-−+":
            sums.append(number if sign == "+" else -number)
        else:
            sums[-1] *= number if sign in "×x*" else 1 / number if number else 0.0
    return sum(sums)


def says_total(text: str) -> bool:
    """Whether a text speaks of all together."""
    return _TOTAL.search(text) is not None


def asks_for_result(question: str) -> bool:
    """Whether a question asks for what has to be calculated."""
    return says_total(question) or _RESULT.search(question) is not None


_COMPARED = Bilingual(
    r"퍼센트|프로(?![가-힣])|비율|몇 ?%"
    r"|얼마나|차이|보다|배(?![가-힣]{2})|더 |덜 |연기|미[루뤄뤘]|늦[어춰췄]|앞당|[늘줄][었어]"
    r"|올랐|[올내]려"
    r"|\b(?:per ?cent(?:age)?|proportion|share of"
    r"|by how much|added|since|more|less|fewer|than|difference|times|longer|shorter"
    r"|later|earlier|still|left|remain\w*|delay\w*|postpon\w*"
    r"|increas\w*|decreas\w*|r[io]se|risen|dropp?\w*|f[ea]ll\w*|gr[eo]w\w*|gained|lost|saved?)\b"
)
_LASTING = Bilingual(
    r"며칠|몇 ?(?:일|주|달|년|시간|분)|동안|얼마 ?동안|부터|만에|걸[려렸리]"
    r"|\b(?:how long|how many|between|from|took|takes)\b"
)
_RATE = Bilingual(
    r"당(?![가-힣]{2})|씩|꼴|하루"
    r"|(?:한|1) ?(?:달|사람|명|개|권|잔|병|박|시간|주|번|장)(?:에|이|은|의)"
    r"|\b(?:each|per|apiece|a (?:day|week|month|year|night|piece|person|kilo|head))\b"
)


def is_difference(value: Value, listed: Sequence[Value], text: str) -> bool:
    """Whether a text compares, and a value is the difference or the ratio of two others, for spans
    of two dates or times too."""
    spans = value.kind in ("s", "mo") and _LASTING.search(text) is not None
    if not spans and _COMPARED.search(text) is None:
        return False
    pairs = permutations(listed[:MAX_VALUES], 2)
    return any(_differ_by(value, one, other) for one, other in pairs)


def _differ_by(value: Value, one: Value, other: Value) -> bool:
    if value.kind == "%" and one.kind == other.kind and other.amount:
        return _rounded(value.number, 100 * one.amount / other.amount)
    if value.kind == "fold":
        return one.kind == other.kind and _equal(one.number, value.number * other.number)
    if value.kind == "s" and one.kind == other.kind and one.kind in ("date", "time"):
        away = _days_between(one, other) if one.kind == "date" else one.amount - other.amount
        unit = _DAY if one.kind == "date" else 60
        return away is not None and away > 0 and _equal(value.amount, away * unit)
    if value.kind == "mo" and (begun := _year_of(other)) and (ended := _year_of(one)):
        return _equal(value.amount, 12 * (ended - begun))
    # A number alone comes out of others by chance.
    if not value.kind and not one.kind and not other.kind and value.number >= TELLING:
        return _equal(value.number, one.number - other.number)
    if not value.kind or {one.kind, other.kind} - {value.kind, ""}:
        return False
    if one.kind == other.kind == value.kind:
        return _equal(value.amount, one.amount - other.amount)
    return other.number != 0 and _equal(value.number, one.number - other.number)


def _year_of(value: Value) -> int | None:
    if value.kind == "date":
        return value.date[0]
    return int(value.number) if not value.kind and _is_year(value.number) else None


def _days_between(one: Value, other: Value) -> int | None:
    """From the second date to the first, None where a month or day is not given."""
    try:
        days = [
            date(each.date[0] or _SOME_YEAR, each.date[1] or 0, each.date[2] or 0)
            for each in (one, other)
        ]
    except ValueError:
        return None
    return (days[0] - days[1]).days


def is_rate(value: Value, listed: Sequence[Value], text: str) -> bool:
    """Whether a text says what falls to one of several: 120,000 a night of 360,000 for three."""
    if _RATE.search(text) is None:
        return False
    return any(
        one.kind == value.kind
        and other.kind in _COUNTS
        and other.number > 1
        and _equal(value.amount * other.number, one.amount)
        for one, other in permutations(listed[:MAX_VALUES], 2)
    )


def follows(
    value: Value, known: Sequence[Value], stated: Sequence[Value], asked: Sequence[Value] = ()
) -> bool:
    """Whether a value is calculated from two or three others.

    known: of the notes; stated: other values that the sentence or the question names. One part of
    the calculation must be stated, both where the result has no unit: of so many numbers some
    come out by chance. asked: of the question, for which a rate of the notes may be applied.
    """
    parts = [*stated, *known][:MAX_VALUES]
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
    if any(_results(value, one, other) for one, other in pairs):
        return True
    given = [one for one in asked if one.kind][:FEW_VALUES] if value.kind else []
    return any(
        _is_of_three(value, one, other, third)
        for one, other in permutations(parts, 2)
        if _fits(value, one)
        for third in given
        if third not in (one, other)
    )


def is_sum(value: Value, listed: Sequence[Value]) -> bool:
    """Whether a value is the sum of two or all of its kind in one sentence, or of all that have no
    unit, three at least: "four, three and two balls"."""
    bare = [one.number for one in listed if not one.kind][:MAX_VALUES]
    if len(bare) >= 3 and _equal(value.number, sum(bare)):
        return True
    alike = [one.amount for one in listed if one.kind == value.kind][:MAX_VALUES]
    if not value.kind or len(alike) < 2:
        return False
    pairs = combinations(alike, 2)
    return any(_equal(value.amount, total) for total in (sum(alike), *map(sum, pairs)))


def _results(value: Value, one: Value, other: Value) -> bool:
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
    return False


def _is_of_three(value: Value, one: Value, other: Value, third: Value) -> bool:
    """Whether a value is a product of three, or one is its rate: by so much of another
    ("1 kg costs 130"), or for what exceeds it ("1,000 an hour after 12 hours")."""
    counts = third.kind in _COUNTS and other.kind in _COUNTS
    if counts and _equal(value.amount, one.amount * other.number * third.number):
        return True
    if not third.kind or third.kind != other.kind or value.kind == third.kind:
        return False
    return _equal(value.amount * other.amount, one.amount * third.amount) or _equal(
        value.amount, one.amount * (third.number - other.number)
    )


def _is_year(number: float) -> bool:
    return 1000 <= number < 3000


def _fits(value: Value, source: Value) -> bool:
    return value.kind == source.kind or not value.kind or not source.kind


def _rounded(value: float, exact: float) -> bool:
    """Whether a share is another one to as many places as it is written with, at most two."""
    return any(_equal(value, round(exact, places)) for places in range(3))


def _equal(left: float, right: float) -> bool:
    return abs(left - right) <= 1e-6 * max(1.0, abs(left))


def _is_later(value: Value, start: Value, span: Value) -> bool:
    """Whether a date is so many days or weeks after another one of the notes."""
    if start.kind == "date" and span.kind == "mo" and _is_months_later(value, start, span):
        return True
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


def _is_months_later(value: Value, start: Value, span: Value) -> bool:
    (_, month, day), (_, our_month, our_day) = start.date, value.date
    if not (month and our_month) or day != our_day:
        return False
    return (our_month - month - span.amount) % 12 == 0 or (
        month - our_month - span.amount
    ) % 12 == 0


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
