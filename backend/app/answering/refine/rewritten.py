"""Parses the query from the reply of a model."""

import re
import unicodedata

from app.platform.db.statements import storable
from app.platform.errors import MalformedOutput
from app.text.language import detect_language

MAX_QUERY_CHARS = 600
# A query in the language of the question may quote terms of another, but not only those.
MIN_OWN_LETTERS = 0.2

# What follows is talk. Labels are taken off one by one, so a text of nothing else is not free.
MAX_REPLY_CHARS = 8_000
_FENCED = re.compile(r"```[\w-]*[ \t]*\n(.*?)```", re.DOTALL)
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n")
# A label names what follows it; words before a colon that do not are part of the query.
_LABEL = re.compile(
    r"[*_#>\s]*"
    r"(?:(?:[^\n:：]{0,20}(?:재작성|다시 ?쓴|다시 ?작성|수정|개선)[^\n:：]{0,6})?"
    r"(?:새로?운? ?|최종 ?)?(?:검색 ?)?(?:질의|질문|쿼리|검색어)문?"
    r"(?:입니다|[은는](?: 다음과 같습니다)?)?"
    r"|재작성|출력|답변?"
    r"|(?:[^\n:：]{0,30}\b(?:rewritten|revised|improved|reformulated)\b[^\n:：]{0,10})?"
    r"(?:new |final )?(?:search )?(?:query|question)(?: is)?"
    r"|rewritten|output|answer)"
    r"[*_\s]*[:：][*_\s]*",
    re.IGNORECASE,
)
_LIST_MARK = re.compile(r"(?:[-*+•·]|\(?\d{1,2}[.)])[ \t]+")
_QUOTES = {
    '"': '"',
    "'": "'",
    "`": "`",
    "“": "”",
    "‘": "’",
    "「": "」",
    "『": "』",
    "«": "»",
    "**": "**",
}


def query_of(reply: str, original: str) -> str:
    """The query on one line, without labels ("재작성된 질의:", "Rewritten query:"), quotation
    marks, code fences and list marks. What follows after a blank line is talk and left out.

    Raises MalformedOutput when nothing is left, when it is longer than MAX_QUERY_CHARS and
    twice the original, and when it is not in the original's language.
    """
    text = storable(reply[:MAX_REPLY_CHARS]).strip()
    fenced = _FENCED.search(text)
    text = _bare(fenced.group(1) if fenced else text)
    paragraph = _PARAGRAPH_END.split(text, maxsplit=1)[0]
    lines = (_LIST_MARK.sub("", line.strip(), count=1) for line in paragraph.splitlines())
    query = _bare(" ".join(" ".join(lines).split()))
    if not any(char.isalnum() for char in query):
        raise MalformedOutput("the rewritten query is empty", body_excerpt=reply)
    if len(query) > max(MAX_QUERY_CHARS, 2 * len(original)):
        raise MalformedOutput("the rewritten query is too long", body_excerpt=reply)
    if not _same_language(query, original):
        raise MalformedOutput("the rewritten query is in another language", body_excerpt=reply)
    return query


def _bare(text: str) -> str:
    """The text without labels, list marks and quotation marks around the whole of it."""
    before = None
    while before != text:
        before, text = text, text.strip()
        for matched in (_LABEL.match, _LIST_MARK.match):
            if match := matched(text):
                text = text[match.end() :]
        for opening, closing in _QUOTES.items():
            inner = text[len(opening) : -len(closing)]
            whole = text.startswith(opening) and text.endswith(closing)
            if whole and inner and opening not in inner and closing not in inner:
                text = inner
    return text


def _same_language(query: str, original: str) -> bool:
    letters = [char for char in query if char.isalpha()]
    if not letters or not any(char.isalpha() for char in original):
        return True
    script = "HANGUL" if detect_language(original) == "ko" else "LATIN"
    own = sum(unicodedata.name(char, "").startswith(script) for char in letters)
    return own >= MIN_OWN_LETTERS * len(letters)
