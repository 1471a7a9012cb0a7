"""What kind of thing a question asks for, and whether an answer has one."""

import re
from typing import Literal

from app.judges.rules.analysis import NAME, NOUN, Analysis
from app.judges.rules.units import UNITS
from app.judges.rules.values import Value, values

Asked = Literal["who", "when", "number", "where", "why"]

_KINDS: tuple[tuple[Asked, re.Pattern[str]], ...] = (
    (
        "why",
        re.compile(r"왜(?=[ ?]|$)|어째서|이유[는가]?(?: ?무엇|\?| ?뭐|$)|\bwhy\b", re.IGNORECASE),
    ),
    (
        "number",
        re.compile(
            r"몇|얼마(?!나 중요)|며칠"
            r"|\bhow (?:many|much|long|old|far|often|tall|high|hot|cold|big)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "when",
        re.compile(
            r"언제|날짜[는가]?|연도[는가]?|무슨 요일|\bwhen\b"
            r"|\b(?:what|which) (?:year|month|date|day|time)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "who",
        re.compile(
            r"누구|누가|제조사|제조업체|만든 (?:곳|사람|회사)|책임자[는가]\b|담당자[는가]\b"
            r"|^\W*who(?:se|m)?\b|\bwho (?:is|was|made|wrote|keeps?|does|did|manages?|leads?)\b"
            r"|\bmanufacturer\b",
            re.IGNORECASE,
        ),
    ),
    ("where", re.compile(r"어디(?!까지)|\bwhere\b", re.IGNORECASE)),
)
# "제조사는 어디인가요" asks for one thing.
_PREDICATE = re.compile(r"어디(?:인|일|예|에요|입|야|죠|[?]|$)")
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_TIMED = re.compile(
    r"때|[뒤후전](?:에|까지|부터)|동안|중에|면 |자마자|마다|매[일주월년]|초에|말에|무렵|경에"
    r"|[봄름을울]에|작년|올해|내년|지난|오늘|내일|어제|당일|일찍|늦게"
    r"|\b(?:when|after|before|until|while|during|once|as soon as|if|within|ago|daily|weekly|monthly"
    r"|every|today|tomorrow|yesterday|spring|summer|autumn|fall|winter|century|night|noon"
    rf"|{_MONTHS}|(?:in|since|by|from|until|year) (?:1[0-9]|20)\d\d)\b",
    re.IGNORECASE,
)
_PLACED = re.compile(
    r"에서|[에으]로 |에 |앞|옆|안|위|아래"
    r"|\b(?:in|at|on|near|from|to|between|under|over|inside|outside)\b",
    re.IGNORECASE,
)
_GROUNDS = re.compile(
    r"때문|[어아해여와워라니려겨려져켜해]서|므로|니까|위해|위하|덕|탓|이유|원인|려고|기에|도록"
    r"|\b(?:because|since|so|due to|in order|as a result|reason|cause[sd]?|therefore|thanks to"
    r"|helps?|allows?)\b|^\W*(?:to|for|as|by)\b",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"[가-힣](?:자|원|장|팀|부|처|사|씨|님|인|생|수|관)(?:[이가은는을를에께와과의도, ]|$)"
    r"|\b(?:he|she|they|team|contact|manager|company|people|person|group|staff|department|office"
    r"|(?!over|under|after|water|number|paper|order|other|never|ever|either|neither|whether|rather"
    r"|together|differ|another|further|november|december|october|september|summer|winter|for|or|nor"
    r"|color|floor|door|most|first|last|list|best|rest|past|must|just|test|cost|exist|want|constant"
    r"|important|plant|amount|tower|power|letter|matter|later|higher|lower|longer)"
    r"\w{1,30}(?:er|or|ist|ian|ant|man|men|woman|women)s?)\b",
    re.IGNORECASE,
)
_FIGURELIKE = re.compile(
    r"매[일주월년]|여러|많|적|다수|다섯|하나|둘|셋|\b(?:daily|weekly|monthly|yearly|many|much|few"
    r"|several|long|often|never|always|free|as needed|a lot|one)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"몇 ?(?P<ko>[가-힣]+)|\bhow many (?P<en>[a-z]+)", re.IGNORECASE)
_LASTING = re.compile(r"얼마 ?동안|\bhow long\b", re.IGNORECASE)
_WEEKDAY = re.compile(r"무슨 요일|\b(?:which|what) day\b", re.IGNORECASE)
_NO_PERSON = frozenset({"in", "on", "at", "near", "from", "where", "for", "to"})
_MONTH_NAMES = frozenset(_MONTHS.split("|"))


def asked_kind(question: str) -> Asked | None:
    """What the question asks for, None where that is no such thing."""
    return next((kind for kind, pattern in _KINDS if pattern.search(question)), None)


def asked_kinds(question: str) -> list[Asked]:
    """All that a Korean clause asks for, in its order ("누가 언제"); of an English one, whose
    "when" and "where" begin relative clauses too, the first of `_KINDS`."""
    first = asked_kind(question)
    found = {kind: match for kind, pattern in _KINDS if (match := pattern.search(question))}
    asked = [
        kind
        for kind, match in found.items()
        if kind == first or not (match[0].isascii() or _PREDICATE.match(question, match.start()))
    ]
    return sorted(asked, key=lambda kind: found[kind].start())


def gives(kind: Asked, sentence: Analysis, question: Analysis) -> bool:
    """Whether a sentence of the answer has a thing of the kind, not one of the question's own."""
    found = [token.value for token in sentence.tokens if token.value is not None]
    if kind == "number":
        return _gives_number(found, sentence, question)
    if kind == "when":
        if _WEEKDAY.search(question.text):
            return any(value.kind in ("weekday", "date") for value in found)
        return any(
            value.kind in {"date", "time", "weekday", "times"} for value in found
        ) or _has_new(_TIMED, sentence, question)
    if kind == "where":
        return _PLACED.search(sentence.text) is not None
    if kind == "why":
        return _GROUNDS.search(sentence.text) is not None
    return _names_somebody(sentence, question)


def _gives_number(found: list[Value], sentence: Analysis, question: Analysis) -> bool:
    """Whether one of the values can be so many of what is asked for: days of days, not litres."""
    counted = _COUNTED.search(question.text)
    if counted is None:
        if _LASTING.search(question.text) and found:
            return any(value.kind in ("s", "mo", "m", "in", "time", "date") for value in found)
        return bool(found) or _FIGURELIKE.search(sentence.text) is not None
    unit = next(iter(values(f"3 {counted['ko'] or counted['en']}".lower())), None)
    wanted = unit.kind if unit is not None and unit.kind in (*UNITS, "time") else ""
    if wanted:
        kinds = {wanted, "", "share", "times"} | ({"date", "s"} if wanted == "time" else set())
    else:
        kinds = {value.kind for value in found} - set(UNITS) | {"piece", "person", "vehicle"}
    return any(value.kind in kinds for value in found) or _has_new(_FIGURELIKE, sentence, question)


def _has_new(pattern: re.Pattern[str], sentence: Analysis, question: Analysis) -> bool:
    asked = question.text.lower()
    return any(match[0].lower() not in asked for match in pattern.finditer(sentence.text))


def _names_somebody(sentence: Analysis, question: Analysis) -> bool:
    # An abbreviation or a number plate names no person, nor do a month or what stands after "in".
    placed = False
    for token in sentence.tokens:
        # "on Mill Hill": the second word of a place has no preposition before it.
        placed = token.kind == NAME and (placed or token.role in _NO_PERSON)
        if (
            token.kind == NAME
            and token.term not in question.places
            and not placed
            and not _is_month(token.start, sentence.text)
            and not any(map(str.isdigit, token.term))
        ):
            return True
    return any(
        match[0].strip(" ,").lower() not in question.text.lower()
        for match in _PERSON.finditer(sentence.text)
    ) and any(token.kind in (NOUN, NAME, "word") for token in sentence.tokens)


def _is_month(start: int, text: str) -> bool:
    return text[start : start + 10].split()[0].strip(".,;:").lower() in _MONTH_NAMES
