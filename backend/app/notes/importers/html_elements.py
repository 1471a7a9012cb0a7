"""What each element of HTML is as Markdown, in the way of the library markdownify."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import quote

# Browsers leave these out of an address before they read its scheme.
_IGNORED = re.compile(r"[\x00-\x20\x7f]")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
# Brackets, quotes and the like, which end an address in Markdown; letters of any script stay.
_ENDS_ADDRESS = re.compile(r"[^\w/:?#@!$&*+,;=%~.-]")
_LINKS = frozenset({"http", "https", "mailto", "tel"})


def safe_address(written: str) -> str:
    """A harmless address, written so that it cannot end early in Markdown; "" for another."""
    address = _IGNORED.sub("", written)
    scheme = _SCHEME.match(address)
    if scheme is not None and scheme[1].lower() not in _LINKS:
        return ""
    return _ENDS_ADDRESS.sub(lambda found: quote(found[0], errors="replace"), address)


MAX_COLSPAN = 100
_LISTS = frozenset({"ul", "ol"})
_BLOCKS = _LISTS | {
    "p", "blockquote", "article", "div", "section", "li", "dl", "dt", "dd",
    "table", "thead", "tbody", "tfoot", "tr", "td", "th",
}  # fmt: skip
_BLANKS = re.compile(r"[\t \r\n]+")
_BACKTICKS = re.compile(r"`+")
_HEADING = re.compile(r"h([0-9]+)")


class Place(NamedTuple):
    """inline: in a heading or table cell. verbatim: in code of any kind."""

    inline: bool
    verbatim: bool
    in_pre: bool
    in_item: bool


class Child(NamedTuple):
    """name: of an element, "" for text as it stands in the HTML."""

    name: str
    text: str


@dataclass(slots=True)
class Element:
    """An element that has begun, with what stands in it so far."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Child] = field(default_factory=list)
    elements: int = 0
    items: int = 0
    cells: list["Element"] = field(default_factory=list)
    has_head: bool = False

    def add(self, child: "Element", text: str) -> None:
        """Takes in an element that has ended, as Markdown."""
        self.children.append(Child(child.name, text))
        self.elements += 1
        self.items += child.name == "li"
        self.has_head |= child.name == "thead"
        if child.name in ("td", "th"):
            self.cells.append(Element(child.name, child.attributes))

    @property
    def colspan(self) -> int:
        return min(MAX_COLSPAN, max(1, _number(self.attributes.get("colspan", ""), 1)))


def is_heading(name: str) -> bool:
    return _HEADING.match(name) is not None


def _is_block(name: str) -> bool:
    return name in _BLOCKS or is_heading(name)


def _number(written: str, otherwise: int) -> int:
    return int(written) if written.isdecimal() and len(written) < 10 else otherwise


def joined(element: Element, place: Place) -> str:
    """The children of an element one behind the other. place: that of the children."""
    texts = []
    following: str | None = None
    after: Child | None = None
    for index in range(len(element.children) - 1, -1, -1):
        name, text = child = element.children[index]
        if name:
            # A list is parted from a paragraph behind it.
            ends = name in _LISTS and not place.in_item
            text += "\n" * (ends and following is not None and following not in _LISTS)
        content = bool(name or text.strip())
        if not name:
            before = element.children[index - 1] if index else None
            text = _plain(text, element, before, after, in_pre=place.in_pre)
        if text:
            texts.append(text)
        following, after = name if content else following, child
    texts.reverse()
    return "".join(texts if place.in_pre else _with_few_newlines(texts))


def _plain(
    text: str, parent: Element, before: Child | None, after: Child | None, *, in_pre: bool
) -> str:
    """Text without the blanks that a browser does not show."""
    in_block = _is_block(parent.name)
    opens = (in_block and before is None) or _parts_text(before)
    closes = (in_block and after is None) or _parts_text(after)
    if (opens or closes) and not text.strip():
        return ""
    if not in_pre:
        text = _BLANKS.sub(_one_blank, text)
    text = text.lstrip(" \t\r\n") if opens else text
    return text.rstrip() if closes else text


def _parts_text(neighbour: Child | None) -> bool:
    return neighbour is not None and (neighbour.name == "pre" or _is_block(neighbour.name))


def _one_blank(found: re.Match[str]) -> str:
    return "\n" if "\n" in found[0] or "\r" in found[0] else " "


def _with_few_newlines(texts: list[str]) -> list[str]:
    """At most two newlines between children, the larger number that either of them needs."""
    parts = [""]
    for text in texts:
        rest = text.lstrip("\n")
        content = rest.rstrip("\n")
        leading = "\n" * (len(text) - len(rest))
        if parts[-1] and leading:
            leading = "\n" * min(2, max(len(parts.pop()), len(leading)))
        parts += (leading, content, "\n" * (len(rest) - len(content)))
    return parts


def as_markdown(element: Element, text: str, place: Place, parents: list[Element]) -> str:
    """The element around its text. place: its own; parents: the elements it is in, outermost
    first."""
    name, parent = element.name, parents[-1]
    if is_heading(name):
        return _heading(name, text, place)
    if name == "a":
        return _link(element, text, place)
    if name == "li":
        return _item(parent, text)
    if name in ("td", "th"):
        return f" {text.strip().replace(chr(10), ' ')} " + "|" + " |" * (element.colspan - 1)
    if name == "tr":
        return _row(element, text, parents)
    convert = _CONVERSIONS.get(name)
    return convert(text, place) if convert else text


