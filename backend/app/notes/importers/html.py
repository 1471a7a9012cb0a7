"""HTML of notes as Markdown.

Each element becomes text when it ends, so that memory and time follow the length of the note,
whatever its elements are."""

import html
import re
from collections import Counter
from collections.abc import Iterator
from typing import Literal, NamedTuple

from app.notes.importers.html_elements import Child, Element, Place, as_markdown, is_heading, joined

# Their content is no markup.
_RAW_ENDS = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in ("script", "style")
}
_NAME = re.compile(r"/?([a-zA-Z][^\s/>]*)")
# A ">" within a quoted value does not end the tag, if the quotation mark is closed.
_TAG_END = re.compile(r"[^>=]*+(?:=\s*+(?:\"[^\"]*+\"|'[^']*+')?+[^>=]*+)*+>")
_ATTRIBUTE = re.compile(
    r"([^\s/>=][^\s/>=]*+)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s>]++))?)?"
)
_ENDS_ITSELF = re.compile(r"(?:^|[\s\"'])/$")
# Python refuses to read a number of more than 4,300 digits.
_NO_CHARACTER = re.compile(r"&#[0-9]{20,};?")


class Token(NamedTuple):
    """name: of a tag, in lower case, "" for text. kind: whether a tag opens an element, closes
    one, or is one of its own. text: of a text, or the attributes of a tag as they are written."""

    name: str
    kind: Literal["open", "close", "empty", "text"]
    text: str


def tokens(source: str) -> Iterator[Token]:
    """Comments, declarations and the content of scripts and styles are left out."""
    scanner = _Scanner(source)
    position = text_start = 0
    while 0 <= (start := source.find("<", position)) < scanner.last_end:
        found = scanner.markup(start)
        if found is None:
            position = start + 1
            continue
        if start > text_start:
            yield _text(source[text_start:start])
        token, position = found
        text_start = position
        if token is not None:
            yield token
    if text_start < len(source):
        yield _text(source[text_start:])


class _Scanner:
    """Remembers what no longer occurs, so that it is searched only once."""

    def __init__(self, source: str) -> None:
        self._source = source
        self.last_end = source.rfind(">")
        self._missing: set[str] = set()

    def markup(self, start: int) -> tuple[Token | None, int] | None:
        """What begins at a "<" and where it ends; no token for what is left out. None when it
        is but text."""
        if self._source.startswith("<!--", start):
            return self._until("-->", start + 2)
        if self._source.startswith("<![CDATA[", start):
            if found := self._until("]]>", start):
                return Token("", "text", self._source[start + 9 : found[1] - 3]), found[1]
            return None
        if self._source.startswith(("<!", "<?", "</"), start):
            named = _NAME.match(self._source, start + 1)
            return self._tag(named) if named else self._until(">", start)
        named = _NAME.match(self._source, start + 1)
        return self._tag(named) if named else None

    def _until(self, end: str, start: int) -> tuple[None, int] | None:
        at = -1 if end in self._missing else self._source.find(end, start)
        if at < 0:
            self._missing.add(end)
            return None
        return None, at + len(end)

    def _tag(self, named: re.Match[str]) -> tuple[Token | None, int] | None:
        end = self._tag_end(named.end())
        name, written = named[1].lower(), self._source[named.end() : end - 1]
        if named[0].startswith("/"):
            return Token(name, "close", ""), end
        if name in _RAW_ENDS:
            raw_end = _RAW_ENDS[name].search(self._source, end)
            return None, raw_end.start() if raw_end else len(self._source)
        empty = _ENDS_ITSELF.search(written) is not None
        return Token(name, "empty" if empty else "open", written), end

    def _tag_end(self, start: int) -> int:
        quoted = None if "quoted" in self._missing else _TAG_END.match(self._source, start)
        if quoted is None:
            # All that is left are quoted ">": some quotation mark stands where none belongs.
            self._missing.add("quoted")
            return self._source.index(">", start) + 1
        return quoted.end()


def attributes(written: str) -> dict[str, str]:
    """The attributes of a tag by lower-case name; of two with one name the last."""
    return {
        match[1].lower(): _resolved(match[2] or match[3] or match[4] or "")
        for match in _ATTRIBUTE.finditer(written)
    }


def _text(source: str) -> Token:
    return Token("", "text", _resolved(source))


def _resolved(source: str) -> str:
    if "&" not in source:
        return source
    return html.unescape(_NO_CHARACTER.sub("\ufffd", source))


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
