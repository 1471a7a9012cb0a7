"""What kind of thing a question asks for, and whether an answer has one."""

import re
from typing import Literal

from app.judges.rules.analysis import NAME, NOUN, Analysis

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
            r"언제|날짜[는가]?|연도[는가]?|무슨 요일|\bwhen\b|\bwhat (?:year|date|day|time)\b",
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
_TIMED = re.compile(
    r"때|[뒤후전]에|동안|중에|면 |자마자|마다|매[일주월년]|초에|말에|무렵|경에"
    r"|\b(?:when|after|before|until|while|during|once|as soon as|if|by|daily|weekly|monthly|every"
    r"|year|month|week|day|century|today|spring|summer|autumn|fall|winter)\b",
    re.IGNORECASE,
)
_PLACED = re.compile(
    r"에서|[에으]로 |에 |앞|옆|안|위|아래"
    r"|\b(?:in|at|on|near|from|to|between|under|over|inside|outside)\b",
    re.IGNORECASE,
)
_GROUNDS = re.compile(
    r"때문|[어아해여와워라니려겨려져켜해]서|므로|니까|위해|위하|덕|탓|이유|원인|려고|기에|도록"
    r"|\b(?:because|since|so|due|to|for|as|reason|cause[sd]?|by|therefore|help|allow)",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"[가-힣](?:자|원|장|팀|부|처|사|씨|님|인|생|수|관)(?:[이가은는을를에께와과의도, ]|$)"
    r"|\b(?:he|she|they|team|contact|manager|company|people|person|group|staff|department|office"
    r"|\w{1,30}(?:er|or|ist|ian|ant|man|men|woman|women)s?)\b",
    re.IGNORECASE,
)
_FIGURELIKE = re.compile(
    r"매[일주월년]|여러|많|적|다수|다섯|하나|둘|셋|\b(?:daily|weekly|monthly|yearly|many|much|few"
    r"|several|long|often|never|always|free|as needed|a lot|one)\b",
    re.IGNORECASE,
)


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
    values = [token.value for token in sentence.tokens if token.value is not None]
    if kind == "number":
        figures = any(value.kind != "share" for value in values)
        return figures or bool(values) or _FIGURELIKE.search(sentence.text) is not None
    if kind == "when":
        return any(
            value.kind in {"date", "time", "weekday", "s", "mo", "times"} for value in values
        ) or (_TIMED.search(sentence.text) is not None)
    if kind == "where":
        return _PLACED.search(sentence.text) is not None
    if kind == "why":
        return _GROUNDS.search(sentence.text) is not None
    return _names_somebody(sentence, question)


def _names_somebody(sentence: Analysis, question: Analysis) -> bool:
    # An abbreviation or a number plate names no person; a word of the question does not answer it.
    named = any(
        token.kind == NAME
        and token.term not in question.places
        and not any(map(str.isdigit, token.term))
        for token in sentence.tokens
    )
    if named:
        return True
    return any(
        match[0].strip(" ,").lower() not in question.text.lower()
        for match in _PERSON.finditer(sentence.text)
    ) and any(token.kind in (NOUN, NAME, "word") for token in sentence.tokens)
