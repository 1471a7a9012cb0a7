"""Test questions from a chunk by rules, for servers without a model.

Each sentence that can stand alone gives questions with a blank: first in place of its values,
then of its longest word. "Label: value" asks for the value of the label. Both languages have the
same rules; only the templates differ."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from app.judges.quotes import SENTENCE_MARKS, comparable, stands_in
from app.judges.rules.vocabulary import ASKING, FRAMING
from app.text.language import Lang, detect_language
from app.text.morphemes import korean_analyser, morphemes, morphemes_of_many
from app.text.sentences import split_sentences

MIN_CHARS, MAX_CHARS = 12, 260
_MIN_TERMS = 3
_BLANK = "____"

_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+(.*)$", re.MULTILINE)
# Tables, links, code and placeholders make no sentence worth a question.
_NO_PROSE = re.compile(r"[|{}<>\\_`]|https?://|[?？]$|[:：]$")
_EMPHASIS = re.compile(r"^(?:[*_]{1,3})|(?:[*_]{1,3})(?=[\s.,]|$)")
# Numbers of list entries, and sentences glued together where a web page lost its layout.
_BROKEN = re.compile(
    r"^(?:step )?\d+\W? [A-Z]|[a-z][.!?][A-Z][a-z]|\b[Ss]tep \d|^[^\w\"'“‘(《〈「『]"
)
_PAIRS = (("(", ")"), ("[", "]"), ("“", "”"), ("《", "》"))
# A sentence that refers to the one before it cannot stand alone in a question.
_REFERS_BACK: Mapping[Lang, re.Pattern[str]] = {
    "ko": re.compile(
        r"(?:이|그|저)(?:것|들|때|곳|후|외|중)?(?:[은는이가을를에도의]|\s|,)"
        r"|(?:이를|이는|이런|그런|이러한|그러한|여기|거기|이로|이와|그와|이때|그때|해당|위의?|아래|그래도)"
    ),
    "en": re.compile(
        r"(?:this|that|these|those|it|they|he|she|its|their|here|there|such|both|otherwise)\b",
        re.IGNORECASE,
    ),
}
_CONNECTIVE = re.compile(
    r"(?:한편|이어|이후|당시|다만|단|또한|또|그리고|그러나|하지만|따라서|그래서|그러므로|즉|특히|참고로|주의|however|therefore"
    r"|also|moreover|note)(?:\s*[:：,]\s*|\s+)",
    re.IGNORECASE,
)
# "90 %까지 채울 것", "95도에서 3분": a list entry with a label before its value.
_LABEL = re.compile(r"([^:：]{2,24})[:：] (?=.*\d)(.{2,60}?)[.。]?$")
_SUBJECT_PARTICLE = re.compile(r"[가-힣A-Za-z0-9)][은는이가](?=\s)")
_NUMBER = r"\d++(?:[,.:]\d++)*+"
_UNIT = (
    r"°[CF]|℃|%|(?:[µμ]?[gLMlm]|[mk]g|ng|m[LlM]|[cmk]m|kb|bp|psi|rpm|Hz|k?W|V|[GM]B|[ap]m|s|h"
    r"|(?:second|minute|hour|day|week|month|year|time)s?)(?![A-Za-z])"
    r"|(?:시간|주일?|개월|가지|봉지|단계|마리|퍼센트|[도분초달년월일시개명회배장병층점번원박])"
    r"(?![가-힣](?<![에은는이가을를로과와까부만마씩쯤도동간보의반]))"
)
# A date, or a number or range with its unit.
_VALUE = re.compile(
    rf"(?<![\w.,:-])(?:(?:\d{{4}}년 )?\d{{1,2}}월 \d{{1,2}}일"
    rf"|(?:영하 ?|(?:오전|오후) ?|[-−])?{_NUMBER}(?:\s?[~∼–-]\s?{_NUMBER})?"
    rf"(?:\s?(?:{_UNIT})|(?!\w)))"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve) "
    r"(?:second|minute|hour|day|week|month|year|time)s\b"
)
_LONG_WORD = re.compile(r"(?<=[a-z] )[a-z]{6,}(?<!ly)(?<!ing)(?<!ed)\b")
_KOREAN_NOUNS = ("NNG", "NNP", "SL")

_BLANK_QUESTION: Mapping[Lang, str] = {
    "ko": "“{0}”에서 빈칸에 들어갈 말은 무엇인가요?",
    "en": "What belongs in the blank in “{0}”?",
}
_LABEL_QUESTION: Mapping[Lang, str] = {
    "ko": "‘{0}’ 항목의 값은 무엇인가요?",
    "en": "What is the value of “{0}”?",
}


@dataclass(frozen=True, slots=True)
class SourceChunk:
    """A chunk as generation reads it, with the id and title of its note."""

    id: str
    note_id: str
    note_title: str
    text: str


@dataclass(frozen=True, slots=True)
class KeySentence:
    """A sentence that can stand alone. about: title of its note, then its heading if any."""

    text: str
    lang: Lang
    about: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A question whose answer stands letter by letter in the sentence it was made of. rank: the
    most natural kind is 0."""

    question: str
    answer: str
    rank: int


def rule_drafts(chunk: SourceChunk, seed: int) -> list[Draft]:
    """Drafts of all sentences: the best of each sentence first, then the second ones. `seed`
    chooses between equally good ones."""
    ranked: list[tuple[int, bytes, Draft]] = []
    for sentence in key_sentences(chunk):
        for turn, draft in enumerate(_sentence_drafts(sentence)):
            key = f"{seed}:{chunk.id}:{draft.question}".encode("utf-8", "replace")
            drawn = hashlib.blake2b(key, digest_size=8).digest()
            ranked.append((draft.rank + 2 * turn, drawn, draft))
    return [draft for *_, draft in sorted(ranked, key=lambda item: item[:2])]


