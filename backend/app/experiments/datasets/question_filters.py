"""Filters of drafted questions, with the reason of each refusal."""

import math
import re
from collections import defaultdict
from typing import Literal

from app.judges.quotes import SENTENCE_MARKS, comparable, stands_in
from app.judges.rules.vocabulary import ASKING, FRAMING
from app.text.language import Lang, detect_language
from app.text.morphemes import morphemes

Reason = Literal[
    "unanswerable", "leaking", "refers_to_text", "too_short", "too_long", "duplicate", "invalid"
]

MAX_QUESTION_CHARS = 300
MIN_QUESTION_CHARS: dict[Lang, int] = {"ko": 8, "en": 15}
MAX_ANSWER_CHARS = 300
# Two questions with this share of common words and one answer ask the same.
SAME_QUESTION = 0.8

_REFERS = re.compile(
    r"(?:(?<![가-힣])(?:이|본|위|위의|아래|아래의|앞의|해당|다음|주어진|제시된) ?"
    r"(?:글|문서|표|그림|본문|노트|문단|단락|구절|발췌문|자료|지문|텍스트|내용|기사|청크)"
    r"(?![자씨시면준현본물]))"
    r"|(?<![가-힣])(?:본문|지문|구절|위)에서 (?:말|언급|설명|제시)"
    r"|\b(?:this|the above|the following|the given|the provided|above|aforementioned) "
    r"(?:text|passage|note|table|figure|document|chunk|paragraph|excerpt|section|article|context)\b"
    r"|\bthe (?:text|passage|excerpt|author|chunk|paragraph|context)\b"
    r"|\b(?:table|passage|text|document) above\b",
    re.IGNORECASE,
)
# Words of our own templates, which questions share without being alike.
_TEMPLATE = FRAMING | ASKING | {"빈칸", "들어가다", "말", "정하다", "blank", "belong"}


class QuestionFilter:
    """Refuses questions one by one; remembers those it let pass, so that none comes twice."""

    def __init__(self) -> None:
        self._passed: list[tuple[frozenset[str], str]] = []
        self._written: set[str] = set()
        self._by_term: defaultdict[str, list[int]] = defaultdict(list)

    def refusal(self, question: str, answer: str, chunk_text: str) -> Reason | None:
        """Why the question is no good, None (and remembered) when it is.

        answer: the words of the chunk that answer it. Blocks for about a millisecond.
        """
        if not answer.strip() or not stands_in(answer, chunk_text):
            return "unanswerable"
        lang = detect_language(question)
        terms = frozenset(morphemes(question)) - _TEMPLATE
        names = any(not term.endswith("다") and not term[0].isdigit() for term in terms)
        if len(question) < MIN_QUESTION_CHARS[lang] or not names:
            return "too_short"
        if len(question) > MAX_QUESTION_CHARS or len(answer) > MAX_ANSWER_CHARS:
            return "too_long"
        if _REFERS.search(question):
            return "refers_to_text"
        if leaks(question, answer):
            return "leaking"
        return None if self._is_new(question, answer, terms) else "duplicate"

    def _is_new(self, question: str, answer: str, terms: frozenset[str]) -> bool:
        written, told = _plain(question), _plain(answer)
        if written in self._written:
            return False
        prefix = _prefix(terms)
        seen = {index for term in prefix for index in self._by_term[term]}
        for index in seen:
            other, its_answer = self._passed[index]
            shared = len(terms & other) / len(terms | other)
            if shared == 1 or (shared >= SAME_QUESTION and its_answer == told):
                return False
        self._written.add(written)
        for term in prefix:
            self._by_term[term].append(len(self._passed))
        self._passed.append((terms, told))
        return True


def _prefix(terms: frozenset[str]) -> list[str]:
    """Two sets that share SAME_QUESTION of their words share one of these: in one order of all
    words, as many of the first as may not be common, and one more (prefix filtering, Chaudhuri
    et al. 2006). Without it each question would be compared with all before it."""
    # 0.8 * 35 is a little more than 28 as a float.
    needed = math.ceil(SAME_QUESTION * len(terms) - 1e-9)
    return sorted(terms)[: len(terms) - needed + 1]


def leaks(question: str, answer: str) -> bool:
    """Whether the question holds its answer: as it is written, or all its words (two or more)."""
    told = comparable(answer).strip(SENTENCE_MARKS)
    asked = comparable(question)
    # "5분" is not in "15분", and "cell" not in "excellent".
    before = r"(?<![\d.,])" if told[:1].isdigit() else ""
    if len(told) == 1 and not told.isdigit():
        return re.search(rf"(?<!\w){re.escape(told)}(?!\w)", question.casefold()) is not None
    if told[:1].isascii() and told[:1].isalpha():
        return re.search(rf"(?<![a-z]){re.escape(_plain(answer))}", _plain(question)) is not None
    after = r"(?![\d])" if told[-1:].isdigit() else ""
    if re.search(f"{before}{re.escape(told)}{after}", asked):
        return True
    terms = set(morphemes(answer))
    wordy = len(terms) > 1 and not any(char.isdigit() for term in terms for char in term)
    return wordy and terms <= set(morphemes(question))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
