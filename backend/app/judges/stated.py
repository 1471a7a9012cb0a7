"""Whether the values that a claim names stand in what the judge was shown.

A judge that obeys its material calls a claim supported, with a real quote that has nothing to do
with it. What no source says is not supported, whatever the judge says: a number of two digits, a
quantity, a date or a time of the claim that stands in no source and not in the question, and that
is not calculated from the quote and the rest of the claim.
"""

import re
from collections.abc import Sequence
from functools import cached_property

from app.judges.rules.derived import follows
from app.judges.rules.values import Value, same, values

VALUE_NOT_STATED = "value_not_stated"

# Smaller numbers without a unit count things, or number them.
MIN_COUNT = 20
_COUNTED = frozenset({"", "person", "piece", "times"})
# "More than 2,000 days" may stand for 2,013 of them, and "500여 명" for 512.
MAX_ROUNDING = 2.0
_MORE = re.compile(r"\s*(?:여\b|여\s|\S{0,3}\s?(?:이상|넘|남짓)|or more|and more|plus)|\+")
_MORE_BEFORE = re.compile(
    r"(?:more than|over|at least|above|exceed(?:s|ed|ing)?)\s*[$€£]?$", re.IGNORECASE
)
_NUMBER = re.compile(r"\d+(?:,\d{3})*")
# Of a claim, and on either side of its quote; what is further away counts letter by letter only.
MAX_CLAIM_CHARS = 2_000
NEAR_CHARS = 500
# 37 °C may be given as 98.6 °F, or as 99.
_DEGREES = {"deg", "degf"}
_ROUNDING = 1.0


class StatedValues:
    """The values of the sources and of the question of one answer."""

    def __init__(self, sources: Sequence[str], question: str) -> None:
        self._sources = sources
        self._question = question

    def lacks(self, claim: str, quote: str) -> bool:
        """Whether the claim names a value that is not stated."""
        claim = claim[:MAX_CLAIM_CHARS]
        unknown = [
            value
            for value in values(claim)
            if _is_telling(value, claim)
            and not self._numbers.issuperset(_numbers(claim[value.start : value.end]))
        ]
        if not unknown:
            return False
        near = [*values(self._near(quote)), *values(self._question)]
        return any(not self._follows(value, claim, quote, near) for value in unknown)

    def _follows(self, value: Value, claim: str, quote: str, near: Sequence[Value]) -> bool:
        others = [other for other in values(claim) if other.start != value.start]
        least = _is_least(value, claim)
        if any(
            same(value, stated)
            or (least and value.number <= stated.number <= MAX_ROUNDING * value.number)
            for stated in near
        ):
            return True
        if any(_is_converted(value, other) for other in (*others, *near)):
            return True
        stated = [*others, *values(self._question)]
        return follows(value, values(quote[:MAX_CLAIM_CHARS]), stated)

    def _near(self, quote: str) -> str:
        """The quote with what stands around it in its source."""
        quote = quote[:MAX_CLAIM_CHARS]
        for text in self._sources:
            at = text.find(quote)
            if at >= 0:
                return text[max(0, at - NEAR_CHARS) : at + len(quote) + NEAR_CHARS]
        return quote

    @cached_property
    def _numbers(self) -> frozenset[str]:
        return frozenset(n for text in (*self._sources, self._question) for n in _numbers(text))


def _numbers(text: str) -> list[str]:
    return [number.replace(",", "") for number in _NUMBER.findall(text)]


def _is_telling(value: Value, claim: str) -> bool:
    has_digits = any(char.isdigit() for char in claim[value.start : value.end])
    return has_digits and (value.kind not in _COUNTED or abs(value.number) >= MIN_COUNT)


def _is_least(value: Value, claim: str) -> bool:
    before, after = claim[: value.start], claim[value.end :]
    return bool(_MORE.match(after) or _MORE_BEFORE.search(before))


def _is_converted(value: Value, other: Value) -> bool:
    """Whether one is in degrees Celsius what the other is in Fahrenheit."""
    if {value.kind, other.kind} != _DEGREES:
        return False
    celsius, fahrenheit = sorted((value, other), key=lambda each: each.kind == "degf")
    return abs(celsius.number * 9 / 5 + 32 - fahrenheit.number) <= _ROUNDING
