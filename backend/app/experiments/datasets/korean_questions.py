"""Questions from Korean sentences by rules: the key phrase gives way to an interrogative and the
sentence gets the ending of a question.

Korean leaves the interrogative where the answer stood, so that "냉동고는 영하 80도로 유지한다"
becomes "냉동고는 몇 도로 유지하나요?" without any other change.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from app.experiments.datasets.chunk_sentences import KeySentence, balanced, names_subject
from app.experiments.datasets.korean_targets import Target, figures, named, particle_after
from app.experiments.datasets.question_drafts import BLANK, Draft, Naturalness
from app.text.morphemes import korean_analyser

if TYPE_CHECKING:
    from kiwipiepy import Token

_STATEMENT = frozenset({"다", "ᆫ다", "는다", "습니다", "ᆸ니다", "어요", "아요", "요"})
_JOINS = frozenset({"고", "며", "으며", "지만", "으나", "는데", "ᆫ데", "은데", "거나"})
_CLAUSE_JOINS = frozenset({"고", "며", "으며", "지만", "으나"})
_TOPIC = frozenset({"은", "는"})
_PREDICATE = ("VV", "VA", "VX", "VCP", "XSV", "XSA", "EP")
_NEGATIVE_FORMS = frozenset({"않", "말", "못하", "없", "아니", "모르"})
# "90 %까지 채울 것", "95도에서 3분": a list entry with a label before its value.
_LABEL = re.compile(r"([^:：]{2,24})[:：] (?=.*\d)(.{2,60}?)[.。]?$")
_DEFINED = re.compile(
    r"(?P<name>[^,.]{2,30}?)(?:이란|란|은|는) (?P<what>.{8,160})[을를] "
    r"(?:말|뜻|의미|가리)(?:한다|합니다|킨다|킵니다)[.]?$"
)


def korean_drafts(sentence: KeySentence) -> Iterator[Draft]:
    text = sentence.text
    if label := _LABEL.match(text):
        name, value = label[1].strip(), label[2]
        question = f"{name}{topic_particle(name)} 어떻게 정해져 있나요?"
        yield Draft(_placed(question, sentence), value, Naturalness.LABEL)
        return
    if defined := _DEFINED.match(text):
        name = defined["name"].strip()
        question = f"{name}{'이란' if topic_particle(name) == '은' else '란'} 무엇인가요?"
        yield Draft(_placed(question, sentence), defined["what"], Naturalness.LABEL)
    tokens = korean_analyser().tokenize(text)
    targets = [*figures(text), *named(text, tokens)]
    for target in targets:
        if not _stands_alone(sentence, tokens, target):
            continue
        if asked := _question(text, tokens, target):
            yield Draft(_placed(asked, sentence), target.answer, target.naturalness)
        elif target.naturalness != Naturalness.OBJECT:
            is_number = target.naturalness == Naturalness.NUMBER
            blank = Naturalness.BLANK_NUMBER if is_number else Naturalness.BLANK_TERM
            yield Draft(_cloze(target, sentence), target.answer, blank)


def _stands_alone(sentence: KeySentence, tokens: "Sequence[Token]", target: Target) -> bool:
    """Whether the subject of the sentence is given: by a topic or subject, or by the heading it
    stands below."""
    told = any(
        token.tag == "JKS" or (token.tag == "JX" and token.form in _TOPIC)
        for token in tokens[: _clause_end(tokens, target.end)]
        if not target.start <= token.start < target.end
    )
    return told or len(sentence.about) > 1


def _question(text: str, tokens: "Sequence[Token]", target: Target) -> str | None:
    """None where the sentence is no statement that can be turned, or says that something is
    not so, which is no natural question."""
    end = _clause_end(tokens, target.end)
    if end is None or _is_negative(tokens[:end], target):
        return None
    if target.naturalness == Naturalness.OBJECT and not _is_main_object(tokens, target, end):
        return None
    first = end
    while first and tokens[first - 1].tag.split("-")[0] in _PREDICATE:
        first -= 1
    if first == end or tokens[first].start < target.end:
        return None
    predicate = [(token.form, token.tag) for token in tokens[first:end]]
    if tokens[end].tag == "EC" and all(tag != "EP" for _, tag in predicate):
        predicate += _tense(tokens)
    before = text[_clause_start(tokens, target.start) : target.start] + target.asked
    rest = particle_after(target.asked, text[target.end : tokens[first].start], tokens, target.end)
    ending = korean_analyser().join([*predicate, (_ending(predicate), "EF")])
    question = f"{before}{rest}{ending}?"
    return question if balanced(question) else None


def _clause_end(tokens: "Sequence[Token]", after: int) -> int | None:
    """Index of the ending of the first main clause that reaches beyond `after` (str offset)."""
    for index, token in enumerate(tokens):
        if token.start < after:
            continue
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        if token.tag == "EC" and token.form in _JOINS:
            helps = following is not None and following.tag.split("-")[0] == "VX"
            if not helps:
                return index
        if token.tag == "EF":
            over = following is None or following.tag == "SF"
            return index if over and token.form in _STATEMENT else None
    return None


def _clause_start(tokens: "Sequence[Token]", before: int) -> int:
    """Where the clause with the target begins, if it has a topic of its own; else 0, since the
    topic and what led to it stand in the clauses before."""
    start, after_join = 0, 0
    for index, token in enumerate(tokens):
        if token.start >= before:
            break
        if token.tag == "EC" and token.form in _CLAUSE_JOINS:
            comma = index + 1 < len(tokens) and tokens[index + 1].tag == "SP"
            after_join = index + 2 if comma else 0
        elif after_join and token.tag == "JX" and token.form in _TOPIC:
            start = tokens[after_join].start
    return start


def _is_negative(clause: "Sequence[Token]", target: Target) -> bool:
    return any(
        token.form in _NEGATIVE_FORMS or (token.tag == "MAG" and token.form in ("안", "못"))
        for token in clause
        if token.start >= target.end
    )


def _is_main_object(tokens: "Sequence[Token]", target: Target, end: int) -> bool:
    """Whether the verb of the object ends the sentence. "무엇을 쏟았을 때" asks for an aside."""
    aside = any(
        token.tag == "ETM" and following.form != "수"
        for token, following in pairwise(tokens[:end])
        if token.start >= target.end
    )
    return tokens[end].tag == "EF" and not aside


def _tense(tokens: "Sequence[Token]") -> list[tuple[str, str]]:
    """The tense that only the last clause shows: "심고 가꾸었다" is "심었다, 가꾸었다"."""
    last = [token for token in tokens if token.tag == "EP"][-1:]
    return [(token.form, token.tag) for token in last if token.form in ("었", "았")]


def _ending(predicate: Sequence[tuple[str, str]]) -> str:
    stem, tag = predicate[-1]
    describes = tag.split("-")[0] in ("VA", "XSA", "VCP") and stem not in ("있", "없")
    return "ᆫ가요" if describes else "나요"


def _cloze(target: Target, sentence: KeySentence) -> str:
    text = sentence.text
    end = target.start + len(target.answer)
    blank = text[: target.start] + BLANK + text[end:]
    return _placed(f"“{blank}”에서 빈칸에 들어갈 말은 무엇인가요?", sentence)


def _placed(question: str, sentence: KeySentence) -> str:
    """The question with the title before it, unless it shares a word with that and so names on
    its own what it is about."""
    if names_subject(question, sentence.about):
        return question
    named_by = "의 ".join(f"‘{name}’" for name in sentence.about)
    return f"{named_by}에 따르면 {question}"


def topic_particle(word: str) -> str:
    """은 after a consonant, 는 after a vowel, 은(는) where the last sound is not known."""
    last = word[-1]
    if not "가" <= last <= "힣":
        return "은(는)"
    return "은" if (ord(last) - ord("가")) % 28 else "는"
