"""Reads a question: how much each of its words weighs, and what kind of thing it asks for."""

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise

from app.text.morphemes import Analysed

# Shares of a word's weight, 0 to 1, set with benchmarks/answerer.py on its half `tune`.
LIGHT, ATTRIBUTE, VERB, PLAIN = 0.3, 0.3, 0.6, 1.0

# They say what kind of answer is wanted, and notes rarely repeat them.
_WORDS_OF_ASKING = """
    알다 알리다 알려주다 말하다 설명 설명하다 누구 언제 어디 무엇 무슨 얼마 몇 며칠 이유 방법
    어떻다 어떤 궁금 궁금하다 질문 답 요약 무어 뭐 주다 대하다 관하다 따르다 위하다 통하다
    이름 사람 전 후 뒤 때 번 년 년도 시 일 월 명 점 건 인분 개월 동안 중 경우 오래 자주 날짜 시기
    정도 지금 현재 혹시 관련 해 곳 가능 필요 나이
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
_YEAR, _CODE = re.compile(r"(?:1\d|20)\d\d$"), re.compile(r"(?<![a-z])[a-z]{1,40}\d{1,20}$")
# "하루에" in "하루에 몇 번", "take" in "How long do refunds take?": notes rarely word them alike.
_UNREPEATED = re.compile(r"(?:1년|하루|한 달|일주일|한 주)에(?=\s)|\btake(?=\W{0,3}$)")
# "온도는?", "Denaturation temperature?": notes often give a value without its name or by another.
_ATTRIBUTE = re.compile(
    r"(?:[가-힣][은는]|\b(?:temperature|price|cost|fee|date|time|length|height|weight|width|depth|size"
    r"|duration|speed|capacity|amount|number|rate|limit|address|name))\s{0,3}\?{0,3}\s{0,3}$",
    re.IGNORECASE,
)
_TOPIC = {("은", "JX"), ("는", "JX")}


@dataclass(frozen=True, slots=True)
class Question:
    """shares: of each word's weight. named: topics, names and numbers. fixed: what nothing else can
    stand for, English names and "last"."""

    text: str
    shares: Mapping[str, float]
    named: AbstractSet[str]
    fixed: AbstractSet[str]

    def held_by(self, text: str, terms: AbstractSet[str]) -> frozenset[str]:
        """The question's words that a text with these terms holds, compounds in any spelling."""
        dense = "".join(text.split())
        return frozenset(
            term
            for term in self.shares
            if term in terms
            or (_is_noun(term) and (term in text or (len(term) > 3 and term in dense)))
        )

    def asks_of_another(self, held: AbstractSet[str], terms: AbstractSet[str]) -> bool:
        """Whether `terms` have another year or code than the question, and a note that holds only
        `held` lacks it, or lacks one of the fixed words."""
        return any(
            term in self.fixed
            or any(shape.match(term) and any(map(shape.match, terms)) for shape in (_YEAR, _CODE))
            for term in self.shares.keys() - held
        )


def without_unrepeated(question: str) -> str:
    return _UNREPEATED.sub("", question)


def read_question(analysed: Analysed) -> Question:
    terms = [term for _, term in analysed.morphemes]
    kept = [term for term in terms if term not in _ASKING] or terms
    tokens = [(token.form, token.tag) for token in analysed.tokens]
    named = {form for (form, tag), after in pairwise(tokens) if tag == "NNG" and after in _TOPIC}
    named |= {form for form, tag in tokens if tag == "NNP"}
    named |= {term for term in terms if any(map(str.isdigit, term))}
    shares = {term: _share(term) for term in kept}
    if kept and _ATTRIBUTE.search(analysed.text):
        shares[kept[-1]] = ATTRIBUTE
        named.discard(kept[-1])
    fixed = {
        term
        for start, term in analysed.morphemes
        if term in shares and (term in _OTHER_TIME or (start and analysed.text[start].isupper()))
    }
    return Question(analysed.text, shares, named, fixed)


def _share(term: str) -> float:
    if term in _LIGHT:
        return LIGHT
    # A noun of one syllable is often a part of a word that was taken apart: 식 of 식비.
    is_part = len(term) == 1 and not term.isascii()
    return VERB if is_part or term.endswith("다") else PLAIN


def _is_noun(term: str) -> bool:
    return len(term) > 1 and "가" <= term[0] <= "힣" and term[-1] != "다"
