"""Whether the values that a claim names stand in what the judge was shown.

A judge that obeys its material calls a claim supported, with a real quote that has nothing to do
with it. What no source says is not supported, whatever the judge says: a quantity, a date, a time
or a number of two digits of the claim that stands in no source and not in the question, however it
is written, and that is not calculated from the quote and the rest of the claim.
"""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property, lru_cache
from unicodedata import normalize

from app.judges.rules.derived import follows, is_sum
from app.judges.rules.numbers import UNITS, face_value, plain_numerals
from app.judges.rules.values import Value, keys, same, values

VALUE_NOT_STATED = "value_not_stated"

# Smaller numbers without a unit count things, or number them.
MIN_COUNT = 20
MIN_SINO = 100
_COUNTED = frozenset({"", "person", "piece", "vehicle"})
# By which others are multiplied: a claim may suppose them, "in three days 6,000 mg".
_FACTORS = frozenset({"s", "mo", "times"})
# "More than 2,000 days" may stand for 2,013 of them, and "500여 명" for 512.
MAX_ROUNDING = 2.0
_MORE = re.compile(r"\s*(?:여\b|여\s|\S{0,3}\s?(?:이상|넘|남짓)|or more|and more|plus)|\+")
_MORE_BEFORE = re.compile(
    r"(?:more than|over|at least|above|exceed(?:s|ed|ing)?)\s*[$€£]?$", re.IGNORECASE
)
_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
# Of a claim, and on either side of its quote; with what is further away nothing is calculated.
MAX_CLAIM_CHARS = 2_000
NEAR_CHARS = 500
# 6 feet are given as 183 cm, 2 pounds as 907 g, and a gigabyte as 1,024 MB.
_CONVERSIONS = {("in", "m"): 0.0254, ("lb", "g"): 28.35, ("bp", "bp"): 1.024}
_MAX_CONVERSION_ERROR = 0.02
# 37 °C may be given as 98.6 °F, or as 99; "350 degrees" may be either.
_MAX_DEGREES_ERROR = 1.0
_DEGREES = {"deg", "degf"}
_OTHER_UNIT = {
    one: other for pair in (("deg", "degf"), *_CONVERSIONS) for one, other in (pair, pair[::-1])
}
# Half, 50 % and 0.5.
_SHARES = {"%", "share", ""}
# Between the parts of one quantity: 1시간 30분; 5 feet, 6 inches.
_JOINED = re.compile(r",? ?(?:and )?")
_HALF_MORE = re.compile(r" ?반(?![가-힣])")

_LETTERS = {"m": "million", "b": "billion", "bn": "billion", "k": "thousand"}
# Spellings that `values` reads otherwise, or not at all, and what a text must have for them.
_SPELLINGS = [
    (needed, re.compile(pattern, re.IGNORECASE), plain)
    for needed, pattern, plain in (
        ("대", r"(?<=[조억만천백])대(?=[의에])", " 이상"),
        ("", r"\d(?<=[가-힣]\d)", r" \g<0>"),
        ("", r"([%℃℉°]) ?[-–] ?(?=\d)", r"\1 ~ "),
        ("/", r"\b(\d{1,2})/(\d{1,2})/([12]\d{3})\b", r"\3-\1-\2"),
        ("/", r"(?<![\d/])(0?[1-9]|1[0-2])/(1[3-9]|2\d|3[01])(?![\d/])", r"\1월 \2일"),
        ("0", r"\b([12]\d\d0)s\b", r"\1"),
        ("noon", r"\b(?:12 )?noon\b", "12:00 pm"),
        ("정오", r"정오", "12:00 pm"),
        ("midnight", r"\b(?:12 )?midnight\b", "12:00 am"),
        ("자정", r"자정", "12:00 am"),
    )
]
_FRACTION = re.compile(r"(?<![\d/.])(?:(\d{1,3})(?:[ -]| and ))?([1-9])[/⁄]([2-9]|10)(?![\d/])")
_SPACED = re.compile("(?<=\\d) (?=[¼-¾⅐-⅞])")
_SINO = re.compile("[일이삼사오육칠팔구십백천만억]{2}")
_MONEY = re.compile(r"(?<=[$€£])(\d[\d.,]*) ?(m|bn?|k)\b", re.IGNORECASE)