def _inner(text: str) -> tuple[str, str, str]:
    """The blank before, the text, the blank behind: emphasis must not begin or end with one."""
    return " " * text.startswith(" "), text.strip(), " " * text.endswith(" ")


def _emphasis(mark: str) -> Callable[[str, Place], str]:
    def convert(text: str, place: Place) -> str:
        if place.verbatim:
            return text
        before, text, behind = _inner(text)
        return f"{before}{mark}{text}{mark}{behind}" if text else ""

    return convert


def _code(text: str, place: Place) -> str:
    if place.verbatim:
        return text
    before, text, behind = _inner(text)
    if not text:
        return ""
    ticks = max((len(run) for run in _BACKTICKS.findall(text)), default=0)
    mark, blank = "`" * (ticks + 1), " " * (ticks > 0)
    return f"{before}{mark}{blank}{text}{blank}{mark}{behind}"


def _link(element: Element, text: str, place: Place) -> str:
    if place.verbatim:
        return text
    before, text, behind = _inner(text)
    address = safe_address(element.attributes.get("href", ""))
    if not text or not address:
        return text
    return f"{before}[{text}]({address}){behind}"


def _heading(name: str, text: str, place: Place) -> str:
    if place.inline:
        return text
    found = _HEADING.match(name)
    level = max(1, min(6, _number(found[1] if found else "", 6)))
    return f"\n\n{'#' * level} {_BLANKS.sub(' ', text.strip())}\n\n"


def _block(blanks: str | None) -> Callable[[str, Place], str]:
    """blanks: what the text loses at both ends; None for all that Unicode calls so."""

    def convert(text: str, place: Place) -> str:
        text = text.strip(blanks)
        if place.inline:
            return f" {text} "
        return f"\n\n{text}\n\n" if text else ""

    return convert


def _quotation(text: str, place: Place) -> str:
    text = text.strip(" \t\r\n")
    if place.inline:
        return f" {text} "
    if not text:
        return "\n"
    lines = (f"> {line}" if line else ">" for line in text.split("\n"))
    return "\n" + "\n".join(lines) + "\n\n"


def _indented(text: str, width: int) -> str:
    return "\n".join(" " * width + line if line else "" for line in text.split("\n"))


def _definition(text: str, place: Place) -> str:
    text = text.strip()
    if place.inline:
        return f" {text} "
    return f":{_indented(text, 4)[1:]}\n" if text else "\n"


def _term(text: str, place: Place) -> str:
    text = _BLANKS.sub(" ", text.strip())
    if place.inline:
        return f" {text} "
    return f"\n\n{text}\n" if text else "\n"


def _list(text: str, place: Place) -> str:
    return f"\n{text.rstrip()}" if place.in_item else f"\n\n{text}"


def _item(parent: Element, text: str) -> str:
    text = text.strip()
    if not text:
        return "\n"
    bullet = "- "
    if parent.name == "ol":
        bullet = f"{_number(parent.attributes.get('start', ''), 1) + parent.items}. "
    return f"{bullet}{_indented(text, len(bullet))[len(bullet) :]}\n"


def _preformatted(text: str, place: Place) -> str:
    if not text:
        return ""
    blanks = len(text) - len(text.lstrip(" \n"))
    first_line = text.rfind("\n", 0, blanks) + 1
    return f"\n\n```\n{text[first_line:].rstrip(' ' + chr(10))}\n```\n\n"


def _row(row: Element, text: str, parents: list[Element]) -> str:
    """Markdown has no table without a head, so one is put above or below the first row."""
    parent = parents[-1]
    line = f"|{text}\n"
    width = sum(cell.colspan for cell in row.cells)
    rule = "| " + " | ".join(["---"] * width) + " |\n"
    if parent.elements:
        return line
    if parent.name == "thead" or all(cell.name == "th" for cell in row.cells):
        return line + rule
    if parent.name == "tbody" and len(parents) > 1 and parents[-2].has_head:
        return line
    return "| " + " | ".join([""] * width) + " |\n" + rule + line


_CONVERSIONS: dict[str, Callable[[str, Place], str]] = {
    **dict.fromkeys(("b", "strong"), _emphasis("**")),
    **dict.fromkeys(("em", "i"), _emphasis("*")),
    **dict.fromkeys(("del", "s"), _emphasis("~~")),
    **dict.fromkeys(("sub", "sup"), _emphasis("")),
    **dict.fromkeys(("code", "kbd", "samp"), _code),
    **dict.fromkeys(("div", "article", "section", "dl"), _block(None)),
    **dict.fromkeys(_LISTS, _list),
    "p": _block(" \t\r\n"),
    "blockquote": _quotation,
    "dd": _definition,
    "dt": _term,
    "pre": _preformatted,
    "br": lambda text, place: " " if place.inline else "  \n",
    "hr": lambda text, place: "\n\n---\n\n",
    "q": lambda text, place: f'"{text}"',
    "table": lambda text, place: f"\n\n{text.strip()}\n\n",
    "caption": lambda text, place: f"{text.strip()}\n\n",
    "figcaption": lambda text, place: f"\n\n{text.strip()}\n\n",
}
