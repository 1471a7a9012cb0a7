"""Numbers in all their spellings: digits, Unicode numerals, Korean and English words."""

import re
import unicodedata
from collections.abc import Sequence

_SINO_DIGITS = {digit: value for value, digit in enumerate("영일이삼사오육칠팔구")} | {"공": 0}
_SMALL = {"십": 10, "백": 100, "천": 1_000}
_LARGE = {"만": 10**4, "억": 10**8, "조": 10**12}

_NATIVE_ONES = ["한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉"]
_NATIVE_TENS = ["열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔"]
# Other forms of the same words, before some counters or alone.
_NATIVE_OTHER: dict[str, float] = {
    "하나": 1,
    "둘": 2,
    "셋": 3,
    "넷": 4,
    "석": 3,
    "서": 3,
    "넉": 4,
    "너": 4,
}
_NATIVE_OTHER |= {"스무": 20, "대여섯": 5.5, "두세": 2.5, "서너": 3.5}
KOREAN_NATIVE: dict[str, float] = {word: n for n, word in enumerate(_NATIVE_ONES, start=1)}
KOREAN_NATIVE |= {word: n * 10 for n, word in enumerate(_NATIVE_TENS, start=1)}
KOREAN_NATIVE |= {
    ten + one: tens * 10 + ones
    for tens, ten in enumerate(_NATIVE_TENS, start=1)
    for ones, one in enumerate(_NATIVE_ONES, start=1)
}
KOREAN_NATIVE |= _NATIVE_OTHER

_ENGLISH_SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_ENGLISH_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
ENGLISH_NUMBERS = {word: n for n, word in enumerate(_ENGLISH_SMALL)}
ENGLISH_NUMBERS |= {word: n * 10 for n, word in enumerate(_ENGLISH_TENS, start=2)}
ENGLISH_SCALES = {
    "dozen": 12,
    "hundred": 100,
    "thousand": 1_000,
    "million": 10**6,
    "billion": 10**9,
}
ENGLISH_SCALES |= {"trillion": 10**12}


_PERHAPS_NUMERAL = re.compile(r"[^\x00-\x7f가-힣]")


# Measures of recipes: with another word "1/3" may be a day.
_FRACTION = re.compile(
    r"(?<![\d/.])(?:(?P<whole>\d{1,3}) )?(?P<part>[1-9])/(?P<of>[2-9])"
    r"(?=(?: ?(?:to|or|-|–) ?(?:\d{1,3} )?[1-9]/[2-9])?[ -]?(?:cups?|tsps?|tbsps?"
    r"|(?:tea|table)spoons?|pints?|quarts?|inch(?:es)?|pounds?|lbs?|ounces?|oz|miles?"
    r"|컵|[큰작]술|스푼|숟갈|개|모|쪽|통|단|포기|마리|봉지?)(?![a-z]))",
    re.IGNORECASE,
)


def _decimal(match: re.Match[str]) -> str:
    value = int(match["whole"] or 0) + int(match["part"]) / int(match["of"])
    return f"{value:.4f}".rstrip("0").rstrip(".")


def plain_numerals(text: str) -> str:
    """The text with ②, Ⅸ, ½, "3/4 cup" or ３ written in ASCII digits; what stands above or below
    the line, as in m², stays."""
    if "/" in text:
        text = _FRACTION.sub(_decimal, text)
    if text.isascii():
        return text
    return _PERHAPS_NUMERAL.sub(
        lambda one: _plain(one[0], text[one.start() - 1 : one.start()]), text
    )


def _plain(char: str, before: str) -> str:
    category = unicodedata.category(char)
    if category == "Nd":
        return str(unicodedata.digit(char))
    if category not in {"No", "Nl"}:
        return char
    if unicodedata.decomposition(char).startswith(("<super>", "<sub>")):
        return char
    value = unicodedata.numeric(char, None)
    if value is None:
        return char
    written = f"{value:.4f}".rstrip("0").rstrip(".")
    # "1½" is 1.5
    return written[1:] if before.isdigit() and 0 < value < 1 else written


def sino_korean(word: str) -> int | None:
    """The number that Sino-Korean numerals spell: 이백사십 is 240. None for anything else."""
    total = section = digit = 0
    for char in word:
        if char in _SINO_DIGITS:
            digit = digit * 10 + _SINO_DIGITS[char]
        elif char in _SMALL:
            section += max(1, digit) * _SMALL[char]
            digit = 0
        elif char in _LARGE:
            total += max(1, section + digit) * _LARGE[char]
            section = digit = 0
        else:
            return None
    return total + section + digit


def with_korean_scales(number: float, scales: str) -> float:
    """3 with "억" is 300,000,000; 2 with "천만" is 20,000,000."""
    for char in scales:
        number *= _SMALL.get(char) or _LARGE.get(char) or 1
    return number


