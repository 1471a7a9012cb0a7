"""The sentences of a chunk that a question can be made of, with what they are about."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from app.text.language import Lang, detect_language
from app.text.morphemes import morphemes, morphemes_of_many
from app.text.sentences import split_sentences

MIN_CHARS, MAX_CHARS = 12, 260
_MIN_TERMS = 3

_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+(.*)$", re.MULTILINE)
# Tables, links, code and placeholders make no sentence worth a question.
_NO_PROSE = re.compile(r"[|{}<>\\_`]|https?://|[?？]$|[:：]$")
_FRAME_OPENS = re.compile(r"^(?:[*_]{1,3})|(?:[*_]{1,3})(?=[\s.,]|$)")
# Numbers of list entries, and sentences glued together where a web page lost its layout.
_BROKEN = re.compile(
    r"^(?:step )?\d+\W? [A-Z]|[a-z][.!?][A-Z][a-z]|\b[Ss]tep \d|^[^\w\"'“‘(《〈「『]"
)
_PAIRS = (("(", ")"), ("[", "]"), ("“", "”"), ("《", "》"))
# A sentence that leans on the one before it cannot stand alone in a question.
_LEANS: dict[Lang, re.Pattern[str]] = {
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


@dataclass(frozen=True, slots=True)
class SourceChunk:
    """A chunk as generation reads it: with the note it is of, and that note's title."""

    id: str
    note_id: str
    note_title: str
    text: str


@dataclass(frozen=True, slots=True)
class KeySentence:
    """A sentence that can stand alone. about: title of its note, and its heading if there is
    one, the latter last."""

    text: str
    lang: Lang
    about: tuple[str, ...]


def key_sentences(chunk: SourceChunk) -> Iterator[KeySentence]:
    """In the order of the chunk; headings, tables, fragments and what leans on the sentence
    before are left out."""
    headings = [
        (match.start(), match.end(), match[1].rstrip(" \t#"))
        for match in _HEADING.finditer(chunk.text)
    ]
    title = " ".join(chunk.note_title.replace("_", " ").split())
    for span in split_sentences(chunk.text):
        if any(start <= span.start < end for start, end, _ in headings):
            continue
        text = " ".join(_FRAME_OPENS.sub("", span.text).split())
        text = _CONNECTIVE.sub("", text, count=1) if _CONNECTIVE.match(text) else text
        lang = detect_language(text)
        if not MIN_CHARS <= len(text) <= MAX_CHARS or _NO_PROSE.search(text):
            continue
        if _BROKEN.search(text) or not balanced(text):
            continue
        if _LEANS[lang].match(text) or len(set(morphemes(text))) < _MIN_TERMS:
            continue
        heading = [name for _, end, name in headings if end <= span.start][-1:]
        yield KeySentence(text, lang, (title, *heading) if title else tuple(heading))


def balanced(text: str) -> bool:
    """Whether every bracket and quotation mark that is opened is closed."""
    pairs = all(text.count(opening) == text.count(closing) for opening, closing in _PAIRS)
    return pairs and text.count('"') % 2 == 0


def names_subject(question: str, about: tuple[str, ...]) -> bool:
    """Whether a question shares a noun or name with the title or heading, so that a reader who
    sees no note can tell what it is about; also when there is nothing to share."""
    asked, *names = morphemes_of_many([question, *about])
    telling = {term for term in asked if not term.endswith("다") and not term[0].isdigit()}
    return not about or any(not telling.isdisjoint(terms) for terms in names)