class StatedValues:
    """The values of the sources and of the question of one answer."""

    def __init__(self, sources: Sequence[str], question: str) -> None:
        self._sources = sources
        self._question = question

    def lacks(self, claim: str, quote: str) -> bool:
        """Whether the claim names a value that is not stated."""
        claim, quote = _plain(claim[:MAX_CLAIM_CHARS]), _plain(quote[:MAX_CLAIM_CHARS])
        telling = [value for value in _quantities(claim) if _is_telling(value, claim)]
        if not telling:
            return False
        # Most values stand in a source as they are, which the index shows.
        stated = [value for value in telling if self._is_far(value, claim)]
        if len(stated) < len(telling):
            near = [*_quantities(self._near(quote)), *self._asked]
            rest = (value for value in telling if value not in stated)
            stated += [value for value in rest if _is_near(value, claim, near)]
        if len(stated) == len(telling):
            return False
        calculated = [
            value
            for value in telling
            if value not in stated and self._is_calculated(value, claim, quote)
        ]
        return any(
            # 1시간 30분 is one value, which 90분 states.
            not any(one.start <= value.start and value.end <= one.end for one in stated)
            and value not in calculated
            and not (calculated and value.kind in _FACTORS)
            for value in _values(claim)
            if value in telling
        )

    def _is_calculated(self, value: Value, claim: str, quote: str) -> bool:
        others = [other for other in _quantities(claim) if not _overlap(value, other)]
        quoted, stated = _values(quote), [*others, *_values(_plain(self._question))]
        return is_sum(value, quoted) or follows(value, quoted, stated)

    def _near(self, quote: str) -> str:
        """The quote with what stands around it in its source."""
        for text in self._texts:
            at = text.find(quote)
            if at >= 0:
                return text[max(0, at - NEAR_CHARS) : at + len(quote) + NEAR_CHARS]
        return quote

    def _is_far(self, value: Value, claim: str) -> bool:
        """Whether a source states the value, wherever; a number without a unit in digits alone."""
        if not value.kind and (numbers := _numbers(claim[value.start : value.end])):
            return self._numbers.issuperset(numbers)
        amount = value.kind, value.amount
        if any(amount in amounts for amounts in self._amounts):
            return True
        wanted = keys(value)
        return any(
            _means(value, other)
            for by_key in self._by_key
            for key in wanted
            for other in by_key.get(key, ())
        )

    @cached_property
    def _texts(self) -> list[str]:
        return [_plain(text) for text in self._sources]

    @cached_property
    def _amounts(self) -> list[AbstractSet[object]]:
        return [_amounts(text) for text in self._texts]

    @cached_property
    def _by_key(self) -> list[Mapping[object, Sequence[Value]]]:
        return [_by_key(text) for text in self._texts]

    @cached_property
    def _asked(self) -> Sequence[Value]:
        return _quantities(_plain(self._question))

    @cached_property
    def _numbers(self) -> frozenset[float]:
        return frozenset(number for text in self._texts for number in _numbers(text))


# A text is compared with each claim, and notes are shown with many answers.
_read_once = lru_cache(maxsize=256)
_values = _read_once(values)


@_read_once
def _plain(text: str) -> str:
    text = normalize("NFKC", plain_numerals(_SPACED.sub("", text)))
    lowered = text.lower()
    for needed, pattern, plain in _SPELLINGS:
        if needed in lowered:
            text = pattern.sub(plain, text)
    text = _MONEY.sub(lambda money: f"{money[1]} {_LETTERS[money[2].lower()]}", text)
    return _FRACTION.sub(_decimal, text) if "/" in text or "⁄" in text else text


def _decimal(fraction: "re.Match[str]") -> str:
    whole, above, below = fraction.groups()
    return f"{int(whole or 0) + int(above) / int(below):.4f}".rstrip("0").rstrip(".")


def _numbers(text: str) -> list[float]:
    return [face_value(number) for number in _NUMBER.findall(text)]


