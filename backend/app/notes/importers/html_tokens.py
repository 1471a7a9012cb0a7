"""HTML in pieces: tags and the text between them.

One pass in linear time, whatever is left open: what begins like a tag or a comment and never ends
is text. Character references are resolved in texts.
"""

import html
import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

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
