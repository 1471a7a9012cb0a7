"""What a Korean sentence can be asked for: figures, times, people, places, objects."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from app.experiments.datasets.question_drafts import Naturalness

if TYPE_CHECKING:
    from kiwipiepy import Token

_PLAIN_NUMBER = r"\d++(?:,\d++)*+(?:\.\d++)?+"
_NUMBER = rf"{_PLAIN_NUMBER}(?:\s?[~∼–-]\s?{_PLAIN_NUMBER})?"
_COUNT = r"(?:두|세|네|석|넉|다섯|여섯|일곱|여덟|아홉|열)"
_UNITS = (
    "도|℃|°C|분|초|시간|주일?|개월|달|년|개|명|회|배|%|퍼센트|가지|장|병|봉지|층|단계|점|마리"
    "|mg|kg|µg|μg|ng|g|mL|ml|µL|μL|uL|L|mm|cm|km|m|kb|bp|µM|μM|mM|M|psi|Hz|kW|W|V|GB|MB"
)
# What follows a unit must be a particle or a blank, not the rest of another word.
_UNIT_ENDS = r"(?![A-Za-z]|[가-힣](?<![에은는이가을를로과와까부만마씩쯤도동간보의]))"
_WEEKDAY = r"[월화수목금토일]요일"

# (pattern, what is asked instead): the first group, else the whole match, is replaced.
_FIGURES: Sequence[tuple[re.Pattern[str], str]] = [
    (re.compile(r"(?:\d{2,4}년 )?\d{1,2}월 \d{1,2}일(?:에(?!서))?(?=까지|부터|\s|,|$)"), "언제"),
    (
        re.compile(rf"{_WEEKDAY}(?:(?:과|와|,| 및) ?{_WEEKDAY})*(?=에|까지|부터|마다|\s)"),
        "무슨 요일",
    ),
    (
        re.compile(
            r"(?:오전|오후|저녁|밤|아침|새벽) ?\d{1,2}시(?: \d{1,2}분| 반)?"
            r"(?=에|까지|부터|\s이[전후])"
        ),
        "몇 시",
    ),
    (re.compile(rf"(?<![\w.])(?:{_NUMBER}) ?(?:만 |천 )?원(?![가-힣]{{2,}}(?<!까지))"), "얼마"),
    (re.compile(r"(?<![\w:])\d+:\d+(?=로|의)"), "어떤 비율"),
    (re.compile(rf"(?<![\w.월])(?<!월 )(?:{_NUMBER}) ?일(?=에|간|\s|까지|마다|씩|$)"), "며칠"),
    (re.compile(r"(?<![가-힣])(?:이틀|사흘|나흘|열흘|보름)(?=에|간|\s|까지|마다)"), "며칠"),
    (
        re.compile(
            rf"(?<![\w.:~∼–-])(?:영하 ?|[-−])?(?:{_NUMBER}) ?(?P<unit>{_UNITS}){_UNIT_ENDS}"
        ),
        "몇 {unit}",
    ),
    (
        # "3번 선반" is a name, "3번 넘게" a figure.
        re.compile(
            rf"(?<![\w.:~∼–-])(?:{_NUMBER}) ?(?P<unit>번)"
            r"(?= (?:넘|이상|이하|미만|정도)|까지|씩)"
        ),
        "몇 {unit}",
    ),
    (
        re.compile(
            rf"(?<![가-힣]){_COUNT} (?P<unit>가지|명|달|번|시간|주|개|장|병|배)(?=로|에게|에|씩|\s)"
        ),
        "몇 {unit}",
    ),
]  # fmt: skip
_RANGE = ("~", "∼", "–", "-")
_PARTICLES_AFTER_VOWEL = {"을": "를", "은": "는", "이": "가", "과": "와", "으로": "로"}
_ENDS_IN_VOWEL = frozenset({"언제", "얼마", "누구", "어디"})

_PLACE = re.compile(
    r"(?:수거함|봉투|센터|마대|선반|냉장고|냉동고|상자|통|폴더|서버|사무소|사무실|보건소|약국|매점|창고|회의실"
    r"|실험실|강의실|시청|구청|관청|학교|병원|은행|공항|역|곳|홈페이지|누리집|게시판|지점|본사|공원|항구|도시)$"
)
_NOUNS = frozenset({"NNG", "NNP", "XPN", "XSN", "SL", "SN", "SH", "NR"})
_JOINERS = frozenset({"JKG", "JC"})
_TIMES = frozenset({"뒤", "후", "때", "전", "동안", "중", "다음"})
_NOT_BEFORE = frozenset({"ETM", "MM", "JKG", "JC", "SP"})


class Target(NamedTuple):
    """A part of the sentence, `answer == sentence[start:end]` but for a particle that the
    interrogative does not take, and the word that asks for it."""

    start: int
    end: int
    asked: str
    answer: str
    naturalness: Naturalness


def figures(sentence: str) -> Iterator[Target]:
    taken: list[tuple[int, int]] = []
    for pattern, asked in _FIGURES:
        for match in pattern.finditer(sentence):
            start, end = match.span()
            if any(start < right and left < end for left, right in taken):
                continue
            if _is_aside(sentence, start, end):
                continue
            taken.append((start, end))
            answer = match[0].removesuffix("에") if asked == "언제" else match[0]
            word = asked.format(**match.groupdict())
            yield Target(start, end, word, answer, Naturalness.NUMBER)


def _is_aside(sentence: str, start: int, end: int) -> bool:
    """Whether a figure stands in brackets or is one end of a range."""
    before = sentence[:start]
    inside = before.count("(") > before.count(")") or before.count("[") > before.count("]")
    return inside or sentence[end:].lstrip()[:1] in _RANGE or before.rstrip()[-1:] in _RANGE


def named(sentence: str, tokens: "Sequence[Token]") -> Iterator[Target]:
    """People (…에게), places (…에 after a noun that is one) and objects (…을/를)."""
    for index, token in enumerate(tokens):
        ask = _asked(sentence, tokens, index)
        if ask is None:
            continue
        first = _first_noun(tokens, index)
        if first == index or (first and tokens[first - 1].tag.split("-")[0] in _NOT_BEFORE):
            continue
        start, end = tokens[first].start, token.start
        answer = sentence[start:end]
        if len(answer) > 1 and not answer[0].isdigit() and answer.strip() == answer:
            asked, naturalness = ask
            yield Target(start, end, asked, answer, naturalness)


def _asked(sentence: str, tokens: "Sequence[Token]", index: int) -> tuple[str, Naturalness] | None:
    token = tokens[index]
    if index == 0 or tokens[index - 1].tag not in _NOUNS:
        return None
    if token.tag == "JKO":
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        # "신청을 한다": the noun is the verb.
        empty = following is None or following.form in ("하", "받")
        return None if empty else ("무엇", Naturalness.OBJECT)
    if token.tag != "JKB":
        return None
    if token.form in ("에게", "께", "한테"):
        return "누구", Naturalness.PLACE
    if token.form in ("에", "에서", "로", "으로") and _PLACE.search(sentence[: token.start]):
        return "어디", Naturalness.PLACE
    return None


def _first_noun(tokens: "Sequence[Token]", index: int) -> int:
    """Where the nouns before the particle at `index` begin; "A나 B의 C" is one of them."""
    first = index
    while first and tokens[first - 1].tag in _NOUNS | _JOINERS:
        first -= 1
    while first < index and tokens[first].tag in _JOINERS:
        first += 1
    # "켜진 뒤 담당자에게": the first noun belongs to what is before it.
    return first + (first + 1 < index and tokens[first].form in _TIMES)


def particle_after(asked: str, rest: str, tokens: "Sequence[Token]", end: int) -> str:
    """`rest`, what follows the target, with the particle that agrees with `asked`."""
    particle = next((t for t in tokens if t.start == end and t.tag.startswith("J")), None)
    if particle is None:
        return rest.removeprefix(",") if asked == "언제" else rest
    written: str = particle.form
    if asked in _ENDS_IN_VOWEL:
        fitting = _PARTICLES_AFTER_VOWEL.get(written, written)
    elif asked == "무엇":
        fitting = {"를": "을", "는": "은", "가": "이", "와": "과", "로": "으로"}.get(
            written, written
        )
    else:
        return rest
    return fitting + rest[particle.end - particle.start :]
