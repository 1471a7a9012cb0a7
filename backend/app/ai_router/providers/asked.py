"""Reads a question: how much each of its words weighs, and what kind of thing it asks for."""

import re
from collections.abc import Mapping, Sequence
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
# A number with dashes that is no date, an e-mail address, a link, or the mark of a redacted one.
_IDENTIFIER = (
    r"(?:(?<![\w-])\+?(?!(?:19|20)\d\d-[01]?\d-[0-3]?\d(?!\d))\d{1,20}(?:-\d{1,20}){1,5}"
    r"|[a-zA-Z\d.+_-]{1,64}@[a-zA-Z\d.-]{1,64}|https?://\S{1,200}|\[[a-z ]{1,40} \d{5}\])"
)
# "1.", "Q3:", and an identifier beside the question, not within it: of who asks or of what is open.
_LABEL = re.compile(r"^\s{0,3}(?:[Qq]|질문 ?)?\d{1,2}[.):]\s+(?=\S)")
_APART = re.compile(
    rf"^\s{{0,3}}({_IDENTIFIER})(?:입니다|이에요|예요|인데요?|이고)?[,.:;]?\s+(?=\S)"
    rf"|(?<=[?.!])\s{{1,3}}({_IDENTIFIER})\.?\s{{0,3}}$"
)
_ALL_IDENTIFIERS = re.compile(_IDENTIFIER)
_TEN_THOUSANDS = re.compile(r"(?<![\d,.])(\d{1,8})만(?=\s?원)")


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
    return _UNREPEATED.sub("", _LABEL.sub("", question))


def in_digits(text: str) -> str:
    """With 125만원 as 1250000원."""
    return _TEN_THOUSANDS.sub(r"\g<1>0000", text)


def without_identifier(question: str, notes: Sequence[str]) -> tuple[str, frozenset[int]]:
    """The question without an identifier beside it that no note holds; and the numbers of the
    notes, from 1, that hold others of its kind, of which it may be one."""
    found = _APART.search(question)
    identifier = found and (found[1] or found[2])
    if not found or not identifier or any(identifier in note for note in notes):
        return question, frozenset()
    others = {
        number
        for number, note in enumerate(notes, 1)
        if _kind(identifier) in map(_kind, _ALL_IDENTIFIERS.findall(note))
    }
    return question[: found.start()] + question[found.end() :], frozenset(others)


def _kind(identifier: str) -> str:
    return next((sign for sign in ("://", "@", "[") if sign in identifier), "-")


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
