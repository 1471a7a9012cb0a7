"""Reads a question: how much each of its words weighs, and what kind of thing it asks for."""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise

from app.text.morphemes import Analysed

# Shares of a word's weight: set with benchmarks/answerer.py on its half `tune`, where a third more
# or less moves no figure by more than three points.
LIGHT, VERB, PLAIN, NAMED = 0.3, 0.5, 1.0, 1.5

# They say what kind of answer is wanted, and notes rarely repeat them.
_WORDS_OF_ASKING = """
    알다 알리다 알려주다 말하다 설명 설명하다 누구 언제 어디 무엇 무슨 얼마 몇 며칠 이유 방법
    어떻다 어떤 궁금 궁금하다 질문 답 요약 무어 뭐 주다 대하다 관하다 따르다 위하다 통하다 이름 사람 전 후
    뒤 때 번 년 년도 시 일 월 명 점 건 인분 개월 동안 중 경우 오래 자주 날짜 시기 정도 지금 현재 혹시
    관련 해 곳 가능 필요 나이
    tell explain describ mani much long often far list give show pleas know mean name kind quick
    soon get need happen other doe
    """
_ASKING = frozenset(_WORDS_OF_ASKING.split())
_LIGHT_WORDS = """
    나오다 나가다 가다 오다 보다 들다 나다 좋다 사용 이용 당시 물어보다
    go come have make take use appli see done most dure
    """
_LIGHT = frozenset(_LIGHT_WORDS.split())
_OTHER_TIME = frozenset({"last", "next", "작년", "지난해", "내년"})
_YEAR, _CODE = re.compile(r"\d{4}$"), re.compile(r"[a-z]+\d+$")
# "하루에" in "하루에 몇 번": notes rarely word a rate alike.
_RATE = re.compile(r"(?:1년|하루|한 달|일주일|한 주)에(?=\s)")
# What happens when, where or by whom is half of such a question.
_ARGUMENT = re.compile(r"언제|어디|누구|누가|얼마에")
# "온도는?" without a word of asking: notes often give the value without its name.
_ATTRIBUTE = re.compile(r"[가-힣][은는]\s*\?*\s*$")
_TYPED = frozenset({"어느", "어떤", "무슨", "몇"})
_PRONOUNS = frozenset({"무엇", "뭐", "누구", "어디", "언제"})
_TOPIC = {("은", "JX"), ("는", "JX")}
# How far a question's last noun may stand before its end, in morphemes.
_ENDING = 6


@dataclass(frozen=True, slots=True)
class Question:
    """shares: of each word's weight. neighbours: what stands beside each number."""

    text: str
    shares: Mapping[str, float]
    neighbours: Mapping[str, AbstractSet[str]]

    def held_by(self, text: str, terms: Sequence[str]) -> frozenset[str]:
        """The question's words that a text with these terms holds: compounds in any spelling, a
        number beside one of its neighbours."""
        own, pairs = set(terms), set(pairwise(terms))
        dense = "".join(text.split())
        return frozenset(
            term
            for term in self.shares
            if (term in own and self._is_placed(term, pairs))
            or (_is_noun(term) and (term in text or (len(term) > 3 and term in dense)))
        )

    def asks_of_another(self, held: AbstractSet[str], terms: AbstractSet[str]) -> bool:
        """Whether `terms` have another year or code than the question, and a note that holds only
        `held` lacks it, or lacks the "last" of the question."""
        return any(
            term in _OTHER_TIME
            or any(shape.match(term) and any(map(shape.match, terms)) for shape in (_YEAR, _CODE))
            for term in self.shares.keys() - held
        )

    def _is_placed(self, number: str, pairs: AbstractSet[tuple[str, str]]) -> bool:
        beside = self.neighbours.get(number)
        return not beside or any((one, number) in pairs or (number, one) in pairs for one in beside)


def without_rates(question: str) -> str:
    return _RATE.sub(" ", question)


def read_question(question: str, analysed: Analysed) -> Question:
    """analysed: of the question without its rates."""
    terms = list(_joined(analysed.morphemes))
    kept = [term for term in terms if term not in _ASKING] or terms
    tokens = [(token.form, token.tag.split("-")[0]) for token in analysed.tokens]
    types = _answer_types(tokens)
    named = {form for (form, tag), after in pairwise(tokens) if tag[0] == "N" and after in _TOPIC}
    named |= {form for form, tag in tokens if tag == "NNP"}
    shares = {term: _share(term, types, named) for term in kept}
    if kept and _ATTRIBUTE.search(question):
        shares[kept[-1]] = VERB
    if kept and kept[-1].endswith("다") and _ARGUMENT.search(question):
        shares[kept[-1]] = PLAIN
    neighbours: dict[str, set[str]] = {term: set() for term in shares if term[0].isdigit()}
    for left, right in pairwise(terms):
        neighbours.get(left, set()).add(right)
        neighbours.get(right, set()).add(left)
    return Question(question, shares, neighbours)


def _share(term: str, types: AbstractSet[str], named: AbstractSet[str]) -> float:
    if term in types:
        return LIGHT
    if term in named or any(map(str.isdigit, term)):
        return NAMED
    if term in _LIGHT:
        return LIGHT
    return VERB if term.endswith("다") else PLAIN


def _is_noun(term: str) -> bool:
    return len(term) > 1 and "가" <= term[0] <= "힣" and term[-1] != "다"


def _joined(placed: Sequence[tuple[int, str]]) -> Iterator[str]:
    """Nouns of one syllable joined with the noun they are written with: 식, 비 become 식비."""
    index = 0
    while index < len(placed):
        start, term = placed[index]
        after, other = placed[index + 1] if index + 1 < len(placed) else (-1, "")
        if after == start + len(term) and 1 in (len(term), len(other)) and _is_noun(term + other):
            term, index = term + other, index + 1
        yield term
        index += 1


def _answer_types(tokens: Sequence[tuple[str, str]]) -> set[str]:
    """Nouns that name what is wanted: 나라 in "어느 나라", 날 in "지명수배된 날은?"."""
    found: set[str] = set()
    for index, (form, tag) in enumerate(tokens):
        if tag == "MM" and form in _TYPED:
            found |= {noun for noun, kind in tokens[index + 1 : index + 3] if kind[0] == "N"}
        if tag == "SF" or form in _PRONOUNS:
            before = list(tokens[max(0, index - _ENDING) : index])
            while before and before[-1][1][0] in "JS":
                before.pop()
            last = before[-1][0] if before else ""
            while before and before[-1][1].startswith(("NN", "XSN")):
                before.pop()
            if before and before[-1][1] == "ETM" and last != before[-1][0]:
                found.add(last)
    return found