@_read_once
def _quantities(text: str) -> Sequence[Value]:
    """The values of a text, and the quantities that several of them give together."""
    found = _values(text)
    joined = list(found)
    whole: Value | None = None
    for value in found:
        if whole and _continues(whole, value, text):
            whole = value._replace(amount=whole.amount + value.amount, start=whole.start)
            joined.append(whole)
        else:
            whole = value
        if value.kind in UNITS and value.number and _HALF_MORE.match(text, value.end):
            half = value.amount / value.number / 2
            joined.append(whole._replace(amount=whole.amount + half))
    return joined


@_read_once
def _amounts(text: str) -> AbstractSet[object]:
    """Kind and amount of its values; those with an equal amount are the same, but for dates."""
    return frozenset((one.kind, one.amount) for one in _quantities(text) if one.kind != "date")


@_read_once
def _by_key(text: str) -> Mapping[object, Sequence[Value]]:
    found: dict[object, list[Value]] = {}
    for value in _quantities(text):
        for key in keys(value):
            found.setdefault(key, []).append(value)
    return found


def _continues(whole: Value, value: Value, text: str) -> bool:
    return (
        whole.kind == value.kind in UNITS
        and 0 < value.amount < whole.amount
        and _JOINED.fullmatch(text, whole.end, value.start) is not None
    )


def _is_near(value: Value, claim: str, near: Sequence[Value]) -> bool:
    """Whether the claim names one of the values `near`, rounded or in another unit, or gives its
    own value in two."""
    for one in near:
        if _means(value, one):
            return True
    if _is_least(value, claim):
        most = MAX_ROUNDING * value.number
        if any(value.number <= one.number <= most for one in near):
            return True
    unit = _OTHER_UNIT.get(value.kind)
    others = [other for other in _quantities(claim) if not _overlap(value, other)]
    return any(_is_converted(value, one) for one in (*others, *near) if one.kind == unit)


def _overlap(value: Value, other: Value) -> bool:
    return value.start < other.end and other.start < value.end


def _is_telling(value: Value, claim: str) -> bool:
    written = claim[value.start : value.end]
    has_digits = any(char.isdigit() for char in written)
    # "One day" and "하루" are often no number, and 무슨 일이 일어나다 is none.
    is_spelt = value.number > 1 and not (_SINO.match(written) and value.number < MIN_SINO)
    if value.kind in _COUNTED:
        return abs(value.number) >= MIN_COUNT and (
            has_digits or (is_spelt and (value.kind != "" or " " in written))
        )
    return has_digits or (value.kind in UNITS and is_spelt) or value.kind == "weekday"


def _is_least(value: Value, claim: str) -> bool:
    before, after = claim[: value.start], claim[value.end :]
    return bool(_MORE.match(after) or _MORE_BEFORE.search(before))


def _means(value: Value, other: Value) -> bool:
    if same(value, other):
        return True
    if value.kind in _SHARES and other.kind in _SHARES:
        return 0 < _share(value) == _share(other)
    if value.kind != other.kind and value.kind in _DEGREES and other.kind in _DEGREES:
        return value.number == other.number
    return False


def _share(value: Value) -> float:
    """Of a hundred: 50 for half, 50 % and 0.5; 0 where the value is no share. value: of a kind of
    _SHARES."""
    if value.kind == "%":
        return value.number
    return round(value.number * 100, 2) if 0 < value.number < 1 else 0.0


def _is_converted(value: Value, other: Value) -> bool:
    """Whether both are about the same amount. other: of the other unit."""
    if {value.kind, other.kind} == _DEGREES:
        celsius, fahrenheit = sorted((value, other), key=lambda each: each.kind == "degf")
        return abs(celsius.number * 9 / 5 + 32 - fahrenheit.number) <= _MAX_DEGREES_ERROR
    for one, two in ((value, other), (other, value)):
        factor = _CONVERSIONS.get((one.kind, two.kind))
        if factor and abs(one.amount * factor - two.amount) <= _MAX_CONVERSION_ERROR * two.amount:
            return True
    return False
