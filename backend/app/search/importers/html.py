"""HTML of notes as Markdown."""

import re
from urllib.parse import quote

from bs4 import BeautifulSoup, Tag
from markdownify import MarkdownConverter

_NOT_TEXT = (
    "script", "style", "template", "noscript", "iframe", "object", "embed", "svg", "math", "head",
    "img", "picture", "video", "audio", "canvas",
)  # fmt: skip
# Browsers leave these out of an address before they read its scheme.
_IGNORED = re.compile(r"[\x00-\x20\x7f]")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
# Brackets, quotes and the like, which end an address in Markdown; letters of any script stay.
_ENDS_ADDRESS = re.compile(r"[^\w/:?#@!$&*+,;=%~.-]")
_LINKS = frozenset({"http", "https", "mailto", "tel"})
_BLANK_LINES = re.compile(r"\n[ \t\xa0]*(?:\n[ \t\xa0]*)+\n?")


def html_to_markdown(html: str) -> str:
    """The text with its headings, lists, tables and links; no scripts, styles or pictures, and
    no link but to pages, mail and telephones."""
    soup = BeautifulSoup(html, "html.parser")
    for element in soup(_NOT_TEXT):
        element.decompose()
    for link in soup("a"):
        _keep_address_only(link)
    converter = MarkdownConverter(
        heading_style="ATX", bullets="-", escape_asterisks=False, escape_underscores=False,
        escape_misc=False, autolinks=False,
    )  # fmt: skip
    try:
        text: str = converter.convert_soup(soup)
    except RecursionError:
        # Elements nested a thousand deep have no layout worth keeping.
        text = soup.get_text("\n")
    return _BLANK_LINES.sub("\n\n", text).strip()


def _keep_address_only(link: Tag) -> None:
    """Leaves of a link its text and a harmless address, written so that it cannot end early."""
    address = _IGNORED.sub("", str(link.get("href") or ""))
    scheme = _SCHEME.match(address)
    link.attrs = {}
    if address and (scheme is None or scheme[1].lower() in _LINKS):
        link["href"] = _ENDS_ADDRESS.sub(lambda found: quote(found[0]), address)