def english_number(words: Sequence[str]) -> float | None:
    """The number that English words spell: two hundred and forty is 240."""
    total = section = 0.0
    found = False
    for word in words:
        if word in ENGLISH_NUMBERS:
            section += ENGLISH_NUMBERS[word]
        elif word in ENGLISH_SCALES:
            scale = ENGLISH_SCALES[word]
            if scale <= 100:
                section = max(1.0, section) * scale
            else:
                total += max(1.0, section) * scale
                section = 0.0
        elif word != "and":
            return None
        found = found or word != "and"
    return total + section if found else None


# A number with its thousands and decimals, as digits.
DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"


def face_value(digits: str) -> float:
    return float(digits.replace(",", ""))


NATIVE_PATTERN = "|".join(sorted(map(re.escape, KOREAN_NATIVE), key=len, reverse=True))


# dimension: (factor, spellings), …
UNITS: dict[str, tuple[tuple[float, str], ...]] = {
    "m": (
        (1e-9, "nm 나노미터"),
        (1e-6, "µm μm um 마이크로미터"),
        (1e-3, "mm 밀리미터 millimeter millimeters millimetre millimetres"),
        (1e-2, "cm 센티미터 센티 centimeter centimeters centimetre centimetres"),
        (1, "m 미터 meter meters metre metres"),
        (1e3, "km 킬로미터 킬로 kilometer kilometers kilometre kilometres"),
    ),
    "in": ((1, "inch inches in. 인치"), (12, "feet foot ft 피트"), (63360, "mile miles 마일")),
    "g": (
        (1e-9, "ng 나노그램"),
        (1e-6, "µg μg ug mcg 마이크로그램 microgram micrograms"),
        (1e-3, "mg 밀리그램 milligram milligrams"),
        (1, "g 그램 gram grams"),
        (1e3, "kg 킬로그램 kilogram kilograms"),
        (1e6, "톤 tonne tonnes"),
    ),
    "lb": ((1, "ounce ounces oz"), (16, "pound pounds lb lbs 파운드")),
    "l": (
        (1e-6, "µl μl ul 마이크로리터 microliter microliters microlitre microlitres"),
        (1e-3, "ml cc 밀리리터 milliliter milliliters millilitre millilitres"),
        (1, "l 리터 liter liters litre litres"),
    ),
    "cup": ((1, "cup cups 컵"),),
    "tsp": (
        (1, "tsp tsps teaspoon teaspoons 작은술"),
        (3, "tbsp tbsps tablespoon tablespoons 큰술"),
    ),
    "s": (
        (1e-3, "ms 밀리초 millisecond milliseconds"),
        (1, "초 s sec secs second seconds"),
        (60, "분 min mins minute minutes"),
        (3600, "시간 h hr hrs hour hours"),
        (86400, "일 day days"),
        (604800, "주 주일 주간 week weeks"),
    ),
    "mo": (
        (1, "개월 달 month months"),
        (12, "년 해 주년 year years yr yrs"),
        (120, "decade decades"),
        (1200, "세기 century centuries"),
    ),
    "deg": ((1, "도 ℃ °c c degrees degree"),),
    "degf": ((1, "℉ °f f"),),
    "%": ((1, "% 퍼센트 percent per\xa0cent 프로"),),
    "krw": ((1, "원 won"),),
    "usd": ((1, "달러 dollars dollar usd"), (0.01, "cents cent 센트")),
    "eur": ((1, "유로 euro euros eur"),),
    "bp": ((1, "bp"), (1e3, "kb"), (1e6, "mb 메가바이트"), (1e9, "gb 기가바이트"), (1e12, "tb")),
    "mol": ((1e-6, "µm μm"), (1e-3, "mm"), (1, "m")),
    "psi": ((1, "psi"),),
    "person": ((1, "명 사람 인 people persons person"),),
    "times": ((1, "번 회 차례 times time"),),
    "piece": ((1, "개 알 정 tablet tablets piece pieces"),),
    "vehicle": ((1, "대"),),
    "household": ((1, "가구 세대 household households"),),
    "fold": ((1, "배 fold"),),
}
# Spellings that mean another dimension elsewhere: M is molar as µM and mM only by its capital.
UNIT_OF: dict[str, tuple[str, float]] = {}
for _dimension, _members in UNITS.items():
    for _factor, _spellings in _members:
        for _name in _spellings.split(" "):
            UNIT_OF.setdefault(_name, (_dimension, _factor))

MONTHS = {
    name: n
    for n, names in enumerate(
        [
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ],
        start=1,
    )
    for name in names.split()
}
_DAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAYS = {
    name: n
    for n, (korean, english) in enumerate(zip("월화수목금토일", _DAY_NAMES, strict=True))
    for name in (korean, f"{korean}요일", english, english[:3])
}
SHARES = {
    word: share
    for share, words in (
        (1.0, "모두 모든 전부 전체 전원 언제나 항상 all every whole entire always everyone"),
        (0.9, "대부분 대다수 most majority mostly"),
        (0.5, "절반 half"),
        (0.2, "일부 몇몇 some several few"),
        (0.0, "none"),
    )
    for word in words.split()
}
DAYS = {"하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "여드레": 8}
DAYS |= {"아흐레": 9, "열흘": 10, "보름": 15, "일주일": 7}
TIMES = {"once": 1, "twice": 2, "thrice": 3}