def key_sentences(chunk: SourceChunk) -> Iterator[KeySentence]:
    """In the order of the chunk; headings, tables, fragments and sentences that refer to the one
    before are left out."""
    headings = [
        (match.start(), match.end(), match[1].rstrip(" \t#"))
        for match in _HEADING.finditer(chunk.text)
    ]
    title = " ".join(chunk.note_title.replace("_", " ").split())
    for span in split_sentences(chunk.text):
        if any(start <= span.start < end for start, end, _ in headings):
            continue
        text = " ".join(_EMPHASIS.sub("", span.text).split())
        text = _CONNECTIVE.sub("", text, count=1) if _CONNECTIVE.match(text) else text
        lang = detect_language(text)
        if _stands_alone(text, lang):
            heading = [name for _, end, name in headings if end <= span.start][-1:]
            yield KeySentence(text, lang, (title, *heading) if title else tuple(heading))


def _stands_alone(text: str, lang: Lang) -> bool:
    return (
        MIN_CHARS <= len(text) <= MAX_CHARS
        and not _NO_PROSE.search(text)
        and not _BROKEN.search(text)
        and _is_balanced(text)
        and not _REFERS_BACK[lang].match(text)
        and len(set(morphemes(text))) >= _MIN_TERMS
    )


def _is_balanced(text: str) -> bool:
    pairs = all(text.count(opening) == text.count(closing) for opening, closing in _PAIRS)
    return pairs and text.count('"') % 2 == 0


def _sentence_drafts(sentence: KeySentence) -> Iterator[Draft]:
    text, lang = sentence.text, sentence.lang
    if label := _LABEL.match(text):
        asked = _LABEL_QUESTION[lang].format(label[1].strip())
        yield Draft(_with_title(asked, sentence), label[2], 0)
        return
    if lang == "ko" and not _SUBJECT_PARTICLE.search(text) and len(sentence.about) < 2:
        return
    for match in _VALUE.finditer(text):
        yield _blank(sentence, match.start(), match[0].strip(), 0)
    # Of equally long words the last: what comes first is mostly the subject.
    if longest := max(_words(text, lang), key=lambda word: (len(word[1]), word[0]), default=None):
        yield _blank(sentence, *longest, 1)


def _words(text: str, lang: Lang) -> Iterator[tuple[int, str]]:
    """Words that a blank may stand for, with their places; in Korean nouns beside each other are
    one word."""
    if lang == "en":
        yield from ((match.start(), match[0]) for match in _LONG_WORD.finditer(text))
        return
    start = end = 0
    for token in korean_analyser().tokenize(text):
        if token.tag not in _KOREAN_NOUNS:
            continue
        start = start if token.start == end else token.start
        end = token.end
        if end - start > 1:
            yield start, text[start:end]


def _blank(sentence: KeySentence, start: int, answer: str, rank: int) -> Draft:
    text = sentence.text
    cloze = f"{text[:start]}{_BLANK}{text[start + len(answer) :]}"
    asked = _BLANK_QUESTION[sentence.lang].format(cloze)
    return Draft(_with_title(asked, sentence), answer, rank)


def _with_title(question: str, sentence: KeySentence) -> str:
    """The question after the title and heading, unless it shares a noun or name with them and so
    names its subject already."""
    asked, *names = morphemes_of_many([question, *sentence.about])
    terms = {term for term in asked if not term.endswith("다") and not term[0].isdigit()}
    if not sentence.about or any(not terms.isdisjoint(name) for name in names):
        return question
    if sentence.lang == "ko":
        named = "의 ".join(f"‘{name}’" for name in sentence.about)
        return f"{named}에 따르면 {question}"
    named = ", ".join(f"“{name}”" for name in sentence.about)
    return f"According to {named}, {question[0].lower()}{question[1:]}"


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
    """Refuses questions one by one, also one that asks what an accepted one asks."""

    def __init__(self) -> None:
        self._questions: set[str] = set()
        self._terms: set[frozenset[str]] = set()
        self._terms_by_answer: defaultdict[str, list[frozenset[str]]] = defaultdict(list)

    def refusal(self, question: str, answer: str, chunk_text: str) -> Reason | None:
        """Why the question is refused; None, and kept for comparison, where it is accepted.

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
        written, same_answer = _plain(question), self._terms_by_answer[_plain(answer)]
        if written in self._questions or terms in self._terms:
            return False
        if any(len(terms & other) / len(terms | other) >= SAME_QUESTION for other in same_answer):
            return False
        self._questions.add(written)
        self._terms.add(terms)
        same_answer.append(terms)
        return True


def leaks(question: str, answer: str) -> bool:
    """Whether the question holds its answer: as it is written, or all its words (two or more)."""
    wording = comparable(answer).strip(SENTENCE_MARKS)
    asked = comparable(question)
    # "5분" is not in "15분", and "cell" not in "excellent".
    before = r"(?<![\d.,])" if wording[:1].isdigit() else ""
    if len(wording) == 1 and not wording.isdigit():
        return re.search(rf"(?<!\w){re.escape(wording)}(?!\w)", question.casefold()) is not None
    if wording[:1].isascii() and wording[:1].isalpha():
        return re.search(rf"(?<![a-z]){re.escape(_plain(answer))}", _plain(question)) is not None
    after = r"(?![\d])" if wording[-1:].isdigit() else ""
    if re.search(f"{before}{re.escape(wording)}{after}", asked):
        return True
    terms = set(morphemes(answer))
    wordy = len(terms) > 1 and not any(char.isdigit() for term in terms for char in term)
    return wordy and terms <= set(morphemes(question))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))
