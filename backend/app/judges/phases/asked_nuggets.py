"""The parts of a question: each thing that it asks, by rules.

Several questions, several question words ("누가 언제", "when … and who …") and several things in
a list ("온도와 시간은?", "the temperature and the time") are parts of their own; all else is one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.judges.phases.completeness import NuggetVerdict, Phase2Result, Support, completeness_of
from app.judges.phases.reading import Reading
from app.judges.rules.analysis import Analysis, Token
from app.judges.rules.read import AnswerSentence, Material
from app.judges.rules.utility import (
    Asked,
    asked_kinds,
    coverage,
    gives,
    unanswered_terms,
    wanted_terms,
)
from app.text.language import detect_language
from app.text.sentences import Span, split_sentences

MAX_PARTS = 8
# A part of which an answer deals with this share of the words, 0 to 1, is covered.
FULL_COVERAGE = 0.7
NAME_CHARS = 60
# A member of an English list that has more words is a clause.
MAX_WORDS = 4

# Korean clauses only have several question words.
_LABELS: Mapping[Asked, str] = {
    "who": "누구",
    "when": "시점",
    "number": "수치",
    "where": "장소",
    "why": "이유",
}
# Words that ask for nothing by themselves.
_COURTESIES = frozenset(
    ("안녕", "감사", "고맙다", "정리", "요약", "hello", "hi", "hey", "thank", "pleas", "summar")
)
# Names of quantities at the end of a thing asked, and the kinds of values that give them.
_QUANTITIES: Sequence[tuple[re.Pattern[str], frozenset[str]]] = tuple(
    (re.compile(rf"(?:{words})$", re.IGNORECASE), frozenset(kinds.split()))
    for words, kinds in (
        ("온도|temperatures?", "deg degf"),
        ("시간|기간|durations?|times?|periods?", "s mo time date"),
        ("날짜|일자|일시|기한|마감일?|dates?|deadlines?", "date time weekday s mo"),
        ("가격|비용|금액|요금|단가|prices?|costs?|fees?", "krw usd eur"),
        ("길이|높이|거리|깊이|너비|lengths?|heights?|distances?|depths?|widths?", "m in"),
        ("무게|질량|weights?|mass", "g lb"),
        ("부피|volumes?", "l"),
        ("농도|concentrations?", "share mol g l"),
        ("비율|습도|percentages?|humidity", "share fold"),
        ("인원|인원수", "person"),
    )
)
_ASKS = re.compile(
    r"[?？]\s*$|(?:까요|나요|가요|는지|니까|인지)[\s.!]*$"
    r"|(?:알려|말해|설명해|정리해|적어|찾아|요약해)\s?(?:줘|주|보|봐|달라)"
    r"|^\W*(?:tell|list|give|describe|explain|name|show)\b",
    re.IGNORECASE,
)
# An English question may ask on: "how long …, and at what temperature".
_ASKS_ON = re.compile(
    r",? (?:and|or) (?=(?:(?:at|in|on|for|from|by|to|since|until|with) )?"
    r"(?:what|which|who|when|where|why|how)\b)",
    re.IGNORECASE,
)
# Two things that are compared are one question.
_COMPARES = re.compile(
    r"[와과] (?:무엇|누구|어디)|차이"
    r"|다른|다르|다릅|달라|비교|관계|사이|중에|중 |어느|같은|함께|같이"
    r"|\b(?:differ\w{0,8}|compare[ds]?|between|relat\w{0,8}|which|versus|vs|better|same)\b",
    re.IGNORECASE,
)
_JOINED = re.compile(r"(?:와|과|이랑|랑|하고)\s")
_SEPARATED = re.compile(r"(?:,|·|/|\s및\s|\s그리고\s)\s?$")
_PARTICLE = re.compile(r"(?:은|는|이|가|을|를|도)$")
_JUST_ASKED = re.compile(
    r"(?:은|는|이|가|을|를)?\s*"
    r"(?:[?？.]|$|무엇|뭐|뭔|얼마|몇|어떻게 되|어떠|어떤가|각각|좀|알려|말해)"
)
_ENGLISH_LEAD = re.compile(
    r"\b(?:(?:what|how) (?:are|were)|tell me|give me|list|describe|explain|name) ", re.IGNORECASE
)
_ENGLISH_END = re.compile(r" (?:of|for|in|at|on|to|during|when|used|that)\b|[?.]", re.IGNORECASE)
_ENGLISH_SEPARATOR = re.compile(r", and |, | and ", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|a|an|its|their) ", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that a question asks.

    name: what a reader calls it; kind: of question word, None without one; values: the kinds of
    values (rules.values) of which any gives it, empty where it is no quantity; terms: the content
    words that it is about.
    """

    name: str
    kind: Asked | None
    values: frozenset[str]
    terms: frozenset[str]


