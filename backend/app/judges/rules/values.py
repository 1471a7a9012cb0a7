"""Values of a sentence: quantities, dates, times, weekdays, shares – whatever their spelling.

Two values are the same when they mean the same: 1 km and 1,000 m, 이백 and 200, 2 pm and 오후
2시, "twice a week" and 주 2회.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from app.judges.rules.numbers import (
    DAYS,
    DIGITS,
    ENGLISH_NUMBERS,
    ENGLISH_SCALES,
    KOREAN_NATIVE,
    MONTHS,
    NATIVE_PATTERN,
    SHARES,
    TIMES,
    UNIT_OF,
    UNITS,
    WEEKDAYS,
    english_number,
    face_value,
    sino_korean,
    with_korean_scales,
)

Date = tuple[int | None, int | None, int | None]


class Value(NamedTuple):
    """A value at text[start:end].

    kind: "date" (amount: year, month, day, each perhaps unknown), "time" (minutes of the day;
    half: whether morning or afternoon is given), "weekday" (0 to 6), "code" (a telephone number,
    its digits), "nth", "share" (1 all, .9 most,
    .5 half, .2 some, 0 none), a dimension of `UNITS`, or "" without a unit. number: as it is
    written. bound: 1 where it is the least, -1 where it is the most, 0 where neither is said.
    """

    kind: str
    amount: float
    number: float
    start: int
    end: int
    date: Date = (None, None, None)
    half: bool = True
    bound: int = 0


_NAMES = "|".join(re.escape(name) for name in sorted(UNIT_OF, key=len, reverse=True))
# "2조" is the second group, "2조 원" money.
_KOREAN_SCALE = r"(?:[십백천만억]{1,3}조?|조(?= ?(?:\d|원|달러|유로|엔|위안)))"
_ENGLISH_WORD = "|".join(sorted([*ENGLISH_NUMBERS, *ENGLISH_SCALES], key=len, reverse=True))

_COUNTERS = (
    "명|사람|가구|세대|집|개월|개|번|회|시간|시|달|주일|주|살|가지|마리|권|장|대|병|알|줄|배|곳|차례|건|째|해|분|잔|켤레"
    "|채|송이|그루|자루|통|판|쌍|편|군데|칸|층|팀|조"
)

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
# What may follow a counter: 한 명이 is one person, 한명숙 a name.
_ENDS = (
    "[^가-힣]|[이가은는을를의에로도만씩과와당간째쯤짜밖뿐중전후뒤넘보]"
    "|마다|까지|부터|정도|으로|동안|[인입였]|예요|$"
)
# With what a value can begin: most places of a text are passed over by one look at their letters.
_KOREAN_FIRST = "".join(
    sorted(
        {
            word[0]
            for word in (
                *"일이삼사오육칠팔구십백천만억월화수목금토",
                *("오전", "새벽", "아침", "저녁", "밤", "낮", "영하", "마이너스", "첫"),
                *KOREAN_NATIVE,
                *DAYS,
                *SHARES,
            )
            if "가" <= word[0] <= "힣"
        }
    )
)
# With what it can begin within a Korean word.
_KOREAN_WITHIN = (
    r"오[전후]|새벽|아침|저녁|밤|낮|[월화수목금토일]요일|영하|마이너스|모[두든]|전[부체원]|언제나|항상|대[부다]"
    r"|절반|일부|몇몇"
)
_NATIVE_FIRST = "".join(sorted({word[0] for word in KOREAN_NATIVE}))
_ENGLISH_WORDS = (
    *ENGLISH_NUMBERS,
    *ENGLISH_SCALES,
    *MONTHS,
    *WEEKDAYS,
    *SHARES,
    *TIMES,
    "minus",
    "d-",
)
_ENGLISH_FIRST = "|".join(sorted({word[:3] for word in _ENGLISH_WORDS if word.isascii()}))
# What "once" and a clause begin with.
_CLAUSE = (
    r"(?:the|an?(?! (?:day|week|month|year|quarter))|this|that|all|i|you|he|she|it|we|they"
    r"|your|his|her|its|our|their|\w+['’](?:ve|s|re))\b"
)
_SHORT_WEEKDAY = "mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun"
_VALUE = re.compile(
    rf"(?:(?=[\d$€£₩−-])|\b(?=[a-z])(?={_ENGLISH_FIRST})"
    rf"|(?=[{_KOREAN_FIRST}])(?:(?<![가-힣])|(?={_KOREAN_WITHIN})))(?:"
    # What only digits or letters begin is tried at these only.
    r"(?=\d)(?:(?P<code>(?<![a-z\d-])0\d{1,3}-\d{3,4}-\d{4}(?![a-z\d-]))|"
    r"(?P<iso>(?<!\d)(?P<iy>[12]\d{3})[-./](?P<im>\d{1,2})[-./](?P<id>\d{1,2})(?!\d))"
    r"|(?P<iso2>(?<!\d)(?P<iy2>(?:19|20)\d\d)[-/](?P<im2>0?[1-9]|1[0-2])(?![\d/.-]))"
    # A day in shorthand, as 10/22(화) and 5/12까지, no share as in 1/3 정도.
    r"|(?P<slash>(?<![\d/.])(?P<sm>0?[1-9]|1[0-2])(?:/|\.(?=\d\d? ?\([월화수목금토일]\)))"
    r"(?P<sd>0?[1-9]|[12]\d|3[01])(?![\d/])"
    r"(?= ?\(?[월화수목금토일](?:\)|요일| )| ?(?:까지|부터|[에~–:)]|-(?=\d))| \d{1,2}[:시]"
    r"|,? \(?(?:mon|tue|wed|thu|fri|sat|sun)| (?!정도|이상|이하|쯤|씩)[가-힣]|$))"
    r"|(?P<kdate>(?:(?<!\d)(?P<ky>[12]\d{3})년 ?)?(?<!\d)(?P<km>\d{1,2})월"
    r"(?: ?(?P<kd>\d{1,2})일)?)"
    r"|(?P<kyear>(?<!\d)[12]\d{3})년(?! ?(?:동안|간|전|후|뒤|만에))"
    rf"|(?P<dmy>(?<!\d)(?P<dd>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<dm>{_MONTH})\b"
    r"(?:,? (?P<dy>[12]\d{3})(?!\d))?))"
    rf"|(?=[a-z])(?:(?P<mdy>\b(?P<mm>{_MONTH})\b\.?(?: (?P<md>\d{{1,2}})(?:st|nd|rd|th)?(?!\d))"
    r"(?:,? (?P<my>[12]\d{3})(?!\d))?)"
    rf"|(?P<my2>\b(?P<m2>{_MONTH})\b,? (?P<y2>[12]\d{{3}})(?!\d)))"
    r"|(?=\d)(?:(?P<clock>(?<!\d)(?P<ch>\d{1,2}):(?P<cm>\d{2})(?!\d)(?: ?(?P<cap>[ap])\.?m\b)?)"
    r"|(?P<ampm>(?<![\d.])(?P<ah>\d{1,2})(?: ?(?P<aap>[ap])\.?m\b"
    r"|(?: o'clock)?(?: in the (?P<daypart>morning|afternoon|evening)| (?P<night>at night))\b)))"
    r"|(?P<ktime>(?:(?P<kh>오전|오후|새벽|아침|저녁|밤|낮) ?)?(?<![\d.])(?P<khour>\d{1,2})시(?!간)"
    r"(?: ?(?P<kmin>\d{1,2})분|(?P<khalf> ?반))?)"
    r"|(?P<weekday>[월화수목금토일]요일|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day(?=s?\b))"
    r"|(?P<wday>(?<![가-힣])[월화수목금토일](?= ?휴[무관진]|\))"
    rf"|\b(?:{_SHORT_WEEKDAY})(?= ?[\d(:;,./)–-]"
    r"| (?:and|or|to|at|morning|afternoon|evening|night)\b|$))"
    r"|(?P<part>(?<!\d)(?P<whole>\d{1,3})분의 ?(?P<piece>\d{1,3})"
    r"|\b(?P<few>one|two|three|four|five)"
    r"[ -](?P<nth>third|quarter|fourth|fifth|sixth|eighth|tenth)s?\b)"
    # "D-7" is seven days before.
    r"|(?P<dday>(?<![a-z\d])d-(?P<before>\d{1,3})(?![\d-]))"
    r"|(?=[\d$€£₩−영마m-])(?P<minus>영하 ?|마이너스 ?|\bminus |(?<![\w.,)~-])[-−])?"
    rf"(?P<dollar>[$€£₩])?(?<![\w.])(?P<digits>{DIGITS})"
    rf"(?: ?(?P<scale>{_KOREAN_SCALE})(?: ?(?P<digits2>{DIGITS})"
    rf" ?(?P<scale2>{_KOREAN_SCALE}))?"
    rf"| (?P<escale>{'|'.join(ENGLISH_SCALES)})\b)?"
    rf"(?:[ -]?(?P<unit>{_NAMES})(?![a-z]|(?<=정)도))?"
    rf"|(?P<sino>(?<![가-힣])[일이삼사오육칠팔구십백천만억]{{2,12}})"
    rf" ?(?P<sunit>{_NAMES}|{_COUNTERS})"
    r"|(?P<first>(?<![가-힣])첫 ?번?째)"
    rf"|(?P<native>(?<![가-힣])(?=[{_NATIVE_FIRST}])(?:{NATIVE_PATTERN}))"
    rf" ?(?P<nunit>{_COUNTERS})(?={_ENDS})"
    rf"|(?P<days>(?<![가-힣])(?:{'|'.join(DAYS)}))"
    rf"|(?=[a-z])(?P<words>\b(?:{_ENGLISH_WORD})"
    rf"(?:(?:[ -]| and )(?:{_ENGLISH_WORD})){{0,6}}\b)"
    rf"(?:[ -](?P<wunit>{_NAMES})(?![a-z]))?"
    # "once you have paid" is no number.
    rf"|\b(?P<times>once(?! {_CLAUSE})|twice|thrice)\b"
    r"|(?P<share>모두|모든|전부|전체|전원|언제나|항상|대부분|대다수|절반|일부|몇몇"
    r"|\b(?:all|every(?! (?:other|second)\b)|whole|entire|always|everyone|most|majority"
    r"|mostly|half|some|several|few|none)\b)"
    r")"
)
_CURRENCY = {"$": "usd", "€": "eur", "£": "gbp", "₩": "krw"}

# "경우에 한해": limited to; "세대": a household.
_NO_VALUES = frozenset({"한해", "세대"})
_AFTER = 14
_BEFORE = 20
_WHOLE_WORD = "(?=[^가-힣]|[의로인이은는을에일]|$)"
_LEAST_AFTER = re.compile(
    rf"[^\d,]{{0,4}}?(?:(?:이상|초과|이후){_WHOLE_WORD}|넘|부터|위로|or more|or above|or later)"
)
_MAX_AFTER = re.compile(
    rf"[^\d,]{{0,4}}?(?:(?:이하|미만|이내|이전){_WHOLE_WORD}|까지|안에|아래"
    r"|에 한[해하]|or less|or fewer)"
)
_LEAST_BEFORE = re.compile(
    r"(?:최소|적어도|at least|no (?:less|fewer|later) than|more than|over|above|exceed(?:s|ing)?"
    r"|minimum of|older than|longer than|higher than|greater than)[^\d]{0,5}$"
)
_LEAST_FIRST = re.compile(r"(?:최소|적어도)[^\d]{0,5}$")
_MAX_BEFORE = re.compile(
    r"(?:최대|많아야|at most|no more than|not more than|up to|less than|fewer than|below|under"
    r"|within|maximum of|newer than|younger than|shorter than|lower than|not exceed)[^\d]{0,5}$"
)
_TURNED = re.compile(r"넘[^.]{0,12}(?:않|안 |말)")


def values(text: str) -> list[Value]:
    """The values of a text in their order, without overlaps. text: with plain_numerals, in NFKC."""
    lowered = text.lower()
    # A capital M is molar; lower-cased it would be metres.
    if len(lowered) != len(text):
        lowered = text
    found: list[Value] = []
    for match in _VALUE.finditer(lowered):
        if match[0] in _NO_VALUES:
            continue
        value = _value(match, text)
        if value is not None:
            value = value._replace(bound=_bound(lowered, match.start(), match.end()))
            if found and _goes_on(found[-1], value, lowered):
                value = _added(found.pop(), value)
            found.append(value)
    return found


def _goes_on(before: Value, value: Value, text: str) -> bool:
    """Whether a span of time goes on in a smaller unit: "1시간 30분", "1 hour and 30 minutes"."""
    if before.kind != "s" or value.kind != "s" or text[before.end : value.start] not in _BETWEEN:
        return False
    # "하루 12시간" is so much a day.
    if before.amount == _DAY and before.number == 1:
        return False
    return 0 < value.amount < before.amount / max(1.0, before.number)


_DAY = 86_400
# Between the parts of one span.
_BETWEEN = frozenset({"", " ", " and "})


def _added(before: Value, value: Value) -> Value:
    amount = before.amount + value.amount
    number = amount * before.number / before.amount
    return Value("s", amount, number, before.start, value.end, bound=value.bound or before.bound)


def _value(match: "re.Match[str]", text: str) -> Value | None:
    start, end = match.span()
    # The outermost group that matched, but for quantities, which have none.
    way = match.lastgroup or ""
    if names := _DATES.get(way):
        year, month, day = (match[name] if name else None for name in names)
        return _date(year, month, day, start, end)
    if way in _TIMES_OF_DAY:
        return _time(match, start, end)
    if way == "wday":
        # "Thu 2pm", but not "sat at".
        short = match["wday"]
        named = not short.isascii() or text[start].isupper()
        return _plain("weekday", WEEKDAYS[short[:3]], start, end) if named else None
    if way == "dday":
        days = int(match["before"])
        return Value("s", days * _DAY, days, start, end)
    if way == "first":
        return _plain("nth", 1, start, end)
    if way == "code":
        return _plain("code", float(match["code"].replace("-", "")), start, end)
    if way == "weekday":
        return _plain("weekday", WEEKDAYS[match["weekday"]], start, end)
    if way == "share":
        return _plain("share", SHARES[match["share"]], start, end)
    if way == "part":
        return _plain("", _fraction(match), start, end)
    return _quantity(match, text, start, end)


_TIMES_OF_DAY = frozenset({"clock", "ampm", "ktime"})
# The groups of year, month and day of each way to write a date.
_DATES = {
    "iso": ("iy", "im", "id"),
    "iso2": ("iy2", "im2", ""),
    "kdate": ("ky", "km", "kd"),
    "slash": ("", "sm", "sd"),
    "kyear": ("kyear", "", ""),
    "dmy": ("dy", "dm", "dd"),
    "mdy": ("my", "mm", "md"),
    "my2": ("y2", "m2", ""),
}
_NTH = {"third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}


def _fraction(part: "re.Match[str]") -> float:
    if part["whole"] and part["piece"]:
        return int(part["piece"]) / max(1, int(part["whole"]))
    return ENGLISH_NUMBERS[part["few"] or "one"] / _NTH[part["nth"] or "third"]


def _plain(kind: str, amount: float, start: int, end: int) -> Value:
    return Value(kind, amount, amount, start, end)


def _date(year: str | None, month: str | None, day: str | None, start: int, end: int) -> Value:
    parts = (
        int(year) if year else None,
        (MONTHS.get(month) or int(month)) if month else None,
        int(day) if day else None,
    )
    return Value("date", 0, float(parts[0] or 0), start, end, date=parts)


_AFTERNOON = {"오후", "저녁", "밤", "낮", "p", "afternoon", "evening", "at night"}


def _time(part: "re.Match[str]", start: int, end: int) -> Value:
    hour = int(part["ch"] or part["ah"] or part["khour"] or 0)
    minute = int(part["cm"] or part["kmin"] or (30 if part["khalf"] else 0))
    told = part["cap"] or part["aap"] or part["kh"] or part["daypart"] or part["night"]
    if told in _AFTERNOON and hour < 12:
        hour += 12
    elif told and told not in _AFTERNOON and hour == 12:
        hour = 0
    known = told is not None or hour > 12
    return Value("time", hour * 60 + minute, hour, start, end, half=known)


def _quantity(part: "re.Match[str]", text: str, start: int, end: int) -> Value | None:
    number = _number(part)
    if number is None:
        return None
    unit = part["unit"] or part["sunit"] or part["nunit"] or part["wunit"]
    if part["days"] or part["times"]:
        unit = "일" if part["days"] else "번"
    if part["dollar"]:
        return Value(_CURRENCY[part["dollar"]], number, number, start, end)
    # "두 번째" and "2대째" are no two of them.
    if unit == "째" or (unit and text.startswith("째", end)):
        return _plain("nth", number, start, end)
    if unit == "집":
        unit = "가구"
    if unit == "시":
        return Value("time", number * 60, number, start, end, half=False)
    dimension, factor = _dimension(unit, text, end)
    return Value(dimension, round(number * factor, 12), number, start, end)


def _number(part: "re.Match[str]") -> float | None:
    if part["digits"]:
        return _figure(part)
    if part["sino"]:
        spelt = sino_korean(part["sino"])
        return None if spelt is None else float(spelt)
    for group, words in (("native", KOREAN_NATIVE), ("days", DAYS), ("times", TIMES)):
        if word := part[group]:
            return float(words[word])
    # "one" alone is as often a pronoun.
    if part["words"] == "one" and not part["wunit"]:
        return None
    return english_number(re.split(r"[ -]", part["words"] or ""))


def _figure(part: "re.Match[str]") -> float:
    number = face_value(part["digits"] or "")
    if scale := part["scale"]:
        number = with_korean_scales(number, scale)
        if part["digits2"] and part["scale2"]:
            number += with_korean_scales(face_value(part["digits2"]), part["scale2"])
    if part["escale"]:
        number *= ENGLISH_SCALES[part["escale"]]
    return -number if part["minus"] else number


def _dimension(unit: str | None, text: str, end: int) -> tuple[str, float]:
    if not unit:
        return "", 1.0
    written = text[end - len(unit) : end]
    if written in {"M", "mM", "µM", "μM"}:
        return "mol", {"M": 1.0, "mM": 1e-3}.get(written, 1e-6)
    return UNIT_OF.get(unit, (unit, 1.0))


def _bound(text: str, start: int, end: int) -> int:
    after, before = text[end : end + _AFTER], text[max(0, start - _BEFORE) : start]
    if _LEAST_FIRST.search(before):
        return 1
    if _LEAST_AFTER.match(after):
        return -1 if _TURNED.search(text[end : end + 2 * _AFTER]) else 1
    if _MAX_AFTER.match(after):
        return -1
    # "no more than" ends as "more than" does, so the most is looked for first.
    if _MAX_BEFORE.search(before):
        return -1
    return 1 if _LEAST_BEFORE.search(before) else 0


def same(left: Value, right: Value) -> bool:
    """Whether two values can mean the same; what one of them leaves open counts as the same."""
    if left.kind == right.kind:
        if left.kind == "date":
            return _same_date(left.date, right.date)
        if left.kind == "time" and not (left.half and right.half):
            return left.amount % 720 == right.amount % 720
        return _close(left.amount, right.amount)
    if not (left.kind and right.kind) or {left.kind, right.kind} == {"times", "piece"}:
        return _close(left.number, right.number)
    return False


# What a sentence only mentions to say that it does not, or no longer, hold.
_THE = r"(?: (?:the|an?|old|former|by|in|on|at|to|with|via|Mr\.|Ms\.|Dr\.))"
_DENIED_BEFORE = re.compile(
    r"(?:\b(?:instead of|rather than|no longer"
    r"|(?:moved|changed|postponed|pushed|delayed|switched|raised|lowered|cut|rescheduled)"
    rf"(?: back)? from){_THE}*|, not{_THE}*|더 이상|더는)\s*$",
    re.IGNORECASE,
)
# "Not by post but by mail", "replaced the desks with tables"; not "could not sit but stood".
_BEFORE_ANOTHER = re.compile(rf"\b(?:not{_THE}+|replac(?:ed|es){_THE}*)\s*$", re.IGNORECASE)
_ANOTHER = re.compile(r"\w{0,20}(?: \w{1,20}){0,3} (?:but|with)\b", re.IGNORECASE)
_TO_ANOTHER = r"[^.,]{1,20}로 ?(?:바|변|옮|미|연기|교체|대체|전환|이전)"
MOVED = re.compile(rf"에서 {_TO_ANOTHER}")
_DENIED_AFTER = re.compile(
    r"(?:에서|로)?[이가]? ?(?:아니(?!면)|아닌|대신|말고)"
    rf"|에서 {_TO_ANOTHER}|[^.,]{{1,12}}에서 {_TO_ANOTHER}"
    r"|[^.,]{0,14}(?:했다가|하려다|려다가|려고 했)"
    rf"|[^.,/→]{{0,16}}→ ?(?:{_TO_ANOTHER}|[^.,]{{1,20}}대신)"
    r"|\w{0,12}(?: \w{1,20}){0,2} (?:was|were|is|are|been) replaced by\b"
)
_NOT = re.compile(r"\bnot\s*$", re.IGNORECASE)


def is_denied(value: Value, text: str) -> bool:
    """Whether the text of a value denies it: "not 90 minutes", "금요일에서 월요일로 바꾼다"."""
    before = _NOT.search(text, max(0, value.start - 8), value.start)
    return before is not None or is_denied_at(value.start, value.end, text)


@lru_cache(maxsize=4_096)
def is_denied_at(start: int, end: int, text: str) -> bool:
    """Whether a text denies what it says from start to end, for something else."""
    near = max(0, start - 40)
    return (
        _DENIED_BEFORE.search(text, near, start) is not None
        or _DENIED_AFTER.match(text, end) is not None
        or (
            _BEFORE_ANOTHER.search(text, near, start) is not None
            and _ANOTHER.match(text, end) is not None
        )
    )


def keys(value: Value) -> set[object]:
    """What values that are the same have one of in common."""
    if value.kind == "date":
        year, month, _ = value.date
        found: set[object] = {round(float(year), 3)} if year else set()
        return found | ({("month", month)} if month else set())
    if value.kind == "time":
        return {("time", value.amount % 720), round(value.number, 3)}
    amount = float(f"{value.amount:.3g}")
    return {(value.kind, amount), round(value.number, 3)}


def _same_date(left: Date, right: Date) -> bool:
    both = [(a, b) for a, b in zip(left, right, strict=True) if a is not None and b is not None]
    return bool(both) and all(a == b for a, b in both)


def _close(left: float, right: float) -> bool:
    if left == right:
        return True
    # ⅔ is written with four places.
    off = abs(left - right)
    return off <= 2e-4 * max(abs(left), abs(right)) and (off < 0.01 or off <= 1e-9 * abs(left))


def is_measure(value: Value) -> bool:
    """Whether a value has a unit, or is a date, time or weekday."""
    return value.kind in UNITS or value.kind in {"date", "time", "weekday"}


def written(number: float) -> str:
    """A number as content morphemes have it: 240, 72.5."""
    return f"{number:.4f}".rstrip("0").rstrip(".")
