"""A question of a dialogue rewritten by rules so that it can be understood without the others.

Only earlier questions are read, never earlier answers. Rules are conservative: where they cannot
tell what an ellipsis stands for, the question stays as it is and the subject of the one before is
put before it; a question that names its own subject is left alone. Each text is read a fixed number
of times, whatever it says.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.text.language import Lang, detect_language
from app.text.turns import Turn

# Characters: a longer question explains itself, a longer subject is none, and what would become
# longer than the last is left as it is.
MAX_CHARS, MAX_SUBJECT_CHARS, MAX_REWRITTEN_CHARS = 120, 80, 1_000
MAX_SHORT_WORDS = 6


@dataclass(frozen=True, slots=True)
class _Topic:
    """What is talked about: the last question that is no fragment, as it stands alone, and its
    subject. carried: the subject is not its own but that of the question before. base: the question
    without the fragment that was added in doubt, whose place the next fragment takes."""

    question: str
    subject: str
    lang: Lang
    carried: bool = False
    base: str = ""


def stand_alone(question: str, turns: Sequence[Turn]) -> str | None:
    """The question as it stands alone; None where it does already, or rules cannot tell."""
    topic: _Topic | None = None
    for turn in turns:
        if asked := _tidy(turn.question):
            topic = _follow(asked, topic)[1]
    found = _follow(_tidy(question), topic)[0] if topic else None
    return found if found and found != question else None


def may_need_turns(question: str) -> bool:
    """Whether a question is short, or has a word that may stand for something said before."""
    words = len(question.split())
    return words <= MAX_SHORT_WORDS or (len(question) <= MAX_CHARS and _points_back(question))


def _points_back(question: str) -> bool:
    patterns = (_KO_LEAD, _KO_PRONOUN, _KO_SHORT_PRONOUN, _KO_POINTING, _EN_LEAD, _EN_PRONOUN)
    return any(pattern.search(question) for pattern in patterns)


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _follow(question: str, topic: _Topic | None) -> tuple[str | None, _Topic]:
    """The question as it stands alone, None where it does, and what is talked about then."""
    lang = detect_language(question)
    korean = lang == "ko"
    subject = (_korean_subject if korean else _english_subject)(question)
    own = _Topic(question, subject if len(subject) <= MAX_SUBJECT_CHARS else "", lang)
    if topic is None or topic.lang != lang or len(question) > MAX_CHARS:
        return None, own
    found = (_korean if korean else _english)(question, topic)
    if found is None or len(found.question) > MAX_REWRITTEN_CHARS:
        return None, own
    return found.question, found


# --- Korean: words end in particles, the predicate comes last.

_KO_LEAD = re.compile(
    r"^(?:(?:그럼|그러면|그렇다면|그리고|그런데|근데|또|아|음|네|아하)(?=[ ,.!])[ ,.!]*){1,3}"
)
_KO_ASKING = re.compile(
    r"(?<![가-힣])(?:얼마|몇|언제|누구|누가|어디|어느|어떤|어떻게|왜|무엇|무슨|뭐|뭘|며칠)"
)
_KO_PRONOUN = re.compile(
    r"(?<![가-힣])(?:그것|그거|이것|이거|저것|그곳|거기|여기|이곳|그쪽|그분|그때)(?=[가-힣 ?]|$)"
)
_KO_SHORT_PRONOUN = re.compile(r"(?<![가-힣])(?:그|이)(건|게|걸)(?![가-힣])")
_KO_PARTICLE_OF = {"건": "은", "게": "이", "걸": "을"}
_KO_POINTING = re.compile(r"(?<![가-힣])(?:그|이|둘|그들) ?중|(?<![가-힣])그 [가-힣]")
_KO_PARTICLE = re.compile(
    r"(?<=[가-힣A-Za-z0-9])(?:에서는|에서|에게는|에게|에는|에|으로는|으로|로|까지는|까지|부터"
    r"|이랑|랑|하고|은|는|이|가|을|를|도|의|만)$"
)
_KO_FRAGMENT = re.compile(r"(?:(?:은|는|도|에|에는|에서는|까지는|부터는)요?|요)?$")
_KO_ENDING = re.compile(
    r"(?:까|나|가|죠|지|래|니|냐|[해돼워려여셔예에려와줘봐]|어|아|다|네)요?$|(?:인가|건가|는지)요?$"
)
# "있는" and its like belong to the noun behind them.
_KO_TOPIC = re.compile(r"(?<=[가-힣A-Za-z0-9])(?<![있없하되가오보쓰받나])[은는]$")
_KO_ARGUED = re.compile(r"[은는이가을를]$")
_KO_ARGUMENT = re.compile(rf"{_KO_TOPIC.pattern}|(?<=[가-힣A-Za-z0-9])(?:이|가|을|를|에서|에)$")
_KO_CLAUSE = re.compile(r"(?:면|고|서|러|며)(?: \S+로)?$")
# Words of which a question has one at a time.
_KO_CLASSES = (
    re.compile(r"봄|여름|가을|겨울"),
    re.compile(r"[월화수목금토일]요일|평일|주말|공휴일"),
    re.compile(r"오전|오후|아침|점심|저녁|밤|새벽"),
    re.compile(r"어제|오늘|내일|모레|작년|올해|내년|지난주|이번 주|다음 주|지난달|이번 달|다음 달"),
    re.compile(r"국내|해외|국외"),
    re.compile(r"성인|어른|청소년|어린이|아이|학생|경로|노인"),
    re.compile(r"서울|부산|대구|인천|광주|대전|울산|세종|제주"),
    re.compile(r"(?<!\d)\d{1,2}월"),
)


def _korean_words(text: str) -> list[str]:
    return [word for each in text.split() if (word := each.strip("?!.,~“”\"'"))]


def _korean_head(question: str) -> list[str]:
    """The words before the one that asks, or before the predicate."""
    words = _korean_words(_KO_LEAD.sub("", question))
    for number, word in enumerate(words):
        if _KO_ASKING.match(word):
            return words[:number]
    return words[:-1]


def _korean_subject(question: str) -> str:
    """Up to the topic, without its particle: 대회의실 예약 of "대회의실 예약은 언제까지예요?"."""
    head = _korean_head(question)
    asks = any(map(_KO_ASKING.match, _korean_words(question)))
    ends = _KO_TOPIC if asks and not _KO_CLAUSE.search(" ".join(head)) else _KO_ARGUMENT
    end = next((number for number, word in enumerate(head) if ends.search(word)), len(head) - 1)
    if not head:
        return ""
    return " ".join([*head[:end], _KO_PARTICLE.sub("", head[end])])


def _korean(question: str, topic: _Topic) -> _Topic | None:
    bare = _KO_LEAD.sub("", question)
    if (said := _korean_pronoun(bare, topic.subject)) != bare:
        return _Topic(said, topic.subject, "ko", carried=True)
    words = _korean_words(bare)
    asks = any(map(_KO_ASKING.match, words))
    if words and not asks and len(words) <= 3 and _is_korean_fragment(words[-1]):
        return _korean_fragment(words, topic)
    pointing = _KO_POINTING.search(bare) is not None
    if not pointing and not _lacks_subject(bare, words, asks=asks):
        return None
    missing = [w for w in topic.subject.split() if w not in bare]
    if not missing:
        return None
    said = " ".join(missing)
    if asks and not _korean_head(bare):
        said = _as_topic(said)
    return _Topic(f"{said} {bare}", topic.subject, "ko", carried=True)


def _as_topic(noun: str) -> str:
    """With 은 behind a consonant, 는 behind a vowel."""
    last = ord(noun[-1]) - ord("가")
    if not 0 <= last <= ord("힣") - ord("가"):
        return noun
    return f"{noun}{'은' if last % 28 else '는'}"


def _korean_pronoun(question: str, subject: str) -> str:
    if not subject:
        return question
    said = _KO_SHORT_PRONOUN.sub(lambda found: subject + _KO_PARTICLE_OF[found[1]], question)
    return _KO_PRONOUN.sub(lambda _: subject, said)


def _is_korean_fragment(last: str) -> bool:
    return _KO_FRAGMENT.search(last) is not None and (
        _KO_PARTICLE.search(last.removesuffix("요")) is not None or not _KO_ENDING.search(last)
    )


def _lacks_subject(bare: str, words: Sequence[str], *, asks: bool) -> bool:
    """Whether few words stand before the one that asks: "얼마예요?", "담당자는 누구예요?"."""
    head = _korean_head(bare)
    few = len(head) <= 1 or (len(head) == 2 and not any(map(_KO_ARGUED.search, head)))
    return asks and few and len(words) <= 5


def _korean_fragment(words: Sequence[str], topic: _Topic) -> _Topic:
    """The question before with what the fragment names in the place of its like."""
    last = words[-1].removesuffix("요")
    named = " ".join([*words[:-1], _KO_PARTICLE.sub("", last)])
    question = topic.base or topic.question
    for members in _KO_CLASSES:
        new, old = members.search(named), members.search(question)
        if new and old:
            return _Topic(question.replace(old[0], new[0], 1), topic.subject, "ko")
    for word in _korean_words(question):
        stem = _KO_PARTICLE.sub("", word)
        if _same_head(stem, named):
            return _replaced(topic, stem, named)
    if len(words) > 1 and (
        found := re.search(rf"[가-힣]+ {re.escape(named.split()[-1])}", question)
    ):
        return _replaced(topic, found[0], named)
    if topic.subject and (topic.carried or _says_more_than_its_subject(topic)):
        return _replaced(topic, topic.subject, named)
    return _Topic(f"{named} {question}", topic.subject or named, "ko", base=question)


def _same_head(one: str, other: str) -> bool:
    """Whether two words end alike and begin otherwise: 대회의실 and 소회의실."""
    return one != other and len(one) > 2 and len(other) > 2 and one[-2:] == other[-2:]


def _says_more_than_its_subject(topic: _Topic) -> bool:
    """Whether a noun is left when the topic is replaced: 물 of "몬스테라는 물을 얼마나 줘요?"."""
    rest = topic.question.replace(topic.subject, "", 1)
    return re.search(r"[가-힣](?:을|를|이|가)(?= )", rest) is not None


def _replaced(topic: _Topic, old: str, new: str) -> _Topic:
    question = topic.base or topic.question
    return _Topic(question.replace(old, new, 1), topic.subject.replace(old, new, 1), topic.lang)


# --- English: the subject stands behind the first auxiliary.

_EN_LEAD = re.compile(
    r"^(?:(?:and|but|so|then|ok|okay|also|what about|how about|thanks)\b[ ,.!]*){1,3}",
    re.IGNORECASE,
)
_EN_PRONOUN = re.compile(
    r"\b(?:it|its|they|them|their|theirs|he|him|his|she|her|hers|those|these)\b"
    r"|\b(?:this|that)(?= (?:take|cost|last|mean|work|be|one)\b|\W*$)",
    re.IGNORECASE,
)
_EN_POSSESSIVE = frozenset({"its", "their", "theirs", "his", "her", "hers"})
_EN_WH = r"(?:what|which|who|whom|whose|when|where|why|how)"
_EN_ASKS = re.compile(rf"\b{_EN_WH}\b", re.IGNORECASE)
_EN_AUX = re.compile(
    r"\b(?:is|are|was|were|do|does|did|can|could|may|might|must|should|shall|will|would|has|have)\b",
    re.IGNORECASE,
)
_EN_PREPOSITION = (
    r"(?:in|on|at|for|from|to|with|by|of|per|during|after|before|until|under|over|near)"
)
_EN_AT_PREPOSITION = re.compile(rf" {_EN_PREPOSITION} ")
_EN_BEFORE_PREPOSITION = re.compile(rf" {_EN_PREPOSITION}\b")
_EN_FIRST_PREPOSITION = re.compile(rf"{_EN_PREPOSITION} ", re.IGNORECASE)
_EN_PERSON = re.compile(r"(?:I|you|we|one|people|someone|there)\b", re.IGNORECASE | re.ASCII)
_EN_NOUNS = re.compile(r"\b(?:the|an?|my|our|your)(?: [\w'’-]+){1,3}", re.IGNORECASE)
_EN_PARTICIPLE = re.compile(
    r"(?:\w+(?:ed|en)|done|kept|held|made|sold|sent|paid|open|closed|free|due|built|stored)$"
)


def _english_subject(question: str) -> str:
    """The guest network of "How many devices does the guest network allow?"."""
    bare = _EN_LEAD.sub("", question).rstrip(" ?!.")
    aux = _EN_AUX.search(bare)
    behind = bare[aux.end() :].strip() if aux else ""
    if aux and behind and not _EN_PERSON.match(behind):
        words = _EN_AT_PREPOSITION.split(f"{behind} ", maxsplit=1)[0].split()
        copula = aux[0].lower() in {"is", "are", "was", "were"}
        if "be" in words:
            words = words[: words.index("be")]
        elif len(words) > 1 and (not copula or _EN_PARTICIPLE.match(words[-1])):
            words = words[:-1]
        return " ".join(words)
    found = _EN_NOUNS.search(bare)
    return _EN_BEFORE_PREPOSITION.split(found[0], maxsplit=1)[0] if found else ""


def _english(question: str, topic: _Topic) -> _Topic | None:
    bare = _EN_LEAD.sub("", question).strip()
    led = len(bare) < len(question.strip())
    aux = _EN_AUX.search(bare)
    pronoun = _EN_PRONOUN.search(bare)
    # Behind a comma or a sentence it stands for what was named there.
    if topic.subject and pronoun and not re.search(r"[,.;?]", bare[: pronoun.start()]):
        return _Topic(_english_pronoun(bare, topic.subject), topic.subject, "en", carried=True)
    words = bare.rstrip(" ?!.").split()
    if not words:
        return None
    if aux is None and _EN_ASKS.search(bare) and len(words) <= 4:
        return _english_asking(" ".join(words), topic)
    if aux is None and not _EN_ASKS.search(bare) and len(words) <= 4:
        return _english_fragment(" ".join(words), topic)
    subject = _english_subject(bare)
    if _EN_ASKS.match(bare) and topic.subject and not led and len(words) <= 5 and subject:
        said = f"{bare.rstrip(' ?!.')} ({topic.subject})?"
        return None if topic.subject in bare else _Topic(said, topic.subject, "en", carried=True)
    return None


def _english_pronoun(question: str, subject: str) -> str:
    def named(found: re.Match[str]) -> str:
        return f"{subject}'s" if found[0].lower() in _EN_POSSESSIVE else subject

    return _EN_PRONOUN.sub(named, question)


def _english_asking(asking: str, topic: _Topic) -> _Topic | None:
    """ "How long?" with all of the question before but its own question word."""
    aux = _EN_AUX.search(topic.question)
    if aux is None:
        return None
    return _Topic(f"{asking} {topic.question[aux.start() :]}", topic.subject, "en", carried=True)


def _english_fragment(named: str, topic: _Topic) -> _Topic:
    base = topic.base or topic.question
    question = base.rstrip(" ?!.")
    if found := _EN_FIRST_PREPOSITION.match(named):
        old = re.search(rf"\b{found[0]}[\w'’-]+(?: [\w'’-]+)?$", question, re.IGNORECASE)
        if old:
            return _Topic(f"{question[: old.start()]}{named}?", topic.subject, "en")
        return _Topic(f"{question} {named}?", topic.subject, "en", base=base)
    head = topic.subject.split()[-1] if topic.subject else ""
    named = re.sub(r"\bones?$", head, named).strip()
    if topic.subject and topic.subject in question:
        return _replaced(topic, topic.subject, named)
    return _Topic(f"{question}, {named}?", topic.subject or named, "en", base=base)