def parts_of(asked: Analysis, wanted: frozenset[str]) -> list[Part]:
    """The parts of an analysed question, at most MAX_PARTS, none where it asks nothing. wanted:
    its content words that an answer should deal with."""
    found: dict[str, Part] = {}
    for clause in _asking(asked.text):
        for part in _parts_of_clause(clause, asked, wanted - _COURTESIES):
            found.setdefault(part.name, part)
    return list(found.values())[:MAX_PARTS]


def _asking(text: str) -> Iterator[Span]:
    """The clauses that ask, or all of the text as one where none clearly does."""
    sentences = split_sentences(text)
    asking = [one for one in sentences if _ASKS.search(one.text) or asked_kinds(one.text)]
    for sentence in asking or [Span(0, len(text), text)]:
        start = sentence.start
        for match in _ASKS_ON.finditer(sentence.text):
            end = sentence.start + match.start()
            yield Span(start, end, text[start:end])
            start = sentence.start + match.end()
        yield Span(start, sentence.end, text[start : sentence.end])


def _parts_of_clause(clause: Span, asked: Analysis, wanted: frozenset[str]) -> Iterator[Part]:
    tokens = [one for one in asked.tokens if clause.start <= one.start < clause.end]
    terms = frozenset(one.term for one in tokens) & wanted
    kinds = asked_kinds(clause.text)
    if not terms and not kinds:
        return
    items = [] if _COMPARES.search(clause.text) else _listed(clause, asked.text, tokens)
    kind = kinds[0] if len(kinds) == 1 else None
    if len(items) > 1:
        for name in items:
            yield _part(name, kind, frozenset(term for term in terms if _contains_term(term, name)))
    elif len(kinds) > 1:
        yield from (Part(_LABELS[each], each, frozenset(), terms) for each in kinds)
    else:
        name, just_asked = _topic(clause, asked.text, tokens)
        yield _part(name, kind, terms) if just_asked else Part(name, kind, frozenset(), terms)


def _part(name: str, kind: Asked | None, terms: frozenset[str]) -> Part:
    """A value says what it is the value of, so the words of the quantity need not be repeated."""
    for words, values in _QUANTITIES:
        if kind in (None, "number") and (quantity := words.search(name)):
            others = frozenset(term for term in terms if not _contains_term(term, quantity[0]))
            return Part(name, kind, values, others)
    return Part(name, kind, frozenset(), terms)


def _contains_term(term: str, name: str) -> bool:
    """Whether the word, or the beginning that an English stem and a Korean verb are, is there."""
    return term.removesuffix("다").lower() in name.lower()


def _topic(clause: Span, text: str, tokens: Sequence[Token]) -> tuple[str, bool]:
    """What the clause is about, in its own words, and whether no more is asked than what that
    is ("변성 온도는?")."""
    for token in tokens:
        if token.role == "topic" and (end := _ended(text, token)) > token.start:
            just_asked = _JUST_ASKED.match(text, end, clause.end) is not None
            return _name(text[clause.start : end]), just_asked
    return _name(clause.text), True


def _ended(text: str, token: Token) -> int:
    """Where the word ends that the token is in, without its particle; its start where no word
    with a particle is there."""
    end = token.start
    while end < len(text) and not text[end].isspace() and text[end] not in "?？,.!":
        end += 1
    word = text[token.start : end]
    bare = _PARTICLE.sub("", word)
    return token.start + len(bare) if bare != word else token.start


