"""HTML of notes as Markdown.

Each element becomes text when it ends, so that memory and time follow the length of the note,
whatever its elements are.
"""

import re
from collections import Counter

from app.notes.importers.html_elements import (
    Child,
    Element,
    Place,
    as_markdown,
    is_heading,
    joined,
)
from app.notes.importers.html_tokens import Token, attributes, tokens

MAX_TEXT_CHARS = 1_000_000
MAX_TAGS = 250_000
# What is nested more deeply has no layout worth keeping, and each level copies its text.
MAX_DEPTH = 50

_NOT_TEXT = frozenset({
    "template", "noscript", "iframe", "object", "svg", "math", "head", "picture", "video", "audio",
    "canvas",
})  # fmt: skip
# Elements without an end, and those of them that are no text.
_VOID = frozenset({
    "area", "base", "basefont", "bgsound", "br", "col", "command", "embed", "frame", "hr", "image",
    "img", "input", "isindex", "keygen", "link", "menuitem", "meta", "nextid", "param", "source",
    "spacer", "track", "wbr",
})  # fmt: skip
_LEFT_OUT = frozenset({"embed", "img"})
_WITH_ATTRIBUTES = frozenset({"a", "ol", "td", "th"})
_VERBATIM = frozenset({"pre", "code", "kbd", "samp"})
_BLANK_LINES = re.compile(r"\n[ \t\xa0]*(?:\n[ \t\xa0]*)+\n?")


class TooLong(Exception):
    """The note has more than `most` of something; of, of_ko: of what."""

    def __init__(self, most: int, of: str, of_ko: str) -> None:
        super().__init__(most, of, of_ko)
        self.most, self.of, self.of_ko = most, of, of_ko


def html_to_markdown(html: str) -> str:
    """The text with its headings, lists, tables and links; no scripts, styles or pictures, and
    no link but to pages, mail and telephones. Raises TooLong."""
    if html.count("<") > MAX_TAGS:
        raise TooLong(MAX_TAGS, "HTML tags", "HTML 태그")
    writer = _Writer()
    for token in tokens(html):
        writer.add(token)
    return _BLANK_LINES.sub("\n\n", writer.finish()).strip()


class _Writer:
    """Open elements, as a browser nests them, without unclosed ones."""

    def __init__(self) -> None:
        self._open = [Element("[document]")]
        self._names: Counter[str] = Counter()
        self._around: Counter[str] = Counter()
        # Open elements that are not written: what is no text, what is in it, and what is too
        # deep, whose text goes to the last element that is written.
        self._unwritten: list[str] = []
        self._unwritten_names: Counter[str] = Counter()
        self._hidden = 0

    def add(self, token: Token) -> None:
        name = token.name
        if token.kind == "text":
            if not self._hidden:
                self._open[-1].children.append(Child("", token.text))
        elif token.kind == "close":
            self._close(name)
        elif name in _VOID:
            if name not in _LEFT_OUT and not self._hidden:
                self._take_in(Element(name), "")
        else:
            self._begin(token)
            if token.kind == "empty":
                self._close(name)

    def finish(self) -> str:
        while len(self._open) > 1:
            self._end()
        return joined(self._open[0], self._place()).strip("\n")

    def _place(self) -> Place:
        around = self._around
        return Place(
            inline=around["inline"] > 0,
            verbatim=around["verbatim"] > 0,
            in_pre=self._names["pre"] > 0,
            in_item=self._names["li"] > 0,
        )

    def _begin(self, token: Token) -> None:
        name = token.name
        if self._unwritten or name in _NOT_TEXT or len(self._open) > MAX_DEPTH:
            self._unwritten.append(name)
            self._unwritten_names[name] += 1
            self._hidden += name in _NOT_TEXT
            if not self._hidden:
                self._open[-1].children.append(Child("", "\n"))
            return
        given = attributes(token.text) if name in _WITH_ATTRIBUTES else {}
        self._open.append(Element(name, given))
        self._count(name, 1)

    def _count(self, name: str, by: int) -> None:
        self._names[name] += by
        if name in ("td", "th") or is_heading(name):
            self._around["inline"] += by
        if name in _VERBATIM:
            self._around["verbatim"] += by

    def _close(self, name: str) -> None:
        """Ends the last open element of that name and what is in it; none if there is none."""
        if self._unwritten_names[name]:
            while self._leave_unwritten() != name:
                pass
        elif self._names[name]:
            while self._unwritten:
                self._leave_unwritten()
            while self._end() != name:
                pass

    def _leave_unwritten(self) -> str:
        name = self._unwritten.pop()
        self._unwritten_names[name] -= 1
        self._hidden -= name in _NOT_TEXT
        return name

    def _end(self) -> str:
        text = joined(self._open[-1], self._place())
        element = self._open.pop()
        self._count(element.name, -1)
        self._take_in(element, text)
        return element.name

    def _take_in(self, element: Element, text: str) -> None:
        markdown = as_markdown(element, text, self._place(), self._open)
        if len(markdown) > MAX_TEXT_CHARS:
            raise TooLong(MAX_TEXT_CHARS, "characters", "글자")
        self._open[-1].add(element, markdown)
