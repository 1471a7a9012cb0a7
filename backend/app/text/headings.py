"""Which lines of a note are headings: they name what follows and say nothing of it themselves."""

import re
from collections.abc import Iterator
from typing import NamedTuple

# A line without a mark of Markdown is a heading only if it is as short as one.
MAX_PLAIN_CHARS = 40

_ATX = re.compile(r"[ \t]*(?:>[ \t]*)*#{1,6}(?:[ \t]|$)")
_UNDERLINE = re.compile(r"[ \t]*(?:={2,}|-{3,})[ \t]*$")
_BOLD = re.compile(r"(?:\*\*[^*]{1,100}\*\*|__[^_]{1,100}__):?$")
_LIST_ITEM = re.compile(r"[ \t]*(?:[-*+•·▪◦>|]|\(?\d{1,3}[.)])")
# What ends a statement, in Korean also a noun made of a verb, and what makes a value.
_STATES = re.compile(r"[.!?。！？…,;|]|[다요죠까음함됨임]$|\d|\w[:：=→]\s?\w")


class Line(NamedTuple):
    """Place of a line in its text, without the line break."""

    start: int
    end: int


def heading_lines(text: str) -> list[Line]:
    """The headings of a text, in order: Markdown's, lines that are bold as a whole or end with a
    colon, and short lines without verb or figure that have text below them."""
    return [line for line, following in _followed(text) if _is_heading(text, line, following)]


def _followed(text: str) -> Iterator[tuple[Line, str]]:
    """Each line that is not blank, with the text of the next one, "" for the last."""
    before: Line | None = None
    start = 0
    for raw in text.splitlines(keepends=True):
        line = Line(start, start + len(raw.rstrip()))
        start += len(raw)
        if line.end > line.start:
            if before:
                yield before, text[line.start : line.end]
            before = line
    if before:
        yield before, ""


def _is_heading(text: str, line: Line, following: str) -> bool:
    if _ATX.match(text, line.start, line.end):
        return True
    # Hard-wrapped English goes on in lower case.
    if not following or following.lstrip()[:1].islower():
        return False
    if line.end - line.start <= 2 * MAX_PLAIN_CHARS and _UNDERLINE.match(following):
        return True
    words = text[line.start : line.end].strip()
    if _BOLD.match(words) or (words.endswith((":", "：")) and len(words) <= 2 * MAX_PLAIN_CHARS):
        return True
    return (
        len(words) <= MAX_PLAIN_CHARS and not _LIST_ITEM.match(words) and not _STATES.search(words)
    )