def _name(text: str) -> str:
    line = " ".join(text.split()).strip(" ?？.!,")
    return line if len(line) <= NAME_CHARS else line[: NAME_CHARS - 1] + "…"


def _listed(clause: Span, text: str, tokens: Sequence[Token]) -> list[str]:
    """The names of the things that a list in the clause asks for; fewer than two are none."""
    if detect_language(clause.text) == "en":
        return _listed_in_english(clause.text)
    names, start = [], clause.start
    for token, after in zip(tokens, [*tokens[1:], None], strict=True):
        end = token.start + len(token.term)
        between = text[end : after.start] if after else ""
        joined = token.role == "with" and _JOINED.match(between)
        if after and (joined or _SEPARATED.search(between)):
            names.append(_name(text[start:end]))
            start = after.start
        elif names and (not after or not between.isspace()):
            last = _JUST_ASKED.match(text, end, clause.end)
            return [*names, _name(text[start:end])] if last else []
    return []


def _listed_in_english(text: str) -> list[str]:
    lead = _ENGLISH_LEAD.search(text)
    if lead is None:
        return []
    listed = _ENGLISH_END.split(text[lead.end() :], maxsplit=1)[0]
    names = [_ARTICLE.sub("", name.strip()) for name in _ENGLISH_SEPARATOR.split(listed)]
    return names if all(0 < len(name.split()) <= MAX_WORDS for name in names) else []


# The share of a part's words from which an answer is about it at all.
ON_TOPIC = 0.3


def completeness_of_question(reading: Reading) -> Phase2Result:
    """Nuggets are the parts of the question; none, and no score, where it asks nothing."""
    material = reading.material
    parts = parts_of(material.asked, wanted_terms(material))
    answered = _Answered(material, parts)
    return completeness_of(
        [NuggetVerdict(part.name, "vital", answered.support(part), "rules") for part in parts]
    )


class _Answered:
    """What the answer says of the parts."""

    def __init__(self, material: Material, parts: Sequence[Part]) -> None:
        self._material = material
        self._alone = len(parts) == 1
        self._claims = [one for one in material.sentences if not one.refusal]
        said = _words(self._claims)
        # Where the answer names none of the parts, the passages behind it say what it is about.
        names_parts = any(part.terms & said for part in parts)
        dealt = wanted_terms(material) - unanswered_terms(material)
        self._dealt = said if names_parts and not self._alone else dealt
        self._comparable = detect_language(material.question) == material.answer_lang

    def support(self, part: Part) -> Support:
        if not self._claims:
            return "not"
        share = self._share(part)
        given = self._given(part)
        if given is None:
            if share >= FULL_COVERAGE:
                return "supported"
            return "partly" if share >= ON_TOPIC else "not"
        if given and share > 0:
            return "supported" if share >= ON_TOPIC else "partly"
        # Words cannot always say who or where, but a figure is there or is not.
        figure = part.kind in ("number", "when") or not part.terms
        return "not" if figure or share < ON_TOPIC else "partly"

    def _share(self, part: Part) -> float:
        """Share of the part's words that are dealt with, 0 to 1; 1 where none can be compared."""
        if not self._comparable or not part.terms:
            return 1.0
        if self._alone:
            return coverage(self._material)
        return len(part.terms & self._dealt) / len(part.terms)

    def _given(self, part: Part) -> bool | None:
        """Whether a sentence has a thing of the kind that the part asks for; None for any kind."""
        analyses = [one.analysis for one in self._claims]
        if part.values:
            kinds = {token.value.kind for one in analyses for token in one.tokens if token.value}
            return bool(kinds & part.values)
        kind = part.kind
        if kind is None:
            return None
        return any(gives(kind, one, self._material.asked) for one in analyses)


def _words(sentences: Sequence[AnswerSentence]) -> frozenset[str]:
    return frozenset().union(*(one.terms for one in sentences))
